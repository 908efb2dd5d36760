import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { TestCertificate } from '../fixtures/certificates';
import { end, listen } from '../fixtures/listening';

/** A request as it came: its header `Authorization` and its body. */
interface Came {
  readonly authorization: string;
  readonly body: string;
}

type Respond = (response: ServerResponse, came: Came) => void;

/** JSON in the form of PHP, which escapes each slash. */
const json = (value: unknown) => JSON.stringify(value).replaceAll('/', '\\/');

const answer =
  (status: number, type: string, text: (came: Came) => string): Respond =>
  (response, came) =>
    void response.writeHead(status, { 'content-type': type }).end(text(came));

/** Bytes instead of an answer of Node's server. */
const raw =
  (text: (came: Came) => string): Respond =>
  (response, came) =>
    void response.socket?.end(text(came));

const credentials = ({ authorization }: Came) => authorization.split(/[ :]/).at(-1) ?? '';

/** Ways in which a device repeats the header and the body of a request. */
export const ways: Readonly<Record<string, Respond>> = {
  'a login that is rejected': answer(401, 'application/json', ({ authorization, body }) =>
    json({ error: `wrong: ${authorization}`, headers: { authorization }, body }),
  ),
  'a rejected request in words': answer(
    400,
    'text/plain',
    (came) => `no "${credentials(came)}" (${came.authorization})\n${came.body}`,
  ),
  'a failure': answer(500, 'application/json', ({ authorization, body }) =>
    json([authorization, { Authorization: authorization, body }]),
  ),
  'an accepted request': answer(200, 'application/json', (came) =>
    json({ Authorization: came.authorization, credentials: credentials(came), body: came.body }),
  ),
  'an accepted request in words': answer(200, 'text/plain', ({ authorization }) => `hello ${authorization}`),
  'a web page': answer(200, 'text/html', (came) => `<html><title>${came.authorization}</title></html>`),
  'a redirect': (response, { authorization }) => {
    const text = encodeURIComponent(authorization);
    const at = `http://${text}:${text}@127.0.0.1/${text}/${authorization.replace(' ', '_')}?${text}#${text}`;
    response.writeHead(302, { location: at }).end();
  },
  'a status and headers': raw(
    ({ authorization }) =>
      `HTTP/1.1 400 ${authorization}\r\nDate: ${authorization}\r\nWWW-Authenticate: ${authorization}\r\nContent-Length: 0\r\n\r\n`,
  ),
  'no HTTP': raw(({ authorization }) => `${authorization}\r\n\r\n`),
  'a header without a colon': raw(({ authorization }) => `HTTP/1.1 200 OK\r\n${authorization}\r\n\r\n`),
  'an answer that breaks off': raw(
    ({ authorization }) =>
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{"a":"${authorization}"`,
  ),
};

/** Devices that do nothing but repeat what they were sent. */
export class RepeatingDevices {
  /** The headers `Authorization`, and the hashes of bodies with a password, that came so far. */
  readonly headers = new Set<string>();
  way = Object.keys(ways)[0] ?? '';
  readonly #servers: Server[] = [];

  /** @param certificate for https */
  async start(certificate?: TestCertificate): Promise<string> {
    const take = (request: IncomingMessage, response: ServerResponse) => this.#take(request, response);
    const server = certificate ? createSecureServer(certificate, take) : createServer(take);
    this.#servers.push(server);
    return `${certificate ? 'https' : 'http'}://${await listen(server)}`;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map(end));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const { authorization = '' } = request.headers;
    if (authorization !== '') this.headers.add(authorization);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = String(Buffer.concat(chunks));
      const hash = request.headers['content-md5'];
      if (body.includes('pwd') && hash !== undefined) this.headers.add(String(hash));
      ways[this.way]?.(response, { authorization, body });
    });
  }
}
