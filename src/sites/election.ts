import type { JobState } from './job-state';
import type { PeerRegistry } from './peer-registry';

/** Who has a job: of what may be done twice, the first claimant that lives. */
export function winnerOf({ claims, isSafe }: JobState, peers: PeerRegistry, now: number): string | undefined {
  return isSafe ? claims.find((instance) => !peers.isDead(instance, now)) : claims[0];
}

/**
 * Whose a job is that waits: `ours` to begin now, `lost` with somebody who died, or to be left to others for now.
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
 * The connection was lost between a claim and its echo: was anybody before it? The broker keeps the last claim only.
 * @param connection the present one
 */
export function resolveLostEcho(entry: JobState, self: string, connection: number): void {
  const { sent, lastClaim, claims, isSafe } = entry;
  if (!sent || sent.connection === connection) return;
  // Kept for the next connection, which has to find it out anew.
  entry.sent = { ...sent, n: -1, connection };
  if (lastClaim?.instance !== self || isSafe || claims.length > 0) return;
  if (sent.inCompany) entry.isLeft = true;
  else entry.noteClaim(self);
}
