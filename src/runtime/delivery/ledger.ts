import type { Keeping } from '../journal/of-node-red';
import { understood } from '../journal/understood';
import { type Kept, keptIn } from './end';
import type { Subject } from './pending';

export type LedgerJournal = Keeping;

/** How their keys in the journal begin. */
const prefix = 'end/';

/** The subjects of devices at which something is to end or may begin, and what of them the journal holds. */
export class Ledger {
  readonly #subjects = new Map<string, Subject>();

  constructor(private readonly journal: LedgerJournal) {}

  /** What an earlier process wrote. */
  *read(): Generator<Kept> {
    for (const [, kept] of understood(this.journal, prefix, keptIn)) yield kept;
  }

  subjects(): Iterable<Subject> {
    return this.#subjects.values();
  }

  find(deviceId: string, name: string): Subject | undefined {
    return this.#subjects.get(keyOf(deviceId, name));
  }

  subject(deviceId: string, name: string): Subject {
    const key = keyOf(deviceId, name);
    let subject = this.#subjects.get(key);
    if (!subject) {
      subject = {
        key,
        name,
        holds: 0,
        armed: [],
        pending: undefined,
        written: undefined,
        writing: undefined,
      };
      this.#subjects.set(key, subject);
    }
    return subject;
  }

  /** What counts if this process dies: an armed start may have been sent. */
  write(subject: Subject): Promise<void> | undefined {
    const counts = subject.armed.at(-1) ?? subject.pending;
    if (counts === subject.written) return subject.writing;
    subject.written = counts;
    const { journal } = this;
    const put = counts ? journal.put(subject.key, { ...counts.kept }) : journal.delete(subject.key);
    const writing = put.then(() => {
      if (subject.writing !== writing) return;
      subject.writing = undefined;
      this.forget(subject);
    });
    subject.writing = writing;
    return writing;
  }

  /** Until it is written through who comes next has to wait for that, too. */
  forget({ key, holds, pending, writing }: Subject): void {
    if (holds === 0 && !pending && !writing) this.#subjects.delete(key);
  }
}

/** When all of it is written through; undefined where it is. */
export function whenAll(writings: readonly (Promise<void> | undefined)[]): Promise<void> | undefined {
  const left = writings.filter((writing) => writing !== undefined);
  return left.length > 1 ? Promise.all(left).then(() => {}) : left[0];
}

function keyOf(deviceId: string, subject: string): string {
  return `${prefix}${deviceId}/${subject}`;
}
