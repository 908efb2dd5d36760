/** Whether a watched device is online, from the watcher's readings. */
export interface ConnectionState {
  readonly isOffline: boolean;
  /** The number of misses: consecutive ones while the device is online, all of them while it is offline. */
  readonly missed: number;
  /** The number of consecutive answers since the device went offline. */
  readonly answered: number;
}

/** A change between online and offline, and the number of misses until then. */
export interface ConnectionChange {
  readonly connection: 'lost' | 'restored';
  readonly missed: number;
}

export const atFirst: ConnectionState = { isOffline: false, missed: 0, answered: 0 };

/** A device is online again after as many consecutive answers as misses make it offline, but at most three. */
const maxAnswers = 3;

/**
 * Returns the connection after a reading without a usable answer. After `limit` consecutive misses the device is offline.
 */
export function afterMiss(
  before: ConnectionState,
  limit: number,
): { connection: ConnectionState; change?: ConnectionChange } {
  const missed = before.missed + 1;
  const isOffline = before.isOffline || missed >= limit;
  const connection = { isOffline, missed, answered: 0 };
  return isOffline && !before.isOffline
    ? { connection, change: { connection: 'lost', missed } }
    : { connection };
}

/** Returns the connection after a usable answer. A single answer between misses does not make a device online. */
export function afterAnswer(
  before: ConnectionState,
  limit: number,
): { connection: ConnectionState; change?: ConnectionChange } {
  if (!before.isOffline) return { connection: atFirst };
  const { missed } = before;
  const answered = before.answered + 1;
  if (answered < Math.min(limit, maxAnswers)) return { connection: { ...before, answered } };
  return { connection: atFirst, change: { connection: 'restored', missed } };
}
