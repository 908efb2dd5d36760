import type { IncomingMessage, ServerResponse } from 'node:http';
import type { VirtualDevice } from '../device';
import { answerText, isTooLong, servePanel } from './serve';
import { PanelSessions, sessionMs } from './sessions';
import { panelHeaders, type Viewer } from './viewer';
import { languageFor, languageQuery, pageIn, sayIn } from './words';

/** What of a request of Node-RED's admin server is used here. */
export interface AdminRequest extends IncomingMessage {
  /** JSON, which Node-RED has read. */
  readonly body?: unknown;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly originalUrl: string;
  readonly protocol: string;
}

type Next = (error?: unknown) => void;
export type Handler = (request: AdminRequest, response: ServerResponse, next: Next) => void;

/** What of Node-RED is used here. */
export interface AdminHost {
  needsPermission(permission: string): Handler;
  /** The running device behind a node's id; rejects or gives nothing when there is none. */
  find(id: string): Promise<VirtualDevice | undefined>;
}

const cookie = 'algo-panel';

/**
 * The panels of a Node-RED at `algo/virtual/<id>/` below the editor's address, with its permissions
 * `algo-virtual.read` and `algo-virtual.write`.
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

  /** Gives a ticket to whoever may change a device. */
  readonly ticketToChange: Handler = toOwnPages((request, response, next) =>
    this.#mayWrite(
      request,
      response,
      unless(next, () => this.#issue(request, response, true)),
    ),
  );

  /** Gives a ticket to whoever may look at a device. */
  readonly ticketToLook: Handler = toOwnPages((request, response, next) =>
    this.#mayRead(
      request,
      response,
      unless(next, () => this.#issue(request, response, false)),
    ),
  );

  /** Opens the page, with a ticket or without. */
  readonly open: Handler = (request, response, next) => {
    const { params, query, originalUrl } = request;
    const [path = ''] = originalUrl.split('?', 1);
    const folder = path.split('/').at(-1);
    // All links of the page are relative to its folder, which may be called like another host's address.
    if (folder !== '') return redirect(response, `./${folder}/${originalUrl.slice(path.length)}`);
    if (typeof query.ticket !== 'string') return this.answer(request, response, next);
    const session = this.#sessions.redeem(params.id ?? '', query.ticket);
    if (session !== undefined) setCookie(request, response, session);
    return redirect(response, `./${languageQuery(originalUrl)}`);
  };

  /** A session allows what its ticket did; without one the request itself has to be permitted. */
  readonly answer: Handler = toOwnPages((request, response, next) => {
    const session = () => this.#sessions.find(request.params.id ?? '', cookieOf(request));
    const serve = (viewer: Viewer): void => void this.#serve(request, response, viewer).catch(next);
    const found = session();
    if (found) return serve({ mayChange: found.mayChange, mayStay: () => session() !== undefined });
    const isPermitted = request.method === 'POST' ? this.#mayWrite : this.#mayRead;
    if (request.method === 'GET' && (request.params.rest ?? '') === '') explainRefusal(request, response);
    return isPermitted(
      request,
      response,
      unless(next, () => serve(permitted(request))),
    );
  });

  #issue({ body, params: { id = '' } }: AdminRequest, response: ServerResponse, mayChange: boolean): void {
    if (isTooLong(body)) {
      answerText(response, 413, 'The request is too long.');
      return;
    }
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ ticket: this.#sessions.issue(id, mayChange) }));
  }

  async #serve(request: AdminRequest, response: ServerResponse, viewer: Viewer): Promise<void> {
    const { id = '', rest = '' } = request.params;
    const device = await this.#find(id).catch(() => undefined);
    if (device) return servePanel(device, rest, request, response, viewer);
    return answerText(response, 404, sayIn(languageFor(request), 'noDevice'));
  }
}

/** Keeps pages of other sites out, which Node-RED 4.1 lets read answers; a link there may lead here. */
function toOwnPages(handler: Handler): Handler {
  return (request, response, next) => {
    if (!isOfOtherSite(request)) return handler(request, response, next);
    return answerText(response, 403, 'Open this page from the editor of this Node-RED.');
  };
}

/** A browser names the origin of whatever a page asks for itself, but for what it only shows. */
function isOfOtherSite({ method, headers: { host, origin, 'sec-fetch-site': site } }: AdminRequest): boolean {
  if (method !== 'POST' && origin === undefined) return false;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
}

/** What Node-RED's middleware goes on with: its error, or what is done without one. */
function unless(next: Next, handler: () => void): Next {
  return (error) => (error ? next(error) : handler());
}

function cookieOf({ headers }: IncomingMessage): string {
  const pairs = (headers.cookie ?? '').split(/;\s*/).map((pair) => pair.split('='));
  return pairs.find(([name]) => name === cookie)?.[1] ?? '';
}

/** Node-RED refuses a stranger with a bare word; a person who opened the page reads what to do instead. */
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

/** Nothing tells how long a permission of Node-RED's holds: as long as a session, then it is asked for again. */
function permitted(request: AdminRequest): Viewer {
  const until = Date.now() + sessionMs;
  return { mayChange: isWriter(request), mayStay: () => Date.now() < until };
}

/** Where people log in, Node-RED leaves there what this one, or everybody, is allowed. */
function isWriter(request: AdminRequest): boolean {
  if (!('authInfo' in request)) return true;
  const { scope } = Object(request.authInfo) as { scope?: unknown };
  const enough: readonly unknown[] = ['*', 'write', '*.write', 'algo-virtual.write'];
  return (Array.isArray(scope) ? scope : [scope]).some((one) => enough.includes(one));
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { Location: location, 'Cache-Control': 'no-store' }).end();
}

/** Without a Path a browser keeps a cookie to the folder it sees, whatever a proxy in between makes of it. */
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
