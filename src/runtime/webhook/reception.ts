import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NodeAPI } from 'node-red';
import { describeFault } from '../../client/errors';
import { targetTag, wasMadeForOther } from '../../client/nonce';
import { NonceStore, type ReceivedRequest, readHttpDate } from '../../client/signature-check';
import { backgroundClock, type Clock } from '../../time/clock';
import { HostAddresses, isLoopback, normalAddress } from './callers';
import { RateLimiter, readBody } from './limits';
import { checkLogin } from './login';
import { type Claim, decodePath, PathTable } from './path-table';
import { isRoute } from './routes';
import type { Roots, WebhookSettings } from './settings';

/** Maximum size of a body, in bytes. */
const maxBytes = 64 * 1024;

/** Maximum time until a body is complete, in milliseconds. */
const maxBodyMs = 10_000;

/** Maximum number of requests of one address in a second. */
const maxPerSecond = 100;

/** Maximum time for which a request waits for the end of a deploy, in milliseconds. */
const maxDeployMs = 10_000;

const methods = ['GET', 'POST', 'PUT'];

/** The reason why a request was refused. */
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

/** The parts of a request that a flow may see. */
export interface RequestFacts {
  readonly method: string;
  /** The path as received, without the query. */
  readonly path: string;
  /** The query as received, without the question mark. */
  readonly query: string;
  readonly address: string;
  /**
   * The clock of the sender minus the clock of this machine, in milliseconds; absent without a valid `Date`.
   */
  readonly clockOffsetMs?: number;
}

export interface Accepted extends RequestFacts {
  /** The decoded path after the path of the webhook. */
  readonly rest: string;
  readonly body: Buffer;
}

/** A node that receives the requests to its path. */
export interface Webhook extends Claim {
  readonly settings: WebhookSettings;
  /** Whether an address may call. Waits for the first lookup of new host names. */
  mayCall(address: string): Promise<boolean>;
  /** Called at the end of each deploy. */
  deployed(): void;
  accept(request: Accepted): void;
  refuse(reason: Refusal, facts: RequestFacts): void;
}

/**
 * The body of the answer for each status. A failed login always gets the same answer, so that the cause is
 * not revealed.
 */
const answers: Readonly<Record<number, string>> = {
  200: '{}',
  401: '{"error":"unauthorized"}',
  403: '{"error":"forbidden"}',
  405: '{"error":"method not allowed"}',
  408: '{"error":"the body was not complete in time"}',
  413: '{"error":"the body is too large"}',
  429: '{"error":"too many requests"}',
  500: '{"error":"a fault in Node-RED"}',
};

/** Receives the requests of a server before Node-RED does. */
export class Reception {
  readonly #table = new PathTable<Webhook>();
  readonly #rates: RateLimiter;
  /** Kept over deploys, so that a request cannot be repeated after a deploy. */
  readonly #nonces = new NonceStore();
  /** Callbacks that are called at the end of the present deploy. */
  readonly #settled = new Set<() => void>();

  constructor(
    private readonly warn: (line: string) => void,
    private readonly clock: Clock = backgroundClock,
  ) {
    this.#rates = new RateLimiter(maxPerSecond, clock);
  }

  open(webhook: Webhook): void {
    this.#table.add(webhook);
  }

  /**
   * Closes a webhook.
   * @param isRemoved whether a user has deleted or disabled the node
   */
  close(webhook: Webhook, isRemoved: boolean): void {
    webhook.isClosed = true;
    if (isRemoved) this.#table.remove(webhook);
  }

  /** Whether this webhook, and no other node, receives the requests to its path. */
  holds(webhook: Webhook): boolean {
    return this.#table.holds(webhook);
  }

