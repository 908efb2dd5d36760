import type net from 'node:net';
import type { buildConnector, Client, Dispatcher } from 'undici';
import type { Clock } from '../../time/clock';
import { Deadline } from '../../time/deadline';
import type { UndiciModule } from '../environment';
import { Failure } from '../failure';
import type { Abort } from '../queue/entry';
import type { DeviceSettings, Endpoint } from '../settings';
import { Exchange, isLong, type Progress, type RawAnswer, slicesOf } from './exchange';

/** What servers say before they close a connection that was idle for too long: 408. */
const idleTooLong = 408;

/** So long the other side has to close an idle connection too, in milliseconds. */
const partingMs = 100;

/** Mostly it was said before the request came, and is no answer to it. */
const crossed = { sent: true, answered: false, statusCode: idleTooLong } as const;

/** A request as it goes over the wire. */
interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** What a connection was opened with: it decides who may use it. */
export interface Opener {
  readonly settings: DeviceSettings;
  readonly endpoint: Endpoint;
  /** The device is known by a name, which may lead to another address later. */
  readonly isNamed: boolean;
}

/**
 * One socket with undici's HTTP/1.1 on it. The socket is opened outside and never replaced inside: undici
 * asking for a second one means that the request was not written, and is told so.
 */
export class Connection {
  readonly #socket: net.Socket;
  readonly #client: Client;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #openedAt: number;
  #lastUsed: number;
  #answered = false;
  #wasUsed = false;

  constructor(
    readonly opener: Opener,
    undici: UndiciModule,
    origin: string,
    socket: net.Socket,
    clock: Pick<Clock, 'monotonic'>,
  ) {
    this.#socket = socket;
    this.#clock = clock;
    this.#openedAt = clock.monotonic();
    this.#lastUsed = this.#openedAt;
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

  /** Milliseconds since it was opened. */
  get ageMs(): number {
    return this.#clock.monotonic() - this.#openedAt;
  }

  /** Milliseconds since it was opened or last carried an answer. */
  get idleMs(): number {
    return this.#clock.monotonic() - this.#lastUsed;
  }

  /**
   * Sends one request and reads the whole answer.
   * @param timeoutMs from sending to the answer's end
   * @param maxBytes longer answers are refused, in bytes
   * @param progress told of the bytes of the body, and then of the answer
   * @throws Failure that knows whether the request was sent and whether an answer began
   */
  exchange(
    request: OutgoingRequest,
    timeoutMs: number,
    maxBytes: number,
    abort: Abort,
    progress?: Progress,
  ): Promise<RawAnswer> {
    this.#answered = false;
    return new Promise((resolve, reject) => {
      const exchange = new Exchange({
        timeoutMs,
        maxBytes,
        abort,
        progress,
        clock: this.#clock,
        onAnswer: (answer) => {
          if (this.#wasUsed && answer.statusCode === idleTooLong) {
            reject(Failure.own('CONNECTION_GONE', 'the idle connection was closed', crossed));
            return;
          }
          this.#lastUsed = this.#clock.monotonic();
          this.#wasUsed = true;
          resolve(answer);
        },
        onFailure: (error, wireMs, statusCode) => {
          const sent = wireMs !== undefined;
          reject(Failure.of(error, { sent, answered: this.#answered, statusCode, wireMs }));
        },
      });
      // undici's types know streams only, its documentation any iterable.
      this.#client.dispatch(outgoing(request, progress) as Dispatcher.DispatchOptions, exchange);
    });
  }

  /** Closes it while it is idle, and waits a moment for the other side: a device has it open until then. */
  async part(): Promise<void> {
    const socket = this.#socket;
    if (socket.closed) return;
    await new Promise<void>((resolve) => {
      const limit = new Deadline(resolve, partingMs);
      socket.once('close', () => {
        limit.clear();
        resolve();
      });
      socket.end();
    });
    await this.dropIdle();
  }

  /** Resolves when the socket is gone, and nothing is asked of it any more. */
  async destroy(): Promise<void> {
    await Promise.all([this.dropIdle(), this.#client.destroy()]);
  }

  /** The same for one that is asked nothing: with its socket its client has ended too, at half the cost. */
  async dropIdle(): Promise<void> {
    const socket = this.#socket;
    if (socket.closed) return;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.destroy();
    await closed;
  }
}

/** What undici is given: the length is said, since a body in slices does not show it. */
function outgoing({ method, path, headers, body }: OutgoingRequest, progress: Progress | undefined): object {
  if (!body) return { method, path, headers };
  const watched = isLong(body) ? slicesOf(body, progress) : body;
  return { method, path, headers: { ...headers, 'content-length': String(body.length) }, body: watched };
}
