import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { localized } from '../../catalogue/localized-message';
import { sleep } from '../../time/sleep';
import type { Environment, UndiciModule } from '../environment';
import { wordsOf } from '../errors';
import { Failure } from '../failure';
import type { Abort, QueueEntry } from '../queue/entry';
import type { DeviceSettings, Endpoint } from '../settings';
import { Connection, type Opener } from './connection';
import { openSocket, prepareTls, type Target } from './socket';

/** This machine has no file or port left for a socket. */
const scarce = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS']);
const scarcePauseMs = 50;

/** For plain connections. */
const noTls = {};

/** Opens connections to one device. Keys, certificates and undici are loaded for the first one. */
export class Connector implements Opener {
  #target: Target | undefined;
  #undici: UndiciModule | undefined;

  constructor(
    readonly settings: DeviceSettings,
    readonly endpoint: Endpoint,
    private readonly environment: Environment,
  ) {}

  /** The device is known by a name, which may lead to another address later. */
  get isNamed(): boolean {
    return isIP(this.endpoint.host) === 0;
  }

  /** Whether what another one opened may be used as well: both trust the same. */
  isLike(other: Opener): boolean {
    if (other === this) return true;
    const [own, others] = [this, other].map(({ endpoint: { origin, secure }, settings }) => ({
      origin,
      ...(secure && { trust: trustOf(settings), tls: settings.tls ?? noTls }),
    }));
    return isDeepStrictEqual(own, others);
  }

  /**
   * @param timeoutMs limit for connecting, TLS included
   * @throws Failure; no socket is left then
   */
  async open(timeoutMs: number, abort: Abort): Promise<Connection> {
    this.#undici ??= this.#loadUndici();
    this.#target ??= this.#prepareTarget();
    const until = this.environment.monotonic() + timeoutMs;
    for (;;) {
      const leftMs = Math.max(0, until - this.environment.monotonic());
      try {
        const socket = await openSocket(this.#target, leftMs, abort);
        return new Connection(this, this.#undici, this.endpoint.origin, socket, this.environment);
      } catch (error) {
        // What this machine is short of now (files, ports) it may have in a moment: that says nothing of the device.
        if (!scarce.has(Failure.of(error).code) || leftMs < scarcePauseMs) throw error;
        await sleep(scarcePauseMs, abort);
      }
    }
  }

  #prepareTarget(): Target {
    const { tls = noTls } = this.settings;
    const { endpoint } = this;
    return { endpoint, trust: trustOf(this.settings), tls: endpoint.secure ? prepareTls(tls) : noTls };
  }

  #loadUndici(): UndiciModule {
    try {
      return this.environment.loadUndici();
    } catch (error) {
      const values = { version: process.version, words: wordsOf(error) };
      throw Failure.own('UNUSABLE', localized('undiciMissing', values));
    }
  }
}

function trustOf({ certificate, fingerprint = '' }: DeviceSettings): Target['trust'] {
  return { certificate, fingerprint };
}

/** A socket used less than 1 s ago is as good as a new one. */
const freshMs = 1_000;

/** Another device may have got a name's address by then. */
const maxAgeByNameMs = 60_000;

/**
 * Which kept connections will do. A device may have closed one that was idle: a request that is safe to
 * repeat takes `any`, one that is not takes only a `recent` one, and a repeated one takes none.
 */
export type Reuse = 'any' | 'recent' | 'none';

/** The two ways to one device, for all its names. */
export class ConnectionPool {
  readonly #ordinary = new ConnectionSlot(this);
  /** Most devices are never sent anything that is urgent. */
  #urgent: ConnectionSlot | undefined;

  /** Of whose turn it is. */
  of({ lane }: QueueEntry): ConnectionSlot {
    if (lane === 'ordinary') return this.#ordinary;
    this.#urgent ??= new ConnectionSlot(this);
    return this.#urgent;
  }

  /** Whether the device has a connection over the other one. */
  isOpenBeside(lane: ConnectionSlot): boolean {
    const other = lane === this.#ordinary ? this.#urgent : this.#ordinary;
    return other?.isOpen === true;
  }

  /** Resolves when no socket is left. */
  async close(): Promise<void> {
    await Promise.all([this.#ordinary.close(), this.#urgent?.close()]);
  }
}

/** Keeps one connection between requests, and knows all that are open. */
class ConnectionSlot {
  #idle: Connection | undefined;
  #open: readonly Connection[] = [];
  /** Resolves when the last connection that was given up is gone; never rejects. */
  #parting: Promise<void> | undefined;

  constructor(private readonly lanes: Pick<ConnectionPool, 'isOpenBeside'>) {}

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  /** The device has a connection besides, so that a new one has to wait for the end of the old. */
  get #isCrowded(): boolean {
    return this.lanes.isOpenBeside(this);
  }

  /** The kept connection, where there is one that a name may use and `reuse` allows it. */
  takeKept(reuse: Reuse, connector: Connector): Connection | undefined {
    const kept = this.#idle;
    this.#idle = undefined;
    const isOwn = kept !== undefined && connector.isLike(kept.opener);
    if (isOwn && kept.usable && isYoung(kept) && isGood(kept, reuse)) return kept;
    if (kept) this.#drop(kept);
    return undefined;
  }

  /** A new connection, in the place of one that was given up. @throws Failure */
  async open(connector: Connector, timeoutMs: number, abort: Abort): Promise<Connection> {
    await this.#parting;
    const connection = await connector.open(timeoutMs, abort);
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

  /** `close` waits for it, since it stays in the list until it is gone. */
  #drop(connection: Connection): void {
    const parting = this.#isCrowded ? connection.part() : connection.dropIdle();
    this.#parting = parting.then(() => this.#forget(connection));
  }

  #forget(connection: Connection): void {
    this.#open = this.#open.filter((other) => other !== connection);
  }
}

function isYoung({ ageMs, opener }: Connection): boolean {
  return !opener.isNamed || ageMs < maxAgeByNameMs;
}

function isGood({ idleMs }: Connection, reuse: Reuse): boolean {
  return reuse === 'any' || (reuse === 'recent' && idleMs < freshMs);
}
