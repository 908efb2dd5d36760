import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describeFault } from '../../client/errors';
import { NonceStore, readHttpDate } from '../../client/signature-check';
import { backgroundClock, type Clock } from '../../time/clock';
import { TurnBudget } from '../../time/turn-budget';
import { type Body, discardRest, readBody } from './body';
import { normalAddress } from './callers';
import { Quota } from './limits';
import { checkLogin } from './login';
import { decodePath, type PathClaim, PathTable } from './path-table';
import { isRoute } from './routes';
import type { WebhookSettings } from './settings';

/** Maximum number of requests per second, from one address and in all. */
const maxOfAddress = 100;
const maxOfAll = 2_000;

/** Maximum time for which requests wait for the end of a deploy, in milliseconds. */
const maxDeployMs = 10_000;

/** Maximum number of requests that are decided in one turn of the event loop, after they have waited together. */
const maxPerTurn = 50;

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
  /** Called at the end of each deploy. Resolves when the host names of callers are looked up. */
  settled(): Promise<void> | undefined;
  /**
   * Looks up the host names of callers if they are out of date.
   * @returns a promise if the address is not yet known to be that of a caller
   */
  lookUp(address: string): Promise<void> | undefined;
  mayCall(address: string): boolean;
  /** Sends a request to the flow, in the same turn of the event loop. */
  accept(request: Accepted): void;
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

/**
 * Receives the requests to a server before Node-RED's own listeners. All that takes time comes first: the
 * body, a deploy, and the lookup of host names after it. Then one turn of the event loop decides, answers and
 * starts the flow, so no deploy can come in between.
 */
export class Reception {
  readonly #table = new PathTable<Webhook>();
  readonly #ofAddress: Quota;
  readonly #ofAll: Quota;
  /** Kept across deploys, so that a request cannot be repeated after a deploy. */
  readonly #nonces = new NonceStore();
  /** Requests wait for these events: a deploy, and lookups of host names. */
  readonly #delays = new Set<Promise<void>>();
  #endDeploy: (() => void) | undefined;
  readonly #budget = new TurnBudget(maxPerTurn);

  constructor(
    private readonly warn: (line: string) => void,
    private readonly clock: Clock = backgroundClock,
    private readonly isOfEditor: (request: IncomingMessage) => boolean = () => false,
  ) {
    this.#ofAddress = new Quota(maxOfAddress, 1_000, clock);
    this.#ofAll = new Quota(maxOfAll, 1_000, clock);
  }

  open(webhook: Webhook): void {
    this.#table.add(webhook);
    this.beginDeploy();
  }

  /** A deploy can create another node with the path of the closed one, so the path is kept until its end. */
  close(webhook: Webhook): void {
    this.beginDeploy();
    webhook.isClosed = true;
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
    this.#table.settle(placeOf);
    this.#delay(Promise.all(this.#table.all.map((webhook) => webhook.settled())));
    this.#endDeploy?.();
  }

