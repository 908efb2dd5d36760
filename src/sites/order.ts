import type { JobState } from './job-state';
import type { JobCommand } from './wire';

/** Maximum number of device outputs in each map of sequence numbers. */
const maxOutputs = 20_000;

export interface Outputs {
  /** The outputs that a job starts or stops; equal texts mean the same output. */
  readonly names: readonly string[];
  /** Whether the job stops its outputs. A stop supersedes earlier starts that still wait. */
  readonly isStop: boolean;
}

/**
 * The order of jobs: jobs of one centre for one device output start in the order of their requests
 * (docs/contract.md 2.8). The queues of the devices then keep this order.
 */
export class Order {
  /**
   * Received jobs in the phases `waiting`, `begun` and `claiming`, by centre and output, in the order of
   * their sequence numbers.
   */
  readonly #queues = new Map<string, JobState[]>();
  /** Highest sequence number of a started job, by centre and output. */
  readonly #begun = new Map<string, number>();
  /** Highest sequence number of a stop that expired without being started, by centre and output. */
  readonly #expiredStops = new Map<string, number>();

  add(entry: JobState): void {
    for (const key of entry.outputs) {
      const queue = this.#queues.get(key) ?? [];
      this.#queues.set(key, queue);
      let at = queue.length;
      while (at > 0 && (queue[at - 1]?.seq ?? 0) > entry.seq) at -= 1;
      queue.splice(at, 0, entry);
    }
  }

  remove(entry: JobState): void {
    for (const key of entry.outputs) {
      const queue = this.#queues.get(key);
      const at = queue?.indexOf(entry) ?? -1;
      if (!queue || at < 0) continue;
      queue.splice(at, 1);
      if (queue.length === 0) this.#queues.delete(key);
    }
  }

  /** After this call, `isOvertaken` returns true for earlier jobs for the same outputs. */
  record({ outputs, seq }: Pick<JobState, 'outputs' | 'seq'>): void {
    noteIn(this.#begun, outputs, seq);
  }

  /**
   * Records an expired job if the job is a stop, since another instance might have done the stop (see
   * `isOvertaken`).
   */
  recordExpired({ outputs, seq, isStop, job }: Pick<JobState, 'outputs' | 'seq' | 'isStop' | 'job'>): void {
    if (isStop && !isDrill(job?.command)) noteIn(this.#expiredStops, outputs, seq);
  }

  /**
   * Whether a later job for one of the outputs has started. A start is also overtaken if later stops have
   * expired for all of its outputs.
   */
  isOvertaken({ outputs, seq, isStop }: JobState): boolean {
    if (outputs.some((key) => (this.#begun.get(key) ?? 0) > seq)) return true;
    return !isStop && outputs.length > 0 && outputs.every((key) => (this.#expiredStops.get(key) ?? 0) > seq);
  }

  /**
   * Returns the jobs before `entry` in the queues of its outputs for which `isAwaited` returns true. Unless
   * `entry` is a stop, returns at most one such job for each output.
   */
  before(entry: JobState, isAwaited: (earlier: JobState) => boolean): readonly JobState[] {
    const found = new Set<JobState>();
    for (const key of entry.outputs) {
      for (const other of this.#queues.get(key) ?? []) {
        if (other === entry) break;
        if (!isAwaited(other)) continue;
        found.add(other);
        // One earlier job is enough to make a start wait. A stop needs all earlier jobs, to supersede the
        // starts among them.
        if (!entry.isStop) break;
      }
    }
    return [...found];
  }
}

/** Above `maxOutputs`, removes the output that was recorded least recently. */
function noteIn(numbers: Map<string, number>, outputs: readonly string[], seq: number): void {
  for (const key of outputs) {
    const last = Math.max(seq, numbers.get(key) ?? 0);
    numbers.delete(key);
    numbers.set(key, last);
    const [oldest] = numbers.keys();
    if (numbers.size > maxOutputs && oldest !== undefined) numbers.delete(oldest);
  }
}

/** A clear of a drill covers only starts of drills. */
export function covers(stop: JobState, start: JobState): boolean {
  if (isDrill(stop.job?.command) && !isDrill(start.job?.command)) return false;
  return stop.isStop && !start.isStop && start.outputs.every((key) => stop.outputs.includes(key));
}

export function isDrill(command: JobCommand | undefined): boolean {
  return command !== undefined && 'drill' in command && command.drill === true;
}
