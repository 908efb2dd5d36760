import type { Course, Receipt, SplitPart } from './history';
import type { Planned } from './messages';
import type { News } from './node-red';

interface Open {
  readonly order: number;
  readonly sentAt: number;
  readonly ends: { at: number; code?: string; failed: boolean }[];
  readonly seen: Record<'out' | 'completed' | 'caught', number>;
  receipts?: readonly Receipt[];
  readonly split: SplitPart[];
}

/** What became of each message, from what is told of it. */
export class Courses {
  private readonly open = new Map<number, Open>();
  private lastNewsAt = 0;

  constructor(private readonly messages: readonly Planned[]) {}

  /** @returns the message, when it has ended just now or never reached a node */
  record({ id, what, at, failed = false, code, receipts, split }: News): Planned | undefined {
    this.lastNewsAt = at;
    const message = this.messages[id - 1];
    if (what === 'undelivered') return message;
    const course: Open = this.open.get(id) ?? {
      order: this.open.size,
      sentAt: at,
      ends: [],
      seen: { out: 0, completed: 0, caught: 0 },
      split: [],
    };
    this.open.set(id, course);
    if (split) course.split.push(split);
    else if (receipts) course.receipts = receipts;
    if (what === 'end') {
      course.ends.push({ at, failed, ...(code !== undefined && { code }) });
      return course.ends.length === 1 ? message : undefined;
    }
    if (what !== 'sent') course.seen[what] += 1;
    return undefined;
  }

  get heardAt(): number {
    return this.lastNewsAt;
  }

  all(): Course[] {
    return [...this.open].flatMap(([id, { order, sentAt, ends, seen, receipts, split }]) => {
      const message = this.messages[id - 1];
      return message ? [{ message, order, sentAt, ends, ...seen, split, ...(receipts && { receipts }) }] : [];
    });
  }
}
