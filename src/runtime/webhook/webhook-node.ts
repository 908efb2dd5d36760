import { createHash } from 'node:crypto';
import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red';
import { describeFault } from '../../client/errors';
import { isRecord, isShallow } from '../../json';
import { PropertyFinding } from '../../kernel/property';
import { realClock } from '../../time/clock';
import { StatusLine } from '../message/status';
import { Callers } from './callers';
import { Cooldown, Quota } from './limits';
import { decodePath } from './path-table';
import type { Accepted, Reception, Refusal, RequestFacts, Webhook } from './reception';
import { matchRoute } from './routes';
import { rootsIn, webhooksOf } from './server';
import { readWebhook, type WebhookProperties, type WebhookSettings } from './settings';

/**
 * Maximum number of refusals that the second output reports in one period, and the duration of the period in
 * milliseconds.
 */
const maxRefusals = 20;
const refusalPeriodMs = 10_000;

const maxPathLength = 1_000;

/** Minimum time between two looks at the names of known callers, in milliseconds. */
const lookUpMs = 1_000;

/**
 * Maximum depth of JSON that becomes a value. Many nodes process a message recursively, so deeper JSON could
 * exhaust the stack.
 */
const maxDepth = 500;

export function openWebhook(
  RED: NodeAPI,
  node: Node<{ password?: unknown }>,
  definition: NodeDef & WebhookProperties,
): void {
  const server = webhooksOf(RED);
  const settings = readWebhook(
    listsNoOne(RED, node, definition) ? { ...definition, from: [''] } : definition,
    { id: node.id, password: node.credentials?.password },
    rootsIn(RED),
  );
  if (!server || settings instanceof PropertyFinding) {
    const wrong =
      server && 'sentence' in settings ? settings.sentence : 'Node-RED runs without an HTTP server';
    node.status({ fill: 'red', shape: 'ring', text: RED._('status.notServed') });
    node.error(`${wrong}; this webhook receives nothing`);
    return;
  }
  const callers = new Callers(settings.from ?? [], server.addresses);
  const webhook = new WebhookNode(RED, node, settings, server.reception, callers);
  server.reception.open(webhook);
  node.on('close', () => webhook.close());
}

/**
 * Whether the list of callers comes from an environment variable that is empty. The stored flow is searched,
 * since Node-RED has replaced the variable in the definition.
 */
function listsNoOne(
  RED: NodeAPI,
  node: Node & { readonly _alias?: string },
  { from }: WebhookProperties,
): boolean {
  let isVariable = false;
  if (from !== '') return isVariable;
  RED.nodes.eachNode((stored: NodeDef & WebhookProperties) => {
    if (stored.id === node.id || stored.id === node._alias) isVariable ||= (stored.from ?? '') !== '';
  });
  return isVariable;
}

