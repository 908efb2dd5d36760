import { localized, type Text } from '../catalogue/localized-message';
import { LocalizedError, wordsOf } from './errors';

type OwnCode =
  | 'ABORTED'
  | 'ANSWER_TIMEOUT'
  | 'BROKEN_OFF'
  | 'CONNECT_TIMEOUT'
  | 'CONNECTION_GONE'
  | 'EXPIRED'
  | 'GAVE_WAY'
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

interface Stage {
  /** Whether the request was handed to the socket, so that the device might have the request. */
  readonly sent: boolean;
  readonly answered: boolean;
  readonly statusCode?: number | undefined;
  readonly wireMs?: number | undefined;
}

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

  static own(code: OwnCode, reason: Text, progress?: Stage): Failure {
    return new Failure(code, reason, progress);
  }

  static nodeClosed(): Failure {
    return new Failure('ABORTED', localized('nodeClosed'));
  }

  /**
   * Wraps an error of a socket or of undici. The code of the failure comes from the error's code, never from
   * its class or text.
   */
  static of(error: unknown, progress?: Stage): Failure {
    if (error instanceof Failure) {
      return progress ? new Failure(error.code, error.localizedMessage, progress, error.cause) : error;
    }
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    const reason = wordsOf(error);
    return new Failure(typeof code === 'string' ? code : 'UNEXPECTED', reason, progress, error);
  }
}

export const lostCodes = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'UND_ERR_SOCKET',
  'CONNECTION_GONE',
]);

export const endedCodes = new Set<string>(['SUPERSEDED', 'EXPIRED']);

export const notSentCodes = new Set<string>(['UNREACHABLE', ...endedCodes]);
