/** What a watcher knows of its contact with a device. */
export interface Contact {
  readonly lost: boolean;
  /** Readings missed: in a row while there is contact, all of them while it is lost. */
  readonly missed: number;
  /** Answers in a row since contact was lost. */
  readonly answered: number;
}

/** A change of contact, and how many readings were missed until then. */
export interface ContactChange {
  readonly contact: 'lost' | 'restored';
  readonly missed: number;
}

export const atFirst: Contact = { lost: false, missed: 0, answered: 0 };

/** Contact is believed to be back after as many answers in a row as misses lose it, but after three at most. */
const maxAnswers = 3;

/** After a reading without a usable answer; `limit` of them in a row lose contact. */
export function afterMiss(before: Contact, limit: number): { contact: Contact; change?: ContactChange } {
  const missed = before.missed + 1;
  const lost = before.lost || missed >= limit;
  const contact = { lost, missed, answered: 0 };
  return lost && !before.lost ? { contact, change: { contact: 'lost', missed } } : { contact };
}

/** After a usable answer. One between two misses is part of the absence, not its end. */
export function afterAnswer(before: Contact, limit: number): { contact: Contact; change?: ContactChange } {
  if (!before.lost) return { contact: atFirst };
  const { missed } = before;
  const answered = before.answered + 1;
  if (answered < Math.min(limit, maxAnswers)) return { contact: { ...before, answered } };
  return { contact: atFirst, change: { contact: 'restored', missed } };
}
