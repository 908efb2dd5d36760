import { forbiddenWords, httpStatus, maxBodyBytes } from '../choices';
import type { Core } from '../core';
import { NotStoredError } from '../state/persistence';
import { type Answer, refuse } from '../wire/answer';
import { type Credentials, refuseCredentials } from '../wire/authentication';
import { isOwnHost } from '../wire/host';
import { type Head, type Incoming, splitTarget } from '../wire/incoming';
import { explainSignature } from '../wire/signature';
import { type Match, matchPath, type Route } from './route';

export interface MatchedRequest {
  readonly operation: string;
  /** Carries out or rejects the request. Never throws. */
  readonly act: () => Answer;
}

/**
 * @param permanently makes a permanent change; undoes the change and throws a NotStoredError if storing fails
 */
export function dispatch(
  core: Core,
  routes: readonly Route[],
  incoming: Incoming,
  permanently: <T>(change: () => T) => T = (change) => change(),
): MatchedRequest {
  const { method, target, body } = incoming;
  const [path] = splitTarget(target);
  if ((method === 'GET' || method === 'HEAD') && path === '/')
    return { operation: 'read the landing page', act: () => landingPage(core) };
  const matches = matchPath(routes, path);
  const match = matches.find(({ route }) => route.method === method);
  const act = (): Answer => {
    if (!body) return refuse(`more than ${maxBodyBytes} bytes`, httpStatus.tooLarge);
    const refusal = refuseUnauthorized(core, { ...incoming, body });
    if (refusal) return refusal;
    return match ? permanently(() => run(core, match, incoming, body)) : refuseTarget(incoming, matches);
  };
  return { operation: match?.route.does ?? '', act: () => safely(act) };
}

const foreignHost =
  'the header Host has a name that another site can use; ' +
  'use the IP address, localhost or the name of this computer';

function refuseUnauthorized(core: Core, credentials: Credentials): Answer | undefined {
  if (!isOwnHost(credentials.headers.host, core.host)) return refuse(foreignHost, httpStatus.forbidden);
  if (!core.interfaceEnabled) return forbid('the RESTful API is switched off', core.statuses.interfaceOff);
  const { lock } = core;
  const reason = refuseCredentials(credentials, lock);
  if (reason === undefined) return undefined;
  const refusal = forbid(reason, core.statuses.forbidden);
  return lock.method === 'standard'
    ? { ...refusal, signature: explainSignature(credentials, lock) }
    : refusal;
}

function forbid(reason: string, status: number): Answer {
  return { status, json: { error: forbiddenWords }, reason };
}

function run(core: Core, { route, captures }: Match, { headers, target }: Head, content: Buffer): Answer {
  const missing = route.missing(core);
  if (missing) return refuse(missing, httpStatus.notFound);
  const decoded = decode(captures);
  if (!decoded) return refuse('the path is not percent-encoded as it should be');
  const arrival = {
    contentType: headers['content-type'] ?? '',
    content,
    captures: decoded,
    query: new URLSearchParams(splitTarget(target)[1]),
  };
  return route.run(arrival, core);
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

function refuseTarget({ method, target }: Head, matches: readonly Match[]): Answer {
  if (matches.length === 0) return refuse(`there is no path ${target} here`, httpStatus.notFound);
  const methods = matches.map(({ route }) => route.method).join(' or ');
  return refuse(`this path takes ${methods}, not ${method}`, httpStatus.methodNotAllowed);
}

function safely(act: () => Answer): Answer {
  try {
    return act();
  } catch (error) {
    return error instanceof NotStoredError
      ? refuse(error.message, httpStatus.notKept)
      : refuse(`the virtual device has a bug: ${error}`, httpStatus.internalError);
  }
}

/** The page needs no authentication, as on hardware (docs/field-notes.md section 3). */
function landingPage({ model, panel }: Core): Answer {
  const address = panel();
  const link =
    address === undefined ? '' : `\n<p><a href="${address}">Open its panel</a>, which shows its activity</p>`;
  const page = `<!doctype html>
<html lang="en">
<head><title>Algo ${model.number}</title></head>
<body>
<h1>Algo ${model.number}</h1>
<p>A virtual device. At this address it has its interface, for programs.</p>${link}
</body>
</html>
`;
  return {
    status: httpStatus.success,
    content: { type: 'text/html; charset=utf-8', data: Buffer.from(page) },
  };
}
