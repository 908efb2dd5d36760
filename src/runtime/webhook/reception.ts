import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describeFault } from '../../client/errors';
import { NonceStore, readHttpDate } from '../../client/signature-check';
import { backgroundClock, type Clock } from '../../kernel/time/clock';
import { TurnBudget } from '../../kernel/time/turn-budget';
import { type Body, readBody } from './body';
import { normalAddress } from './callers';
import { PeriodCounter } from './limits';
import { checkLogin } from './login';
import { PathTable } from './path-table';
import type { Refusal, RequestFacts, Webhook } from './webhook';

/** Maximum number of requests per second, from one address and in all. */
const maxOfAddress = 100;
const maxOfAll = 2_000;

/** Maximum time for which requests wait for the end of a deploy, in milliseconds. */
const maxDeployMs = 10_000;

/** Maximum number of requests that are decided in one turn of the event loop, after they have waited together. */
const maxPerTurn = 50;

const methods = ['GET', 'POST', 'PUT'];

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

/** The status of each refusal that is not a failed login. */
const statuses: Readonly<Partial<Record<Refusal | 'method', number>>> = {
  ...{ address: 403, method: 405, body: 408, size: 413, rate: 429 },
};

/** Tells a client that it can send a user name and a password, in UTF-8 (RFC 7617). */
const basicChallenge = 'Basic realm="Node-RED", charset="UTF-8"';

/**
 * Receives the requests to a server before Node-RED's own listeners. All that takes time comes first: the
 * body, the lookup of host names, and a deploy. Then one turn of the event loop decides, answers and starts the
 * flow, so no deploy can come in between.
 */
export class Reception {
  readonly #table = new PathTable();
  readonly #ofAddress: PeriodCounter;
  readonly #ofAll: PeriodCounter;
  /** Kept across deploys, so that a request cannot be repeated after a deploy. */
  readonly #nonces = new NonceStore();
  readonly #budget = new TurnBudget(maxPerTurn);
  /** The complete requests that wait for a deploy, and for the lookups of host names after it. */
  readonly #waiting: (() => void)[] = [];
  /** Cancels the time limit of a deploy; undefined while no deploy is under way. */
  #cancelLimit: (() => void) | undefined;
  #lookups = 0;

  constructor(
    private readonly warn: (line: string) => void,
    private readonly clock: Clock = backgroundClock,
    private readonly isOfEditor: (request: IncomingMessage) => boolean = () => false,
  ) {
    this.#ofAddress = new PeriodCounter(1_000, clock);
    this.#ofAll = new PeriodCounter(1_000, clock);
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

  /** From now on, requests wait for the end of the deploy: it can close any node that a message would reach. */
  beginDeploy(): void {
    if (this.#cancelLimit || this.#table.all.length === 0) return;
    this.#cancelLimit = this.clock.after(maxDeployMs, () => {
      this.#endDeploy();
      this.warn(
        `the flows have not started within ${maxDeployMs / 1_000} s; until they do, requests to webhooks are answered with 404`,
      );
    });
  }

  /**
   * Handles the end of a deploy: decides which node holds each path, and continues the requests that wait for
   * the deploy.
   * @param placeOf returns the position of a node in the flow
   */
  settle(placeOf: (nodeId: string) => number): void {
    this.#table.settle(placeOf);
    const lookups = this.#table.all.map((webhook) => webhook.settled());
    this.#lookups += 1;
    void Promise.allSettled(lookups).then(() => {
      this.#lookups -= 1;
      this.#continue();
    });
    this.#endDeploy();
  }

