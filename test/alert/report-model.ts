/*
Acknowledgements, reports and the second output of ONE alert, from a history of plain events (contract, algo-alert:
acknowledgement and report). The contract leaves these points open; the model reads them as follows:
 1. Refused everywhere: nothing of the start can be sent. No event; `clearedAt` is the last refusal, `clearMs` null.
    Such a start closes nothing while the alert is clearing. While the alert is on, it only counts as an update.
 2. `by`, `startedBy`, `startedAt`: the first start; `priority`, `drill`: the last. `clearedBy`: the first clear, immediately.
 3. A report that a start closes keeps the moment of its clear in `clearedAt`; only `clearMs` is null.
 4. A second answer keeps place and `at`, replaces or removes `answer`, and is an event. A 501st person is refused.
 5. After the clear, there is no `unacknowledged`. `acknowledgeWithin` counts from the message of the start.
 6. `started` and `updated` wait for the receipts, at most for 1 s, and come before each later event.
 7. `pending` is one event at 1 s after the clear; later one for each change. `cleared`, `started` and `updated`
    replace it. After a restart, the list that is found then is no change.
 8. `reached`: a try after the receipt of a start, while the alert is on, where the last receipt was no success. The
    start of a new owner, after another alert was cleared, is no such try.
 9. `held`: no action of the target has a receipt other than `skipped`, and another alert holds at least one.
10. A drill may start while a real alert is clearing. A drill of a real alert that is on is no update.
11. An update with other targets or actions adds to them. An action without a receipt counts nowhere, but may be on.
12. Node-RED ends before a receipt comes: the outcome is `unknown`, as in `msg.alert`. `started` is not told then.
13. A retry that is cancelled (`superseded`) changes nothing: the receipt before it still counts.
14. Times are ISO 8601; an absent `by`, `code`, `reason` or `message` is null; `missed` is in the order of targets and actions.
*/

export type Outcome =
  | 'accepted'
  | 'confirmed'
  | 'dry-run'
  | 'failed'
  | 'unknown'
  | 'expired'
  | 'superseded'
  | 'skipped';

/** The receipt of a start or of a later try of it. `heldBy`: `skipped`, because another alert owns the output. */
export interface Receipt {
  readonly type: 'receipt';
  readonly start: number;
  readonly device: string;
  readonly operation: string;
  readonly outcome: Outcome;
  readonly heldBy?: string;
  /** Another alert gave the output back, so this is the start of its new owner and no later try. */
  readonly isReturn?: true;
  readonly code?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface Start {
  readonly type: 'start';
  readonly id: number;
  readonly by?: unknown;
  readonly drill: boolean;
  readonly priority: number;
  readonly targets: readonly { device: string; actions: readonly { operation: string }[] }[];
  /** Whether nothing of it can be sent. */
  readonly isRefused?: boolean;
  /** The devices that are pending from now on, if the history says so. */
  readonly pending?: readonly string[];
}

/**
 * An event, at its millisecond. `ended`: a stop was accepted, or nothing of the alert is left to stop there.
 * `restart`: Node-RED is up again, after `downMs`. `tick`: time passes.
 */
export type Event = { readonly at: number } & (
  | Start
  | Receipt
  | { readonly type: 'clear'; readonly by?: unknown; readonly drill?: boolean }
  | { readonly type: 'acknowledge'; readonly by?: unknown; readonly answer?: unknown }
  | { readonly type: 'restart'; readonly downMs: number; readonly pending?: readonly string[] }
  | { readonly type: 'tick' }
  /** The engine says which devices are pending from now on. */
  | { readonly type: 'pending'; readonly pending: readonly string[] }
  /** The engine says that nothing is pending any more. */
  | { readonly type: 'over' }
);

export interface Acknowledgement {
  readonly by: string;
  readonly at: string;
  readonly answer?: string;
}

export type Report = ReturnType<typeof reportOf>;

/** A message of the second output. */
export interface Notification {
  readonly at: number;
  readonly event:
    | 'started'
    | 'updated'
    | 'pending'
    | 'reached'
    | 'cleared'
    | 'acknowledged'
    | 'unacknowledged';
  readonly device?: string;
  readonly operation?: string;
  readonly pending?: readonly string[];
  readonly report?: Report;
}

/** An alert from its start to the end of its report. */
interface Run {
  readonly startedAt: number;
  readonly startedBy: string | null;
  drill: boolean;
  priority: number;
  clear?: { readonly at: number; readonly by: string | null };
  closedAt?: number;
  clearMs: number | null;
  updates: number;
  readonly acceptedMs: number[];
  readonly acknowledged: Acknowledgement[];
  /** The last receipt, by device and operation, in the order in which they were started. */
  readonly last: Map<string, Map<string, Receipt | undefined>>;
}

/** A start that was sent, with the actions whose first receipt has not come. */
interface Sent {
  readonly at: number;
  readonly run: Run;
  readonly isFirst: boolean;
  readonly waiting: Set<string>;
  readonly notify: () => void;
  readonly lose: () => void;
}

const [maxReports, maxPeople, maxText, toldAfterMs] = [20, 500, 200, 1000];
const taken: readonly Outcome[] = ['accepted', 'confirmed', 'dry-run'];
const accepted: readonly Outcome[] = ['accepted', 'confirmed'];
const missed: readonly Outcome[] = ['failed', 'unknown', 'expired'];

/** The message where Node-RED has ended before a receipt came. */
const lostReason = 'Node-RED ended before the device answered';
const lostMessage = (operation: string, device: string) =>
  `${lostReason}: ${operation} at "${device}"; the action might have been started`;

export class ReportModel {
  state: 'idle' | 'active' | 'clearing' = 'idle';
  readonly notifications: Notification[] = [];
  /** When an acknowledgement was refused. */
  readonly refused: number[] = [];
  #now = 0;
  /** Newest first. */
  readonly #runs: Run[] = [];
  #run: Run | undefined;
  readonly #sent = new Map<number, Sent>();
  #quietUntil = 0;
  #pendingTold: readonly string[] = [];
  /** The pending devices of which the history says that they are. */
  #pendingHeard: readonly string[] = [];
  #timers: { readonly at: number; readonly what: () => void }[] = [];

