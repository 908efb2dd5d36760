import type { AnswerKind } from '../catalogue/operation';
import type { Progress } from './http/exchange';

export interface CallOptions {
  /** Aborts with ABORTED. */
  readonly signal?: AbortSignal;
  /** Limit for the answer instead of the device's, in milliseconds. */
  readonly timeoutMs?: number;
  /** Limit for connecting and all of the answer together, from the turn on, in milliseconds. */
  readonly withinMs?: number;
  /**
   * So long what surely was not done is tried again, and what is safe to repeat also when it is unclear or was
   * answered with 503, in milliseconds.
   */
  readonly retryForMs?: number;
  /** Told how far a transfer is: the body's bytes first, then the answer's. */
  readonly onProgress?: Progress;
  /** For watching nodes: waits behind all messages, and leaves no line in the trace. */
  readonly reading?: boolean;
  /** For a person who only looks: nothing is said of the way it goes. What is sent later says so all the same. */
  readonly unwarned?: boolean;
  /** What is being done, for the sentences of errors, for example `door/unlock`. */
  readonly operationName?: string;
}

/** What an operation knows of itself, for requests made by hand. */
export interface SendOptions extends CallOptions {
  /** May be sent again when it is not known whether it was done. A GET always may. */
  readonly repeatable?: boolean;
  /** Does not wait behind ordinary requests. */
  readonly urgent?: boolean;
  /** What is answered; absent: the content type decides. */
  readonly answer?: AnswerKind;
}

/** A request's options once the name of its operation is known. */
export interface FullOptions extends SendOptions {
  readonly operationName: string;
  /** The device may need at least this long, whatever its own limit says, in milliseconds. */
  readonly minTimeoutMs?: number | undefined;
}

export interface Answer {
  readonly statusCode: number;
  /** Nothing (undefined), parsed JSON, text or a Buffer: by content type and the operation's `answer`. */
  readonly body: unknown;
  /** How many requests were sent. */
  readonly attempts: number;
  /** From the first byte of the last request to the end of its answer, in milliseconds; absent when none was sent. */
  readonly wireMs?: number | undefined;
}

/** A request before it is signed. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query exactly as they are sent, beginning with one slash; a base path is put before them. */
  readonly path: string;
  /** These bytes are hashed, signed and sent. */
  readonly body?: Buffer;
  readonly contentType?: string;
  /** False for multipart uploads, whose body section 4.5.2 leaves out of the signature. */
  readonly signBody?: boolean;
}
