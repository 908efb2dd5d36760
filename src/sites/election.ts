import type { JobState } from './job-state';
import type { PeerRegistry } from './peer-registry';

/** Returns the instance that has a job: the first claimant, or for an idempotent job the first live one. */
export function winnerOf({ claims, isSafe }: JobState, peers: PeerRegistry, now: number): string | undefined {
  return isSafe ? claims.find((instance) => !peers.isDead(instance, now)) : claims[0];
}

/**
 * Returns who may do a waiting job: `ours` this instance, now; `lost` no one, since its claimant died;
 * `others` for now another instance.
 * @param self the instance that asks
 */
export function whose(
  entry: JobState,
  self: string,
  peers: PeerRegistry,
  now: number,
): 'ours' | 'lost' | 'others' {
  if (peers.hasLower(now) || now < entry.startsAt) return 'others';
  const winner = winnerOf(entry, peers, now);
  if (entry.isLeft && peers.living(now).length === 0) return 'lost';
  if (winner !== undefined && winner !== self) return peers.isDead(winner, now) ? 'lost' : 'others';
  if (entry.isLeft) return 'others';
  if (entry.isSafe) return 'ours';
  const missing = entry.toHear.filter((instance) => !peers.hasSaid(instance));
  if (missing.some((instance) => peers.isDead(instance, now))) return 'lost';
  return missing.length === 0 && peers.isSettled(now) ? 'ours' : 'others';
}

/**
 * Resolves a claim whose echo was lost with the connection, so that an earlier claim might exist. The broker
 * keeps only the last claim.
 * @param connection the current connection
 */
export function resolveLostEcho(entry: JobState, self: string, connection: number): void {
  const { sent, lastClaim, claims, isSafe, hasRivals } = entry;
  if (!sent || sent.connection === connection) return;
  // Kept for the next connection, which has to resolve the claim again.
  entry.sent = { ...sent, seq: -1, connection };
  if (lastClaim?.instance !== self || isSafe || claims.length > 0) return;
  // An instance that has just connected might not have heard another one, which the centre knows.
  if (sent.inCompany || hasRivals) entry.isLeft = true;
  else entry.noteClaim(self);
}
