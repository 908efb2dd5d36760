import type net from 'node:net';
import type { buildConnector, Client, Dispatcher } from 'undici';
import type { Clock } from '../../time/clock';
import { Deadline } from '../../time/deadline';
import type { UndiciModule } from '../environment';
import { Failure } from '../failure';
import type { Abort } from '../queue/entry';
import type { DeviceSettings, Endpoint } from '../settings';
import { Exchange, isLong, type Progress, type RawAnswer, slicesOf } from './exchange';
import { InterimResponses } from './interim-responses';
import { certificateEndOf } from './socket';

/** The status that servers send before they close a connection that was idle for too long. */
const idleTooLong = 408;

/** Maximum wait for the device to close an idle connection, in milliseconds. */
const maxCloseWaitMs = 100;

/**
 * The progress of a request that received status 408 on a kept connection. The server has usually sent the
 * status before the request arrived, so the status does not answer the request.
 */
const crossed = { sent: true, answered: false, statusCode: idleTooLong } as const;

interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

export interface Opener {
  readonly settings: DeviceSettings;
  readonly endpoint: Endpoint;
  /** Whether the address is a host name, which can later resolve to another IP address. */
  readonly isNamed: boolean;
}

/**
 * One socket with undici's HTTP/1.1 on top. The client opens the socket, and undici never replaces the
 * socket: if undici asks for another socket, the request fails before a byte is written.
 */
export class Connection {
  readonly certificateEndsAt: number | undefined;
  readonly #socket: net.Socket;
  readonly #client: Client;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #openedAt: number;
  readonly #interimResponses: InterimResponses;
  #lastUsed: number;
  #wasAsked = false;
  #wasUsed = false;

  constructor(
    readonly opener: Opener,
    undici: UndiciModule,
    origin: string,
    socket: net.Socket,
    clock: Pick<Clock, 'monotonic'>,
  ) {
    this.#socket = socket;
    this.certificateEndsAt = certificateEndOf(socket);
    this.#clock = clock;
    this.#openedAt = clock.monotonic();
    this.#lastUsed = this.#openedAt;
    this.#interimResponses = new InterimResponses(socket);
    this.#client = new undici.Client(origin, {
      headersTimeout: 0,
      bodyTimeout: 0,
      // The handover is delayed, since undici ignores a socket that is delivered during the call of
      // `connect`.
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

  /** Whether a request was sent whose answer has not begun. */
  get isUnanswered(): boolean {
    return this.#wasAsked && !this.#interimResponses.hasBegun;
  }

  get wasUsed(): boolean {
    return this.#wasUsed;
  }

  get ageMs(): number {
    return this.#clock.monotonic() - this.#openedAt;
  }

  /** Milliseconds since the last answer, or since the connection was opened. */
  get idleMs(): number {
    return this.#clock.monotonic() - this.#lastUsed;
  }

  /**
   * @param timeoutMs time limit from sending to the end of the answer, in milliseconds
   * @param maxBytes maximum size of the answer, in bytes
   * @throws Failure that shows whether the request was sent and whether an answer began
   */
  exchange(
    request: OutgoingRequest,
    timeoutMs: number,
    maxBytes: number,
    abort: Abort,
    progress?: Progress,
  ): Promise<RawAnswer> {
    this.#interimResponses.restart();
    this.#wasAsked = true;
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
          reject(Failure.of(error, { sent, answered: this.#interimResponses.hasBegun, statusCode, wireMs }));
        },
      });
      // The types of undici accept only streams; its documentation accepts any iterable.
      this.#client.dispatch(outgoing(request, progress) as Dispatcher.DispatchOptions, exchange);
    });
  }

  /**
   * Closes an idle connection, and waits up to `maxCloseWaitMs` for the device to close its side: until then,
   * the device treats the connection as open.
   */
  async part(): Promise<void> {
    const socket = this.#socket;
    if (socket.closed) return;
    await new Promise<void>((resolve) => {
      const limit = new Deadline(resolve, maxCloseWaitMs);
      socket.once('close', () => {
        limit.clear();
        resolve();
      });
      socket.end();
    });
    await this.dropIdle();
  }

  async destroy(): Promise<void> {
    await Promise.all([this.dropIdle(), this.#client.destroy()]);
  }

  /**
   * Closes an idle connection. Destroying the socket also ends the undici client, and costs half as much as
   * ending the client.
   */
  async dropIdle(): Promise<void> {
    const socket = this.#socket;
    if (socket.closed) return;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.destroy();
    await closed;
  }
}

/** undici cannot know the length of a body that is sent in slices, so a header contains the length. */
function outgoing({ method, path, headers, body }: OutgoingRequest, progress: Progress | undefined): object {
  if (!body) return { method, path, headers };
  const watched = isLong(body) ? slicesOf(body, progress) : body;
  return { method, path, headers: { ...headers, 'content-length': String(body.length) }, body: watched };
}
