import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { localized } from '../../catalogue/localized-message';
import type { Clock } from '../../time/clock';
import { Deadline } from '../../time/deadline';
import { Failure } from '../failure';
import type { Abort } from '../queue/entry';
import { Semaphore } from './semaphore';

const mebibyte = 1024 * 1024;

/** Longer answers are refused, in bytes: of readings there are many, and none is long. */
export const maxAnswerBytes = 32 * mebibyte;
export const maxReadingBytes = mebibyte / 4;

/** Told how many bytes of a transfer are done, and of how many, where that is known. */
export type Progress = (bytes: number, all?: number) => void;

export interface RawAnswer {
  readonly statusCode: number;
  /** By their names in small letters; of what came twice, the first. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** From sending to the head of the answer, in milliseconds. */
  readonly roundTripMs: number;
  /** From sending to the answer's end, in milliseconds. */
  readonly wireMs: number;
}

/** What one exchange may take, and who is told how it ends. */
interface ExchangeOptions {
  /** From sending to the answer's end. */
  readonly timeoutMs: number;
  /** Longer answers are refused, in bytes. */
  readonly maxBytes: number;
  readonly abort: Abort;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Told of the bytes of the answer. */
  readonly progress: Progress | undefined;
  onAnswer(answer: RawAnswer): void;
  /**
   * @param wireMs from sending until it was given up, in milliseconds; undefined where it was not handed to the socket
   * @param statusCode the answer's, where its head had come
   */
  onFailure(error: unknown, wireMs: number | undefined, statusCode: number | undefined): void;
}

/** Collects one answer: limits its size and its time, and drains it always. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #statusCode = 0;
  #headers: RawAnswer['headers'] = {};
  #sentAt: number | undefined;
  #roundTripMs = 0;
  readonly #limit: Deadline;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;

  constructor(private readonly options: ExchangeOptions) {
    options.abort.tell((reason) => this.#stop(reason));
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
    this.#sentAt = this.options.clock.monotonic();
    this.#limit.restart();
  }

  onResponseStart(_controller: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    // Interim responses are skipped. After `100 Continue`, which no request asks for, undici closes the connection.
    if (statusCode < 200) return;
    this.#statusCode = statusCode;
    this.#headers = firstOfEach(headers);
    this.#roundTripMs = this.options.clock.monotonic() - (this.#sentAt ?? 0);
    if (Number(headers['content-length']) > this.options.maxBytes) this.#stop(this.#tooLarge());
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > this.options.maxBytes) this.#stop(this.#tooLarge());
    else this.#chunks.push(chunk);
    this.options.progress?.(this.#length, Number(this.#headers['content-length']) || undefined);
  }

  onResponseEnd(): void {
    if (!this.#settle()) return;
    const [first, ...more] = this.#chunks;
    this.options.onAnswer({
      statusCode: this.#statusCode,
      headers: this.#headers,
      body: first && more.length === 0 ? first : Buffer.concat(this.#chunks),
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
    return Failure.own('ANSWER_TIMEOUT', this.#statusCode === 0 ? 'no answer' : 'the answer did not end');
  }

  #tooLarge(): Failure {
    const { maxBytes } = this.options;
    const size = maxBytes < mebibyte ? `${maxBytes / 1024} KiB` : `${maxBytes / mebibyte} MiB`;
    return Failure.own('TOO_LARGE', localized('tooLarge', { size }));
  }

  /** Undefined where it was not sent. */
  get #wireMs(): number | undefined {
    return this.#sentAt === undefined ? undefined : Math.round(this.options.clock.monotonic() - this.#sentAt);
  }

  #stop(reason: Error): void {
    const statusCode = this.#statusCode || undefined;
    if (this.#settle()) this.options.onFailure(reason, this.#wireMs, statusCode);
    this.#controller?.abort(reason);
  }

  /** Returns false when it has ended before. */
  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#limit.clear();
    this.options.abort.onWire = false;
    this.options.abort.tell(undefined);
    return true;
  }
}

/** The errors of undici's parser have no code, or one that begins with HPE_. */
function isParserError(error: Error): boolean {
  return !('code' in error) || error.code === undefined || String(error.code).startsWith('HPE_');
}

/** A header that came more than once is a list, whatever its type says: read as such it would trip everybody. */
function firstOfEach(headers: IncomingHttpHeaders): RawAnswer['headers'] {
  const first: Record<string, string | undefined> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    first[name] = Array.isArray(value) ? value[0] : value;
  }
  return first;
}

/** Small enough for a slow line to show progress, in bytes. */
const sliceLength = 64 * 1024;

/** Whether a body takes long enough to be worth watching. */
export function isLong(body: Buffer | undefined): boolean {
  return body !== undefined && body.length > 4 * sliceLength;
}

/**
 * A body in slices, so that its way out can be watched and nothing else is held up: the next one is asked for when
 * the socket has taken the one before.
 */
export async function* slicesOf(body: Buffer, progress?: Progress): AsyncGenerator<Buffer> {
  for (let start = 0; start < body.length; start += sliceLength) {
    progress?.(start, body.length);
    yield body.subarray(start, start + sliceLength);
  }
  progress?.(body.length, body.length);
}

/** The maximum number of long bodies on their way at a time, to all devices together. */
const maxLongTransfers = 4;

/**
 * A file to hundreds of devices at once would fill the memory and the line, and make those look dead that wait
 * for their share: the time limit of each counts from its own beginning.
 */
export const longTransfers = new Semaphore(maxLongTransfers);
