import type { Abort } from './abort';
import type { Connection } from './connection';
import type { Connector } from './connector';
import type { Place } from './place';

/** A socket used less than 1 s ago is as good as a new one. */
const freshMs = 1_000;

/** Another device may have got a name's address by then. */
const longestAgeByNameMs = 60_000;

/**
 * Which kept connections will do. A device may have closed one that was idle: a request that is safe to
 * repeat takes `any`, one that is not takes only a `recent` one, and a repeated one takes none.
 */
export type Reuse = 'any' | 'recent' | 'none';

/** The two ways to one device. */
export class Lanes {
  readonly #ordinary: Lane;
  /** Most devices are never sent anything that is urgent. */
  #urgent: Lane | undefined;

  constructor(private readonly connector: Connector) {
    this.#ordinary = new Lane(connector, this);
  }

  /** Of whose turn it is. */
  of({ lane }: Place): Lane {
    if (lane === 'ordinary') return this.#ordinary;
    this.#urgent ??= new Lane(this.connector, this);
    return this.#urgent;
  }

  /** Whether the device has a connection over the other one. */
  isOpenBeside(lane: Lane): boolean {
    const other = lane === this.#ordinary ? this.#urgent : this.#ordinary;
    return other?.isOpen === true;
  }

  /** Resolves when no socket is left. */
  async close(): Promise<void> {
    await Promise.all([this.#ordinary.close(), this.#urgent?.close()]);
  }
}

/** Keeps one connection between requests, and knows all that are open. */
export class Lane {
  #idle: Connection | undefined;
  #open: readonly Connection[] = [];
  /** Resolves when the last connection that was given up is gone; never rejects. */
  #parting: Promise<void> | undefined;

  constructor(
    private readonly connector: Connector,
    private readonly lanes: Pick<Lanes, 'isOpenBeside'>,
  ) {}

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  /** The device has a connection besides, so that a new one has to wait for the end of the old. */
  get #isCrowded(): boolean {
    return this.lanes.isOpenBeside(this);
  }

  /** The kept connection, where there is one and `reuse` allows it. */
  takeKept(reuse: Reuse): Connection | undefined {
    const kept = this.#idle;
    this.#idle = undefined;
    if (kept?.usable && this.#isYoung(kept) && isGood(kept, reuse)) return kept;
    if (kept) this.#drop(kept);
    return undefined;
  }

  /** A new connection, in the place of one that was given up. @throws Failure */
  async open(timeoutMs: number, abort: Abort): Promise<Connection> {
    if (this.#isCrowded) await this.#parting;
    const connection = await this.connector.open(timeoutMs, abort);
    this.#open = [...this.#open, connection];
    return connection;
  }

  /** Takes a connection back after its answer. One is kept; a second one, or one that cannot go on, is closed. */
  giveBack(connection: Connection): void {
    if (!this.#idle && connection.usable) this.#idle = connection;
    else this.#drop(connection);
  }

  /** Closes a connection whose request failed. */
  async discard(connection: Connection): Promise<void> {
    await connection.destroy();
    this.#forget(connection);
  }

  /** Closes all; resolves when no socket is left. */
  async close(): Promise<void> {
    this.#idle = undefined;
    await Promise.all(this.#open.map((connection) => this.discard(connection)));
  }

  #isYoung(kept: Connection): boolean {
    return !this.connector.isNamed || kept.ageMs < longestAgeByNameMs;
  }

  /** `close` waits for it, since it stays in the list until it is gone. */
  #drop(connection: Connection): void {
    const parting = this.#isCrowded ? connection.part() : connection.dropIdle();
    this.#parting = parting.then(() => this.#forget(connection));
  }

  #forget(connection: Connection): void {
    this.#open = this.#open.filter((other) => other !== connection);
  }
}

function isGood({ idleMs }: Connection, reuse: Reuse): boolean {
  return reuse === 'any' || (reuse === 'recent' && idleMs < freshMs);
}
