import assert from 'node:assert/strict';
import type { NodeAPI, NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import type { Receipt } from '../../src/runtime/action/receipt';
import { journalOf } from '../../src/runtime/journal/of-node-red';
import { flowOf, type NodeConfig, startFlow, stopFlow, type TestMessage } from '../nodes/flow';
import { redeploy } from '../nodes/redeploy';
import { Waiting } from '../waiting';
import { FakeDevice, type Heard } from './fake-device';

/** A message on its way: what went on of it, what Catch nodes saw, and whether its node is done with it. */
export interface Way {
  readonly sent: TestMessage[];
  readonly caught: TestMessage[];
  isEnded: boolean;
}

/** Devices, a Node-RED that talks to them, and messages that are followed to their ends. */
export class Site {
  /** What all devices heard, in order. */
  readonly heard: Heard[] = [];
  readonly #devices: FakeDevice[] = [];
  readonly #ways = new Map<number, Way>();
  readonly #waiting = new Waiting(() => this.#story());
  readonly #inboxes = new Map<string, TestMessage[]>();
  #RED: NodeAPI | undefined;

  /** A device that listens. */
  async device(name: string, model = '8063', firmware = '5.7'): Promise<FakeDevice> {
    const device = new FakeDevice(name, model, firmware, (heard) => {
      if (heard) this.heard.push(heard);
      this.#waiting.look();
    });
    this.#devices.push(device);
    await device.open();
    return device;
  }

  devices(...names: string[]): Promise<FakeDevice[]> {
    return Promise.all(names.map((name) => this.device(name)));
  }

  /** Starts Node-RED with these nodes. What reaches a node of type `helper` is kept in its inbox. */
  async start(
    configs: readonly NodeConfig[],
    credentials = {},
    more: readonly unknown[] = [],
  ): Promise<void> {
    const capture = (RED: NodeAPI) => {
      this.#RED = RED;
    };
    await startFlow(configs, credentials, [...more, capture]);
    this.#listen(configs);
  }

  /** Deploys these nodes in place of those that changed, as "Modified nodes" does. */
  async redeploy(configs: readonly NodeConfig[], type: 'nodes' | 'full' = 'nodes'): Promise<void> {
    await redeploy(flowOf(configs), type);
    this.#listen(configs);
  }

  /** Sends a message to a node. */
  send(id: string, message: Record<string, unknown> = {}): Way {
    const ticket = this.#ways.size + 1;
    const way: Way = { sent: [], caught: [], isEnded: false };
    this.#ways.set(ticket, way);
    const node = helper.getNode(id);
    assert.ok(node, `there is no node ${id}`);
    node.receive({ ...message, ticket } as NodeMessage);
    return way;
  }

  /** Resolves when the node is done with the message. */
  async ended<W extends Way>(way: W): Promise<W> {
    await this.until('the node is done with its message', () => way.isEnded);
    return way;
  }

  /** Sends a message and waits for its end. */
  ask(id: string, message: Record<string, unknown> = {}): Promise<Way> {
    return this.ended(this.send(id, message));
  }

  /** What has reached this node. */
  inbox(id: string): TestMessage[] {
    const inbox = this.#inboxes.get(id) ?? [];
    this.#inboxes.set(id, inbox);
    return inbox;
  }

  /** Resolves as soon as this holds, and rejects when it never does. */
  until(what: string, holds: () => boolean): Promise<void> {
    return this.#waiting.until(what, holds);
  }

  async end(): Promise<void> {
    for (const device of this.#devices) device.releaseAll();
    await stopFlow();
    await this.#forget();
    await Promise.all(this.#devices.map((device) => device.close()));
  }

  /** What is still owed must not be sent in the next test, whose flows have the same journal. */
  async #forget(): Promise<void> {
    if (!this.#RED) return;
    const journal = journalOf(this.#RED);
    await Promise.all([...journal.entries('')].map(([key]) => journal.delete(key)));
  }

  #story(): string {
    return this.heard.map(({ device, deed }) => `${device} ${deed}`).join(', ') || 'nothing';
  }

  #listen(configs: readonly NodeConfig[]): void {
    const own = configs.filter(({ type }) => type === 'helper').map(({ id }) => id);
    for (const id of ['out', 'caught', 'completed', ...own]) {
      const node = helper.getNode(id) as (NodeJS.EventEmitter & { isHeard?: true }) | undefined;
      if (!node || node.isHeard) continue;
      node.isHeard = true;
      node.on('input', (message: TestMessage) => this.#keep(id, message));
    }
  }

  #keep(id: string, message: TestMessage): void {
    this.inbox(id).push(message);
    const way = this.#ways.get(Number(message.ticket));
    if (id === 'out') way?.sent.push(message);
    if (id === 'caught') way?.caught.push(message);
    if (way && (id === 'caught' || id === 'completed')) {
      // What was sent before `done` was called is delivered in the same or an earlier turn.
      setImmediate(() => {
        way.isEnded = true;
        this.#waiting.look();
      });
    }
    this.#waiting.look();
  }
}

type Value = string | number | boolean | object;
const typeOf = (value: Value) =>
  ({ string: 'str', number: 'num', boolean: 'bool', object: 'json' })[typeof value as 'string'];

/** The form of a node that has these parameters. */
export function formOf(given: Record<string, Value>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      {
        type: typeOf(value),
        value: typeof value === 'object' ? JSON.stringify(value) : String(value),
      },
    ]),
  );
}

