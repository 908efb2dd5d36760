export interface ConnectionState {
  readonly isOffline: boolean;
  /** Number of consecutive misses. While the device is offline, an answer does not reset this number. */
  readonly missed: number;
  /** The number of consecutive answers since the device went offline. */
  readonly answered: number;
}

export interface ConnectionTurn {
  readonly connection: ConnectionState;
  readonly change?: { readonly connection: 'lost' | 'restored'; readonly missed: number };
}

export const atFirst: ConnectionState = { isOffline: false, missed: 0, answered: 0 };

/**
 * Maximum number of consecutive answers until an offline device is online again. With a lower limit of
 * misses, fewer answers are enough.
 */
const maxAnswers = 3;

export function afterMiss(before: ConnectionState, limit: number): ConnectionTurn {
  const missed = before.missed + 1;
  const isOffline = before.isOffline || missed >= limit;
  const connection = { isOffline, missed, answered: 0 };
  return isOffline && !before.isOffline
    ? { connection, change: { connection: 'lost', missed } }
    : { connection };
}

/**
 * Returns the connection after a usable answer. An offline device is online again after `limit` consecutive
 * answers, or after `maxAnswers` if `limit` is larger.
 */
export function afterAnswer(before: ConnectionState, limit: number): ConnectionTurn {
  if (!before.isOffline) return { connection: atFirst };
  const { missed } = before;
  const answered = before.answered + 1;
  if (answered < Math.min(limit, maxAnswers)) return { connection: { ...before, answered } };
  return { connection: atFirst, change: { connection: 'restored', missed } };
}
