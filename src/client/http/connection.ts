import type { IncomingHttpHeaders } from 'node:http';
import type net from 'node:net';
import type { buildConnector, Client, Dispatcher } from 'undici';
import { localized } from '../../catalogue/localized-message';
import type { Clock } from '../../kernel/time/clock';
import { Deadline } from '../../kernel/time/deadline';
import type { Progress } from '../call';
import type { UndiciModule } from '../environment';
import { Failure } from '../failure';
import type { Abort } from '../queue/entry';
import { Semaphore } from './semaphore';
import { certificateEndOf } from './socket';

const mebibyte = 1024 * 1024;

/**
 * Maximum size of an answer, in bytes. The limit for polls is lower, since polls are frequent and their
 * answers short.
 */
export const maxAnswerBytes = 32 * mebibyte;
export const maxReadingBytes = mebibyte / 4;

/** Maximum wait for the device to close an idle connection, in milliseconds. */
const maxCloseWaitMs = 100;

interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

interface ExchangeOptions {
  /** Time limit from sending to the end of the answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum size of the answer, in bytes. */
  readonly maxBytes: number;
  readonly abort: Abort;
  readonly onProgress: Progress | undefined;
}

export interface RawAnswer {
  readonly statusCode: number;
  /** Headers, keyed by lowercase name; a repeated header keeps its first value. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly roundTripMs: number;
  readonly wireMs: number;
}

/** The properties in which two devices must be equal to share a connection. */
export interface ConnectionKind {
  readonly origin: string;
  /** Whether the address is a host name, which can later resolve to another IP address. */
  readonly isNamed: boolean;
  /** Which certificates are trusted, and the TLS options; undefined for plain http. */
  readonly security: unknown;
}

/**
 * One socket with undici's HTTP/1.1 on top. The client opens the socket, and undici never replaces the
 * socket: if undici asks for another socket, the request fails before a byte is written.
 */
export class Connection {
  readonly certificateEndsAt: number | undefined;
  readonly #client: Client;
  readonly #openedAt: number;
  readonly #interimResponses: InterimResponses;
  #lastUsed: number;
  #wasAsked = false;
  #wasUsed = false;

  constructor(
    readonly kind: ConnectionKind,
    undici: UndiciModule,
    private readonly socket: net.Socket,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {
    this.certificateEndsAt = certificateEndOf(socket);
    this.#openedAt = clock.monotonic();
    this.#lastUsed = this.#openedAt;
    this.#interimResponses = new InterimResponses(socket);
    this.#client = new undici.Client(kind.origin, {
      headersTimeout: 0,
      bodyTimeout: 0,
      // The handover is delayed, since undici ignores a socket that is delivered during the call of
      // `connect`.
      connect: (_options, callback) => queueMicrotask(() => this.#handOver(callback)),
    });
  }

  #handOver(callback: buildConnector.Callback): void {
    if (this.socket.destroyed)
      callback(Failure.own('CONNECTION_GONE', 'the idle connection was closed'), null);
    else callback(null, this.socket);
  }

  get usable(): boolean {
    return !this.socket.destroyed && this.socket.writable;
  }

  /** Whether a request was sent whose answer has not begun. */
  get isUnanswered(): boolean {
    return this.#wasAsked && !this.#interimResponses.hasBegun;
  }

  get wasUsed(): boolean {
    return this.#wasUsed;
  }

  get ageMs(): number {
    return this.clock.monotonic() - this.#openedAt;
  }

  /** Milliseconds since the last answer, or since the connection was opened. */
  get idleMs(): number {
    return this.clock.monotonic() - this.#lastUsed;
  }