  /**
   * Called at the end of a deploy.
   * @param placeOf returns the position of a node in the flow
   */
  settle(placeOf: (nodeId: string) => number): void {
    this.#table.settle(placeOf);
    for (const webhook of this.#table.all()) webhook.deployed();
    for (const onSettled of [...this.#settled]) onSettled();
  }

  /** Handles a request; calls `pass` to leave the request to Node-RED. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse, pass: () => void): void {
    let found: Located | undefined;
    try {
      found = this.#table.isEmpty ? undefined : this.#find(request);
    } catch (fault) {
      this.warn(describeFault(fault));
    }
    if (!found) {
      pass();
      return;
    }
    // Without a listener, an error of a broken connection would end Node-RED.
    request.on('error', () => {});
    response.on('error', () => {});
    void this.#receive(request, response, pass, found).catch((fault: unknown) => {
      this.warn(describeFault(fault));
      if (!response.headersSent) this.#answer(request, response, 500);
    });
  }

  #find({ method = '', url = '' }: IncomingMessage): Located | undefined {
    const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const query = mark < 0 ? '' : target.slice(mark + 1);
    const found = this.#table.find(decodePath(path), (rest) => isRoute(method, rest));
    return found && { webhook: found.claim, rest: found.rest, target, path, query };
  }

  async #receive(
    request: IncomingMessage,
    response: ServerResponse,
    pass: () => void,
    found: Located,
  ): Promise<void> {
    const arrivedAt = this.clock.monotonic();
    let located = await this.#present(request, found);
    if (!located) return pass();
    const { webhook, target, path, query } = located;
    const { method = '', headers, socket } = request;
    if (socket.remoteAddress === undefined) return;
    const address = normalAddress(socket.remoteAddress);
    const sentAt = readHttpDate(headers.date);
    const clockOffsetMs = sentAt === undefined ? undefined : sentAt * 1000 - this.clock.now();
    const facts = { method, path, query, address, ...(clockOffsetMs !== undefined && { clockOffsetMs }) };
    const refuse = (status: number, reason?: Refusal) => {
      this.#answer(request, response, status);
      if (reason) located?.webhook.refuse(reason, facts);
    };
    if (!(await webhook.mayCall(address))) return refuse(403, 'address');
    if (!this.#rates.admits(address)) return refuse(429, 'rate');
    if (!methods.includes(method)) return refuse(405);
    const end = this.#rates.begin(address);
    if (!end) return refuse(429, 'rate');
    const maxMs = Math.max(0, maxBodyMs - (this.clock.monotonic() - arrivedAt));
    const body = await readBody(request, { maxBytes, maxMs }, this.clock).finally(end);
    if (body === 'gone') return;
    if (body === 'size') return refuse(413, 'size');
    if (body === 'late') return refuse(408, 'body');
    // In the meantime, a deploy might have changed the settings, and a closed node would lose the message.
    located = await this.#present(request, located);
    if (!located) return refuse(500);
    const { settings } = located.webhook;
    if (located.webhook !== webhook && !(await located.webhook.mayCall(address)))
      return refuse(403, 'address');
    const now = this.clock.now();
    const received: ReceivedRequest = { method, target, headers, body };
    const login = checkLogin(settings, received, now);
    if (!login.isIn) return refuse(401, login.reason);
    if (login.signature && wasMadeForOther(login.signature.nonce, tagsOf(socket))) return refuse(401, 'replay');
    const lifeMs = 2 * settings.toleranceMs;
    const { path: scope } = settings;
    if (login.signature && !this.#nonces.accept(scope, login.signature, now, lifeMs)) {
      return refuse(401, 'replay');
    }
    this.#answer(request, response, 200);
    located.webhook.accept({ ...facts, rest: located.rest, body });
  }

  /**
   * Returns the webhook that receives a request. If a deploy has closed the webhook, waits for the end of the
   * deploy; undefined if no webhook receives the request then.
   */
  async #present(request: IncomingMessage, found: Located): Promise<Located | undefined> {
    if (!found.webhook.isClosed) return found;
    const started = this.#find(request);
    if (started && !started.webhook.isClosed) return started;
    await this.#deployed();
    const located = this.#find(request);
    return located?.webhook.isClosed ? undefined : located;
  }

  /** Resolves at the end of the present deploy, or after `maxDeployMs`. */
  #deployed(): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        cancel();
        this.#settled.delete(finish);
        resolve();
      };
      const cancel = this.clock.after(maxDeployMs, finish);
      this.#settled.add(finish);
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse, status: number): void {
    const text = answers[status] ?? '{}';
    response.statusCode = status;
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.setHeader('Cache-Control', 'no-store');
    if (status === 405) response.setHeader('Allow', methods.join(', '));
    if (status === 408 || status === 413) response.setHeader('Connection', 'close');
    response.end(text);
    if (!request.complete) this.#dump(request);
  }

  /**
   * Reads the rest of a refused request, so that the sender receives the answer. Closes the connection if the
   * rest is long or slow.
   */
  #dump(request: IncomingMessage): void {
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

/** Returns the tags of the targets by which a client can have named the local end of a connection. */
function tagsOf({ localAddress = '', localPort = 0 }: Socket): string[] {
  const address = normalAddress(localAddress);
  const hosts = isLoopback(address) ? [address, 'localhost'] : [address];
  return hosts.map((host) => targetTag(host, localPort));
}

interface Located {
  readonly webhook: Webhook;
  readonly rest: string;
  /** The path with its query, as received. */
  readonly target: string;
  readonly path: string;
  readonly query: string;
}

/** The objects that all webhooks of a server share. */
export interface WebhookServer {
  readonly reception: Reception;
  readonly addresses: HostAddresses;
}

/** The webhook objects by server. Only tests have several servers in one process. */
const opened = new WeakMap<Server, WebhookServer>();

/** The reception that follows the deploys of a Node-RED, by its event emitter, and the listener. */
const followed = new WeakMap<object, { readonly reception: Reception; readonly settle: () => void }>();

/** Returns the root paths of Node-RED. */
export function rootsIn({ settings }: Pick<NodeAPI, 'settings'>): Roots {
  const { httpNodeRoot = '/', httpAdminRoot = '/' } = Object(settings) as {
    readonly httpNodeRoot?: string | false;
    readonly httpAdminRoot?: string | false;
  };
  return { node: httpNodeRoot, admin: httpAdminRoot };
}

/**
 * Returns the webhook objects of Node-RED's server. The listener is installed with the first webhook and
 * stays: another package might have wrapped it. Without a webhook, it passes each request on.
 */
export function webhooksOf(RED: NodeAPI): WebhookServer | undefined {
  const { server } = RED as { readonly server?: Server };
  if (!server) return undefined;
  const found = opened.get(server) ?? install(RED, server);
  followDeploys(RED, found.reception);
  return found;
}

function install(RED: NodeAPI, server: Server): WebhookServer {
  const reception = new Reception((line) => RED.log.warn(`[algo-webhook] ${line}`));
  const others = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    reception.handle(request, response, () => {
      for (const listener of others) listener.call(server, request, response);
    });
  });
  const found = { reception, addresses: new HostAddresses() };
  opened.set(server, found);
  return found;
}

function followDeploys(RED: NodeAPI, reception: Reception): void {
  const before = followed.get(RED.events);
  if (before?.reception === reception) return;
  const settle = () => {
    try {
      reception.settle(placesIn(RED));
    } catch (fault) {
      RED.log.warn(`[algo-webhook] ${describeFault(fault)}`);
    }
  };
  if (before) RED.events.off('flows:started', before.settle);
  RED.events.on('flows:started', settle);
  followed.set(RED.events, { reception, settle });
}

/** Returns a function that returns the position of a node in the flows. Nodes in subflows come last. */
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
