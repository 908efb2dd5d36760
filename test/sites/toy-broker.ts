import assert from 'node:assert/strict';
import type { Kind } from '../../src/sites/wire';
import type { TaskClock } from './task-clock';

/** So often all together say something of one job, in all that may happen to them. */
const maxTaken = 150;

/** A message on its way through the broker. */
export interface Packet {
  readonly topic: string;
  readonly payload: string;
  readonly retain: boolean;
  readonly signature?: string | undefined;
  /** When it is over, on the clockwork's clock. */
  readonly expiresAt: number;
}

export interface Arrived {
  readonly topic: string;
  readonly payload: string;
  /** Seconds left. */
  readonly expiry: number | undefined;
  readonly signature?: string | undefined;
}

/**
 * A broker with one order of all messages, links that take their time and break, and retained messages that a restart
 * may lose. Each link keeps the order in both directions; what is on its way when it breaks may arrive or not, but
 * nothing behind what did not.
 */
export class ToyBroker {
  #retained = new Map<string, Packet>();
  readonly links = new Set<Link>();
  readonly #taken = new Map<string, number>();
  isUp = true;
  /** Whoever may read everything. */
  tap: ((packet: Packet) => void) | undefined;

  constructor(
    readonly clockwork: TaskClock,
    readonly dice: () => number,
  ) {}

  take(packet: Packet): void {
    const count = (this.#taken.get(packet.topic) ?? 0) + 1;
    this.#taken.set(packet.topic, count);
    this.tap?.(packet);
    assert.ok(count <= maxTaken || packet.topic.includes('/state/'), `${packet.topic} is said on and on`);
    if (packet.retain) {
      if (packet.payload === '') this.#retained.delete(packet.topic);
      else this.#retained.set(packet.topic, packet);
    }
    for (const link of this.links) if (link.isSubscribed) link.deliver(packet);
  }

  /** What is retained of a kind, while it lasts. */
  kept(kind: Kind): Packet[] {
    const all = [...this.#retained.values()].filter(({ topic }) => topic.includes(`/${kind}/`));
    return all.filter(({ expiresAt }) => expiresAt > this.clockwork.now);
  }

  /** It was said at some time, and perhaps taken back. */
  hasTaken(topic: string): boolean {
    return this.#taken.has(topic);
  }

  replayTo(link: Link): void {
    for (const kind of ['/state/', '/result/', '/claim/', '/job/']) {
      for (const packet of this.#retained.values()) if (packet.topic.includes(kind)) link.deliver(packet);
    }
  }

  /** Every link breaks. */
  crash(losesMemory: boolean): void {
    this.isUp = false;
    for (const link of [...this.links]) link.break();
    if (losesMemory) this.#retained = new Map();
  }
}

/** One client's connection. */
export class Link {
  isOpen = true;
  isSubscribed = false;
  #upAt = 0;
  #downAt = 0;
  /** What is behind this number, in each direction, does not arrive any more. */
  #lastUp = Number.POSITIVE_INFINITY;
  #lastDown = Number.POSITIVE_INFINITY;
  #sent = 0;
  #came = 0;

  constructor(
    private readonly broker: ToyBroker,
    private readonly slowestMs: number,
    private readonly onArrived: (arrived: Arrived) => void,
    private readonly onBroken: () => void,
  ) {
    broker.links.add(this);
  }

  /** Resolves, so to speak, when the broker has said yes: before or after it has sent what is retained. */
  subscribe(then: () => void): void {
    this.#up(() => {
      this.isSubscribed = true;
      const isAnswerFirst = this.broker.dice() < 0.5;
      if (isAnswerFirst) this.#down(then);
      this.broker.replayTo(this);
      if (!isAnswerFirst) this.#down(then);
    });
  }

  publish(topic: string, payload: string, retain: boolean, expiry?: number, signature?: string): void {
    this.#up(() => {
      const expiresAt =
        expiry === undefined ? Number.POSITIVE_INFINITY : this.broker.clockwork.now + expiry * 1_000;
      this.broker.take({ topic, payload, retain, signature, expiresAt });
    });
  }

  deliver({ topic, payload, signature, expiresAt }: Packet): void {
    const leftMs = expiresAt - this.broker.clockwork.now;
    if (leftMs <= 0) return;
    const expiry = Number.isFinite(leftMs) ? Math.ceil(leftMs / 1_000) : undefined;
    this.#down(() => this.onArrived({ topic, payload, signature, expiry }));
  }

  /** What is said from now on comes so much later, in both directions. */
  stall(ms: number): void {
    const until = this.broker.clockwork.now + ms;
    this.#upAt = Math.max(this.#upAt, until);
    this.#downAt = Math.max(this.#downAt, until);
  }

  /** The client is told at once; the broker, which may hear a part of what was sent, forgets it. */
  break(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    const { dice } = this.broker;
    this.#lastUp = this.broker.isUp ? Math.floor(dice() * (this.#sent + 1)) : 0;
    this.#lastDown = 0;
    this.isSubscribed = false;
    this.broker.links.delete(this);
    this.onBroken();
  }

  #up(run: () => void): void {
    this.#sent += 1;
    const number = this.#sent;
    this.#upAt = Math.max(this.#upAt, this.broker.clockwork.now + this.broker.dice() * this.slowestMs);
    this.broker.clockwork.after(this.#upAt - this.broker.clockwork.now, () => {
      if (number <= this.#lastUp && this.broker.isUp) run();
    });
  }

  #down(run: () => void): void {
    this.#came += 1;
    const number = this.#came;
    this.#downAt = Math.max(this.#downAt, this.broker.clockwork.now + this.broker.dice() * this.slowestMs);
    this.broker.clockwork.after(this.#downAt - this.broker.clockwork.now, () => {
      if (number <= this.#lastDown) run();
    });
  }
}
