import type { Answer } from './answer';
import type { Head } from './authentication';

export interface Incoming extends Head {
  readonly body: Buffer | UnreadBody;
}

export interface UnreadBody {
  readonly refusal: Answer;
}

export function splitTarget(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}
