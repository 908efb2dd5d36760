import type { IncomingHttpHeaders } from 'node:http';
import { refuseCredentials } from './authentication';
import { FORBIDDEN_WORDS, STATUS } from './choices';
import type { Core } from './core';
import type { Disturbance } from './faults/injector';
import { type LogEntry, withoutSecrets } from './log';
import { NotKeptError } from './persistence';
import { type Answer, type Match, matchPath, type Route, refuse } from './route';
import { explainSignature } from './signature';

/** A request as it came from the wire, complete. */
export interface Incoming {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function forbid(reason: string, status: number): Answer {
  return { status, json: { error: FORBIDDEN_WORDS }, reason };
}

function decode(captures: Match['captures']): Record<string, string> | undefined {
  try {
    const pairs = Object.entries(captures).map(([name, raw]) => {
      const segments = raw.split('/').map(decodeURIComponent);
      if (segments.some((segment) => segment.includes('/'))) throw new URIError('a slash inside a segment');
      return [name, segments.join('/')];
    });
    return Object.fromEntries(pairs);
  } catch {
    return undefined;
  }
}

function pathOf(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

function gate(core: Core, incoming: Incoming): Answer | undefined {
  if (!core.interfaceEnabled) return forbid('the RESTful API is switched off', core.statuses.interfaceOff);
  const reason = refuseCredentials(incoming, core.lock);
  if (reason === undefined) return undefined;
  const { method } = core.lock;
  const signature = method === 'standard' ? { signature: explainSignature(incoming, core.lock) } : {};
  return { ...forbid(reason, core.statuses.forbidden), ...signature };
}

function runMatch(core: Core, { route, captures }: Match, incoming: Incoming): Answer {
  const missing = route.missing(core);
  if (missing) return refuse(missing, STATUS.notFound);
  const decoded = decode(captures);
  if (!decoded) return refuse('the path is not percent-encoded as it should be');
  const arrival = {
    contentType: incoming.headers['content-type'] ?? '',
    content: incoming.body,
    captures: decoded,
    query: new URLSearchParams(pathOf(incoming.target)[1]),
  };
  return route.run(arrival, core);
}

function parametersOf({ headers, body }: Incoming): unknown {
  if (body.length === 0) return undefined;
  const type = headers['content-type'] ?? 'no content type';
  if (!type.startsWith('application/json') || body.length > 65536) return { type, bytes: body.length };
  try {
    return withoutSecrets(JSON.parse(body.toString('utf8')));
  } catch {
    return { type, bytes: body.length, note: 'not JSON' };
  }
}

/** Masking leaves the shape as it is. */
function masked<T>(value: T): T {
  return withoutSecrets(value) as T;
}

function outcomeOf(status: number): LogEntry['outcome'] {
  if (status === 0) return 'failed';
  if (status < 400) return 'done';
  return status < 500 ? 'refused' : 'failed';
}

/** A fault keeps the device from acting; nobody sees the status but the log, and those who get one. */
function prevent({ before, status, words }: Disturbance): Answer {
  const reason = `nothing was done, because of a fault: ${words}`;
  return before === 'status' ? { status, reason } : { status: 0, reason };
}

/**
 * What the device does about a request, and how it notes it down. `permanently` keeps what a request changes
 * for good, or throws a NotKeptError when it has taken it back. Never throws.
 */
export function dispatch(
  core: Core,
  routes: readonly Route[],
  incoming: Incoming,
  disturbance?: Disturbance,
  permanently: <T>(deed: () => T) => T = (deed) => deed(),
): { answer: Answer; entry: LogEntry } {
  const matches = matchPath(routes, pathOf(incoming.target)[0]);
  const match = matches.find(({ route }) => route.method === incoming.method);
  const respond = (): Answer => {
    if (disturbance?.before) return prevent(disturbance);
    const turnedAway = gate(core, incoming);
    if (turnedAway) return turnedAway;
    if (match) return permanently(() => runMatch(core, match, incoming));
    if (matches.length === 0) return refuse(`there is no path ${incoming.target} here`, STATUS.notFound);
    const methods = matches.map(({ route }) => route.method).join(' or ');
    return refuse(`this path takes ${methods}, not ${incoming.method}`, STATUS.methodNotAllowed);
  };
  let answer: Answer;
  try {
    answer = respond();
  } catch (error) {
    answer =
      error instanceof NotKeptError
        ? refuse(error.message, STATUS.notKept)
        : refuse(`the virtual device has a bug: ${error}`, STATUS.internalError);
  }
  const parameters = parametersOf(incoming);
  const entry: LogEntry = {
    at: new Date(core.clock.now()).toISOString(),
    method: incoming.method,
    path: masked(incoming.target),
    operation: match?.route.does ?? '',
    ...(parameters === undefined ? {} : { parameters }),
    status: answer.status,
    outcome: outcomeOf(answer.status),
    ...(answer.reason === undefined ? {} : { reason: masked(answer.reason) }),
    ...(answer.signature === undefined ? {} : { signature: masked(answer.signature) }),
    ...(disturbance === undefined ? {} : { fault: disturbance.words }),
  };
  return { answer, entry };
}