  #endDeploy(): void {
    this.#cancelLimit?.();
    this.#cancelLimit = undefined;
    this.#continue();
  }

  #mustWait(): boolean {
    return this.#cancelLimit !== undefined || this.#lookups > 0;
  }

  #continue(): void {
    if (this.#mustWait()) return;
    for (const enter of this.#waiting.splice(0)) enter();
  }

  serves(request: IncomingMessage): boolean {
    return this.#locate(request, targetOf(request)) !== undefined;
  }

  /** Handles a request; calls `pass` to leave the request to Node-RED. */
  handle(request: IncomingMessage, response: ServerResponse, pass: () => void): void {
    const target = targetOf(request);
    const webhook = this.#locate(request, target);
    if (!webhook) {
      pass();
      return;
    }
    const address = addressOf(request.socket);
    if (address === undefined) return;
    // Without a listener, an error of a broken connection would end Node-RED.
    request.on('error', () => {});
    response.on('error', () => {});
    const visit = new Visit(request, response, target, address, this.clock.now());
    const isOverRate = this.#ofAddress.count(address) > maxOfAddress || this.#ofAll.count() > maxOfAll;
    if (isOverRate) visit.refuse(webhook, 'rate');
    else this.#receive(visit, webhook).catch((fault: unknown) => this.#fail(visit, fault));
  }

  /** Returns the webhook that serves a request now, or after the deploy that is under way. */
  #locate(request: IncomingMessage, { path }: Target): Webhook | undefined {
    const webhook = this.#table.find(request.method ?? '', path)?.webhook;
    // While no deploy is under way, a closed node is one of flows that are stopped.
    if (!webhook || (webhook.isClosed && !this.#cancelLimit)) return undefined;
    if (!this.isOfEditor(request)) return webhook;
    webhook.warnOfEditor(path);
    return undefined;
  }

  async #receive(visit: Visit, webhook: Webhook): Promise<void> {
    const read = readBody(visit.request, this.clock);
    await webhook.lookUp(visit.facts.address);
    this.#enter(visit, await read);
  }

  #enter(visit: Visit, body: Body): void {
    this.#budget.spend(() => {
      if (this.#mustWait()) this.#waiting.push(() => this.#enter(visit, body));
      else this.#decide(visit, body);
    });
  }

  /** Refuses a request, or answers it and starts the flow. Never throws. */
  #decide(visit: Visit, body: Body): void {
    // A client that gives up an incomplete request knows that nothing happened.
    if (body === 'gone') return;
    const { facts, target } = visit;
    try {
      const { webhook, rest = '' } = this.#table.find(facts.method, target.path) ?? {};
      if (!webhook || webhook.isClosed) {
        visit.answer(404);
        return;
      }
      const refusal = this.#judge(visit, body, webhook);
      if (refusal) {
        visit.refuse(webhook, refusal);
        return;
      }
      visit.answer(200);
      webhook.accept({ ...facts, rest, body: body as Buffer });
    } catch (fault) {
      this.#fail(visit, fault);
    }
  }

  /** Returns the reason for a refusal; undefined for a request that is accepted. */
  #judge({ request, target, facts }: Visit, body: Exclude<Body, 'gone'>, webhook: Webhook) {
    const { method, address } = facts;
    if (!webhook.mayCall(address)) return 'address';
    if (!methods.includes(method)) return 'method';
    if (typeof body === 'string') return body;
    const received = { method, target: target.whole, headers: request.headers, body };
    return checkLogin(webhook.settings, received, this.#nonces, this.clock.now());
  }

  #fail(visit: Visit, fault: unknown): void {
    this.warn(describeFault(fault));
    visit.answer(500);
  }
}

/** The target of a request: all of it, without the server that a request can name, and its parts. */
interface Target {
  readonly whole: string;
  readonly path: string;
  readonly query: string;
}

function targetOf({ url = '' }: IncomingMessage): Target {
  const whole = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const [path = '', ...query] = whole.split('?');
  return { whole, path, query: query.join('?') };
}

/** A request and its answer. */
class Visit {
  readonly facts: RequestFacts;

  /** @param now epoch milliseconds */
  constructor(
    readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly target: Target,
    address: string,
    now: number,
  ) {
    const { method = '', headers } = request;
    const { path, query } = target;
    const sentAt = readHttpDate(headers.date);
    const clockOffsetMs = sentAt === undefined ? undefined : sentAt * 1000 - now;
    this.facts = { method, path, query, address, clockOffsetMs };
  }

  /** Refuses the request. The webhook reports each reason but a wrong method. */
  refuse(webhook: Webhook, reason: Refusal | 'method'): void {
    const status = statuses[reason] ?? 401;
    const isBasic = status === 401 && webhook.settings.auth === 'basic';
    this.answer(status, isBasic ? { 'WWW-Authenticate': basicChallenge } : {});
    if (reason !== 'method' && !webhook.isClosed) webhook.refuse(reason, this.facts);
  }

  answer(status: number, headers: Readonly<Record<string, string>> = {}): void {
    const { request, response } = this;
    if (response.headersSent || response.destroyed) return;
    const text = answers[status] ?? '{}';
    // A sender whose body does not end is cut off, but not one that only sends too often.
    const isCutOff = !request.complete && status !== 429;
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      ...(status === 405 && { Allow: methods.join(', ') }),
      ...(isCutOff && { Connection: 'close' }),
      ...headers,
    });
    response.end(text);
  }
}

function addressOf({ remoteAddress, destroyed }: Socket): string | undefined {
  if (remoteAddress !== undefined) return normalAddress(remoteAddress);
  // A Unix socket has no address. Its other end is a program on this computer.
  return destroyed ? undefined : '127.0.0.1';
}
