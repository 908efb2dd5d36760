import type { JobState } from './job-state';

/** The maximum number of outputs whose last start is remembered; a further one replaces the oldest. */
const maxOutputs = 20_000;

/** What the order of the jobs depends on, beside their numbers. */
export interface Outputs {
  /** What a job starts or ends: texts that are the same where two jobs are about the same output. */
  readonly names: readonly string[];
  /** It ends something, and with it the earlier starts that still wait. */
  readonly ends: boolean;
}

/**
 * Jobs of one centre for one output are begun in the order in which they were asked (docs/contract.md 2.8): none
 * while an earlier one waits, or its claim is on its way. What was let to the devices keeps its order there.
 */
export class Order {
  /** By centre and output: what is not let to the devices yet, in the order of the numbers. */
  readonly #lines = new Map<string, JobState[]>();
  /** By centre and output: the highest number that was begun. */
  readonly #begun = new Map<string, number>();

  /** A job has come. */
  add(entry: JobState): void {
    for (const key of entry.outputs) {
      const line = this.#lines.get(key) ?? [];
      this.#lines.set(key, line);
      let at = line.length;
      while (at > 0 && (line[at - 1]?.seq ?? 0) > entry.seq) at -= 1;
      line.splice(at, 0, entry);
    }
  }

  /** It is over, or its devices have it. */
  remove(entry: JobState): void {
    for (const key of entry.outputs) {
      const line = this.#lines.get(key);
      const at = line?.indexOf(entry) ?? -1;
      if (!line || at < 0) continue;
      line.splice(at, 1);
      if (line.length === 0) this.#lines.delete(key);
    }
  }

  /** It is begun: what was asked before it is not begun any more. */
  note({ outputs, seq }: Pick<JobState, 'outputs' | 'seq'>): void {
    for (const key of outputs) {
      const last = Math.max(seq, this.#begun.get(key) ?? 0);
      this.#begun.delete(key);
      this.#begun.set(key, last);
      const [oldest] = this.#begun.keys();
      if (this.#begun.size > maxOutputs && oldest !== undefined) this.#begun.delete(oldest);
    }
  }

  /** Something that was asked later was begun already. */
  isOvertaken({ outputs, seq }: JobState): boolean {
    return outputs.some((key) => (this.#begun.get(key) ?? 0) > seq);
  }

  /**
   * What was asked earlier for one of its outputs, and is not let to the devices yet.
   * @param isAwaited whether what is found has to be waited for
   */
  before(entry: JobState, isAwaited: (earlier: JobState) => boolean): readonly JobState[] {
    const found = new Set<JobState>();
    for (const key of entry.outputs) {
      for (const other of this.#lines.get(key) ?? []) {
        if (other === entry) break;
        if (!isAwaited(other)) continue;
        found.add(other);
        // One is enough to wait for; an end looks at all that it takes out.
        if (!entry.ends) break;
      }
    }
    return [...found];
  }
}

/** Whether an end is about all that a start is about. */
export function covers(end: JobState, start: JobState): boolean {
  return end.ends && !start.ends && start.outputs.every((key) => end.outputs.includes(key));
}
