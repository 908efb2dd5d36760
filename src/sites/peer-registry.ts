import type { StateMessage } from './wire';

export const heartbeatMs = 2_000;

/** Time without a heartbeat after which an instance counts as dead, in milliseconds. */
export const deadAfterMs = 6_000;

/**
 * Maximum number of known instances. If all of them are alive, further instances are not stored and count as
 * dead.
 */
export const maxInstances = 100;

interface Peer {
  nodeId: string;
  /** Rank of the instance; infinite before the first heartbeat. */
  rank: number;
  lastHeartbeatAt: number;
  /** Whether the instance has announced all its claims and results on this connection. */
  isReady: boolean;
  /** Whether the instance has announced its end, or a new run of its node has replaced the instance. */
  isGone: boolean;
}

export class PeerRegistry {
  readonly #peers = new Map<string, Peer>();
  /** Whether an instance was ignored because of `maxInstances`. */
  isFull = false;
  /**
   * Time at which the connection to the broker was lost, in milliseconds on the monotonic clock; undefined
   * while connected.
   */
  #disconnectedAt: number | undefined;

  constructor(private readonly self: Pick<StateMessage, 'instance' | 'nodeId' | 'rank'>) {}

  /**
   * @returns whether the instance was unknown or dead before; false if there is no room to store the instance
   */
  recordHeartbeat(now: number, { instance, nodeId, rank, ready, leaving }: StateMessage): boolean {
    const known = this.#peers.get(instance);
    const wasDead = !known || isDead(known, now);
    if (!known) for (const peer of this.#peers.values()) if (peer.nodeId === nodeId) peer.isGone = true;
    if (!known && !this.#hasRoom(now)) return false;
    const isReady = ready || known?.isReady === true;
    this.#peers.set(instance, { nodeId, rank, lastHeartbeatAt: now, isReady, isGone: leaving === true });
    return wasDead;
  }

  /**
   * Adds an instance that is known from a claim or a job, but not from a heartbeat. The instance counts as
   * alive for `deadAfterMs`; an earlier run of this node counts as dead.
   */
  mention(now: number, instance: string, nodeId: string): void {
    if (this.#peers.has(instance) || instance === this.self.instance || !this.#hasRoom(now)) return;
    const isGone = nodeId === this.self.nodeId;
    this.#peers.set(instance, {
      nodeId,
      rank: Number.POSITIVE_INFINITY,
      lastHeartbeatAt: now,
      isReady: false,
      isGone,
    });
  }

  isDead(instance: string, now: number): boolean {
    if (instance === this.self.instance) return false;
    const peer = this.#peers.get(instance);
    return !peer || isDead(peer, now);
  }

  living(now: number): readonly (Peer & { readonly instance: string })[] {
    return [...this.#peers]
      .filter(([, peer]) => !isDead(peer, now))
      .map(([instance, peer]) => ({ instance, ...peer }));
  }

  hasLower(now: number): boolean {
    for (const peer of this.#peers.values())
      if (peer.rank < this.self.rank && !isDead(peer, now)) return true;
    return false;
  }

  /**
   * Whether this instance has the lowest rank of all live instances. If ranks are equal, the lower instance
   * id wins.
   */
  isActive(now: number): boolean {
    const { rank, instance } = this.self;
    return this.living(now).every(
      (peer) => peer.rank > rank || (peer.rank === rank && peer.instance > instance),
    );
  }

  hasReported(instance: string): boolean {
    return instance === this.self.instance || this.#peers.get(instance)?.isReady === true;
  }

  isSettled(now: number): boolean {
    for (const peer of this.#peers.values()) if (!peer.isReady && !isDead(peer, now)) return false;
    return true;
  }

  disconnect(now: number): void {
    this.#disconnectedAt ??= now;
  }

  /**
   * Treats every instance that was alive at the disconnection as alive, since no heartbeat could arrive.
   * Every instance must announce its claims and results again.
   */
  reconnect(now: number): void {
    const at = this.#disconnectedAt ?? now;
    this.#disconnectedAt = undefined;
    for (const peer of this.#peers.values()) {
      if (!isDead(peer, at)) peer.lastHeartbeatAt = now;
      peer.isReady = false;
    }
  }

  /**
   * Adds the duration of a stall of this process to the time of the last heartbeat of every instance, since
   * no messages were read during the stall.
   */
  shift(ms: number): void {
    for (const peer of this.#peers.values()) peer.lastHeartbeatAt += ms;
  }

  /**
   * Returns the earliest time at which an instance counts as dead if no heartbeat arrives; infinite if no
   * instance is alive.
   */
  nextDeath(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const peer of this.#peers.values()) {
      if (!isDead(peer, now)) next = Math.min(next, peer.lastHeartbeatAt + deadAfterMs);
    }
    return next;
  }

  /** If the registry is full, removes the dead instance with the oldest heartbeat. */
  #hasRoom(now: number): boolean {
    if (this.#peers.size < maxInstances) return true;
    let oldest: string | undefined;
    let since = Number.POSITIVE_INFINITY;
    for (const [instance, peer] of this.#peers) {
      if (!isDead(peer, now) || peer.lastHeartbeatAt >= since) continue;
      oldest = instance;
      since = peer.lastHeartbeatAt;
    }
    if (oldest === undefined) this.isFull = true;
    return oldest !== undefined && this.#peers.delete(oldest);
  }

  prune(now: number): void {
    for (const [instance, { lastHeartbeatAt }] of this.#peers) {
      if (now - lastHeartbeatAt > 3_600_000) this.#peers.delete(instance);
    }
  }
}

function isDead({ lastHeartbeatAt, isGone }: Peer, now: number): boolean {
  return isGone || now - lastHeartbeatAt >= deadAfterMs;
}
