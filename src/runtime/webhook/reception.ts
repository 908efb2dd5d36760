import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NodeAPI } from 'node-red';
import { targetTag, wasMadeForOther } from '../../client/authentication';
import { describeFault } from '../../client/errors';
import { NonceStore, type ReceivedRequest, readHttpDate, type Signature } from '../../client/signature-check';
import { backgroundClock, type Clock } from '../../time/clock';
import { HostAddresses, isLoopback, normalAddress } from './callers';
import { type Body, type Permit, RateLimiter, readBody, Turns } from './limits';
import { checkLogin, type Login } from './login';
import { decodePath, type PathClaim, PathTable } from './path-table';
import { isRoute } from './routes';
import { type Roots, rootOf, type WebhookSettings } from './settings';
import { serveWithoutUpgrade } from './upgrade';

const maxBytes = 64 * 1024;

/** Maximum time until a body is complete, in milliseconds. */
const maxBodyMs = 10_000;

/**
 * Maximum number of requests on one connection whose answers are not complete. A device waits for each answer
 * before its next request, and a thousand requests in one packet would block the event loop.
 */
const maxUnanswered = 10;

/** Maximum number of refusals during a deploy that are reported after it. A node reports fewer in that time. */
const maxUnreported = 100;

/** Maximum time for which a request waits for the end of a deploy, in milliseconds. */
const maxDeployMs = 10_000;

const methods = ['GET', 'POST', 'PUT'];

export type Refusal =
  | 'signature'
  | 'clock'
  | 'replay'
  | 'password'
  | 'token'
  | 'address'
  | 'body'
  | 'size'
  | 'rate';

export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly address: string;
  /**
   * The clock of the sender minus the clock of this machine, in milliseconds; absent if the request has no
   * valid `Date`.
   */
  readonly clockOffsetMs?: number;
}

export interface Accepted extends RequestFacts {
  readonly rest: string;
  readonly body: Buffer;
}

export interface Webhook extends PathClaim {
  readonly settings: WebhookSettings;
  /**
   * Whether an address may call. Returns a promise if the answer depends on the first lookup of a host name
   * and this lookup is still running.
   */
  mayCall(address: string): boolean | Promise<boolean>;
  deployed(): void;
  /**
   * Returns the name of the device at an address, or the address if no device has it. Waits for the first
   * lookup of the devices' host names if that lookup is still running.
   */
  nameOf(address: string): Promise<string>;
  /** Sends a request to the flow, in the same turn of the event loop. */
  accept(request: Accepted, device: string): void;
  refuse(reason: Refusal, facts: RequestFacts): void;
  warnOfEditor(path: string): void;
}

/**
 * The body of the answer for each status. All failed logins at a webhook get the same answer, so that the
 * cause is not revealed.
 */
const answers: Readonly<Record<number, string>> = {
  200: '{}',
  401: '{"error":"unauthorized"}',
  403: '{"error":"forbidden"}',
  404: '{"error":"not found"}',
  405: '{"error":"method not allowed"}',
  408: '{"error":"the body was not complete in time"}',
  413: '{"error":"the body is too large"}',
  429: '{"error":"too many requests"}',
  500: '{"error":"a fault in Node-RED"}',
};

/** Tells a client that it can send a user name and a password, in UTF-8 (RFC 7617). */
const basicChallenge = 'Basic realm="Node-RED", charset="UTF-8"';

/** A shorter password is not searched for, since many paths contain it by chance. */
const minSearchedLength = 5;

/** Receives the requests to a server before Node-RED's own listeners. */
export class Reception {
  readonly #table = new PathTable<Webhook>();
  readonly #limiter: RateLimiter;
  readonly #turns = new Turns();
  /** Kept across deploys, so that a request cannot be repeated after a deploy. */
  readonly #nonces = new NonceStore();
  #isDeploying = false;
  #hasWarned = false;
  readonly #settled = new Set<() => void>();
  /** The refusals during a deploy, which are reported after it. */
  #unreported: (() => void)[] = [];
  /** For each connection, the number of requests whose answers are not complete. */
  readonly #unanswered = new WeakMap<Socket, number>();

