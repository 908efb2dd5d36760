import { printable } from './describe';
import { joinMessages, localized, localizedPhrase, type Text } from './localized-message';
import { type Phrase, partsOfFinding } from './phrases';
import { adviceOf, type Reason } from './reasons';

/** A failure in words: the short reason for people, and the details that only the whole sentence has. */
export interface Fault {
  readonly reason: Text;
  readonly details: readonly Text[];
}

/** The subject of a sentence: an operation, a device with its address, or both. */
export interface Where {
  readonly operation?: string | undefined;
  readonly place?: Text | undefined;
}

const maxReasonLength = 100;

/**
 * Divides a text into its short reason and its details. The tables next to the texts name the details of each
 * reason, so that a reason names neither a device nor an address, and has no words of a device.
 */
export function faultOf(text: Text): Fault {
  return limitReason(divide(text));
}

/** Cuts a reason that is too long; the whole reason is then the first detail. */
export function limitReason({ reason, details }: Fault): Fault {
  const words = String(reason);
  if (words.length <= maxReasonLength) return { reason, details };
  return { reason: printable(`${words.slice(0, maxReasonLength - 1)}…`), details: [reason, ...details] };
}

/** Returns the text with the detail that nothing was sent. */
export function nothingSent(text: Text): Text {
  return joinMessages([text, localized('nothingSent')]);
}

export function addDetails({ reason, details }: Fault, ...more: readonly Text[]): Fault {
  return { reason, details: [...details, ...more] };
}

/** Returns the whole sentence of an error. All sentences of errors are made here, and begin with the reason. */
export function sentenceOf({ reason, details }: Fault, { operation, place }: Where = {}): Text {
  return details.reduce<Text>(
    // The title of an operation among the details is translated by the name of the operation.
    (before, next) => localized('next', { before, next, ...(operation !== undefined && { operation }) }),
    placed(reason, operation, place),
  );
}

function placed(reason: Text, operation: string | undefined, place: Text | undefined): Text {
  if (operation !== undefined && place !== undefined)
    return localized('atPlace', { operation, place, reason });
  if (operation !== undefined) return localized('ofOperation', { operation, reason });
  return place === undefined ? reason : localized('ofPlace', { place, reason });
}

function divide(text: Text): Fault {
  if (typeof text === 'string') return { reason: text, details: [] };
  if (text.phrase === 'next') {
    const { before = '', next = '' } = text.values;
    return addDetails(divide(before), next);
  }
  const inner: Text[] = [];
  const short = text.mapMessages((value) => {
    const { reason, details } = divide(value);
    inner.push(...details);
    return reason;
  });
  const { phrase, values } = short;
  const parts = partsOfFinding[phrase as Phrase];
  if (parts)
    return {
      reason: localizedPhrase(parts[0], values),
      details: [localizedPhrase(parts[1], values), ...inner],
    };
  const advice = adviceOf[phrase as Reason];
  return { reason: short, details: advice ? [localized(advice, values), ...inner] : inner };
}
