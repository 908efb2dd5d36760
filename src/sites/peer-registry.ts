import type { StateMessage } from './wire';

/** Between two signs of life, in milliseconds. */
export const beatMs = 2_000;

/** The silence after which an instance counts as dead, in milliseconds. */
export const deadAfterMs = 6_000;

/** A site has a handful of instances. This many are remembered, and a further one counts as dead. */
export const maxInstances = 100;

/** Another instance of this site. */
interface Peer {
  place: string;
  /** Infinite as long as only a claim of it was seen. */
  rank: number;
  heardAt: number;
  /** It has said all that it has claimed and done, on this connection. */
  isReady: boolean;
  /** It said good-bye, or has a new life. */
  isGone: boolean;
}

/** The other live instances of a site, by their heartbeats. The clock is given. */
export class PeerRegistry {
  readonly #peers = new Map<string, Peer>();
  /** Somebody was not remembered, since there were too many. */
  isFull = false;
  /** When the connection was lost, while it is. */
  #deafSince: number | undefined;

  constructor(private readonly self: Pick<StateMessage, 'instance' | 'place' | 'rank'>) {}

  /** @returns whether it was not known, or dead, before */
  hear(now: number, { instance, place, rank, ready, leaving }: StateMessage): boolean {
    const known = this.#peers.get(instance);
    const wasDead = !known || isDead(known, now);
    if (!known) for (const peer of this.#peers.values()) if (peer.place === place) peer.isGone = true;
    if (!known && !this.#hasRoom(now)) return false;
    const isReady = ready || known?.isReady === true;
    this.#peers.set(instance, { place, rank, heardAt: now, isReady, isGone: leaving === true });
    return wasDead;
  }

  /** A claim names it. Who was never heard has the time of one that was. */
  mention(now: number, instance: string, place: string): void {
    if (this.#peers.has(instance) || instance === this.self.instance || !this.#hasRoom(now)) return;
    const isGone = place === this.self.place;
    this.#peers.set(instance, {
      place,
      rank: Number.POSITIVE_INFINITY,
      heardAt: now,
      isReady: false,
      isGone,
    });
  }

  /** Also who was never heard of. */
  isDead(instance: string, now: number): boolean {
    if (instance === this.self.instance) return false;
    const peer = this.#peers.get(instance);
    return !peer || isDead(peer, now);
  }

  /** The live instances next to this one. */
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

  /** The lowest living rank; among equals the one whose name comes first. */
  isActive(now: number): boolean {
    const { rank, instance } = this.self;
    return this.living(now).every(
      (peer) => peer.rank > rank || (peer.rank === rank && peer.instance > instance),
    );
  }

  /** It has said what it has claimed and done, on this connection. */
  hasSaid(instance: string): boolean {
    return instance === this.self.instance || this.#peers.get(instance)?.isReady === true;
  }

  /** Everyone who lives has said what it has claimed and done. */
  isSettled(now: number): boolean {
    for (const peer of this.#peers.values()) if (!peer.isReady && !isDead(peer, now)) return false;
    return true;
  }

  /** From now on no peer can be heard. */
  disconnect(now: number): void {
    this.#deafSince ??= now;
  }

  /**
   * No peer could be heard since the connection was lost: a peer that was alive then has its time anew, and every peer
   * has to say everything again.
   */
  reconnect(now: number): void {
    const at = this.#deafSince ?? now;
    this.#deafSince = undefined;
    for (const peer of this.#peers.values()) {
      if (!isDead(peer, at)) peer.heardAt = now;
      peer.isReady = false;
    }
  }

  /** This process stood still for so long, and heard nobody. */
  shift(ms: number): void {
    for (const peer of this.#peers.values()) peer.heardAt += ms;
  }

  /** When the next one dies, if nothing is heard of it. */
  nextDeath(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const peer of this.#peers.values()) {
      if (!isDead(peer, now)) next = Math.min(next, peer.heardAt + deadAfterMs);
    }
    return next;
  }

  /** Whether one more can be remembered; of the dead, who was heard first is forgotten for it. */
  #hasRoom(now: number): boolean {
    if (this.#peers.size < maxInstances) return true;
    let oldest: string | undefined;
    let since = Number.POSITIVE_INFINITY;
    for (const [instance, peer] of this.#peers) {
      if (!isDead(peer, now) || peer.heardAt >= since) continue;
      oldest = instance;
      since = peer.heardAt;
    }
    if (oldest === undefined) this.isFull = true;
    return oldest !== undefined && this.#peers.delete(oldest);
  }

  /** Forgets who is dead for long. */
  prune(now: number): void {
    for (const [instance, { heardAt }] of this.#peers) {
      if (now - heardAt > 3_600_000) this.#peers.delete(instance);
    }
  }
}

function isDead({ heardAt, isGone }: Peer, now: number): boolean {
  return isGone || now - heardAt >= deadAfterMs;
}