  constructor(
    private readonly warn: (line: string) => void,
    private readonly clock: Clock = backgroundClock,
    private readonly isOfEditor: (request: IncomingMessage) => boolean = () => false,
  ) {
    this.#limiter = new RateLimiter(clock);
  }

  open(webhook: Webhook): void {
    this.#table.add(webhook);
  }

  /** A deploy can create another node with the path of the closed one, so the path is kept until its end. */
  close(webhook: Webhook): void {
    webhook.isClosed = true;
    this.#isDeploying = true;
  }

  /** Whether a path contains the password of a webhook, which a caller may have written there by mistake. */
  hasPassword(path: string): boolean {
    const written = [path, decodePath(path)];
    const passwords = [...this.#table.all()].map(({ settings }) => settings.password);
    return passwords
      .filter(({ length }) => length >= minSearchedLength)
      .some((password) => written.some((one) => one.includes(password)));
  }

  holds(webhook: Webhook): boolean {
    return this.#table.holds(webhook);
  }

  /**
   * Handles the end of a deploy: decides which node holds each path, and continues the requests that wait for
   * the deploy.
   * @param placeOf returns the position of a node in the flow
   */
  settle(placeOf: (nodeId: string) => number): void {
    this.#isDeploying = this.#hasWarned = false;
    this.#table.settle(placeOf);
    for (const webhook of this.#table.all()) webhook.deployed();
    for (const onSettled of [...this.#settled]) onSettled();
    const unreported = this.#unreported;
    this.#unreported = [];
    for (const report of unreported) report();
  }

  /** Reports a refusal to the node that has the path now, which a deploy can have started in the meantime. */
  readonly #report: Report = (visit, reason) => {
    const webhook = visit.webhook.isClosed ? this.#find(visit.request)?.webhook : visit.webhook;
    if (webhook && !webhook.isClosed) webhook.refuse(reason, visit.facts);
    else if (this.#isDeploying && this.#unreported.length < maxUnreported)
      this.#unreported.push(() => this.#report(visit, reason));
  };

  get held(): number {
    return this.#limiter.held;
  }

  serves(request: IncomingMessage): boolean {
    return this.#locate(request) !== undefined;
  }

  /** Handles a request; calls `pass` to leave the request to Node-RED. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse, pass: () => void): void {
    // After the connection was closed because of too many requests, Node still parses the requests that have
    // already arrived.
    if (this.#isFull(request.socket)) return;
    const located = this.#locate(request);
    if (!located) {
      pass();
      return;
    }
    const address = addressOf(request.socket);
    if (address === undefined) return;
    // Without a listener, an error of a broken connection would end Node-RED.
    request.on('error', () => {});
    response.on('error', () => {});
    const visit = new Visit(request, response, address, located, this.#report, this.clock);
    if (!this.#isCounted(request.socket, response)) {
      visit.refuse(429, 'rate');
      request.socket.destroy();
      return;
    }
    const permit = this.#limiter.hold(visit.address);
    permit?.signal.addEventListener('abort', () => visit.evict());
    void this.#receive(visit, permit, pass)
      .catch((fault: unknown) => {
        this.warn(describeFault(fault));
        visit.refuse(500);
      })
      .finally(() => permit?.end());
  }

  #isFull(socket: Socket): boolean {
    return (this.#unanswered.get(socket) ?? 0) > maxUnanswered;
  }

  /**
   * Counts a request until its answer is complete and the turn of the event loop is over. Returns false if
   * the connection has too many such requests.
   */
  #isCounted(socket: Socket, response: ServerResponse): boolean {
    const change = (by: number) => this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 0) + by);
    change(1);
    if (this.#isFull(socket)) return false;
    response.on('close', () => setImmediate(() => change(-1)));
    return true;
  }

  #locate(request: IncomingMessage): Located | undefined {
    try {
      const found = this.#table.isEmpty ? undefined : this.#find(request);
      if (!found || !this.isOfEditor(request)) return found;
      found.webhook.warnOfEditor(found.path);
    } catch (fault) {
      this.warn(describeFault(fault));
    }
    return undefined;
  }

  #find({ method = '', url = '' }: IncomingMessage): Located | undefined {
    const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const query = mark < 0 ? '' : target.slice(mark + 1);
    const found = this.#table.find(decodePath(path), (rest) => isRoute(method, rest));
    return found && { webhook: found.claim, rest: found.rest, target, path, query };
  }

