import { forbiddenWords, httpStatus, largestBody, largestGlance } from '../choices';
import type { Core } from '../core';
import type { Disturbance } from '../faults/injector';
import { type LogEntry, withoutSecrets } from '../log/log';
import { NotKeptError } from '../memory/persistence';
import {
  announcedBytes,
  type Content,
  contentOf,
  type Head,
  refuseCredentials,
} from '../wire/authentication';
import { explainSignature, type SignatureReport } from '../wire/signature';
import { landingPage } from './landing';
import { type Answer, type Match, matchPath, type Route, refuse } from './route';

/** A request as it came from the wire. */
export interface Incoming extends Head {
  readonly body: Buffer | Untaken;
}

/** A body that was not taken in, and what is said of that to whoever may send one. */
export interface Untaken {
  readonly refusal: Answer;
}

/** Bytes of a body that are worth taking in: of one that must be refused anyhow, a glance for the log is enough. */
export function bytesWorthTaking(core: Core, head: Head): number {
  const { headers } = head;
  if (announcedBytes(headers) <= largestGlance && headers['transfer-encoding'] === undefined)
    return largestBody;
  return gate(core, head, undefined) ? largestGlance : largestBody;
}

function forbid(reason: string, status: number): Answer {
  return { status, json: { error: forbiddenWords }, reason };
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

/** Turns away what may not pass, or cannot once its content has come. */
function gate(core: Core, head: Head, content: Content | undefined): Answer | undefined {
  if (!core.interfaceEnabled) return forbid('the RESTful API is switched off', core.statuses.interfaceOff);
  const { lock } = core;
  const credentials = { ...head, content };
  const reason = refuseCredentials(credentials, lock);
  if (reason === undefined) return undefined;
  const refusal = forbid(reason, core.statuses.forbidden);
  return lock.method === 'standard'
    ? { ...refusal, signature: () => explainSignature(credentials, lock) }
    : refusal;
}

function runMatch(
  core: Core,
  { route, captures }: Match,
  { headers, target }: Head,
  content: Buffer,
): Answer {
  const missing = route.missing(core);
  if (missing) return refuse(missing, httpStatus.notFound);
  const decoded = decode(captures);
  if (!decoded) return refuse('the path is not percent-encoded as it should be');
  const arrival = {
    contentType: headers['content-type'] ?? '',
    content,
    captures: decoded,
    query: new URLSearchParams(pathOf(target)[1]),
  };
  return route.run(arrival, core);
}

function parametersOf({ headers, body }: Incoming): unknown {
  const type = headers['content-type'] ?? 'no content type';
  if (!Buffer.isBuffer(body)) return { type, bytes: announcedBytes(headers), note: 'not taken in' };
  if (body.length === 0) return undefined;
  if (!type.startsWith('application/json') || body.length > largestGlance)
    return { type, bytes: body.length };
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
  const [path] = pathOf(incoming.target);
  const isLanding = incoming.method === 'GET' && path === '/';
  const matches = matchPath(routes, path);
  const match = matches.find(({ route }) => route.method === incoming.method);
  const respond = (): Answer => {
    if (disturbance?.before) return prevent(disturbance);
    if (isLanding) return landingPage(core);
    const { body } = incoming;
    const turnedAway = gate(core, incoming, Buffer.isBuffer(body) ? contentOf(body) : undefined);
    if (turnedAway) return turnedAway;
    if (!Buffer.isBuffer(body)) return body.refusal;
    if (match) return permanently(() => runMatch(core, match, incoming, body));
    if (matches.length === 0) return refuse(`there is no path ${incoming.target} here`, httpStatus.notFound);
    const methods = matches.map(({ route }) => route.method).join(' or ');
    return refuse(`this path takes ${methods}, not ${incoming.method}`, httpStatus.methodNotAllowed);
  };
  let answer: Answer;
  try {
    answer = respond();
  } catch (error) {
    answer =
      error instanceof NotKeptError
        ? refuse(error.message, httpStatus.notKept)
        : refuse(`the virtual device has a bug: ${error}`, httpStatus.internalError);
  }
  const parameters = parametersOf(incoming);
  const entry: LogEntry = {
    at: new Date(core.clock.now()).toISOString(),
    method: incoming.method,
    path: masked(incoming.target),
    operation: isLanding ? 'read the landing page' : (match?.route.does ?? ''),
    ...(parameters === undefined ? {} : { parameters }),
    status: answer.status,
    outcome: outcomeOf(answer.status),
    ...(answer.reason === undefined ? {} : { reason: masked(answer.reason) }),
    ...(disturbance === undefined ? {} : { fault: disturbance.words }),
  };
  return { answer, entry: answer.signature ? explained(entry, answer.signature) : entry };
}

/** To explain a refusal takes a hundred times as long as to refuse, so that waits until somebody wants to know. */
function explained(entry: LogEntry, explain: () => SignatureReport): LogEntry {
  let signature: SignatureReport | undefined;
  const get = (): SignatureReport => {
    signature ??= masked(explain());
    return signature;
  };
  return Object.defineProperty(entry, 'signature', { get, enumerable: true });
}
