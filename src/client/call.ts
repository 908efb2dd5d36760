import type { AnswerKind } from '../catalogue/operation';
import type { Progress } from './http/exchange';

export interface CallOptions {
  /** Ends the call with ABORTED. */
  readonly signal?: AbortSignal;
  /** Time limit for the answer, in milliseconds. Overrides the limit of the device. */
  readonly timeoutMs?: number;
  /**
   * Time limit for the whole call, with its retries and pauses, in milliseconds. The time before the call's
   * first turn in the queue does not count.
   */
  readonly withinMs?: number;
  /**
   * Time for retries after the first failure, in milliseconds. Any request is retried after UNREACHABLE; only
   * an idempotent request is retried after an unclear result or status 503.
   */
  readonly retryForMs?: number;
  /**
   * Called with the number of bytes of a long body sent so far, then with the number of bytes received so
   * far.
   */
  readonly onProgress?: Progress;
  /** Whether the call is a poll. Polls come after messages in the queue, and the trace omits polls. */
  readonly reading?: boolean;
  /** Suppresses the security warnings of this call. A later call without this option still warns. */
  readonly unwarned?: boolean;
  /** Name of the operation for error messages, for example `door/unlock`. */
  readonly operationName?: string;
}

/** Options of a request that was written by hand; for an operation, the catalogue provides these options. */
export interface SendOptions extends CallOptions {
  /**
   * Whether the request is idempotent, so that it can be sent again after an unclear result. A GET always is
   * idempotent.
   */
  readonly repeatable?: boolean;
  readonly urgent?: boolean;
  /** Format of the answer; if absent, the content type decides. */
  readonly answer?: AnswerKind;
}

export interface FullOptions extends SendOptions {
  readonly operationName: string;
  /**
   * Minimum of the time limit for an operation that can take long, in milliseconds. Overrides a shorter
   * `timeoutMs`, also of the device.
   */
  readonly minTimeoutMs?: number | undefined;
}

export interface Answer {
  readonly statusCode: number;
  /**
   * Undefined if the answer is empty, else parsed JSON, a text or a Buffer. The content type and the
   * operation's `answer` decide the format.
   */
  readonly body: unknown;
  readonly attempts: number;
  /**
   * Time from the first byte of the last request to the end of its answer, in milliseconds; absent if no
   * request was sent.
   */
  readonly wireMs?: number | undefined;
}

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query exactly as sent: starting with one slash, without the base path. */
  readonly path: string;
  readonly body?: Buffer;
  readonly contentType?: string;
  /** False for multipart uploads, whose body is not part of the signature (section 4.5.2). */
  readonly signBody?: boolean;
}
