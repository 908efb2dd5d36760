import type { RequestAge } from '../../src/sites/actions';
import type { JobMessage, WireReceipt } from '../../src/sites/wire';

/** What a process has to do with the jobs that it gave to its devices. */
export interface Surroundings {
  readonly now: number;
  readonly dice: () => number;
  /** Later, unless the process has died by then. */
  later(ms: number, task: () => void): void;
  turn(id: string): void;
  written(id: string, device: string): void;
  finished(id: string, receipts: readonly WireReceipt[]): void;
}

/** Does what its instance wants done, as long as its process lives. */
export interface Doer {
  begin(job: JobMessage, leftMs: number, agoMs: number): void;
  drop(id: string): void;
  admit(id: string): void;
  refuse(id: string): void;
  /** An alert was cleared while the instance was away. */
  clear?(alert: string, order: RequestAge): void;
  die?(): void;
}

interface Begun {
  readonly job: JobMessage;
  readonly until: number;
  /** Those whose turn came before it was admitted. */
  readonly atTurn: string[];
  readonly receipts: WireReceipt[];
  isAdmitted: boolean;
  isRefused: boolean;
}

/** The jobs that a process has given to its devices, each of which has its turn sometime. */
export class JobPlayer implements Doer {
  readonly #begun = new Map<string, Begun>();

  /** @param name the instance's, over all its lives */
  constructor(
    private readonly name: string,
    private readonly surroundings: Surroundings,
  ) {}

  begin(job: JobMessage, leftMs: number): void {
    const until = this.surroundings.now + leftMs;
    const begun: Begun = { job, until, atTurn: [], receipts: [], isAdmitted: false, isRefused: false };
    this.#begun.set(job.id, begun);
    const isBusy = 'parameters' in job.command && job.command.parameters.isBusy === true;
    for (const device of job.devices) {
      const slowestMs = isBusy ? 25_000 : this.surroundings.dice() < 0.2 ? 4_000 : 50;
      this.#later(begun, slowestMs, () => this.#turn(begun, device));
    }
  }

  drop(id: string): void {
    this.#begun.delete(id);
  }

  admit(id: string): void {
    const begun = this.#begun.get(id);
    if (!begun) return;
    begun.isAdmitted = true;
    for (const device of begun.atTurn) this.#later(begun, 5, () => this.#write(begun, device));
  }

  refuse(id: string): void {
    const begun = this.#begun.get(id);
    if (!begun) return;
    begun.isRefused = true;
    if (begun.isAdmitted) return;
    for (const device of begun.atTurn) this.#end(begun, device, 'expired');
  }

  #turn(begun: Begun, device: string): void {
    if (begun.isRefused || begun.isAdmitted) {
      this.#later(begun, 5, () => this.#write(begun, device));
      return;
    }
    begun.atTurn.push(device);
    this.surroundings.turn(begun.job.id);
  }

  #write(begun: Begun, device: string): void {
    if (begun.isRefused || this.surroundings.now >= begun.until) {
      this.#end(begun, device, 'expired');
      return;
    }
    this.surroundings.written(begun.job.id, device);
    const slowestMs = this.surroundings.dice() < 0.2 ? 3_000 : 100;
    this.#later(begun, slowestMs, () => this.#end(begun, device, 'accepted'));
  }

  #end({ job: { id, command, devices }, receipts }: Begun, device: string, outcome: string): void {
    receipts.push({
      // What every instance does is told of each of them.
      device: 'alert' in command ? `${this.name} ${device}` : device,
      address: '',
      operation: 'x/y',
      outcome,
      attempts: 1,
      latencyMs: 1,
      at: '2026-11-22T00:00:00.000Z',
    });
    if (receipts.length < devices.length) return;
    this.#begun.delete(id);
    this.surroundings.finished(id, receipts);
  }

  /** Unless it was taken back, or started again, meanwhile. */
  #later(begun: Begun, slowestMs: number, task: () => void): void {
    const isBegun = () => this.#begun.get(begun.job.id) === begun;
    this.surroundings.later(this.surroundings.dice() * slowestMs, () => isBegun() && task());
  }
}
