import { createHash } from 'node:crypto';
import { parse as parseQuery } from 'node:querystring';
import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red';
import { describeFault } from '../../client/errors';
import { isRecord, isShallow } from '../../json';
import { PropertyFinding, parseJson } from '../../kernel/property';
import { realClock } from '../../kernel/time/clock';
import { StatusLine } from '../message/status';
import { Callers } from './callers';
import { Cooldown, PeriodCounter } from './limits';
import type { Reception } from './reception';
import { matchRoute } from './routes';
import { receptionOf, rootsIn } from './server';
import { decodePath, readWebhook, type WebhookProperties, type WebhookSettings } from './settings';
import type { Accepted, Refusal, RequestFacts, Webhook } from './webhook';

/**
 * Maximum number of refusals that the second output reports in one period, and the duration of the period in
 * milliseconds.
 */
const maxRefusals = 20;
const refusalPeriodMs = 10_000;

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
  const reception = receptionOf(RED);
  const secrets = { id: node.id, password: node.credentials?.password };
  const settings = readWebhook(definition, secrets, rootsIn(RED));
  if (!reception || settings instanceof PropertyFinding) {
    const wrong =
      reception && 'sentence' in settings ? settings.sentence : 'Node-RED runs without an HTTP server';
    node.status({ fill: 'red', shape: 'ring', text: RED._('status.notServed') });
    node.error(`${wrong}; this webhook receives nothing`);
    return;
  }
  const webhook = new WebhookNode(RED, node, settings, reception);
  reception.open(webhook);
  node.on('close', () => webhook.close());
}

class WebhookNode implements Webhook {
  isClosed = false;
  readonly nodeId: string;
  readonly #callers: Callers;
  readonly #status: StatusLine;
  readonly #refusals = new PeriodCounter(refusalPeriodMs, realClock);
  readonly #cooldown: Cooldown;
  #isWarned = false;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    readonly settings: WebhookSettings,
    private readonly reception: Reception,
  ) {
    this.nodeId = node.id;
    this.#callers = new Callers(settings.from);
    this.#status = new StatusLine(node);
    this.#cooldown = new Cooldown(settings.cooldownMs, realClock);
  }

  close(): void {
    this.reception.close(this);
    this.#status.clear();
  }

  settled(): Promise<void> {
    this.#showState();
    return this.#callers.refresh();
  }

  lookUp(address: string): Promise<void> | undefined {
    const lookups = this.#callers.refresh();
    return this.mayCall(address) ? undefined : lookups;
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
    return !this.settings.from || this.#callers.find(address) !== undefined;
  }

  accept(request: Accepted): void {
    if (this.settings.cooldownMs > 0 && !this.#cooldown.admits(keyOf(request))) return;
    this.#send([this.#messageOf(request), null]);
  }

  refuse(reason: Refusal, { address, method, path, clockOffsetMs }: RequestFacts): void {
    const count = this.#refusals.count();
    if (count === maxRefusals + 1)
      this.node.warn(
        `more than ${maxRefusals} requests were refused in ${refusalPeriodMs / 1_000} s; the second output does not report all of them`,
      );
    if (count > maxRefusals) return;
    const at = new Date().toISOString();
    const offset = clockOffsetMs === undefined ? {} : { clockOffsetMs };
    this.#send([null, { topic: address, payload: { reason, address, method, path, at, ...offset } }]);
  }

  warnOfEditor(path: string): void {
    if (this.#isWarned) return;
    this.#isWarned = true;
    this.node.warn(
      `the page of the editor sent a request to ${path}, which this webhook left to Node-RED; if the editor uses this path, enter another one`,
    );
  }

  #messageOf({ method, path, query, address, rest, body, ...facts }: Accepted): object {
    const device = this.#callers.find(address)?.name ?? address;
    const { auth } = this.settings;
    const at = new Date().toISOString();
    const values = { ...parseQuery(query, '&', '=', { maxKeys: 0 }) };
    const clockOffsetMs = facts.clockOffsetMs ?? null;
    const webhook = { device, method, path, query: values, address, at, auth, clockOffsetMs };
    const payload = payloadOf(body);
    const message = { topic: device, payload, webhook };
    const route = matchRoute(method, rest, new URLSearchParams(query));
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

function keyOf({ method, path, body }: Accepted): string {
  const hash = createHash('sha256').update(JSON.stringify([method, decodePath(path)]));
  return hash.update(body).digest('base64');
}

function payloadOf(body: Buffer): unknown {
  if (body.length === 0) return {};
  const text = body.toString();
  const value = parseJson(text);
  return value !== undefined && isShallow(value, maxDepth) ? value : text;
}

function withParameters(payload: unknown, parameters: Readonly<Record<string, unknown>>): unknown {
  if (!isRecord(payload)) return Object.keys(parameters).length === 0 ? payload : parameters;
  return { ...payload, ...parameters };
}
