import type { IncomingHttpHeaders } from 'node:http';

export interface Head {
  readonly method: string;
  /** Request target as sent, including the query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Incoming extends Head {
  /** Undefined for a body that is too large. */
  readonly body: Buffer | undefined;
}

export function splitTarget(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}
