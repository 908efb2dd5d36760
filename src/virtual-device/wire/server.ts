import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { httpStatus, maxBytesUnderway } from '../choices';
import type { Clock } from '../clock/clock';
import type { Before, FaultPlan } from '../faults/plan';
import { transmit, wait } from '../faults/transmit';
import { type Answer, refuse } from './answer';
import { announcedBytes, type Head } from './authentication';
import type { Certificate } from './certificate';
import type { Incoming, UnreadBody } from './incoming';
import { isLoopback } from './loopback';

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly certificate?: Certificate | undefined;
  readonly clock: Clock;
  /** The real clock, independent of the device's clock. */
  readonly outside: Clock;
  /** Returns the maximum size of the body, in bytes; a longer body is rejected. Must not throw. */
  readonly maxBodyBytesFor: (head: Head) => number;
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
  /** Bytes of the request bodies whose answers are not sent yet. */
  #underway = 0;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#port = options.port;
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      this.#serve(request, response).catch(() => response.destroy());
    };
    const { certificate } = options;
    this.#server = certificate ? createTlsServer({ ...certificate }, listener) : createServer(listener);
    // With this listener, the server sends `100 Continue` only for a body that the server wants to read.
    this.#server.on('checkContinue', listener);
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
    const body = await this.#take(request, response, this.#options.maxBodyBytesFor(head));
    // Discards the rest of the body: a client that sends the whole body before reading still gets the answer.
    if (!Buffer.isBuffer(body)) request.resume();
    const incoming = { ...head, body };
    const plan = this.#options.plan(head);
    if (plan) await this.#serveFaulty(response, incoming, plan);
    else this.#send(response, this.#options.respond(incoming));
  }

  async #take(
    request: IncomingMessage,
    response: ServerResponse,
    maxBytes: number,
  ): Promise<Buffer | UnreadBody> {
    const tooLarge = { refusal: refuse(`more than ${maxBytes} bytes`, httpStatus.tooLarge) };
    if (announcedBytes(request.headers) > maxBytes) return tooLarge;
    if (request.headers.expect !== undefined) response.writeContinue();
    let body: Buffer = empty;
    let size = 0;
    response.once('close', () => {
      this.#underway -= size;
    });
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const start = size;
      size += chunk.length;
      this.#underway += chunk.length;
      if (size > maxBytes) return tooLarge;
      if (this.#underway > maxBytesUnderway)
        return { refusal: refuse('too many bytes in parallel', httpStatus.busy) };
      // Each chunk is copied, since a list of many small chunks would need several times the memory.
      if (size > body.length) body = enlarged(body, start, size, maxBytes);
      chunk.copy(body, start);
    }
    // A copy, since a file keeps its buffer as a whole.
    return size === body.length ? body : Buffer.from(body.subarray(0, size));
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

/** Returns a new buffer of at least `size` bytes that starts with the first `length` bytes of `before`. */
function enlarged(before: Buffer, length: number, size: number, maxBytes: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(Math.max(size, 2 * before.length, minBodyBytes), maxBytes));
  before.copy(larger, 0, 0, length);
  return larger;
}

const minBodyBytes = 4096;

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
