import type { AnswerKind } from '../catalogue/operation';
import { said } from '../catalogue/saying';
import type { Endpoint } from './address';
import { readBody } from './answer';
import type { ClockReading } from './authentication';
import { classifyAnswer, refusalOf, type Verdict, withoutSecrets } from './classify';
import { type ErrorDetails, wordsOf } from './errors';
import type { RawAnswer } from './exchange';
import { Failure } from './failure';

/** Why an answer is no success, and what the device said about it. */
export interface Unwelcome {
  readonly verdict: Verdict;
  readonly details: ErrorDetails;
}

/** What an answer amounts to. */
export type Conclusion = Unwelcome | { readonly body: unknown; readonly verdict?: undefined };

/** What is known where an answer is read. */
export interface Reading {
  readonly endpoint: Endpoint;
  /** What the operation answers; absent for hand-made requests. */
  readonly kind: AnswerKind | undefined;
  /** What must not appear in any text, though the device may repeat it. */
  readonly secrets: readonly string[];
  /** Reads what the answer says of the device's clock, which matters where it is a refusal. */
  clock(): ClockReading | undefined;
}

/** Reads an answer. Never throws: whatever is wrong with its body or its headers, its status stands. */
export function conclusionOf(answer: RawAnswer, reading: Reading): Conclusion {
  const { endpoint, kind, secrets } = reading;
  try {
    const shown = withoutSecrets(answer, secrets);
    if (isSuccess(answer)) return { body: readBody(shown, kind) };
    const { response, words } = refusalOf(shown);
    const { statusCode } = answer;
    return {
      verdict: classifyAnswer(shown, words, reading.clock(), endpoint),
      details: { statusCode, response },
    };
  } catch (error) {
    return unreadable(answer, endpoint, error);
  }
}

/** What an answer amounts to that cannot be read, or where something went wrong after it had come. */
export function unreadable({ statusCode }: RawAnswer, endpoint: Endpoint, error: unknown): Unwelcome {
  const details = { statusCode, cause: error };
  if (!isSuccess({ statusCode })) {
    return { verdict: classifyAnswer({ statusCode, headers: {} }, '', undefined, endpoint), details };
  }
  const known = error instanceof Failure && ['UNREADABLE', 'TOO_LARGE'].includes(error.code);
  const reason = known ? error.said : said('answerUnreadable', { words: wordsOf(error) });
  return { verdict: { code: 'PROTOCOL', outcome: 'unknown', reason }, details };
}

/** 2xx. */
export function isSuccess({ statusCode }: Pick<RawAnswer, 'statusCode'>): boolean {
  return statusCode >= 200 && statusCode < 300;
}
