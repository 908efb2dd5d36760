import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { httpStatus, maxBodyBytes } from '../choices';
import type { Clock } from '../clock/clock';
import type { Before, FaultPlan } from '../faults/plan';
import { transmit, wait } from '../faults/transmit';
import type { Answer } from './answer';
import type { Certificate } from './certificate';
import { isLoopback } from './host';
import type { Head, Incoming } from './incoming';

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly certificate?: Certificate | undefined;
  readonly clock: Clock;
  /** The real clock, independent of the device's clock. */
  readonly outside: Clock;
  /** Returns the faults of a request, if any. Must not throw. */
  readonly plan: (head: Head) => FaultPlan | undefined;
  /** Carries out a request, even if a fault changes the answer. Must not throw. */
  readonly respond: (incoming: Incoming, plan?: FaultPlan) => Answer;
  /** Called if a fault keeps the device from acting. Must not throw. */
  readonly prevented: (incoming: Incoming, before: Before, plan: FaultPlan) => void;
  /** Called after an answer was sent or could not be sent. Must not throw. */
  readonly sent: (answer: Answer) => void;
}

const empty = Buffer.alloc(0);

export class DeviceServer {
  readonly #options: ServerOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port: number;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#port = options.port;
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      this.#serve(request, response).catch(() => response.destroy());
    };
    const { certificate } = options;
    this.#server = certificate ? createTlsServer({ ...certificate }, listener) : createServer(listener);
    this.#server.on('connection', (socket) => this.#keep(socket));
    // An error after the start, such as a lack of file handles, must not end the process.
    this.#server.on('error', () => undefined);
    this.#server.on('clientError', (_error, socket) => this.#answerNonsense(socket));
  }

  /** Port 0 is replaced by a free port, which later calls use again. Rejects if the port is not available. */
  async listen(): Promise<void> {
    this.#server.listen(this.#port, this.#options.host);
    await once(this.#server, 'listening');
    this.#port = this.#place.port;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  renew(certificate: Certificate): void {
    (this.#server as TlsServer).setSecureContext({ ...certificate });
    for (const socket of this.#sockets) socket.destroy();
  }

  get address(): string {
    const { host, certificate } = this.#options;
    const name = host.includes(':') ? `[${host}]` : host;
    return `${certificate ? 'https' : 'http'}://${name}:${this.#port}`;
  }

  /** Whether other computers can reach the server. The server must be listening. */
  get isExposed(): boolean {
    return !isLoopback(this.#place.address);
  }

  get #place(): AddressInfo {
    return this.#server.address() as AddressInfo;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  }

  #answerNonsense(socket: Duplex): void {
    const date = new Date(this.#options.clock.now()).toUTCString();
    const head = `HTTP/1.1 ${httpStatus.badRequest} Bad Request\r\nDate: ${date}\r\nConnection: close\r\n`;
    if (socket.writable) socket.end(`${head}Content-Length: 0\r\n\r\n`);
    else socket.destroy();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const head = { method, target: url, headers };
    const incoming = { ...head, body: await bodyOf(request) };
    // Discards the rest of a large body: a client that sends the whole body before reading still gets the answer.
    request.resume();
    const plan = this.#options.plan(head);
    if (plan) await this.#serveFaulty(response, incoming, plan);
    else this.#send(response, this.#options.respond(incoming));
  }

  async #serveFaulty(response: ServerResponse, incoming: Incoming, plan: FaultPlan): Promise<void> {
    const { outside, respond, prevented } = this.#options;
    if (!(await wait(plan.latencyMs, outside, response))) return;
    const { before, after } = plan;
    if (!before) {
      await transmit(response, this.#prepare(response, respond(incoming, plan)), after, outside);
      return;
    }
    prevented(incoming, before, plan);
    if (before.kind === 'status') this.#send(response, { status: before.status });
    if (before.kind === 'reset-before') response.socket?.resetAndDestroy();
  }

  #send(response: ServerResponse, answer: Answer): void {
    response.end(this.#prepare(response, answer));
  }

  #prepare(response: ServerResponse, answer: Answer): Buffer {
    response.statusCode = answer.status;
    response.setHeader('Date', new Date(this.#options.clock.now()).toUTCString());
    const content = answer.content ?? jsonContent(answer.json);
    if (content) response.setHeader('Content-Type', content.type);
    if (answer.status !== httpStatus.settingsWritten)
      response.setHeader('Content-Length', content?.data.length ?? 0);
    response.once('close', () => this.#options.sent(answer));
    return content?.data ?? empty;
  }
}

/** Returns the body; undefined if the body is too large. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function jsonContent(json: unknown): Answer['content'] {
  if (json === undefined) return undefined;
  return { type: 'application/json', data: Buffer.from(JSON.stringify(json)) };
}

export function listenError(cause: unknown, host: string, port: number): Error {
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'is in use already',
    EACCES: 'may not be used by this user',
    EADDRNOTAVAIL: 'does not exist on this machine',
  };
  const reason = reasons[code] ?? `cannot be used: ${cause instanceof Error ? cause.message : cause}`;
  return Object.assign(new Error(`port ${port} on ${host} ${reason}`, { cause }), { code });
}
