import type { Answer } from './answer';
import type { Head } from './authentication';

/** A request as it came from the wire. */
export interface Incoming extends Head {
  readonly body: Buffer | UnreadBody;
}

/** A body that was not taken in, and what is said of that to whoever may send one. */
export interface UnreadBody {
  readonly refusal: Answer;
}

/** The two sides of a target's first question mark. */
export function splitTarget(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}
