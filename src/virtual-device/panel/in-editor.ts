import type { IncomingMessage, ServerResponse } from 'node:http';
import type { VirtualDevice } from '../device';
import { answerText, servePanel } from './serve';
import { PanelSessions, sessionMs } from './sessions';
import { isOfOtherSite, panelHeaders, type Viewer } from './viewer';
import { languageFor, languageQuery, pageIn, translateIn } from './words';

export interface AdminRequest extends IncomingMessage {
  readonly body?: unknown;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly originalUrl: string;
  readonly protocol: string;
}

type Next = (error?: unknown) => void;
export type Handler = (request: AdminRequest, response: ServerResponse, next: Next) => void;

export interface AdminHost {
  needsPermission(permission: string): Handler;
  /** Resolves to the running device of a config node; rejects or resolves to undefined if no device runs. */
  find(id: string): Promise<VirtualDevice | undefined>;
}

const cookie = 'algo-panel';

/**
 * Serves the panels at `algo/virtual/<id>/` relative to the editor. The permissions are `algo-virtual.read`
 * and `algo-virtual.write`.
 */
export class EditorPanels {
  readonly #sessions = new PanelSessions({ now: () => Date.now() });
  readonly #find: AdminHost['find'];
  readonly #mayRead: Handler;
  readonly #mayWrite: Handler;

  constructor(host: AdminHost) {
    this.#find = (id) => host.find(id);
    this.#mayRead = host.needsPermission('algo-virtual.read');
    this.#mayWrite = host.needsPermission('algo-virtual.write');
  }

  /** Issues a ticket with the permissions of the request. */
  readonly issueTicket: Handler = toOwnPages((request, response, next) =>
    this.#mayRead(
      request,
      response,
      passErrorOr(next, () => {
        const ticket = this.#sessions.issue(request.params.id ?? '', isWriter(request));
        response.setHeader('Cache-Control', 'no-store');
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify({ ticket }));
      }),
    ),
  );

  /**
   * Serves the page of a panel. With a ticket in the URL, exchanges the ticket for a session and redirects to
   * the URL without the ticket.
   */
  readonly open: Handler = (request, response, next) => {
    const { params, query, originalUrl } = request;
    const [path = ''] = originalUrl.split('?', 1);
    const folder = path.split('/').at(-1);
    // Links of the page need the slash after the folder. The redirect is relative, since a path that starts
    // with `//` would name another host.
    if (folder !== '') return redirect(response, `./${folder}/${originalUrl.slice(path.length)}`);
    if (typeof query.ticket !== 'string') return this.answer(request, response, next);
    const session = this.#sessions.redeem(params.id ?? '', query.ticket);
    if (session !== undefined) setCookie(request, response, session);
    return redirect(response, `./${languageQuery(originalUrl)}`);
  };

  /**
   * A session has the permissions of its ticket; without a session, the permissions of the request decide.
   */
  readonly answer: Handler = toOwnPages((request, response, next) => {
    const session = () => this.#sessions.find(request.params.id ?? '', cookieOf(request));
    const serve = (viewer: Viewer): void => void this.#serve(request, response, viewer).catch(next);
    const found = session();
    if (found) return serve({ mayChange: found.mayChange, mayRead: () => session() !== undefined });
    const isPermitted = request.method === 'POST' ? this.#mayWrite : this.#mayRead;
    if (request.method === 'GET' && (request.params.rest ?? '') === '') explainRefusal(request, response);
    return isPermitted(
      request,
      response,
      passErrorOr(next, () => serve(permitted(request))),
    );
  });

  async #serve(request: AdminRequest, response: ServerResponse, viewer: Viewer): Promise<void> {
    const { id = '', rest = '' } = request.params;
    const device = await this.#find(id).catch(() => undefined);
    if (device) return servePanel(device, rest, request, response, viewer);
    return answerText(response, 404, translateIn(languageFor(request), 'noDevice'));
  }
}

const maxBodyLength = 64 * 1024;

/**
 * Rejects large requests, and requests from pages of other sites: Node-RED 4.1 lets such pages read the
 * answers. Links from other sites are allowed.
 */
function toOwnPages(handler: Handler): Handler {
  return (request, response, next) => {
    if (isOfOtherSite(request))
      return answerText(response, 403, 'Open this page from the editor of this Node-RED.');
    if (isTooLong(request.body)) return answerText(response, 413, 'The request is too long.');
    return handler(request, response, next);
  };
}

function isTooLong(body: unknown): boolean {
  try {
    return body !== undefined && JSON.stringify(body).length > maxBodyLength;
  } catch {
    // The JSON has too many levels for the stack.
    return true;
  }
}

function passErrorOr(next: Next, handler: () => void): Next {
  return (error) => (error ? next(error) : handler());
}

function cookieOf({ headers }: IncomingMessage): string {
  const pairs = (headers.cookie ?? '').split(/;\s*/).map((pair) => pair.split('='));
  return pairs.find(([name]) => name === cookie)?.[1] ?? '';
}

/** Replaces the body of Node-RED's rejection, a single word, with instructions for the user. */
function explainRefusal(request: AdminRequest, response: ServerResponse): void {
  const end = response.end.bind(response);
  response.end = (...given: unknown[]) => {
    response.end = end;
    if (response.statusCode !== 401) return (end as (...all: unknown[]) => ServerResponse)(...given);
    for (const [name, value] of Object.entries(panelHeaders)) response.setHeader(name, value);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    return end(pageIn(languageFor(request), howToOpen));
  };
}

/** Node-RED does not reveal how long a permission lasts, so the permission ends after `sessionMs`. */
function permitted(request: AdminRequest): Viewer {
  const until = Date.now() + sessionMs;
  return { mayChange: isWriter(request), mayRead: () => Date.now() < until };
}

/** If a login is configured, Node-RED stores the scope of the user or of the default user in the request. */
function isWriter(request: AdminRequest): boolean {
  if (!('authInfo' in request)) return true;
  const { scope } = Object(request.authInfo) as { scope?: unknown };
  const enough: readonly unknown[] = ['*', 'write', '*.write', 'algo-virtual.write'];
  return (Array.isArray(scope) ? scope : [scope]).some((one) => enough.includes(one));
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { Location: location, 'Cache-Control': 'no-store' }).end();
}

/**
 * Sets the session cookie without a Path. Browsers then limit the cookie to the folder in their own URL,
 * which a proxy can change.
 */
function setCookie(request: AdminRequest, response: ServerResponse, session: string): void {
  const secure = request.protocol === 'https' ? '; Secure' : '';
  response.setHeader('Set-Cookie', `${cookie}=${session}; HttpOnly; SameSite=Strict${secure}`);
}

const howToOpen = `<!doctype html>
<html lang="{{language}}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{refused.title}}</title>
<h1>{{refused.title}}</h1>
<p>{{refused.how}}</p>
<p>{{refused.again}}</p>
</html>
`;