  #delay(event: Promise<unknown>): void {
    const delay = event.then(
      () => void this.#delays.delete(delay),
      () => void this.#delays.delete(delay),
    );
    this.#delays.add(delay);
  }

  /** From now on, requests wait for the end of the deploy: it can close any node that a message would reach. */
  beginDeploy(): void {
    if (this.#endDeploy || this.#table.all.length === 0) return;
    const deploy = new Promise<void>((resolve) => {
      const cancel = this.clock.after(maxDeployMs, () => {
        this.#endDeploy?.();
        this.warn(
          `the flows have not started within ${maxDeployMs / 1_000} s; until they do, requests to webhooks are answered with 404`,
        );
      });
      this.#endDeploy = () => {
        cancel();
        this.#endDeploy = undefined;
        resolve();
      };
    });
    this.#delay(deploy);
  }

  serves(request: IncomingMessage): boolean {
    return this.#locate(request) !== undefined;
  }

  /** Handles a request; calls `pass` to leave the request to Node-RED. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse, pass: () => void): void {
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
    const visit = new Visit(request, response, address, located, this.clock);
    if (!this.#ofAddress.admits(address) || !this.#ofAll.admits()) {
      visit.refuse(429, 'rate');
      return;
    }
    void this.#receive(visit).catch((fault: unknown) => {
      this.warn(describeFault(fault));
      visit.refuse(500);
    });
  }

  #locate(request: IncomingMessage): Located | undefined {
    try {
      const found = this.#table.all.length === 0 ? undefined : this.#find(request);
      // While no deploy is under way, a closed node is one of flows that are stopped.
      if (!found || (found.webhook.isClosed && !this.#endDeploy)) return undefined;
      if (!this.isOfEditor(request)) return found;
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

  async #receive(visit: Visit): Promise<void> {
    const body = await readBody(visit.request, this.clock);
    let asked: Webhook | undefined;
    do {
      while (this.#delays.size > 0) await Promise.all(this.#delays);
      const webhook = this.#find(visit.request)?.webhook;
      if (webhook !== asked) await webhook?.lookUp(visit.address);
      asked = webhook;
      await new Promise<void>((resolve) => this.#budget.spend(resolve));
    } while (this.#delays.size > 0);
    this.#decide(visit, body);
  }

  /** Refuses a request, or answers it and starts the flow. */
  #decide(visit: Visit, body: Body): void {
    // A client that gives up an incomplete request knows that nothing happened.
    if (body === 'gone') return;
    const located = this.#find(visit.request);
    if (!located || located.webhook.isClosed) {
      visit.refuse(404);
      return;
    }
    visit.located = located;
    const { status, reason } = this.#judge(visit, body);
    if (status !== 200) {
      visit.refuse(status, reason);
      return;
    }
    visit.answer(200);
    located.webhook.accept({ ...visit.facts, rest: located.rest, body: body as Buffer });
  }

  /** Checks a request. Marks its nonce as used if the request is accepted. */
  #judge({ request, address, method, located }: Visit, body: Body): Verdict {
    const { webhook, target } = located;
    const { settings } = webhook;
    const { toleranceMs } = settings;
    const now = this.clock.now();
    if (!webhook.mayCall(address)) return { status: 403, reason: 'address' };
    if (!methods.includes(method)) return { status: 405 };
    if (body === 'size') return { status: 413, reason: 'size' };
    if (typeof body === 'string') return { status: 408, reason: 'body' };
    const login = checkLogin(settings, { method, target, headers: request.headers, body }, now);
    if (!login.isIn) return { status: 401, reason: login.reason };
    const scope = settings.isRoot ? `${settings.path}/` : settings.path;
    const isNew = !login.signature || this.#nonces.accept(scope, login.signature, { now, toleranceMs });
    return isNew ? { status: 200 } : { status: 401, reason: 'replay' };
  }
}

interface Verdict {
  readonly status: number;
  readonly reason?: Refusal;
}

class Visit {
  readonly method: string;
  readonly facts: RequestFacts;

  constructor(
    readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly address: string,
    public located: Located,
    clock: Clock,
  ) {
    const { method = '', headers } = request;
    const { path, query } = located;
    const sentAt = readHttpDate(headers.date);
    const clockOffsetMs = sentAt === undefined ? undefined : sentAt * 1000 - clock.now();
    this.method = method;
    this.facts = { method, path, query, address, ...(clockOffsetMs !== undefined && { clockOffsetMs }) };
  }

  refuse(status: number, reason?: Refusal): void {
    this.answer(status);
    const { webhook } = this.located;
    if (reason && !webhook.isClosed) webhook.refuse(reason, this.facts);
  }

  answer(status: number): void {
    const { request, response } = this;
    if (response.headersSent || response.destroyed) return;
    const text = answers[status] ?? '{}';
    response.statusCode = status;
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.setHeader('Cache-Control', 'no-store');
    if (status === 401 && this.located.webhook.settings.auth === 'basic')
      response.setHeader('WWW-Authenticate', basicChallenge);
    if (status === 405) response.setHeader('Allow', methods.join(', '));
    if (status === 408 || status === 413) response.setHeader('Connection', 'close');
    response.end(text);
    if (!request.complete) discardRest(request);
  }
}

function addressOf({ remoteAddress, destroyed }: Socket): string | undefined {
  if (remoteAddress !== undefined) return normalAddress(remoteAddress);
  // A Unix socket has no address. Its other end is a program on this computer.
  return destroyed ? undefined : '127.0.0.1';
}

interface Located {
  readonly webhook: Webhook;
  readonly rest: string;
  readonly target: string;
  readonly path: string;
  readonly query: string;
}