  /** @throws Failure that shows whether the request was sent and whether an answer began */
  async exchange(request: OutgoingRequest, options: ExchangeOptions): Promise<RawAnswer> {
    this.#interimResponses.restart();
    this.#wasAsked = true;
    const exchange = new Exchange(options, this.#interimResponses, this.clock);
    // The types of undici accept only streams; its documentation accepts any iterable.
    this.#client.dispatch(outgoing(request, options) as Dispatcher.DispatchOptions, exchange);
    const answer = await exchange.answer;
    this.#lastUsed = this.clock.monotonic();
    this.#wasUsed = true;
    return answer;
  }

  /**
   * Closes an idle connection, and waits up to `maxCloseWaitMs` for the device to close its side: until then,
   * the device treats the connection as open.
   */
  async part(): Promise<void> {
    if (this.socket.closed) return;
    await new Promise<void>((resolve) => {
      const limit = new Deadline(resolve, maxCloseWaitMs);
      this.socket.once('close', () => {
        limit.clear();
        resolve();
      });
      this.socket.end();
    });
    await this.destroy();
  }

  /** Closes the connection. Destroying the socket also ends the undici client. */
  async destroy(): Promise<void> {
    if (this.socket.closed) return;
    const closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.destroy();
    await closed;
  }
}

/** undici cannot know the length of a body that is sent in slices, so a header contains the length. */
function outgoing(request: OutgoingRequest, { onProgress }: ExchangeOptions): object {
  const { body, headers } = request;
  if (!isLong(body)) return request;
  const slices = slicesOf(body, onProgress);
  return { ...request, headers: { ...headers, 'content-length': String(body.length) }, body: slices };
}

/** Size of a slice in bytes: small enough to show progress on a slow line. */
const sliceLength = 64 * 1024;

/** Whether a body is sent in slices, with progress, and counts as a long transfer. */
export function isLong(body: Buffer | undefined): body is Buffer {
  return body !== undefined && body.length > 4 * sliceLength;
}

/**
 * Splits a body into slices, so that progress can be reported and other work is not blocked. The socket
 * requests a slice after taking the previous slice.
 */
async function* slicesOf(body: Buffer, onProgress?: Progress): AsyncGenerator<Buffer> {
  for (let start = 0; start < body.length; start += sliceLength) {
    onProgress?.(start, body.length);
    yield body.subarray(start, start + sliceLength);
  }
  onProgress?.(body.length, body.length);
}

const maxLongTransfers = 4;

/**
 * Limits parallel long uploads. Without the limit, one file for hundreds of devices would fill the memory and
 * the network; waiting devices would time out and look offline.
 */
export const longTransfers = new Semaphore(maxLongTransfers);

/** The handler of one request at undici. */
class Exchange implements Dispatcher.DispatchHandler {
  /** Rejects with a `Failure`. */
  readonly answer: Promise<RawAnswer>;
  #resolve!: (answer: RawAnswer) => void;
  #reject!: (reason: Failure) => void;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #statusCode: number | undefined;
  #headers: RawAnswer['headers'] = {};
  #sentAt: number | undefined;
  #roundTripMs = 0;
  readonly #limit: Deadline;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;

