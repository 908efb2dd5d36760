import { Engine } from '../../src/runtime/alert/engine';
import type { Ticket } from '../../src/runtime/alert/output-state';
import type { RequestAge } from '../../src/sites/actions';
import type { Outputs } from '../../src/sites/order';
import { type JobCommand, type JobMessage, receiptsFor, type WireReceipt } from '../../src/sites/wire';
import type { MemoryJournal } from '../kernel/memory-journal';
import type { Doer, Surroundings } from './job-player';

export const alert = 'Lockdown';
const device = { id: 'd', name: 'D' };
const action = {
  operation: 'strobe/start',
  parameters: {},
  repeatable: true,
  retry: 'always',
  end: { operation: 'strobe/stop', parameters: {} },
} as const;

/** What was sent, from when it came to a queue until it reached its device. */
export interface Sent {
  readonly output: string;
  readonly on: boolean;
  readonly from: number;
  readonly until: number;
}

/** What is on at the devices of the site, which all its instances share. */
export type Lit = Map<string, boolean>;

/** A door may be unlocked twice, a tone may not be started twice, and an alert starts a strobe. */
export function isIdempotent(command: JobCommand): boolean {
  return 'alert' in command || command.operation !== 'tone/start';
}

export function outputs(command: JobCommand): Outputs {
  if ('alert' in command) return { names: [`alert ${alert}`, 'strobe'], isStop: command.action === 'clear' };
  return { names: [outputOf(command.operation)], isStop: isEnd(command.operation) };
}

export const isEnd = (operation: string) => /\/(?:lock|stop)$/.test(operation);

/** A resource is one output here. */
const outputOf = (operation: string): string => operation.split('/')[0] ?? '';

interface Waiting {
  readonly id?: string;
  readonly output: string;
  readonly on: boolean;
  readonly until: number;
  /** When it came to the queue. */
  readonly at: number;
  phase: 'waiting' | 'turn' | 'sending';
  /** It reaches its device. */
  arrive?: () => void;
  readonly ended: (outcome: string) => void;
}

interface Job {
  readonly job: JobMessage;
  readonly leftMs: number;
  readonly askedAt: number;
  isAdmitted: boolean;
  isRefused: boolean;
}

/** What a process does with jobs: the queues of its devices (docs/contract.md 2.5), and the real book of alerts. */
export class SiteDevices implements Doer {
  readonly #jobs = new Map<string, Job>();
  readonly #queues = new Map<string, Waiting[]>();
  #alerts: string[] = [];
  readonly #engine: Engine;

  constructor(
    private readonly is: Surroundings,
    private readonly lit: Lit,
    /** What has reached the devices. */
    private readonly sent: Sent[],
    journal: MemoryJournal,
    /** Between its clock and the true one. */
    clockMs: number,
  ) {
    const clock = { now: () => is.now + clockMs, monotonic: () => is.now, random: () => 0.5 };
    this.#engine = new Engine(clock, journal);
    this.#tick();
  }

  get isAlertOn(): boolean {
    return this.#engine.state(alert)?.state === 'active';
  }

  /** Somebody at the site presses a button. */
  press(on: boolean): void {
    if (on) this.#start(undefined, () => {});
    else this.#end(() => {});
  }

