import type { JobState } from './job-state';

/** Maximum number of outputs whose last start is remembered; a further one replaces the oldest. */
const maxOutputs = 20_000;

/** The properties of a job that decide its order, in addition to its sequence number. */
export interface Outputs {
  /** The outputs that a job starts or stops; equal texts mean the same output. */
  readonly names: readonly string[];
  /** Whether the job stops its outputs and supersedes earlier starts that still wait. */
  readonly ends: boolean;
}

/**
 * The order of jobs: jobs of one centre for one output start in the order of their requests (docs/contract.md
 * 2.8). A job waits while an earlier one waits or is claimed. Jobs in the queues of devices keep their order
 * there.
 */
export class Order {
  /** Jobs that are not at the devices yet, by centre and output, in the order of their sequence numbers. */
  readonly #lines = new Map<string, JobState[]>();
  /** Highest sequence number of a started job, by centre and output. */
  readonly #begun = new Map<string, number>();
  /** Highest sequence number of a stop that expired before its start, by centre and output. */
  readonly #expiredStops = new Map<string, number>();

  /** Adds a job at the position of its sequence number. */
  add(entry: JobState): void {
    for (const key of entry.outputs) {
      const line = this.#lines.get(key) ?? [];
      this.#lines.set(key, line);
      let at = line.length;
      while (at > 0 && (line[at - 1]?.seq ?? 0) > entry.seq) at -= 1;
      line.splice(at, 0, entry);
    }
  }

  /** Removes a job that has ended or is at its devices. */
  remove(entry: JobState): void {
    for (const key of entry.outputs) {
      const line = this.#lines.get(key);
      const at = line?.indexOf(entry) ?? -1;
      if (!line || at < 0) continue;
      line.splice(at, 1);
      if (line.length === 0) this.#lines.delete(key);
    }
  }

  /** Records the start of a job. Earlier jobs for the same outputs are not started any more. */
  note({ outputs, seq }: Pick<JobState, 'outputs' | 'seq'>): void {
    noteIn(this.#begun, outputs, seq);
  }

  /**
   * Records an expired stop. Another instance might have done the stop, so the earlier starts that the stop
   * covers are not started any more.
   */
  noteExpired({ outputs, seq, ends }: Pick<JobState, 'outputs' | 'seq' | 'ends'>): void {
    if (ends) noteIn(this.#expiredStops, outputs, seq);
  }

  /** Whether a later job was already started, or a stop that covers the job was requested later. */
  isOvertaken({ outputs, seq, ends }: JobState): boolean {
    if (outputs.some((key) => (this.#begun.get(key) ?? 0) > seq)) return true;
    return !ends && outputs.length > 0 && outputs.every((key) => (this.#expiredStops.get(key) ?? 0) > seq);
  }

  /**
   * Returns earlier jobs for the same outputs that are not at the devices yet.
   * @param isAwaited whether the job has to wait for an earlier one
   */
  before(entry: JobState, isAwaited: (earlier: JobState) => boolean): readonly JobState[] {
    const found = new Set<JobState>();
    for (const key of entry.outputs) {
      for (const other of this.#lines.get(key) ?? []) {
        if (other === entry) break;
        if (!isAwaited(other)) continue;
        found.add(other);
        // One job is enough to wait for; a stop needs all jobs that it supersedes.
        if (!entry.ends) break;
      }
    }
    return [...found];
  }
}

/** Records the highest sequence number of each output. Above `maxOutputs`, the oldest output is removed. */
function noteIn(numbers: Map<string, number>, outputs: readonly string[], seq: number): void {
  for (const key of outputs) {
    const last = Math.max(seq, numbers.get(key) ?? 0);
    numbers.delete(key);
    numbers.set(key, last);
    const [oldest] = numbers.keys();
    if (numbers.size > maxOutputs && oldest !== undefined) numbers.delete(oldest);
  }
}

/** Whether `end` is a stop of all outputs of `start`. */
export function covers(end: JobState, start: JobState): boolean {
  return end.ends && !start.ends && start.outputs.every((key) => end.outputs.includes(key));
}
