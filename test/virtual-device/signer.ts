import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { authorization, md5 } from '../signing';

/** What a test says of a request; headers given here replace the signer's. */
export interface Wish {
  readonly body?: string | Buffer;
  readonly type?: string;
  readonly password?: string;
  /** Milliseconds since the epoch that the requester believes it to be. */
  readonly now?: number;
  /** Signed instead of the path. */
  readonly uri?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly data: Buffer;
}

/** Sends bytes as they are, with nothing but these headers. */
export function send(
  address: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer = Buffer.alloc(0),
): Promise<Reply> {
  const { hostname, port, protocol } = new URL(address);
  const request = protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: hostname.replace(/^\[|\]$/g, ''),
        port,
        method,
        path,
        headers: { ...headers, ...(body.length > 0 ? { 'Content-Length': String(body.length) } : {}) },
        agent: false,
        rejectUnauthorized: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const data = Buffer.concat(chunks);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: data.toString(),
            data,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

let count = 0;

/** The headers of Standard authentication (section 5), written without the device's code. */
export function sign(method: string, path: string, wish: Wish = {}): Record<string, string> {
  const seconds = Math.floor((wish.now ?? Date.now()) / 1000);
  count += 1;
  const nonce = `nonce${count}`;
  const body = Buffer.from(wish.body ?? '');
  const type = wish.type ?? 'application/json';
  const uri = wish.uri ?? path.replace(/\?.*/, '');
  const isSigned = body.length > 0 && !type.startsWith('multipart/');
  const content = isSigned ? { body, type } : undefined;
  const signed = { method, uri, content, seconds, nonce };
  return {
    Authorization: authorization(signed, wish.password ?? 'algo'),
    Date: new Date(seconds * 1000).toUTCString(),
    ...(body.length > 0 ? { 'Content-Type': type } : {}),
    ...(isSigned ? { 'Content-MD5': md5(body) } : {}),
    ...wish.headers,
  };
}

/** Signs and sends. */
export function ask(address: string, method: string, path: string, wish: Wish = {}): Promise<Reply> {
  return send(address, method, path, sign(method, path, wish), Buffer.from(wish.body ?? ''));
}

/** Signs and sends an object as JSON. */
export function tell(
  address: string,
  route: string,
  body?: unknown,
  wish: Omit<Wish, 'body'> = {},
): Promise<Reply> {
  const [method = '', path = ''] = route.split(' ');
  return ask(address, method, path, body === undefined ? wish : { ...wish, body: JSON.stringify(body) });
}
