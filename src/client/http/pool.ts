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

/** Error codes of a machine that has no file handle or port left for a socket. */
const scarce = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS']);
const scarcePauseMs = 50;

const noTls = {};

/**
 * Opens connections to one device. Keys, certificates and undici are loaded once, on the first connection.
 */
export class Connector implements Opener {
  #target: Target | undefined;
  #undici: UndiciModule | undefined;

  constructor(
    readonly settings: DeviceSettings,
    readonly endpoint: Endpoint,
    private readonly environment: Environment,
  ) {}

  get isNamed(): boolean {
    return isIP(this.endpoint.host) === 0;
  }

  /**
   * Whether this connector may use the connections of another opener: both have the same origin and, over
   * https, the same trust and TLS options.
   */
  isLike(other: Opener): boolean {
    if (other === this) return true;
    const [own, others] = [this, other].map(({ endpoint: { origin, secure }, settings }) => ({
      origin,
      ...(secure && { trust: trustOf(settings), tls: settings.tls ?? noTls }),
    }));
    return isDeepStrictEqual(own, others);
  }

  /**
   * @param timeoutMs time limit for connecting, including TLS, in milliseconds
   * @throws Failure; no socket is left open then
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
        // A shortage of file handles or ports on this machine often ends soon.
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

/** Idle time from which a connection no longer counts as `recent`, in milliseconds. */
const freshMs = 1_000;

/**
 * Age from which a connection to a host name is not used again, in milliseconds, since the name might lead to
 * another device by then.
 */
const maxAgeByNameMs = 60_000;

/**
 * The kept connections that a request may use. A device might have closed an idle connection, so `any` is for
 * idempotent requests and `recent` for other requests. `none` is for requests after an unclear result.
 */
export type Reuse = 'any' | 'recent' | 'none';

export class ConnectionPool {
  certificateEndsAt: number | undefined;
  readonly #ordinary = new ConnectionSlot(this);
  /** The slot of urgent requests; created on demand, since most devices never receive an urgent request. */
  #urgent: ConnectionSlot | undefined;

  of({ connectionName }: QueueEntry): ConnectionSlot {
    if (connectionName === 'ordinary') return this.#ordinary;
    this.#urgent ??= new ConnectionSlot(this);
    return this.#urgent;
  }

  isOtherOpen(slot: ConnectionSlot): boolean {
    const other = slot === this.#ordinary ? this.#urgent : this.#ordinary;
    return other?.isOpen === true;
  }

  async close(): Promise<void> {
    await Promise.all([this.#ordinary.close(), this.#urgent?.close()]);
  }
}

class ConnectionSlot {
  #idle: Connection | undefined;
  #open: readonly Connection[] = [];
  /** Resolves when the most recently dropped connection is closed; never rejects. */
  #parting: Promise<void> | undefined;

  constructor(private readonly pool: Pick<ConnectionPool, 'isOtherOpen' | 'certificateEndsAt'>) {}

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  /**
   * Whether the other slot has an open connection. If it has, a connection that this slot drops gets up to
   * 100 ms to be closed by the device, before this slot opens a new connection.
   */
  get #isCrowded(): boolean {
    return this.pool.isOtherOpen(this);
  }

  /**
   * Returns the kept connection if `reuse`, the connector's settings, and the age and state of the connection
   * allow its use. Otherwise closes the connection and returns undefined.
   */
  takeIdle(reuse: Reuse, connector: Connector): Connection | undefined {
    const idle = this.#idle;
    this.#idle = undefined;
    const isOwn = idle !== undefined && connector.isLike(idle.opener);
    if (isOwn && idle.usable && isYoung(idle) && isGood(idle, reuse)) return idle;
    if (idle) this.#drop(idle);
    return undefined;
  }

  async open(connector: Connector, timeoutMs: number, abort: Abort): Promise<Connection> {
    await this.#parting;
    const connection = await connector.open(timeoutMs, abort);
    this.pool.certificateEndsAt = connection.certificateEndsAt;
    this.#open = [...this.#open, connection];
    return connection;
  }

  giveBack(connection: Connection): void {
    if (!this.#idle && connection.usable) this.#idle = connection;
    else this.#drop(connection);
  }

  async discard(connection: Connection): Promise<void> {
    await connection.destroy();
    this.#forget(connection);
  }

  async close(): Promise<void> {
    this.#idle = undefined;
    await Promise.all(this.#open.map((connection) => this.discard(connection)));
  }

  /** `#open` keeps the connection until the socket is closed, so that `close` waits for the socket. */
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
