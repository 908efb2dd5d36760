import type { JobState } from './job-state';
import type { PeerRegistry } from './peer-registry';

/**
 * Returns the instance that won a job: the first claimant, or for an idempotent job the first live claimant;
 * undefined if there is none.
 */
export function winnerOf(
  { claims, isIdempotent }: JobState,
  peers: PeerRegistry,
  now: number,
): string | undefined {
  return isIdempotent ? claims.find((instance) => !peers.isDead(instance, now)) : claims[0];
}

/**
 * Decides whether this instance may do a waiting job.
 * - `ours`: this instance may do the job now.
 * - `others`: this instance must wait for other instances.
 * - `lost`: no instance may do the job, since a dead instance might have done the job.
 * @param self the id of this instance
 */
export function ownershipOf(
  entry: JobState,
  self: string,
  peers: PeerRegistry,
  now: number,
): 'ours' | 'lost' | 'others' {
  if (peers.hasLower(now) || now < entry.startsAt) return 'others';
  const winner = winnerOf(entry, peers, now);
  if (entry.isLeftToOthers && peers.living(now).length === 0) return 'lost';
  if (winner !== undefined && winner !== self) return peers.isDead(winner, now) ? 'lost' : 'others';
  if (entry.isLeftToOthers) return 'others';
  if (entry.isIdempotent) return 'ours';
  const missing = entry.awaitedInstances.filter((instance) => !peers.hasReported(instance));
  if (missing.some((instance) => peers.isDead(instance, now))) return 'lost';
  return missing.length === 0 && peers.isSettled(now) ? 'ours' : 'others';
}

/**
 * Handles a claim of this instance whose echo was lost with an earlier connection. Another instance might
 * have claimed first, since the broker keeps only the last claim.
 * @param connection number of the current connection
 */
export function resolveLostEcho(entry: JobState, self: string, connection: number): void {
  const { sent, lastClaim, claims, isIdempotent, hasRivals } = entry;
  if (!sent || sent.connection === connection) return;
  // Marks the claim as handled on this connection. The next connection must handle the claim again.
  entry.sent = { ...sent, seq: -1, connection };
  if (lastClaim?.instance !== self || isIdempotent || claims.length > 0) return;
  // Right after a connection, `withPeers` can be false although other instances exist.
  if (sent.withPeers || hasRivals) entry.isLeftToOthers = true;
  else entry.recordClaim(self);
}
