/** Whether a watched device is online, from the watcher's readings. */
export interface Contact {
  readonly lost: boolean;
  /** The number of misses: consecutive ones while the device is online, all of them while it is offline. */
  readonly missed: number;
  /** The number of consecutive answers since the device went offline. */
  readonly answered: number;
}

/** A change between online and offline, and the number of misses until then. */
export interface ContactChange {
  readonly contact: 'lost' | 'restored';
  readonly missed: number;
}

export const atFirst: Contact = { lost: false, missed: 0, answered: 0 };

/** A device is online again after as many consecutive answers as misses make it offline, but at most three. */
const maxAnswers = 3;

/**
 * Returns the contact after a reading without a usable answer. After `limit` consecutive misses the device is offline.
 */
export function afterMiss(before: Contact, limit: number): { contact: Contact; change?: ContactChange } {
  const missed = before.missed + 1;
  const lost = before.lost || missed >= limit;
  const contact = { lost, missed, answered: 0 };
  return lost && !before.lost ? { contact, change: { contact: 'lost', missed } } : { contact };
}

/** Returns the contact after a usable answer. A single answer between misses does not make a device online. */
export function afterAnswer(before: Contact, limit: number): { contact: Contact; change?: ContactChange } {
  if (!before.lost) return { contact: atFirst };
  const { missed } = before;
  const answered = before.answered + 1;
  if (answered < Math.min(limit, maxAnswers)) return { contact: { ...before, answered } };
  return { contact: atFirst, change: { contact: 'restored', missed } };
}
