import type { IncomingHttpHeaders } from 'node:http';
import type net from 'node:net';
import type { buildConnector, Client, Dispatcher } from 'undici';
import type { UndiciModule } from './environment';
import { Failure } from './failure';
import { startTimer } from './socket';
import { isLong, type Progress, slicesOf } from './transfer';

/** Answers that are longer are refused: 32 MiB. */
export const largestAnswer = 32 * 1024 * 1024;

/** A request as it goes over the wire. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface RawAnswer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** From sending to the head of the answer, in milliseconds. */
  readonly roundTripMs: number;
}

/**
 * One socket with undici's HTTP/1.1 on it. The socket is opened outside and never replaced inside: undici
 * asking for a second one means that the request was not written, and is told so.
 */
export class Connection {
  readonly #socket: net.Socket;
  readonly #client: Client;
  readonly #monotonic: () => number;
  readonly #closed: Promise<void>;
  #lastUsed: number;
  #answered = false;
  #wasUsed = false;

  constructor(undici: UndiciModule, origin: string, socket: net.Socket, monotonic: () => number) {
    this.#socket = socket;
    this.#monotonic = monotonic;
    this.#lastUsed = monotonic();
    this.#closed = new Promise((resolve) => socket.once('close', () => resolve()));
    // Registered before undici's own, which takes the bytes away.
    socket.on('readable', () => {
      if (socket.readableLength > 0) this.#answered = true;
    });
    this.#client = new undici.Client(origin, {
      headersTimeout: 0,
      bodyTimeout: 0,
      // Not at once: undici does not look at a socket that comes while it asks for one.
      connect: (_options, callback) => queueMicrotask(() => this.#handOver(callback)),
    });
  }

  #handOver(callback: buildConnector.Callback): void {
    if (this.#socket.destroyed) {
      callback(Failure.own('CONNECTION_GONE', 'the idle connection was closed'), null);
      return;
    }
    callback(null, this.#socket);
  }

  get usable(): boolean {
    return !this.#socket.destroyed && this.#socket.writable;
  }

  /** An answer came over it before. */
  get wasUsed(): boolean {
    return this.#wasUsed;
  }

  /** Milliseconds since it was opened or last carried an answer. */
  get idleMs(): number {
    return this.#monotonic() - this.#lastUsed;
  }

  /**
   * Sends one request and reads the whole answer.
   * @param timeoutMs from sending to the answer's end
   * @param progress told of the bytes of the body, and then of the answer
   * @throws Failure that knows whether the request was sent and whether an answer began
   */
  exchange(
    request: OutgoingRequest,
    timeoutMs: number,
    signal: AbortSignal,
    progress?: Progress,
  ): Promise<RawAnswer> {
    this.#answered = false;
    return new Promise((resolve, reject) => {
      const exchange = new Exchange(timeoutMs, signal, this.#monotonic, {
        resolve: (answer) => {
          this.#lastUsed = this.#monotonic();
          this.#wasUsed = true;
          resolve(answer);
        },
        reject: (error, sent) => reject(Failure.of(error, { sent, answered: this.#answered })),
        ...(progress && { progress }),
      });
      const { headers, body, ...rest } = request;
      const watched = body && progress && isLong(body) ? slicesOf(body, progress) : body;
      const length = body ? { 'content-length': String(body.length) } : {};
      const outgoing = { ...rest, headers: { ...headers, ...length }, ...(watched && { body: watched }) };
      // undici's types know streams only, its documentation any iterable.
      this.#client.dispatch(outgoing as Dispatcher.DispatchOptions, exchange);
    });
  }

  /** Resolves when the socket is gone. */
  async destroy(): Promise<void> {
    this.#socket.destroy();
    await Promise.all([this.#client.destroy(), this.#closed]);
  }
}

interface Outcome {
  resolve(answer: RawAnswer): void;
  reject(error: unknown, sent: boolean): void;
  readonly progress?: Progress;
}

/** Collects one answer: limits its size and its time, and drains it always. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #statusCode = 0;
  #headers: IncomingHttpHeaders = {};
  #sentAt: number | undefined;
  #roundTripMs = 0;
  readonly #timer: NodeJS.Timeout;
  #abort: ((reason: Error) => void) | undefined;
  #settled = false;
  readonly #onAbort = () => this.#stop(Failure.of(this.signal.reason));

  constructor(
    private readonly timeoutMs: number,
    private readonly signal: AbortSignal,
    private readonly monotonic: () => number,
    private readonly outcome: Outcome,
  ) {
    signal.addEventListener('abort', this.#onAbort);
    this.#timer = this.#startTimer();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#abort = (reason) => controller.abort(reason);
    if (this.signal.aborted) this.#onAbort();
    if (this.#settled) {
      controller.abort(Failure.own('ABORTED', 'it was given up'));
      return;
    }
    this.#sentAt = this.monotonic();
    this.#timer.refresh();
  }

  onResponseStart(_controller: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) return;
    this.#statusCode = statusCode;
    this.#headers = headers;
    this.#roundTripMs = this.monotonic() - (this.#sentAt ?? 0);
    if (Number(headers['content-length']) > largestAnswer) this.#stop(tooLarge());
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > largestAnswer) this.#stop(tooLarge());
    else this.#chunks.push(chunk);
    this.outcome.progress?.(this.#length, Number(this.#headers['content-length']) || undefined);
  }

  onResponseEnd(): void {
    this.#settle(() =>
      this.outcome.resolve({
        statusCode: this.#statusCode,
        headers: this.#headers,
        body: Buffer.concat(this.#chunks),
        roundTripMs: Math.round(this.#roundTripMs),
      }),
    );
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#stop(isParserError(error) ? this.#unreadable() : error);
  }

  #unreadable(): Failure {
    if (this.#statusCode === 0) return Failure.own('NOT_HTTP', 'what came is no HTTP answer');
    return Failure.own('BROKEN_OFF', 'the answer broke off');
  }

  #startTimer(): NodeJS.Timeout {
    return startTimer(() => this.#stop(this.#tooLate()), this.timeoutMs);
  }

  #tooLate(): Failure {
    if (this.#sentAt === undefined) return Failure.own('CONNECT_TIMEOUT', 'it could not be sent in time');
    return Failure.own('ANSWER_TIMEOUT', this.#statusCode === 0 ? 'no answer' : 'the answer did not end');
  }

  #stop(reason: Error): void {
    this.#settle(() => this.outcome.reject(reason, this.#sentAt !== undefined));
    this.#abort?.(reason);
  }

  #settle(finish: () => void): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.signal.removeEventListener('abort', this.#onAbort);
    finish();
  }
}

/** The errors of undici's parser have no code, or one that begins with HPE_. */
function isParserError(error: Error): boolean {
  return !('code' in error) || error.code === undefined || String(error.code).startsWith('HPE_');
}

function tooLarge(): Failure {
  return Failure.own('TOO_LARGE', `the answer is larger than ${largestAnswer / 1024 / 1024} MiB`);
}
