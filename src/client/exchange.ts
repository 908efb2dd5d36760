import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Abort } from './abort';
import type { Environment } from './environment';
import { Failure } from './failure';
import { Limit } from './limit';
import type { Progress } from './transfer';

/** Answers that are longer are refused: 32 MiB. */
export const largestAnswer = 32 * 1024 * 1024;

export interface RawAnswer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** From sending to the head of the answer, in milliseconds. */
  readonly roundTripMs: number;
}

/** What one exchange may take, and who is told how it ends. */
export interface ExchangeOptions {
  /** From sending to the answer's end. */
  readonly timeoutMs: number;
  readonly abort: Abort;
  readonly clock: Pick<Environment, 'monotonic'>;
  /** Told of the bytes of the answer. */
  readonly progress: Progress | undefined;
  onAnswer(answer: RawAnswer): void;
  /** @param sent whether the request was handed to the socket */
  onFailure(error: unknown, sent: boolean): void;
}

/** Collects one answer: limits its size and its time, and drains it always. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #statusCode = 0;
  #headers: IncomingHttpHeaders = {};
  #sentAt: number | undefined;
  #roundTripMs = 0;
  readonly #limit: Limit;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;

  constructor(private readonly options: ExchangeOptions) {
    options.abort.tell((reason) => this.#stop(reason));
    this.#limit = new Limit(() => this.#stop(this.#tooLate()), options.timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    const { reason } = this.options.abort;
    if (reason) this.#stop(reason);
    if (this.#settled) {
      controller.abort(Failure.own('ABORTED', 'it was given up'));
      return;
    }
    this.options.abort.onWire = true;
    this.options.abort.wasOnWire = true;
    this.#sentAt = this.options.clock.monotonic();
    this.#limit.restart();
  }

  onResponseStart(_controller: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) return;
    this.#statusCode = statusCode;
    this.#headers = headers;
    this.#roundTripMs = this.options.clock.monotonic() - (this.#sentAt ?? 0);
    if (Number(headers['content-length']) > largestAnswer) this.#stop(tooLarge());
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > largestAnswer) this.#stop(tooLarge());
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
    });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#stop(isParserError(error) ? this.#unreadable() : error);
  }

  #unreadable(): Failure {
    if (this.#statusCode === 0) return Failure.own('NOT_HTTP', 'what came is no HTTP answer');
    return Failure.own('BROKEN_OFF', 'the answer broke off');
  }

  #tooLate(): Failure {
    if (this.#sentAt === undefined) return Failure.own('CONNECT_TIMEOUT', 'it could not be sent in time');
    return Failure.own('ANSWER_TIMEOUT', this.#statusCode === 0 ? 'no answer' : 'the answer did not end');
  }

  #stop(reason: Error): void {
    if (this.#settle()) this.options.onFailure(reason, this.#sentAt !== undefined);
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

function tooLarge(): Failure {
  return Failure.own('TOO_LARGE', `the answer is larger than ${largestAnswer / 1024 / 1024} MiB`);
}
