import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { TestCertificate } from '../fixtures/certificates';
import { end, listen, ownHost } from '../fixtures/listening';

/** An answer of the device: a record as JSON, a status, or a function that writes the response. */
export type Scripted = object | number | ((response: ServerResponse) => void);

/** A device whose answers a test writes by hand. It asks nobody for a password. */
export class DeviceByHand {
  readonly heard: string[] = [];
  readonly answers: Record<string, Scripted> = {
    '/api/info/about': { 'Product Name': 'Algo 8301 IP Paging Adapter', 'Firmware Version': '5.5' },
    '/api/info/status': { 'Device Name': 'By hand', 'SIP Registration': 'Successful' },
  };
  /** The answer to all other requests. */
  otherwise: Scripted = 404;
  /** The device's clock minus this machine's, in milliseconds. */
  offsetMs = 0;
  readonly #server: Server;
  readonly #scheme: string;
  #host = '';

  constructor(certificate?: TestCertificate) {
    const onRequest = (request: IncomingMessage, response: ServerResponse) =>
      this.#onRequest(request, response);
    this.#scheme = certificate ? 'https' : 'http';
    this.#server = certificate ? createTlsServer(certificate, onRequest) : createServer(onRequest);
  }

  get address(): string {
    return `${this.#scheme}://${this.#host}`;
  }

  async open(): Promise<this> {
    const port = Number(this.#host.split(':')[1] ?? 0);
    this.#host = await listen(this.#server, port, ownHost);
    return this;
  }

  close(): Promise<void> {
    return this.#server.listening ? end(this.#server) : Promise.resolve();
  }

  #onRequest({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
    this.heard.push(`${method} ${url}`);
    const answer = this.answers[url] ?? this.otherwise;
    response.setHeader('Date', new Date(Date.now() + this.offsetMs).toUTCString());
    if (typeof answer === 'function') answer(response);
    else if (typeof answer === 'number') response.writeHead(answer).end();
    else response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  }
}
