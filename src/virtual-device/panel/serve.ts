import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { CommandError } from '../commands';
import type { VirtualDevice } from '../device';
import { mediaType } from '../state/media';
import { readJsonText } from '../wire/json-text';
import { bodyOf } from '../wire/server';
import { streamEvents } from './stream';
import { panelHeaders, type Viewer } from './viewer';
import { languageFor, pageIn } from './words';

const pageFolder = path.join(__dirname, 'page');

/** The name of a stylesheet or script of the page; a name with a folder does not match. */
const pagePart = /^[a-z-]+\.(css|js)$/;

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

export function answerText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...panelHeaders, 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

export function answerHtml(response: ServerResponse, page: string): void {
  response.writeHead(200, {
    ...panelHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
  });
  response.end(page);
}

/** Headers of uploads: an upload must never run as a page or a script, whatever its name. */
const uploadHeaders = {
  ...panelHeaders,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/**
 * The caller must have checked the permission to read.
 * @param rest the path after the panel's own address, without a leading slash
 */
export async function servePanel(
  device: VirtualDevice,
  rest: string,
  request: IncomingMessage,
  response: ServerResponse,
  viewer: Viewer,
): Promise<void> {
  const { method } = request;
  if (rest === 'command' && method === 'POST') {
    if (viewer.mayChange) await command(device, request, response);
    else answerText(response, 403, 'You have read permission only: you cannot change anything.');
    return;
  }
  if (method !== 'GET' && method !== 'HEAD') return answerText(response, 405, 'This address is read-only.');
  if (rest === 'events' && method === 'GET') return streamEvents(device, request, response, viewer);
  if (rest === 'state') return answerJson(response, 200, device.snapshot());
  if (rest === 'file') return answerFile(device, request, response);
  if (rest === '') return answerPage(request, response);
  return answerPart(rest, response);
}

async function command(device: VirtualDevice, request: IncomingMessage, response: ServerResponse) {
  // Another web page cannot send JSON without permission.
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    return answerText(response, 403, 'Commands must be JSON.');
  try {
    const { name, given } = Object(await readCommand(request));
    const result = await device.carryOut(typeof name === 'string' ? name : '', given);
    return answerJson(response, 200, { result: result ?? null });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return answerJson(response, 400, { error: error.message });
  }
}

/** In the editor, Node-RED has already parsed the body. */
async function readCommand(request: IncomingMessage): Promise<unknown> {
  if ('body' in request && request.body !== undefined) return request.body;
  try {
    return readJsonText((await bodyOf(request)) ?? Buffer.alloc(0));
  } catch {
    throw new CommandError('the command is not JSON, or has too many levels');
  }
}

function answerJson(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { ...panelHeaders, 'Content-Type': 'application/json' });
  response.end(JSON.stringify(json));
}

function answerFile(device: VirtualDevice, request: IncomingMessage, response: ServerResponse): void {
  const [, ...query] = (request.url ?? '').split('?');
  const content = device.shownFile(new URLSearchParams(query.join('?')));
  const type = content && mediaType(content);
  if (!content || !type) {
    answerText(response, 404, 'The picture or recording does not exist.');
    return;
  }
  response.writeHead(200, { ...uploadHeaders, 'Content-Type': type, 'Content-Length': content.length });
  response.end(content);
}

async function answerPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const page = await readFile(path.join(pageFolder, 'index.html'), 'utf8');
  answerHtml(response, pageIn(languageFor(request), page));
}

async function answerPart(name: string, response: ServerResponse): Promise<void> {
  const [, ending = ''] = pagePart.exec(name) ?? [];
  const content = ending && (await readFile(path.join(pageFolder, name)).catch(() => undefined));
  if (!content) return answerText(response, 404, 'The page does not exist.');
  response.writeHead(200, {
    ...panelHeaders,
    'Content-Type': contentTypes[ending],
    'Content-Length': content.length,
  });
  response.end(content);
}
