import http from 'node:http';
import https from 'node:https';
import { Deadline } from '../../../time/deadline';
import type { FoundDevice } from '../../answers';
import { modelIn } from '../../device/identity';
import { titleOfMaker } from '../landing';

/** A page is read no further: its title is at the beginning. */
const maxPageLength = 4_000;
const maxHeadLength = 8_192;

/** How long one address may take, by step. */
interface LookLimits {
  readonly connectMs: number;
  readonly pageMs: number;
}

const defaultLimits: LookLimits = { connectMs: 1_500, pageMs: 3_000 };

/** Where a page is. */
interface Place {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
}

/**
 * Asks an address for the page that is open to everybody, first over https, and says whose it is; undefined where
 * that is nobody of the maker's. Never rejects, and sends no password. Resolves when its connections are closed.
 * @param port the only one to ask; without it, the usual ones
 */
export async function lookAt(
  host: string,
  port: number | undefined,
  signal: AbortSignal,
  limits = defaultLimits,
): Promise<FoundDevice | undefined> {
  for (const secure of [true, false]) {
    if (signal.aborted) return undefined;
    const place = { secure, host, port: port ?? (secure ? 443 : 80) };
    const product = titleOfMaker(await pageAt(place, signal, limits));
    if (product === undefined) continue;
    const model = modelIn(product);
    const address = port === undefined ? host : `${host}:${port}`;
    return { address, secure, product, ...(model !== undefined && { model }) };
  }
  return undefined;
}

/** The beginning of a page, as far as it came in time. Redirections are not followed. */
function pageAt({ secure, host, port }: Place, signal: AbortSignal, limits: LookLimits): Promise<string> {
  return new Promise((resolve) => {
    const request = (secure ? https : http).request({
      host,
      port,
      path: '/',
      agent: false,
      headers: { accept: 'text/html', connection: 'close' },
      maxHeaderSize: maxHeadLength,
      signal,
      // Nothing secret is sent, and what is read proves nothing: a device's certificate is looked at by "Test".
      rejectUnauthorized: false,
    });
    let page = '';
    const end = () => request.destroy();
    const connecting = new Deadline(end, limits.connectMs);
    const whole = new Deadline(end, limits.pageMs);
    const settle = () => {
      connecting.clear();
      whole.clear();
      resolve(page);
    };
    request.once('socket', (socket) => {
      socket.once(secure ? 'secureConnect' : 'connect', () => connecting.clear());
      socket.once('close', settle);
    });
    // Nobody has to be told that a page takes a while; who says so without end would hold up everything else.
    request.once('information', end);
    request.once('response', (response) => {
      response.setEncoding('latin1');
      response.on('data', (text: string) => {
        page = (page + text).slice(0, maxPageLength);
        if (page.length === maxPageLength) end();
      });
      response.on('error', end);
      response.once('end', end);
    });
    request.on('error', () => {});
    // One that was ended before it had a socket.
    request.once('close', () => {
      if (!request.socket) settle();
    });
    request.end();
  });
}
