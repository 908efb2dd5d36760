import type { AnswerKind } from '../catalogue/operation';

export type Progress = (bytes: number, all?: number) => void;

export interface CallOptions {
  /** An abort of this signal ends the call with ABORTED. */
  readonly signal?: AbortSignal;
  /**
   * Time limit for the answer, in milliseconds, instead of the device's limit. If it is shorter than the
   * device's limit, it also limits the time for connecting.
   */
  readonly timeoutMs?: number;
  /**
   * Time limit for connecting and for all answers of the call, in milliseconds, counted from the start of the
   * first try. Retries and pauses do not extend the limit.
   */
  readonly withinMs?: number;
  /**
   * Time for retries after the first failure, in milliseconds. Any request is retried after UNREACHABLE; only
   * an idempotent request is retried after an unclear result or status 503.
   */
  readonly retryForMs?: number;
  /**
   * Called with the number of bytes sent so far, if the request has a long body; then with the number of
   * bytes of the answer received so far.
   */
  readonly onProgress?: Progress;
  /** Whether the call is a poll. Polls come after messages in the queue, and the trace omits polls. */
  readonly reading?: boolean;
  /** Suppresses the security warnings of this call. A later call without this option still warns. */
  readonly unwarned?: boolean;
  readonly operationName?: string;
}

/**
 * Options of a request that was written by hand. For an operation, `repeatable`, `urgent` and `answer` come
 * from the catalogue.
 */
export interface SendOptions extends CallOptions {
  /** Whether the request is idempotent. A GET always counts as idempotent. */
  readonly repeatable?: boolean;
  readonly urgent?: boolean;
  /** Format of the answer; if absent, the content type decides. */
  readonly answer?: AnswerKind;
}

export interface FullOptions extends SendOptions {
  readonly operationName: string;
  /**
   * Minimum time limit for the answer of an operation that can take long, in milliseconds. Overrides a
   * shorter `timeoutMs` of the call or of the device.
   */
  readonly minTimeoutMs?: number | undefined;
}

export interface Answer {
  readonly statusCode: number;
  /** Parsed JSON, a text or a Buffer; undefined for a blank answer, unless a file was expected. */
  readonly body: unknown;
  /** Whether the request names a password (`WireRequest`). */
  readonly namesPassword?: true;
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
  /** Whether the request reads or writes a password by its name. No error and no receipt shows its answer. */
  readonly namesPassword?: true;
}