class WebhookNode implements Webhook {
  isClosed = false;
  readonly nodeId: string;
  readonly path: string;
  readonly isRoot: boolean;
  readonly #status: StatusLine;
  readonly #refusals = new Quota(maxRefusals, refusalPeriodMs, realClock);
  readonly #omissions = new Quota(1, refusalPeriodMs, realClock);
  readonly #cooldown: Cooldown;
  #isWarned = false;
  #lookedUpAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    readonly settings: WebhookSettings,
    private readonly reception: Reception,
    private readonly callers: Callers,
  ) {
    this.nodeId = node.id;
    this.path = settings.path;
    this.isRoot = settings.isRoot;
    this.#status = new StatusLine(node);
    this.#cooldown = new Cooldown(settings.cooldownMs, realClock);
  }

  close(): void {
    this.reception.close(this);
    this.#status.clear();
  }

  settled(): Promise<void> | undefined {
    this.#showState();
    return this.callers.refresh();
  }

  lookUp(address: string): Promise<void> | undefined {
    const now = realClock.monotonic();
    const isDue = now - this.#lookedUpAt >= lookUpMs;
    const mustWait = this.settings.from !== undefined && this.callers.find(address) === undefined;
    if (!isDue && !mustWait) return undefined;
    this.#lookedUpAt = now;
    const looking = this.callers.refresh();
    return mustWait ? looking : undefined;
  }

  #showState(): void {
    const { auth, password, from } = this.settings;
    if (!this.reception.holds(this)) this.#show('yellow', 'ring', 'taken');
    else if (auth !== 'none' && password === '') this.#show('red', 'ring', 'noPassword');
    else if (from?.length === 0) this.#show('red', 'ring', 'noCallers');
    else if (auth === 'none' && !from) this.#show('yellow', 'dot', 'open');
    else this.#show('green', 'dot', 'ready');
  }

  mayCall(address: string): boolean {
    const { from } = this.settings;
    return !from || (from.length > 0 && this.callers.find(address) !== undefined);
  }

  accept(request: Accepted): void {
    if (this.settings.cooldownMs > 0 && !this.#cooldown.admits(keyOf(request))) return;
    try {
      this.#send([this.#messageOf(request), null]);
    } catch (fault) {
      this.node.error(describeFault(fault));
    }
  }

  refuse(reason: Refusal, { address, method, path, clockOffsetMs }: RequestFacts): void {
    if (!this.#refusals.admits()) {
      this.#warnOfOmission();
      return;
    }
    const shown = shorten(path);
    const at = new Date().toISOString();
    const offset = clockOffsetMs === undefined ? {} : { clockOffsetMs };
    this.#send([null, { topic: address, payload: { reason, address, method, path: shown, at, ...offset } }]);
  }

  warnOfEditor(path: string): void {
    if (this.#isWarned) return;
    this.#isWarned = true;
    const shown = shorten(path);
    this.node.warn(
      `the page of the editor sent a request to ${shown}, which this webhook left to Node-RED; if the editor uses this path, enter another one`,
    );
  }

  #warnOfOmission(): void {
    if (!this.#omissions.admits()) return;
    this.node.warn(
      `more than ${maxRefusals} requests were refused in ${refusalPeriodMs / 1_000} s; the second output does not report all of them`,
    );
  }

  #messageOf(request: Accepted): object {
    const { method, path, query, address, rest, body, clockOffsetMs = null } = request;
    const device = this.callers.find(address)?.name ?? address;
    const { auth } = this.settings;
    const parameters = new URLSearchParams(query);
    const at = new Date().toISOString();
    const webhook = { device, method, path, query: objectOf(parameters), address, at, auth, clockOffsetMs };
    const payload = payloadOf(body);
    const message = { topic: device, payload, webhook };
    const route = matchRoute(method, rest, parameters);
    if (!route?.command) return message;
    return { ...message, ...route.command, payload: withParameters(payload, route.parameters) };
  }

  #send(messages: readonly (object | null)[]): void {
    try {
      this.node.send(messages as (NodeMessage | null)[]);
    } catch (fault) {
      this.node.error(describeFault(fault));
    }
  }

  #show(fill: 'red' | 'yellow' | 'green', shape: 'ring' | 'dot', key: string): void {
    this.#status.show(() => ({ fill, shape, text: this.RED._(`status.${key}`) }));
  }
}

function shorten(path: string): string {
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path;
}

function keyOf({ method, path, body }: Accepted): string {
  const hash = createHash('sha256').update(JSON.stringify([method, decodePath(path)]));
  return hash.update(body).digest('base64');
}

function payloadOf(body: Buffer): unknown {
  if (body.length === 0) return {};
  const text = body.toString();
  try {
    const value: unknown = JSON.parse(text);
    return isShallow(value, maxDepth) ? value : text;
  } catch {
    return text;
  }
}

function withParameters(payload: unknown, parameters: Readonly<Record<string, unknown>>): unknown {
  if (!isRecord(payload)) return Object.keys(parameters).length === 0 ? payload : parameters;
  return { ...payload, ...parameters };
}

/** A repeated key has a list of values. */
function objectOf(query: URLSearchParams): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const [key, value] of query) {
    const others = values.get(key);
    if (others) others.push(value);
    else values.set(key, [value]);
  }
  return Object.fromEntries(
    [...values].map(([key, all]) => {
      const [first = ''] = all;
      return [key, all.length === 1 ? first : all];
    }),
  );
}