  constructor(
    private readonly history: readonly Event[],
    private readonly options: {
      readonly name?: string;
      readonly acknowledgeWithinMs?: number | undefined;
    } = {},
  ) {
    for (const event of history) {
      // Timers that are due while Node-RED is down fire when it is up again, but no start is told then.
      if (event.type === 'restart') {
        this.#pass(event.at - event.downMs);
        for (const { lose } of this.#sent.values()) lose();
        if (event.pending) this.#know(event.pending);
        this.#now = event.at;
      }
      this.#pass(event.at);
      this.#now = event.at;
      this.#take(event);
    }
  }

  /** The fields of `msg.alert`. They stay until the next start: `cleared` is sent with them, while the alert is idle. */
  get alert() {
    const { startedBy: by = null, clear, acknowledged = [], drill, priority } = this.#run ?? {};
    return {
      state: this.state,
      drill,
      priority,
      by,
      clearedBy: clear?.by ?? null,
      acknowledged: [...acknowledged],
    };
  }

  /** The last reports, newest first, but the open one before all others. */
  get reports(): Report[] {
    const isOpen = (run: Run) => run.closedAt === undefined;
    const runs = [...this.#runs.filter(isOpen), ...this.#runs.filter((run) => !isOpen(run))];
    return runs.slice(0, maxReports).map((run) => reportOf(this.options.name ?? 'Alert', run));
  }

  #take(event: Event): void {
    if ('pending' in event && event.pending) this.#pendingHeard = event.pending;
    if (event.type === 'start') this.#start(event);
    else if (event.type === 'receipt') this.#receipt(event);
    else if (event.type === 'clear') this.#clear(textOf(event.by), event.drill === true);
    else if (event.type === 'acknowledge') this.#acknowledge(textOf(event.by), event.answer);
    else if (event.type === 'restart') this.#restart();
    this.#settle(event.type === 'over');
  }

  #start(start: Start): void {
    const on = this.state === 'active' ? this.#run : undefined;
    if (on && start.drill && !on.drill) return;
    const refusedAt = on ? undefined : this.#refusedAt(start);
    const run = on ?? this.#begin(start);
    if (on) on.updates += 1;
    if (!start.isRefused) Object.assign(run, { drill: start.drill, priority: start.priority });
    const waiting = new Set<string>();
    for (const { device, actions } of start.targets) {
      const last = run.last.get(device) ?? new Map<string, Receipt | undefined>();
      run.last.set(device, last);
      for (const { operation } of actions) {
        last.set(operation, last.get(operation));
        waiting.add(keyOf({ device, operation }));
      }
    }
    if (refusedAt !== undefined) {
      for (const one of this.#receiptsOf(start)) run.last.get(one.device)?.set(one.operation, one);
      run.closedAt = refusedAt;
      return;
    }
    if (!start.isRefused) this.#tellStart();
    let isTold = start.isRefused === true;
    const notify = () => {
      if (isTold) return;
      isTold = true;
      this.#notify(on ? 'updated' : 'started');
      // The message has this list.
      this.#pendingTold = this.#pendingHeard;
    };
    const lose = () => {
      isTold = true;
    };
    this.#sent.set(start.id, { at: this.#now, run, isFirst: !on, waiting, notify, lose });
    if (!on) this.#follow(run);
    // The message of the start has this list.
    if (!start.isRefused) this.#pendingTold = this.#pendingHeard;
    if (waiting.size === 0 || isTold) notify();
    else this.#after(toldAfterMs, notify);
  }

  /** The alert is on with this run. A run that is still clearing ends without an end of its clear. */
  #follow(run: Run): void {
    if (this.state === 'clearing' && this.#run) this.#run.closedAt = this.#run.clear?.at ?? this.#now;
    this.state = 'active';
    this.#run = run;
    const { acknowledgeWithinMs } = this.options;
    if (acknowledgeWithinMs !== undefined) this.#after(acknowledgeWithinMs, () => this.#miss(run));
  }

  #begin(start: Start): Run {
    const run: Run = {
      startedAt: this.#now,
      startedBy: textOf(start.by),
      drill: start.drill,
      priority: start.priority,
      clearMs: null,
      updates: 0,
      acceptedMs: [],
      acknowledged: [],
      last: new Map(),
    };
    this.#runs.unshift(run);
    return run;
  }