  constructor(
    private readonly options: ExchangeOptions,
    private readonly interimResponses: Pick<InterimResponses, 'hasBegun'>,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    options.abort.setListener((reason) => this.#stop(reason));
    this.#limit = new Deadline(() => this.#stop(this.#tooLate()), options.timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    const { abort } = this.options;
    if (abort.reason) this.#stop(abort.reason);
    if (this.#settled) {
      controller.abort(Failure.own('ABORTED', localized('givenUp')));
      return;
    }
    abort.onWire = true;
    abort.wasOnWire = true;
    abort.giveUp = () => this.#stop(Failure.own('GAVE_WAY', localized('gaveWay')));
    this.#sentAt = this.clock.monotonic();
    this.#limit.restart();
  }

  onResponseStart(_controller: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    this.#statusCode = statusCode;
    this.#headers = firstOfEach(headers);
    this.#roundTripMs = this.clock.monotonic() - (this.#sentAt ?? 0);
    if (Number(headers['content-length']) > this.options.maxBytes) this.#stop(this.#tooLarge());
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > this.options.maxBytes) this.#stop(this.#tooLarge());
    else this.#chunks.push(chunk);
    this.options.onProgress?.(this.#length, Number(this.#headers['content-length']) || undefined);
  }

  onResponseEnd(): void {
    if (!this.#settle()) return;
    const [first = Buffer.alloc(0), ...more] = this.#chunks;
    this.#resolve({
      statusCode: this.#statusCode ?? 0,
      headers: this.#headers,
      // Most answers have one chunk, which needs no copy.
      body: more.length === 0 ? first : Buffer.concat(this.#chunks),
      roundTripMs: Math.round(this.#roundTripMs),
      wireMs: this.#wireMs ?? 0,
    });
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (!isParserError(error)) this.#stop(error);
    else if (this.#statusCode === undefined) this.#stop(Failure.own('NOT_HTTP', localized('notHttp')));
    else this.#stop(Failure.own('BROKEN_OFF', localized('brokenOff')));
  }

  #tooLate(): Failure {
    if (this.#sentAt === undefined) return Failure.own('CONNECT_TIMEOUT', 'it could not be sent in time');
    return Failure.own('ANSWER_TIMEOUT', 'no complete answer');
  }

  #tooLarge(): Failure {
    const { maxBytes } = this.options;
    const size = maxBytes < mebibyte ? `${maxBytes / 1024} KiB` : `${maxBytes / mebibyte} MiB`;
    return Failure.own('TOO_LARGE', localized('tooLarge', { size }));
  }

  /** Time from sending until now, in milliseconds; undefined if the request was not handed to the socket. */
  get #wireMs(): number | undefined {
    return this.#sentAt === undefined ? undefined : Math.round(this.clock.monotonic() - this.#sentAt);
  }

  #stop(reason: Error): void {
    if (this.#settle()) {
      const { hasBegun: answered } = this.interimResponses;
      const [statusCode, wireMs] = [this.#statusCode, this.#wireMs];
      this.#reject(Failure.of(reason, { sent: wireMs !== undefined, answered, statusCode, wireMs }));
    }
    this.#controller?.abort(reason);
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#limit.clear();
    const { abort } = this.options;
    abort.onWire = false;
    abort.giveUp = undefined;
    abort.setListener(undefined);
    return true;
  }
}

/** Errors of undici's parser have no code, or a code that starts with HPE_. */
function isParserError(error: Error): boolean {
  return !('code' in error) || error.code === undefined || String(error.code).startsWith('HPE_');
}

/** The value of a repeated header is an array. */
function firstOfEach(headers: IncomingHttpHeaders): RawAnswer['headers'] {
  const first: Record<string, string | undefined> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    first[name] = Array.isArray(value) ? value[0] : value;
  }
  return first;
}

/** Maximum size of the head of an interim response, in bytes; undici has the same limit for every head. */
const maxHeadBytes = 16 * 1024;

const endOfHead = '\r\n\r\n';
const interimStart = /^HTTP\/1\.[01] 1\d\d[ \r]/;
const exampleStart = 'HTTP/1.1 100 ';

/**
 * Removes the interim responses (1xx) in front of a response, since a client ignores them (RFC 9110 15.2).
 * undici closes the connection at a `100 Continue` that the request did not ask for, and at a `101`.
 */
class InterimResponses {
  /** The beginning of a response that might be interim. */
  #held: Buffer = Buffer.alloc(0);
  #hasBegun = false;

  constructor(socket: net.Socket) {
    // undici takes all bytes with `read`. A stream between the socket and undici would cost a copy.
    const read = socket.read.bind(socket);
    socket.read = (size) => {
      const chunk: Buffer | null = read(size);
      return chunk === null || this.#hasBegun ? chunk : this.#filter(chunk);
    };
  }

  /** Whether bytes have arrived that do not belong to a complete interim response. */
  get hasBegun(): boolean {
    return this.#hasBegun || this.#held.length > 0;
  }

  /** Begins the wait for the next response. */
  restart(): void {
    this.#hasBegun = false;
  }

  #filter(chunk: Buffer): Buffer | null {
    let rest = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    this.#held = rest.subarray(0, 0);
    for (;;) {
      const start = rest.toString('latin1', 0, exampleStart.length);
      // The part of the start that is missing still might be that of an interim response.
      if (!interimStart.test(start + exampleStart.slice(start.length))) break;
      const end = rest.indexOf(endOfHead);
      if (end < 0 && rest.length > maxHeadBytes) break;
      if (end < 0) {
        this.#held = rest;
        return null;
      }
      rest = rest.subarray(end + endOfHead.length);
    }
    this.#hasBegun = true;
    return rest;
  }
}