/** Operations with what they need. */
export const given: Record<string, Record<string, Value>> = {
  'door/lock': { doorid: 'local' },
  'door/unlock': { doorid: 'local' },
  'door/munlock': { doorid: 'local', duration: '5' },
  'tone/start': { path: 'gong.wav', loop: true },
  'strobe/start': { pattern: 1, color1: 'red', ledlvl: '255' },
  'screen/start': { type: 'image', image1: 'fire.png' },
  'screen/text-start': { textContent: 'Fire' },
  'call/start': { extension: '12', tone: 'gong.wav' },
  'call/page': { extension: '12' },
  'audio/rx-start': { port: '5004' },
  'emergency/start': { announcement: 1 },
  'relay/menable': { duration: 5 },
  'console/activate': { id: 'lunch' },
};

/** A node that does this, at the device that is named or where its other properties say. */
export function act(name: string, more: Record<string, unknown> = {}): NodeConfig {
  const [noun, operation] = name.split('/');
  const form = formOf({ ...given[name], ...(more.given as Record<string, Value>) });
  const { given: _given, ...properties } = more;
  return { id: name, type: `algo-${noun}`, operation, form, ...properties } as NodeConfig;
}

/** The node of every receipt, and where what it says is kept. */
export function receiptLog(more: Record<string, unknown> = {}): NodeConfig[] {
  const onTab = { z: 'tab', x: 100, y: 100 };
  return [
    { ...onTab, id: 'receipts', type: 'algo-receipts', wires: [['log']], ...more },
    { ...onTab, id: 'log', type: 'helper' },
  ];
}

/** The receipts of a message, as it went on or as a Catch node saw it. */
export function receiptsOf({ sent, caught }: Way): Receipt[] {
  return (caught.at(-1) ?? sent.at(-1))?.receipts ?? [];
}

/** How it ended at each target; what a Catch node got, where that says nothing of targets. */
export function outcomesOf(way: Way): string[] {
  const outcomes = receiptsOf(way).map(({ device, outcome }) => `${device} ${outcome}`);
  return outcomes.length > 0 ? outcomes : way.caught.map(({ error }) => String(error?.message));
}

/** The codes of each target's error. */
export function codesOf(way: Way): (string | undefined)[] {
  return receiptsOf(way).map(({ error }) => error?.code);
}

/** What a Catch node got. */
export function caughtOf({ caught }: Way): string[] {
  return caught.map(({ error }) => String(error?.code));
}
