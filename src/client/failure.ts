import { localized, type Text } from '../catalogue/localized-message';
import { LocalizedError, wordsOf } from './errors';

/** The client's own reasons to give up, beside the codes of Node (`ECONNRESET`, `ERR_SSL_…`) and undici. */
type OwnCode =
  | 'ABORTED'
  | 'ANSWER_TIMEOUT'
  | 'BROKEN_OFF'
  | 'CONNECT_TIMEOUT'
  | 'CONNECTION_GONE'
  | 'EXPIRED'
  | 'HANDSHAKE_TIMEOUT'
  | 'INVALID_PARAMETER'
  | 'NOT_HTTP'
  | 'QUEUE_FULL'
  | 'SUPERSEDED'
  | 'UNUSABLE'
  | 'TOO_LARGE'
  | 'UNREADABLE'
  | 'UNTRUSTED'
  | 'WANTS_TLS';

/** How far a request had come when it failed. */
interface Stage {
  /** It was handed to the socket: the device may have it. */
  readonly sent: boolean;
  /** Bytes of an answer had come. */
  readonly answered: boolean;
  /** The answer's, where its head had come. */
  readonly statusCode?: number | undefined;
  /** From its first byte until it was given up, in milliseconds. */
  readonly wireMs?: number | undefined;
}

/** A failure inside the client, before the classifier gives it an error code and a sentence. */
export class Failure extends LocalizedError {
  override readonly name = 'Failure';
  readonly code: string;
  readonly progress: Stage;

  constructor(
    code: string,
    reason: Text,
    progress: Stage = { sent: false, answered: false },
    cause?: unknown,
  ) {
    super(reason, cause === undefined ? undefined : { cause });
    this.code = code;
    this.progress = progress;
  }

  /** The client's own failure: its message is the reason that people read. */
  static own(code: OwnCode, reason: Text, progress?: Stage): Failure {
    return new Failure(code, reason, progress);
  }

  /** The node that wanted it is gone. */
  static nodeClosed(): Failure {
    return new Failure('ABORTED', localized('nodeClosed'));
  }

  /** Wraps what a socket or undici raised. Only its code is looked at, never its class or its words. */
  static of(error: unknown, progress?: Stage): Failure {
    if (error instanceof Failure) {
      return progress ? new Failure(error.code, error.said, progress, error.cause) : error;
    }
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    const reason = wordsOf(error);
    return new Failure(typeof code === 'string' ? code : 'UNEXPECTED', reason, progress, error);
  }
}

/** How Node, undici and we say that the socket was gone. */
export const lostCodes = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'UND_ERR_SOCKET',
  'CONNECTION_GONE',
]);

/** The codes that say that it was not to be sent any more. */
export const endedCodes = new Set<string>(['SUPERSEDED', 'EXPIRED']);

/** The codes that say that nothing was sent. */
export const notSentCodes = new Set<string>(['UNREACHABLE', ...endedCodes]);