  async #receive(visit: Visit, permit: Permit | undefined, pass: () => void): Promise<void> {
    const { address, method } = visit;
    // Without a permit, the request must not wait for the end of a deploy.
    if (!permit && visit.webhook.isClosed) return visit.refuse(429, 'rate');
    const isServed = await this.#settle(visit, permit?.signal);
    if (visit.isAnswered) return;
    if (!isServed) return pass();
    const mayCall = visit.webhook.mayCall(address);
    // Without a permit, the request must not wait for the first lookup of a host name.
    if (!permit && typeof mayCall !== 'boolean') return visit.refuse(429, 'rate');
    // A client that closes the connection during the lookup must not lose its request.
    const reading = permit && typeof mayCall !== 'boolean' ? this.#read(visit, permit) : undefined;
    if (!(await this.#isPermitted(visit, mayCall, permit?.signal))) return visit.refuse(403, 'address');
    if (visit.isAnswered) return;
    if (!this.#limiter.admits(address) || !permit) return visit.refuse(429, 'rate');
    if (!methods.includes(method)) return visit.refuse(405);
    const body = await (reading ?? this.#read(visit, permit));
    // A client that gives up an incomplete request knows that nothing happened.
    if (body === 'gone') return visit.request.complete ? visit.refuse(408, 'body') : undefined;
    if (body === 'size') return visit.refuse(413, 'size');
    if (body === 'late') return visit.refuse(408, 'body');
    await this.#turns.take(body.length + visit.located.query.length);
    if (visit.isAnswered) return;
    await this.#admit(visit, body, permit.signal);
  }

  /**
   * Whether the caller may call the webhook of a request. If a deploy closes the node during the lookup, the new
   * node decides.
   * @param mayCall the answer of the webhook that has the request now
   */
  async #isPermitted(
    visit: Visit,
    mayCall: boolean | Promise<boolean>,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { webhook } = visit;
    if (await mayCall) return true;
    if (!webhook.isClosed || !(await this.#settle(visit, signal))) return false;
    return this.#isPermitted(visit, visit.webhook.mayCall(visit.address), signal);
  }

  #read({ request, arrivedAt }: Visit, { signal }: Permit): Promise<Body> {
    const maxMs = Math.max(0, maxBodyMs - (this.clock.monotonic() - arrivedAt));
    return readBody(request, { maxBytes, maxMs, signal }, this.clock);
  }

  /**
   * Checks the login of a request whose body is complete, answers, and starts the flow. If a deploy closes
   * the node in the meantime, checks the request again with the settings of the new node.
   */
  async #admit(visit: Visit, body: Buffer, signal: AbortSignal): Promise<void> {
    let { webhook } = visit;
    for (;;) {
      if (!(await this.#settle(visit, signal))) return visit.refuse(404);
      const mayCall = visit.webhook === webhook || visit.webhook.mayCall(visit.address);
      if (!(await this.#isPermitted(visit, mayCall, signal))) return visit.refuse(403, 'address');
      ({ webhook } = visit);
      const login = this.#login(visit, body);
      if (!login.isIn) return visit.refuse(401, login.reason);
      const device = await webhook.nameOf(visit.address);
      if (visit.isAnswered) return;
      if (!webhook.isClosed) return this.#accept(visit, body, device, login.signature);
    }
  }

  #login({ webhook, method, request, located }: Visit, body: Buffer): Login {
    const received: ReceivedRequest = { method, target: located.target, headers: request.headers, body };
    return checkLogin(webhook.settings, received, this.clock.now());
  }

  /**
   * Answers and starts the flow in one turn of the event loop, so that no deploy can close the node in
   * between.
   */
  #accept(visit: Visit, body: Buffer, device: string, signature: Signature | undefined): void {
    const { webhook, address, facts, located } = visit;
    const { auth, from } = webhook.settings;
    if (signature && !this.#isNew(signature, visit)) {
      visit.refuse(401, 'replay');
      return;
    }
    if (auth !== 'none' || from) this.#limiter.know(address);
    visit.answer(200);
    webhook.accept({ ...facts, rest: located.rest, body }, device);
  }

  /**
   * Marks the nonce of a signature as used. Returns false for a repeated request, and for a request that was
   * made for another server.
   */
  #isNew({ nonce, digest, signedAt }: Signature, { webhook, request }: Visit): boolean {
    const { path, isRoot, toleranceMs, password } = webhook.settings;
    if (wasMadeForOther(nonce, password, () => tagsOf(request.socket))) return false;
    const scope = isRoot ? `${path}/` : path;
    return this.#nonces.accept(scope, { nonce, digest, signedAt }, { now: this.clock.now(), toleranceMs });
  }

  /**
   * Waits for the end of a deploy that has closed the webhook of a request.
   * @returns whether a webhook receives the request
   */
  async #settle(visit: Visit, signal: AbortSignal | undefined): Promise<boolean> {
    if (!visit.webhook.isClosed) return true;
    const started = this.#find(visit.request);
    if (this.#isDeploying && (started?.webhook.isClosed ?? true)) await this.#deployed(signal);
    const located = this.#find(visit.request);
    if (!located || located.webhook.isClosed) return false;
    visit.located = located;
    return true;
  }

  #warnOfNoStart(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const seconds = maxDeployMs / 1_000;
    this.warn(
      `the flows have not started within ${seconds} s; until they do, Node-RED answers the requests to webhooks itself`,
    );
  }

  #deployed(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        cancel();
        this.#settled.delete(finish);
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const cancel = this.clock.after(maxDeployMs, () => {
        this.#warnOfNoStart();
        finish();
      });
      this.#settled.add(finish);
      signal?.addEventListener('abort', finish);
    });
  }
}