  begin(job: JobMessage, leftMs: number, agoMs: number): void {
    const { id, command } = job;
    const one = { job, leftMs, askedAt: this.is.now - agoMs, isAdmitted: false, isRefused: false };
    this.#jobs.set(id, one);
    const until = this.is.now + leftMs;
    if ('alert' in command) {
      this.#alerts.push(id);
      this.#nextAlert();
    } else {
      const on = !isEnd(command.operation);
      this.#push({
        id,
        output: outputOf(command.operation),
        on,
        until,
        at: this.is.now,
        phase: 'waiting',
        ended: (outcome) => this.#finish(one, [outcome]),
      });
    }
  }

  admit(id: string): void {
    const one = this.#jobs.get(id);
    if (!one || one.isAdmitted) return;
    one.isAdmitted = true;
    this.#go(id);
  }

  refuse(id: string): void {
    const one = this.#jobs.get(id);
    if (!one) return;
    one.isRefused = true;
    this.#go(id);
  }

  drop(id: string): void {
    this.#jobs.delete(id);
    const wasFirst = this.#alerts[0] === id;
    this.#alerts = this.#alerts.filter((one) => one !== id);
    if (wasFirst) this.#nextAlert();
    for (const [output, queue] of this.#queues) {
      this.#queues.set(
        output,
        queue.filter((one) => one.id !== id || one.phase === 'sending'),
      );
      this.#pump(output);
    }
  }

  clear(_alert: string, { agoMs, centre, seq }: RequestAge): void {
    const asked = { at: this.is.now - agoMs, centre, seq };
    if (this.isAlertOn && !this.#engine.isStartedAfter(alert, asked)) this.#end(() => {});
  }

  /** What is on the wire arrives or not, and nobody hears of it. */
  die(): void {
    for (const queue of this.#queues.values())
      for (const { arrive } of queue) if (arrive && this.is.dice() < 0.5) arrive();
  }

  #tick(): void {
    this.is.later(500, () => {
      this.#send(this.#engine.due(), Number.POSITIVE_INFINITY);
      this.#tick();
    });
  }

  #go(id: string): void {
    if (this.#alerts[0] === id) this.#doAlert(id);
    for (const output of this.#queues.keys()) this.#pump(output);
  }

  #nextAlert(): void {
    const [id] = this.#alerts;
    if (id === undefined) return;
    this.is.later(0, () => {
      const one = this.#jobs.get(id);
      if (this.#alerts[0] !== id || !one) return;
      if (one.isAdmitted || one.isRefused) this.#doAlert(id);
      else this.is.turn(id);
    });
  }

  #doAlert(id: string): void {
    const one = this.#jobs.get(id);
    this.#alerts.shift();
    this.#nextAlert();
    if (!one) return;
    const { command, centre, seq } = one.job;
    const asked = { at: one.askedAt, centre, seq };
    const ended = (outcomes: readonly string[]) => this.#finish(one, outcomes);
    if (one.isRefused) ended(['expired']);
    else if ('alert' in command && command.action === 'start')
      this.#start(asked, ended, this.is.now + one.leftMs);
    else if (this.#engine.isStartedAfter(alert, asked)) ended(['superseded']);
    else this.#end(ended);
  }

  #start(
    asked: { at: number; centre?: string | undefined; seq?: number | undefined } | undefined,
    ended: (outcomes: readonly string[]) => void,
    until = Number.POSITIVE_INFINITY,
  ): void {
    const about = {
      id: alert,
      name: alert,
      priority: 5,
      drill: false,
      clearsAtRestart: false,
      targets: ['d'],
    };
    const beginning = { ...about, maxParallel: 100, retryAlert: true, asked } as const;
    const answers = this.#engine.start(beginning, [{ device, deviceOutput: 'strobe', action }]);
    this.#send(
      answers.flatMap(({ ticket }) => ticket ?? []),
      until,
      ended,
    );
  }

  #end(ended: (outcomes: readonly string[]) => void): void {
    this.#send(this.#engine.clear(alert).flat(), Number.POSITIVE_INFINITY, ended);
  }

  #send(tickets: readonly Ticket[], until: number, ended?: (outcomes: readonly string[]) => void): void {
    this.#engine.store();
    const outcomes: string[] = [];
    if (tickets.length === 0) ended?.([]);
    for (const ticket of tickets) {
      const finish = (outcome: string) => {
        const known = { accepted: 'taken', superseded: 'skipped' } as const;
        this.#engine.answered(ticket, known[outcome as 'accepted'] ?? 'missed');
        this.#engine.store();
        outcomes.push(outcome);
        if (outcomes.length === tickets.length) ended?.(outcomes);
      };
      this.#push({
        output: 'strobe',
        on: ticket.kind !== 'end',
        until,
        at: this.is.now,
        phase: 'waiting',
        ended: finish,
      });
    }
  }

  /** An end takes out the starts that wait. */
  #push(one: Waiting): void {
    const queue = this.#queues.get(one.output) ?? [];
    const isOut = (other: Waiting) => !one.on && other.on && other.phase !== 'sending';
    this.#queues.set(one.output, [...queue.filter((other) => !isOut(other)), one]);
    for (const other of queue.filter(isOut)) this.is.later(0, () => other.ended('superseded'));
    this.#pump(one.output);
  }

  #pump(output: string): void {
    const [first] = this.#queues.get(output) ?? [];
    if (!first || first.phase === 'sending') return;
    const job = first.id === undefined ? undefined : this.#jobs.get(first.id);
    if (first.id !== undefined && !job) this.#leave(first);
    else if (job?.isRefused || this.is.now >= first.until) this.#leave(first, 'expired');
    else if (!job || job.isAdmitted) this.#write1(first);
    else if (first.phase === 'waiting') {
      first.phase = 'turn';
      this.is.later(this.is.dice() * 20, () => first.phase === 'turn' && this.is.turn(first.id ?? ''));
    }
  }

  #write1(first: Waiting): void {
    first.phase = 'sending';
    const { dice } = this.is;
    const slowestMs = dice() < 0.1 ? 3_000 : 100;
    first.arrive = () => {
      first.arrive = () => {};
      if (first.id !== undefined) this.is.written(first.id, first.output);
      this.lit.set(first.output, first.on);
      const { output, on, at } = first;
      this.sent.push({ output, on, from: at, until: this.is.now });
    };
    this.is.later(dice() * slowestMs, () => {
      first.arrive?.();
      this.is.later(dice() * slowestMs, () => this.#leave(first, 'accepted'));
    });
  }

  #leave(one: Waiting, outcome?: string): void {
    const queue = this.#queues.get(one.output) ?? [];
    this.#queues.set(
      one.output,
      queue.filter((other) => other !== one),
    );
    if (outcome !== undefined) one.ended(outcome);
    this.#pump(one.output);
  }

  #finish(one: Job, outcomes: readonly string[]): void {
    const { job } = one;
    if (this.#jobs.get(job.id) !== one) return;
    this.#jobs.delete(job.id);
    const receipts = outcomes.flatMap((outcome): WireReceipt[] =>
      receiptsFor(job, outcome, 'NONE', { reason: '' }, 'now').map(
        ({ error: _error, ...receipt }) => receipt as WireReceipt,
      ),
    );
    this.is.later(0, () => this.is.finished(job.id, receipts));
  }
}