  #receiptsOf({ id }: Start) {
    return this.history.flatMap((event) => (event.type === 'receipt' && event.start === id ? [event] : []));
  }

  /** When the last action of a start was refused, if nothing of it can be sent; looks ahead in the history. */
  #refusedAt(start: Start): number | undefined {
    return start.isRefused ? (this.#receiptsOf(start).at(-1)?.at ?? this.#now) : undefined;
  }

  #receipt(receipt: Receipt): void {
    const sent = this.#sent.get(receipt.start);
    if (!sent || this.state === 'idle') return;
    const [key, isTaken] = [keyOf(receipt), taken.includes(receipt.outcome)];
    const isAccepted = accepted.includes(receipt.outcome);
    const { run } = sent;
    const isAnswer = sent.waiting.delete(key);
    const isCancelled = !isAnswer && receipt.outcome === 'superseded';
    if (run.closedAt === undefined && !isCancelled) {
      const before = run.last.get(receipt.device)?.get(receipt.operation);
      run.last.get(receipt.device)?.set(receipt.operation, receipt);
      // Only the answers to the first start count, not those to an update, nor later tries.
      if (isAnswer && isAccepted && sent.isFirst) run.acceptedMs.push(this.#now - sent.at);
      const wasAccepted = before !== undefined && taken.includes(before.outcome);
      const isTry = !isAnswer && !receipt.isReturn;
      const isReached = isTry && isTaken && !wasAccepted && this.state === 'active';
      if (isReached) this.#notify('reached', { device: receipt.device, operation: receipt.operation });
    }
    if (isAnswer && sent.waiting.size === 0) sent.notify();
  }

  #clear(by: string | null, drill: boolean): void {
    const run = this.#run;
    if (!run || this.state !== 'active' || (drill && !run.drill)) return;
    this.#tellStart();
    this.state = 'clearing';
    run.clear = { at: this.#now, by };
    this.#quietUntil = this.#now + toldAfterMs;
    this.#after(toldAfterMs, () => this.#settle());
  }