type Report = (visit: Visit, reason: Refusal) => void;

class Visit {
  readonly method: string;
  readonly arrivedAt: number;
  readonly facts: RequestFacts;
  isAnswered = false;

  constructor(
    readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly address: string,
    public located: Located,
    private readonly report: Report,
    private readonly clock: Clock,
  ) {
    const { method = '', headers } = request;
    const { path, query } = located;
    const sentAt = readHttpDate(headers.date);
    const clockOffsetMs = sentAt === undefined ? undefined : sentAt * 1000 - clock.now();
    this.method = method;
    this.arrivedAt = clock.monotonic();
    this.facts = { method, path, query, address, ...(clockOffsetMs !== undefined && { clockOffsetMs }) };
  }

  get webhook(): Webhook {
    return this.located.webhook;
  }

  refuse(status: number, reason?: Refusal): void {
    if (this.isAnswered) return;
    this.answer(status);
    if (reason) this.report(this, reason);
  }

  /** Refuses a request because newer requests need its memory, and closes the connection. */
  evict(): void {
    if (!this.isAnswered && !this.response.headersSent) this.response.setHeader('Connection', 'close');
    this.refuse(429, 'rate');
  }

  answer(status: number): void {
    const { request, response } = this;
    this.isAnswered = true;
    if (response.headersSent || response.destroyed) return;
    const text = answers[status] ?? '{}';
    response.statusCode = status;
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.setHeader('Cache-Control', 'no-store');
    if (status === 401 && this.webhook.settings.auth === 'basic')
      response.setHeader('WWW-Authenticate', basicChallenge);
    if (status === 405) response.setHeader('Allow', methods.join(', '));
    if (status === 408 || status === 413) response.setHeader('Connection', 'close');
    response.end(text);
    if (!request.complete) this.#dump();
  }

  /** Reads the rest of a refused request, so that its sender sees the answer. A long or slow rest is cut off. */
  #dump(): void {
    const { request } = this;
    let left = maxBytes;
    const cut = () => request.destroy();
    const cancel = this.clock.after(maxBodyMs, cut);
    request.on('data', ({ length }: Buffer) => {
      left -= length;
      if (left < 0) cut();
    });
    request.on('close', cancel).resume();
  }
}

