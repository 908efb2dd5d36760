/** What a row is told when it is made. */
export interface RowOptions {
  /** Nobody has had the chance to fill it in: that it is empty is no mistake yet. */
  readonly isFresh?: boolean;
  /** A person has taken it away, or something else has put it there or hidden it. Without it nobody can. */
  readonly moved?: (how: 'removed' | 'other') => void;
}