  #acknowledge(by: string | null, answer: unknown): void {
    const list = this.#run?.acknowledged ?? [];
    const index = list.findIndex((one) => one.by === by);
    const isText = answer === undefined || (typeof answer === 'string' && answer.length <= maxText);
    if (by === null || !isText || this.state !== 'active' || (index < 0 && list.length >= maxPeople)) {
      this.refused.push(this.#now);
      return;
    }
    const at = list[index]?.at ?? iso(this.#now);
    list[index < 0 ? list.length : index] = {
      by,
      at,
      ...(answer !== undefined && { answer: answer as string }),
    };
    this.#notify('acknowledged');
  }

  #miss(run: Run): void {
    if (run === this.#run && this.state === 'active' && run.acknowledged.length === 0)
      this.#notify('unacknowledged');
  }

  /** No answer comes any more: each action without a receipt may be on, and a later receipt is that of a try. */
  #restart(): void {
    for (const { run, waiting } of this.#sent.values()) {
      for (const key of waiting) {
        const [device, operation] = [deviceOf(key), operationOf(key)];
        const lost = {
          type: 'receipt',
          start: 0,
          device,
          operation,
          outcome: 'unknown',
          code: 'ABORTED',
        } as const;
        if (run.closedAt === undefined)
          run.last
            .get(device)
            ?.set(operation, { ...lost, reason: lostReason, message: lostMessage(operation, device) });
      }
      waiting.clear();
    }
  }

  /** Node-RED is up again: the list that it finds is not told, since it has not changed. */
  #know(pending: readonly string[]): void {
    this.#pendingHeard = pending;
    this.#pendingTold = pending;
    this.#quietUntil = 0;
  }

  /** Tells that nothing is pending any more, or that the list has changed. */
  #settle(isOver = false): void {
    const [run, pending] = [this.#run, this.#pendingHeard];
    if (!run || this.state === 'idle') return;
    if (this.state === 'clearing' && isOver) {
      const clearedAt = run.clear?.at ?? this.#now;
      Object.assign(run, { closedAt: clearedAt, clearMs: this.#now - clearedAt });
      this.state = 'idle';
      this.#notify('cleared', { report: reportOf(this.options.name ?? 'Alert', run) });
    } else if (this.#now >= this.#quietUntil && pending.join() !== this.#pendingTold.join()) {
      this.#pendingTold = pending;
      this.#notify('pending', { pending });
    }
  }

  /** Tells a start that is not told yet. */
  #tellStart(): void {
    for (const { notify } of this.#sent.values()) notify();
  }

  #notify(event: Notification['event'], more: Omit<Notification, 'at' | 'event'> = {}): void {
    if (event !== 'started' && event !== 'updated') this.#tellStart();
    this.notifications.push({ at: this.#now, event, ...more });
  }

  #after(ms: number, what: () => void): void {
    this.#timers.push({ at: this.#now + ms, what });
  }

  #pass(until: number): void {
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (!next) return;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = Math.max(this.#now, next.at);
      next.what();
    }
  }
}

type Target = readonly (Receipt | undefined)[];

function reportOf(name: string, run: Run) {
  const targets: Target[] = [...run.last.values()].map((actions) => [...actions.values()]);
  const has = (target: Target, outcomes: readonly Outcome[]) =>
    target.some((receipt) => receipt && outcomes.includes(receipt.outcome));
  const isHeld = (target: Target) =>
    target.some((receipt) => receipt?.heldBy !== undefined) &&
    target.every((receipt) => receipt?.outcome === 'skipped');
  return {
    name,
    drill: run.drill,
    priority: run.priority,
    startedAt: iso(run.startedAt),
    startedBy: run.startedBy,
    clearedAt: run.closedAt === undefined ? null : iso(run.closedAt),
    clearedBy: run.clear?.by ?? null,
    targets: targets.length,
    reached: targets.filter((target) => has(target, accepted) && !has(target, missed)).length,
    held: targets.filter(isHeld).length,
    dryRun: targets.filter((target) => has(target, ['dry-run'])).length,
    missed: targets.flat().flatMap((receipt) => {
      if (!receipt || !missed.includes(receipt.outcome)) return [];
      const { device, operation, outcome, code = null, reason = null, message = null } = receipt;
      return [{ device, operation, outcome, code, reason, message }];
    }),
    firstMs: run.acceptedMs.length > 0 ? Math.min(...run.acceptedMs) : null,
    lastMs: run.acceptedMs.length > 0 ? Math.max(...run.acceptedMs) : null,
    clearMs: run.clearMs,
    updates: run.updates,
    acknowledged: [...run.acknowledged],
  };
}

const iso = (at: number) => new Date(at).toISOString();
const keyOf = ({ device, operation }: { device: string; operation: string }) => `${device}\n${operation}`;
const deviceOf = (key: string) => key.split('\n')[0] ?? '';
const operationOf = (key: string) => key.split('\n')[1] ?? '';

/** The text of `msg.by`, null where it is ignored. */
function textOf(by: unknown): string | null {
  return typeof by === 'string' && by.length >= 1 && by.length <= maxText ? by : null;
}
