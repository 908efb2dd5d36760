import type { Site } from '../../sites/site';
import type { SiteSettings } from './settings';

/** What an instance says of itself: second output, and the global context `algoSites`. */
export interface SiteState {
  readonly site: string;
  readonly instance: string;
  readonly rank: number;
  /** It is the one of its site that is to do what only one should. */
  readonly active: boolean;
  readonly connected: boolean;
  /** Those that live beside it. */
  readonly others: readonly { readonly instance: string; readonly rank: number | null }[];
}

/** What is so now. */
export function stateOf(
  { roster, isReady }: Site,
  { site, rank }: SiteSettings,
  instance: string,
  isConnected: boolean,
  now: number,
): SiteState {
  const others = roster
    .living(now)
    .map((peer) => ({ instance: peer.instance, rank: Number.isFinite(peer.rank) ? peer.rank : null }));
  const active = roster.isActive(now);
  return { site, instance, rank, active, connected: isConnected && isReady, others };
}
