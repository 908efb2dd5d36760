import { type IncomingHttpHeaders, request as open } from 'node:http';
import { authorization, md5 } from '../fixtures/signing';
import type { Part, Request } from './transcript';

/** The RESTful API Password of every device in these tests. */
export const password = 'a:pass wörd';

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const boundary = 'x-contract-boundary';

/** Method and path of a request line. */
export function splitLine(line: string): { method: string; path: string } {
  const space = line.indexOf(' ');
  return { method: line.slice(0, space), path: line.slice(space + 1) };
}

function formData(parts: readonly Part[]): Buffer {
  const chunks: Buffer[] = [];
  for (const part of parts) {
    const file = part.body === undefined ? '' : '; filename="tone"';
    chunks.push(
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${part.name}"${file}\r\n`),
      Buffer.from(`Content-Type: ${part.type}\r\n\r\n`),
      part.body ?? Buffer.from(JSON.stringify(part.json)),
      Buffer.from('\r\n'),
    );
  }
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

function bodyOf(request: Request): { body: Buffer; type: string } | undefined {
  if (request.parts)
    return { body: formData(request.parts), type: `multipart/form-data; boundary=${boundary}` };
  if (request.body) return { body: request.body, type: request.type ?? 'application/octet-stream' };
  if (request.json === undefined) return undefined;
  return { body: Buffer.from(JSON.stringify(request.json)), type: request.type ?? 'application/json' };
}

/** The headers of section 5 for a request, spoiled as the transcript says. */
function signed(request: Request, at: number, nonce: string): Record<string, string> {
  const { method, path } = splitLine(request.line);
  const spoil = request.signature;
  const uri = path.split('?')[0] ?? path;
  const content = bodyOf(request);
  const shift = spoil === 'clock 60 s behind' ? -60 : spoil === 'clock 60 s ahead' ? 60 : 0;
  const seconds = Math.floor(at / 1000) + shift;
  const body = spoil === 'other body' ? Buffer.from('{}') : content?.body;
  const right = authorization(
    {
      method: spoil === 'other method' ? 'DELETE' : method,
      uri: spoil === 'other path' ? `${uri}x` : uri,
      content: content && body && !request.parts ? { body, type: content.type } : undefined,
      seconds,
      nonce,
    },
    spoil === 'other password' ? 'guessed' : password,
    spoil === 'other user' ? 'root' : 'admin',
  );
  const headers: Record<string, string> = {
    Authorization: right,
    Date: new Date(seconds * 1000).toUTCString(),
  };
  if (content) headers['Content-Type'] = content.type;
  if (body && !request.parts) headers['Content-MD5'] = md5(body);
  if (spoil === 'absent') delete headers.Authorization;
  if (spoil === 'basic')
    headers.Authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  if (spoil === 'capital digest')
    headers.Authorization = right.replace(/[0-9a-f]+$/, (hex) => hex.toUpperCase());
  if (spoil === 'no date') delete headers.Date;
  if (spoil === 'no md5') delete headers['Content-MD5'];
  if (spoil === 'base64 md5' && body)
    headers['Content-MD5'] = Buffer.from(md5(body), 'hex').toString('base64');
  return headers;
}

/** Sends a transcript's request, signed by hand, on a connection of its own. */
export function send(base: string, request: Request): Promise<Received> {
  const { method, path } = splitLine(request.line);
  const body = bodyOf(request)?.body;
  const { hostname, port } = new URL(base);
  const nonce = String(Math.floor(Math.random() * 1e12));
  return new Promise((resolve, reject) => {
    const sent = open(
      {
        hostname,
        port,
        path,
        method,
        agent: false,
        headers: {
          ...signed(request, Date.now(), nonce),
          ...(body ? { 'Content-Length': body.length } : {}),
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The parts of a multipart body: name, content type and bytes of each, in their order. */
export function readForm(body: Buffer, type: string): { name: string; type: string; body: Buffer }[] {
  const mark = /boundary="?([^";]+)"?/.exec(type)?.[1];
  if (mark === undefined) throw new Error(`no boundary in ${type}`);
  const pieces = body.toString('latin1').split(`--${mark}`);
  return pieces.slice(1, -1).map((piece) => {
    const gap = piece.indexOf('\r\n\r\n');
    const head = piece.slice(0, gap);
    return {
      name: /name="([^"]*)"/.exec(head)?.[1] ?? '',
      type: /content-type: *([^\r\n]+)/i.exec(head)?.[1] ?? '',
      body: Buffer.from(piece.slice(gap + 4, -2), 'latin1'),
    };
  });
}