function addressOf({ remoteAddress, destroyed }: Socket): string | undefined {
  if (remoteAddress !== undefined) return normalAddress(remoteAddress);
  // A Unix socket has no address. Its other end is a program on this computer.
  return destroyed ? undefined : '127.0.0.1';
}

/** A client can reach a loopback address by its number or as `localhost`. */
function tagsOf({ localAddress = '', localPort = 0 }: Socket): string[] {
  const address = normalAddress(localAddress);
  const hosts = isLoopback(address) ? [address, 'localhost'] : [address];
  return hosts.map((host) => targetTag(host, localPort));
}

interface Located {
  readonly webhook: Webhook;
  readonly rest: string;
  readonly target: string;
  readonly path: string;
  readonly query: string;
}

export interface WebhookServer {
  readonly reception: Reception;
  readonly addresses: HostAddresses;
}

/** The reception and the address cache of each server. Only tests have several servers in one process. */
const opened = new WeakMap<Server, WebhookServer>();

const followed = new WeakMap<object, () => void>();

export function rootsIn({ settings }: Pick<NodeAPI, 'settings'>): Roots {
  const { httpNodeRoot = '/', httpAdminRoot = '/' } = Object(settings) as {
    readonly httpNodeRoot?: string | false;
    readonly httpAdminRoot?: string | false;
  };
  return { node: httpNodeRoot, admin: httpAdminRoot };
}

/**
 * Returns the reception and the address cache of Node-RED's server; undefined if Node-RED has no server. The
 * reception stays installed at the server, since another package might have wrapped the request listener of
 * the reception.
 */
export function webhooksOf(RED: NodeAPI): WebhookServer | undefined {
  const { server } = RED as { readonly server?: Server };
  if (!server) return undefined;
  const found = opened.get(server) ?? install(RED, server);
  followDeploys(RED, found.reception);
  return found;
}

function install(RED: NodeAPI, server: Server): WebhookServer {
  const reception = new Reception(
    (line) => RED.log.warn(`[algo-webhook] ${line}`),
    backgroundClock,
    (request) => isOfEditor(request, rootsIn(RED)),
  );
  const others = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    reception.handle(request, response, () => {
      for (const listener of others) listener.call(server, request, response);
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const isAlone = server.listenerCount('upgrade') === 1;
    if (isAlone || reception.serves(request)) serveWithoutUpgrade(server, request, socket, head);
  });
  const found = { reception, addresses: new HostAddresses() };
  opened.set(server, found);
  return found;
}

/**
 * Whether the page of the editor has sent a request, according to the `Referer` header. Compares texts, since
 * a URL parser takes quadratic time for some hosts.
 */
function isOfEditor({ headers: { referer = '', host } }: IncomingMessage, { admin }: Roots): boolean {
  const start = ['http', 'https']
    .map((scheme) => `${scheme}://${host}/`)
    .find((one) => referer.startsWith(one));
  if (admin === false || start === undefined) return false;
  const [path = ''] = referer.slice(start.length - 1).split(/[?#]/, 1);
  return rootOf(path) === rootOf(admin);
}

function followDeploys(RED: NodeAPI, reception: Reception): void {
  const before = followed.get(RED.events);
  if (before) RED.events.off('flows:started', before);
  const settle = () => {
    try {
      reception.settle(placesIn(RED));
    } catch (fault) {
      RED.log.warn(`[algo-webhook] ${describeFault(fault)}`);
    }
  };
  RED.events.on('flows:started', settle);
  followed.set(RED.events, settle);
}

/** Returns a function that returns the position of a node in the flows. A node in a subflow comes last. */
function placesIn(RED: NodeAPI): (nodeId: string) => number {
  let places: Map<string, number> | undefined;
  return (nodeId) => {
    if (!places) {
      const found = new Map<string, number>();
      RED.nodes.eachNode(({ id }) => void found.set(id, found.size));
      places = found;
    }
    return places.get(nodeId) ?? Number.MAX_SAFE_INTEGER;
  };
}
