import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { localized } from '../../catalogue/localized-message';
import { Deadline } from '../../kernel/time/deadline';
import { sleep } from '../../kernel/time/sleep';
import type { Environment, UndiciModule } from '../environment';
import { wordsOf } from '../errors';
import { Failure, lostCodes } from '../failure';
import { type Abort, outranks, type QueueEntry } from '../queue/entry';
import type { DeviceSettings, Endpoint } from '../settings';
import { Connection, type ConnectionKind } from './connection';
import { openSocket, prepareTls, type Target } from './socket';

/**
 * Opens connections to one device. Keys, certificates and undici are loaded once, on the first connection.
 */
export class Connector {
  readonly kind: ConnectionKind;
  #target: Target | undefined;
  #undici: UndiciModule | undefined;

  constructor(
    private readonly settings: DeviceSettings,
    private readonly endpoint: Endpoint,
    readonly environment: Environment,
  ) {
    const { origin, host, secure } = endpoint;
    const { certificate, fingerprint, tls } = settings;
    const security = secure ? { certificate, fingerprint, tls } : undefined;
    this.kind = { origin, isNamed: isIP(host) === 0, security };
  }

  /**
   * @param timeoutMs time limit for connecting, including TLS, in milliseconds
   * @throws Failure; no socket is left open then
   */
  async open(timeoutMs: number, abort: Abort): Promise<Connection> {
    this.#undici ??= this.#loadUndici();
    this.#target ??= this.#prepareTarget();
    const socket = await openSocket(this.#target, timeoutMs, abort);
    return new Connection(this.kind, this.#undici, socket, this.environment);
  }

  #prepareTarget(): Target {
    const { certificate, fingerprint = '', tls = {} } = this.settings;
    const trust = { certificate, fingerprint };
    return { endpoint: this.endpoint, trust, tls: this.endpoint.secure ? prepareTls(tls) : {} };
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

/** How long a call waits until the device serves its new connection, in milliseconds. */
const maxServeMs = 1_000;

/** How long an urgent call then waits for the exchange on the other connection, in milliseconds. */
const maxBusyMs = 2_000;

/** Error codes of a device that accepts no second connection, or closes the connection immediately. */
const refusals = new Set(['ECONNREFUSED', ...lostCodes]);

/** Pause between two looks at the other connection, and between two tries, in milliseconds. */
const otherPauseMs = 50;

/** Maximum number of tries after the other connection was closed: the device might take up to 1 s to listen. */
const maxTriesAfterRefusal = 20;

/**
 * The claim of a call to be served, from the opening of its connection until the device serves the
 * connection. A device might serve one connection only: the next connection then waits in its backlog, or is
 * refused. The claim is due after `maxServeMs`: the other connection is closed as soon as it is idle, so that
 * the device serves this one, and no request is sent twice. After `maxBusyMs` more, an urgent call gives up
 * the exchange on the other connection.
 */
class Claim {
  isDue = false;
  /**
   * Set when the device has refused or reset the connection while another one was open: this call then opens its
   * connection only when no other one is open or opening.
   */
  isAlone = false;
  isOpening = false;
  /** Set for plain http: such a connection counts as served when the answer begins. */
  connection: Connection | undefined;
  #limit = this.#after(maxServeMs, () => this.makeDue());

  constructor(
    readonly entry: QueueEntry,
    private readonly pool: Pick<ConnectionPool, 'closeIdle' | 'giveUpFor'>,
  ) {}

  makeDue(): void {
    if (this.isDue) return;
    this.isDue = true;
    this.end();
    this.pool.closeIdle();
    this.#limit = this.#after(maxBusyMs, () => this.pool.giveUpFor(this.entry));
  }

  end(): void {
    this.#limit.clear();
  }

  /**
   * Runs the task each time that the connection has not been served for `ms`, until `end`. The other call might
   * have its request at the socket only after the first time.
   */
  #after(ms: number, task: () => void): Deadline {
    const limit = new Deadline(() => {
      limit.restart();
      if (!this.connection || this.connection.isUnanswered) task();
    }, ms);
    return limit;
  }
}

/**
 * The connections to one device: one, and a second one only for a call that comes while the first one is in
 * use. The queue lets at most two calls use connections.
 */
export class ConnectionPool {
  certificateEndsAt: number | undefined;
  /** All connections whose sockets are not closed yet, so that `close` waits for them. */
  #open: readonly Connection[] = [];
  /** In the order of their last use. */
  #idle: readonly Connection[] = [];
  readonly #users = new Map<Connection, QueueEntry>();
  readonly #claims = new Map<QueueEntry, Claim>();
  /** Resolves when the dropped connections are closed; never rejects. */
  #parting: Promise<void> | undefined;

  /**
   * Returns the kept connection that was used last and that `reuse`, the connector's settings, and the age and
   * state of the connection allow to use. If there is none, closes all kept connections.
   */
  takeIdle(reuse: Reuse, connector: Connector, entry: QueueEntry): Connection | undefined {
    const idle = this.#idle.findLast((one) => isUsable(one, reuse, connector.kind));
    if (!idle) this.closeIdle();
    else {
      this.#idle = this.#idle.filter((other) => other !== idle);
      this.#users.set(idle, entry);
    }
    return idle;
  }

  /**
   * Opens a connection. If the device refuses the connection while another connection is in use, waits for the
   * other one to be closed, and lets no later call open one before.
   * @param isAlone whether to wait before the first try, since the device has reset such a connection
   * @throws Failure; no socket is left open then
   */
  async open(
    connector: Connector,
    timeoutMs: number,
    entry: QueueEntry,
    isAlone: boolean,
  ): Promise<Connection> {
    const claim = new Claim(entry, this);
    claim.isAlone = isAlone;
    this.#claims.set(entry, claim);
    try {
      const connection = await this.#openFor(claim, connector, timeoutMs);
      this.#open = [...this.#open, connection];
      this.#users.set(connection, entry);
      this.certificateEndsAt = connection.certificateEndsAt;
      if (connector.kind.security) this.#endClaim(entry);
      else claim.connection = connection;
      return connection;
    } catch (error) {
      this.#endClaim(entry);
      throw error;
    }
  }

  giveBack(connection: Connection): void {
    this.#leave(connection);
    if (connection.usable && !this.#isClaimed) this.#idle = [...this.#idle, connection];
    else this.#drop(connection);
  }

  async discard(connection: Connection): Promise<void> {
    await connection.destroy();
    this.#leave(connection);
    this.#forget(connection);
  }

  closeIdle(): void {
    const idle = this.#idle;
    this.#idle = [];
    for (const connection of idle) this.#drop(connection);
  }

  /** Gives up the exchanges on the other connections, if the entry outranks their calls. */
  giveUpFor(entry: QueueEntry): void {
    for (const { policy, abort } of this.#users.values())
      if (outranks(entry.policy, policy)) abort.giveUp?.();
  }

  async close(): Promise<void> {
    this.#idle = [];
    await Promise.all(this.#open.map((connection) => this.discard(connection)));
  }

  async #openFor(claim: Claim, connector: Connector, timeoutMs: number): Promise<Connection> {
    const { abort } = claim.entry;
    const { environment } = connector;
    const until = environment.monotonic() + timeoutMs;
    const leftMs = () => Math.max(0, until - environment.monotonic());
    let triesLeft = 0;
    if (claim.isAlone) await this.#waitForOthers(claim, leftMs);
    for (;;) {
      while (this.#mustLetPass(claim) && leftMs() > 0) {
        claim.makeDue();
        await sleep(otherPauseMs, abort);
      }
      await this.#parting;
      claim.isOpening = true;
      try {
        return await connector.open(leftMs(), abort);
      } catch (error) {
        claim.isOpening = false;
        if (!refusals.has(Failure.of(error).code)) throw error;
        if (await this.#waitForOthers(claim, leftMs)) triesLeft = maxTriesAfterRefusal;
        if (triesLeft === 0 || leftMs() === 0) throw error;
        triesLeft -= 1;
        await sleep(otherPauseMs, abort);
      }
    }
  }

  /**
   * Waits until no other connection is open or opening, and a little longer: the device needs a moment to notice.
   * @returns whether there was another connection
   */
  async #waitForOthers(claim: Claim, leftMs: () => number): Promise<boolean> {
    if (!this.#hasOthers(claim)) return false;
    claim.isAlone = true;
    claim.makeDue();
    const { abort } = claim.entry;
    while (this.#hasOthers(claim) && leftMs() > 0) await sleep(otherPauseMs, abort);
    await sleep(otherPauseMs, abort);
    return true;
  }

  #hasOthers(claim: Claim): boolean {
    if (this.#open.length > 0) return true;
    for (const other of this.#claims.values()) if (other !== claim && other.isOpening) return true;
    return false;
  }

  /** Whether another call must open its connection alone, and does so before this one: by rank, then by arrival. */
  #mustLetPass(claim: Claim): boolean {
    let isEarlier = true;
    for (const other of this.#claims.values()) {
      if (other === claim) isEarlier = false;
      else if (other.isAlone && precedes(other, claim, isEarlier)) return true;
    }
    return false;
  }

  /** Whether a call waits for the device to serve its new connection, so that no other connection is kept. */
  get #isClaimed(): boolean {
    for (const { isDue } of this.#claims.values()) if (isDue) return true;
    return false;
  }

  #leave(connection: Connection): void {
    const entry = this.#users.get(connection);
    this.#users.delete(connection);
    if (entry) this.#endClaim(entry);
  }

  #endClaim(entry: QueueEntry): void {
    this.#claims.get(entry)?.end();
    this.#claims.delete(entry);
  }

  #drop(connection: Connection): void {
    const before = this.#parting;
    const parting = connection.part().then(() => this.#forget(connection));
    this.#parting = parting.then(() => before);
  }

  #forget(connection: Connection): void {
    this.#open = this.#open.filter((other) => other !== connection);
  }
}

function precedes(one: Claim, other: Claim, isEarlier: boolean): boolean {
  const [policy, others] = [one.entry.policy, other.entry.policy];
  return isEarlier ? !outranks(others, policy) : outranks(policy, others);
}

function isUsable(idle: Connection, reuse: Reuse, kind: ConnectionKind): boolean {
  if (idle.kind !== kind && !isDeepStrictEqual(idle.kind, kind)) return false;
  if (!idle.usable || (kind.isNamed && idle.ageMs >= maxAgeByNameMs)) return false;
  return reuse === 'any' || (reuse === 'recent' && idle.idleMs < freshMs);
}
