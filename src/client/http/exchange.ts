import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { localized } from '../../catalogue/localized-message';
import type { Clock } from '../../time/clock';
import { Deadline } from '../../time/deadline';
import { Failure } from '../failure';
import type { Abort } from '../queue/entry';
import { Semaphore } from './semaphore';

const mebibyte = 1024 * 1024;

/**
 * Maximum size of an answer, in bytes. The limit for polls is lower, since polls are frequent and their
 * answers short.
 */
export const maxAnswerBytes = 32 * mebibyte;
export const maxReadingBytes = mebibyte / 4;

export type Progress = (bytes: number, all?: number) => void;

export interface RawAnswer {
  readonly statusCode: number;
  /** Headers, keyed by lowercase name; a repeated header keeps its first value. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly roundTripMs: number;
  readonly wireMs: number;
}

interface ExchangeOptions {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly abort: Abort;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly progress: Progress | undefined;
  onAnswer(answer: RawAnswer): void;
  /**
   * Called once, if the exchange fails.
   * @param wireMs time from sending until the exchange failed, in milliseconds; undefined if the request was
   * not handed to the socket
   * @param statusCode status of the answer; undefined if its head did not arrive
   */
  onFailure(error: unknown, wireMs: number | undefined, statusCode: number | undefined): void;
}

/**
 * The part of an answer's body that has arrived. A device can send chunks of a single byte, and a list of all
 * chunks would take a hundred times the memory of their bytes.
 */
class Body {
  #buffer: Buffer = Buffer.alloc(0);
  length = 0;

  append(chunk: Buffer): void {
    const needed = this.length + chunk.length;
    // Most answers have one chunk, which needs no copy.
    if (this.length === 0) this.#buffer = chunk;
    else {
      if (needed > this.#buffer.length) this.#grow(2 * needed);
      chunk.copy(this.#buffer, this.length);
    }
    this.length = needed;
  }

  get content(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }

  #grow(size: number): void {
    const larger = Buffer.allocUnsafe(size);
    this.#buffer.copy(larger, 0, 0, this.length);
    this.#buffer = larger;
  }
}

export class Exchange implements Dispatcher.DispatchHandler {
  readonly #body = new Body();
  #statusCode = 0;
  #headers: RawAnswer['headers'] = {};
  #sentAt: number | undefined;
  #roundTripMs = 0;
  readonly #limit: Deadline;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;

  constructor(private readonly options: ExchangeOptions) {
    options.abort.setListener((reason) => this.#stop(reason));
    this.#limit = new Deadline(() => this.#stop(this.#tooLate()), options.timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    const { reason } = this.options.abort;
    if (reason) this.#stop(reason);
    if (this.#settled) {
      controller.abort(Failure.own('ABORTED', localized('givenUp')));
      return;
    }
    this.options.abort.onWire = true;
    this.options.abort.wasOnWire = true;
    this.options.abort.giveUp = () => this.#stop(Failure.own('GAVE_WAY', localized('gaveWay')));
    this.#sentAt = this.options.clock.monotonic();
    this.#limit.restart();
  }

  onResponseStart(_controller: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    this.#statusCode = statusCode;
    this.#headers = firstOfEach(headers);
    this.#roundTripMs = this.options.clock.monotonic() - (this.#sentAt ?? 0);
    if (Number(headers['content-length']) > this.options.maxBytes) this.#stop(this.#tooLarge());
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    const length = this.#body.length + chunk.length;
    if (length > this.options.maxBytes) this.#stop(this.#tooLarge());
    else this.#body.append(chunk);
    this.options.progress?.(length, Number(this.#headers['content-length']) || undefined);
  }

  onResponseEnd(): void {
    if (!this.#settle()) return;
    this.options.onAnswer({
      statusCode: this.#statusCode,
      headers: this.#headers,
      body: this.#body.content,
      roundTripMs: Math.round(this.#roundTripMs),
      wireMs: this.#wireMs ?? 0,
    });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#stop(isParserError(error) ? this.#unreadable() : error);
  }

  #unreadable(): Failure {
    if (this.#statusCode === 0) return Failure.own('NOT_HTTP', localized('notHttp'));
    return Failure.own('BROKEN_OFF', localized('brokenOff'));
  }

  #tooLate(): Failure {
    if (this.#sentAt === undefined) return Failure.own('CONNECT_TIMEOUT', 'it could not be sent in time');
    return Failure.own(
      'ANSWER_TIMEOUT',
      this.#statusCode === 0 ? 'no answer' : 'the response was not complete',
    );
  }

  #tooLarge(): Failure {
    const { maxBytes } = this.options;
    const size = maxBytes < mebibyte ? `${maxBytes / 1024} KiB` : `${maxBytes / mebibyte} MiB`;
    return Failure.own('TOO_LARGE', localized('tooLarge', { size }));
  }

  get #wireMs(): number | undefined {
    return this.#sentAt === undefined ? undefined : Math.round(this.options.clock.monotonic() - this.#sentAt);
  }

  #stop(reason: Error): void {
    const statusCode = this.#statusCode || undefined;
    if (this.#settle()) this.options.onFailure(reason, this.#wireMs, statusCode);
    this.#controller?.abort(reason);
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#limit.clear();
    this.options.abort.onWire = false;
    this.options.abort.giveUp = undefined;
    this.options.abort.setListener(undefined);
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

/** Size of a slice in bytes: small enough to show progress on a slow line. */
const sliceLength = 64 * 1024;

/** Whether a body is sent in slices, with progress, and counts as a long transfer. */
export function isLong(body: Buffer | undefined): boolean {
  return body !== undefined && body.length > 4 * sliceLength;
}

/**
 * Splits a body into slices, so that progress can be reported and other work is not blocked. The socket
 * requests a slice after taking the previous slice.
 */
export async function* slicesOf(body: Buffer, progress?: Progress): AsyncGenerator<Buffer> {
  for (let start = 0; start < body.length; start += sliceLength) {
    progress?.(start, body.length);
    yield body.subarray(start, start + sliceLength);
  }
  progress?.(body.length, body.length);
}

const maxLongTransfers = 4;

/**
 * Limits parallel long uploads. Without the limit, one file for hundreds of devices would fill the memory and
 * the network; waiting devices would time out and look offline.
 */
export const longTransfers = new Semaphore(maxLongTransfers);
