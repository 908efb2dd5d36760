import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { NodeAPI } from 'node-red';
import consoleEventsNode from '../../../nodes/console-events';
import relayInputNode from '../../../nodes/relay-input';
import statusNode from '../../../nodes/status';
import { Device } from '../../../src/runtime/device/device';
import { deregister, register } from '../../../src/runtime/device/registry';
import { VirtualDevice, type VirtualDeviceOptions } from '../../../src/virtual-device/device';
import { sendJson } from '../../fixtures/signer';
import { ManualClock } from '../../virtual-device/manual-clock';
import { TcpProxy } from './tcp-proxy';

/** Midnight, 16 Nov 2026. */
export const midnight = Date.UTC(2026, 10, 16);

type Message = Record<string, unknown> & { payload: Record<string, unknown> };

/** What a status says of a relay input that is in a state and in no other way remarkable. */
export function inputText(state: string): string {
  return `${state}, Mode: Normally Open, Action: None, Tamper: No`;
}

/** What a node has done, with the second of the day in which it did. */
export interface Event {
  readonly second: number;
  readonly output?: 1 | 2;
  readonly message?: Message;
  readonly error?: string;
}

/** One device, the network before it and nodes that watch it, on a clock that only the test moves. */
export class Day {
  /** What the device's clock is ahead of ours, in milliseconds. */
  aheadMs = 0;
  readonly events: Event[] = [];
  /** When a reading was sent, in seconds of the day. */
  readonly readings: number[] = [];
  readonly #nodes: EventEmitter[] = [];
  readonly #quiet = new EventEmitter();
  readonly #plans = new Map<number, () => void | Promise<void>>();
  #busy = 0;

  private constructor(
    readonly clock: ManualClock,
    readonly log: readonly string[],
    readonly virtual: VirtualDevice,
    readonly proxy: TcpProxy,
    readonly device: Device,
  ) {}

  static async begin(options: VirtualDeviceOptions, properties: Record<string, unknown> = {}): Promise<Day> {
    let day: Day | undefined;
    const clock = new ManualClock(midnight);
    const theirs = {
      now: () => clock.now() + (day?.aheadMs ?? 0),
      setTimeout: (task: () => void, ms: number) => clock.setTimeout(task, ms),
      clearTimeout: (timer: { cancel(): void }) => timer.cancel(),
    };
    const virtual = new VirtualDevice({ rebootMs: 90_000, clock: theirs, ...options });
    const proxy = new TcpProxy(Number(new URL(await virtual.start()).port));
    const address = await proxy.start();
    const log: string[] = [];
    const device = new Device('hall', { name: 'Hall', address, timeout: 1, ...properties }, 'algo', {
      tlsOptions: () => ({}),
      endpoint: () => undefined,
      environment: { now: () => clock.now(), warn: (line) => log.push(line) },
      timing: {
        now: () => clock.now(),
        monotonic: () => clock.now() - midnight,
        random: () => 0.5,
        after: (ms, task) => {
          const timer = clock.setTimeout(task, ms);
          return () => timer.cancel();
        },
      },
    });
    day = new Day(clock, log, virtual, proxy, device);
    day.#count();
    register(device);
    return day;
  }

  /** Deploys a watching node; it reads every minute and reports the first reading, unless its properties say otherwise. */
  deploy(type: string, properties: Record<string, unknown> = {}): EventEmitter {
    const RED = {
      nodes: {
        registerType: (name: string, construct: (this: EventEmitter, config: unknown) => void) => {
          if (name !== type) return;
          const node = this.#makeNode();
          this.#nodes.push(node);
          construct.call(node, {
            id: type,
            type,
            device: 'hall',
            interval: 60,
            initial: true,
            ...properties,
          });
        },
        createNode: () => undefined,
      },
      events: new EventEmitter(),
      _: (key: string) => key,
    };
    const before = this.#nodes.length;
    for (const node of [statusNode, relayInputNode, consoleEventsNode]) node(RED as unknown as NodeAPI);
    assert.equal(this.#nodes.length, before + 1);
    return this.#nodes[before] ?? assert.fail();
  }

  /** Sends a message to a node. Resolves when the node is done with it. */
  send(node: EventEmitter, message: Record<string, unknown>): Promise<unknown> {
    return new Promise((resolve) => node.emit('input', message, () => undefined, resolve));
  }

  /** Lets time pass until this time of the day, `hh:mm` or `hh:mm:ss`. */
  async until(time: string): Promise<void> {
    const end = secondOf(time);
    await this.#settle();
    while (this.second < end) {
      this.clock.advance(1000);
      await this.#settle();
      await this.#plans.get(this.second)?.();
    }
  }

  /** Tells the device to do something, past our nodes and past the network before it. */
  async sendJson(route: string, body?: unknown): Promise<void> {
    const now = this.clock.now() + this.aheadMs;
    const { status } = await sendJson(this.virtual.address, route, body, { now });
    await turn();
    assert.ok(status < 300, `${route} was answered with ${status}`);
  }

  /** Plans something for a time of the day. */
  at(time: string, task: () => void | Promise<void>): void {
    this.#plans.set(secondOf(time), task);
  }

  /** Nothing may be left: no timer, no socket, no listener. */
  async end(): Promise<void> {
    for (const node of this.#nodes) node.emit('close', false, () => {});
    deregister(this.device);
    await this.device.close();
    await this.virtual.stop();
    await this.proxy.stop();
    assert.equal(this.clock.pending, 0, 'a timer is left');
  }

  get second(): number {
    return Math.round((this.clock.now() - midnight) / 1000);
  }

  #makeNode(): EventEmitter {
    const node = new EventEmitter();
    const put = (output: 1 | 2, messages: unknown) => {
      for (const message of [messages ?? []].flat()) {
        this.events.push({ second: this.second, output, message: message as Message });
      }
    };
    return Object.assign(node, {
      send: ([first, second]: unknown[]) => {
        put(1, first);
        put(2, second);
      },
      status: () => undefined,
      error: (error: string) => this.events.push({ second: this.second, error }),
    });
  }

  /** Knows when a request is under way: virtual time stands still meanwhile. */
  #count(): void {
    const { device } = this;
    const call = device.call.bind(device);
    device.call = (...given) => {
      this.readings.push((this.clock.now() - midnight) / 1000);
      return this.#whileBusy(call(...given));
    };
    const during = device.during.bind(device);
    device.during = (...given) => this.#whileBusy(during(...given));
  }

  async #whileBusy<T>(request: Promise<T>): Promise<T> {
    this.#busy += 1;
    try {
      return await request;
    } finally {
      this.#busy -= 1;
      this.#quiet.emit('quiet');
    }
  }

  /** Resolves when nothing is under way, and the device is where its state says. */
  async #settle(): Promise<void> {
    await turn();
    while (this.#busy > 0) {
      await once(this.#quiet, 'quiet');
      await turn();
    }
  }
}

/** `hh:mm` or `hh:mm:ss` in seconds. */
function secondOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
}
