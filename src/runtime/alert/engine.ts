import type { Clock } from '../../time/clock';
import type {
  Acknowledgement,
  AcknowledgementProblem,
  Alert,
  AlertAction,
  AlertState,
  DeviceAction,
  MonotonicRequestTime,
  Named,
  RetryAlert,
  SendResult,
  StartRequest,
} from './alert';
import { AlertStore, type DeviceLocation, outputKey, type WantedOutput } from './alert-store';
import {
  type Answer,
  isFailure,
  isTriedAgain,
  type OutputState,
  type OutputStep,
  type StartProblem,
  type Ticket,
  type WhereOf,
} from './output-state';
import type { AlertReport } from './report';
import { type ActionReceipt, newRun } from './reports';

const maxPeople = 500;

class DeviceExpiry {
  #next = Number.POSITIVE_INFINITY;

  from({ lastsMs }: AlertAction, now: number): number | undefined {
    if (lastsMs === undefined) return undefined;
    this.#next = Math.min(this.#next, now + lastsMs);
    return now + lastsMs;
  }

  begin(output: OutputState, now: number): void {
    output.starts = output.starts.map((start) => {
      const until = start.until ?? this.from(start.action, now);
      if (until === undefined) return start;
      if (until > now) this.#next = Math.min(this.#next, until);
      return { ...start, until };
    });
  }

  nextAt(now: number, outputs: () => Iterable<OutputState>): number {
    if (this.#next > now) return this.#next;
    this.#next = Number.POSITIVE_INFINITY;
    for (const { on } of outputs()) {
      if (on?.until !== undefined && on.until > now) this.#next = Math.min(this.#next, on.until);
    }
    return this.#next;
  }
}

/**
 * A state machine that decides which alerts are on, which alert owns each device output, and which commands
 * are pending (docs/contract.md 2.6). The engine returns requests and receives their results, but sends
 * nothing itself.
 */
export class Engine {
  readonly #store: AlertStore;
  #number = 0;
  #order = 0;
  readonly #deviceExpiry = new DeviceExpiry();
  /**
   * For each alert, the time of the request for the start that was requested last, on the monotonic clock;
   * absent for starts of earlier processes.
   */
  readonly #askedAt = new Map<string, number>();
  /**
   * For each alert, the time at which Node-RED clears the alert, on the monotonic clock; absent if Node-RED
   * does not clear the alert by itself.
   */
  readonly #endsAt = new Map<string, number>();
  /**
   * For each alert, the time by which a person must acknowledge the alert, on the monotonic clock; absent if
   * no acknowledgement is awaited.
   */
  readonly #acknowledgeAt = new Map<string, number>();
  /**
   * For each cleared alert, the time of the clear, on the monotonic clock; absent for clears of earlier
   * processes.
   */
  readonly #clearedAt = new Map<string, number>();
  /** The run of each request. `isFirst`: whether the request belongs to the start that began the run. */
  readonly #runs = new WeakMap<Ticket, { readonly run: string; readonly isFirst: boolean }>();
  readonly #pending = new Set<OutputState>();
  /** Outputs of alerts where the device is going to end by itself what others started. */
  readonly #othersEnd = new Set<OutputState>();
  /** For each output, the time at which the device ends what other nodes started there, in epoch milliseconds. */
  readonly #othersUntil = new Map<string, number>();
  /**
   * Ids of the alerts in the journal that had been cleared and had nothing pending when the process started.
   */
  #endedByRestart: readonly string[];
  #whereOf: WhereOf = () => undefined;

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'monotonic' | 'random'>,
    entries: Iterable<readonly [key: string, value: unknown]> = [],
  ) {
    this.#store = new AlertStore([...entries], (alert) => this.#sinceClear(alert));
    this.#number = this.#store.lastNumber;
    this.#order = this.#store.lastOrder;
    for (const alert of this.#store.alerts.values()) this.#takeUp(alert);
    for (const output of this.#store.outputs()) {
      this.#deviceExpiry.begin(output, clock.now());
      if (output.othersUntil !== undefined) this.#othersUntil.set(output.key, output.othersUntil);
      this.#settle(output);
    }
    this.#endedByRestart = this.#store.loaded.filter((id) => !this.#store.alerts.has(id));
  }

  takeEnded(): readonly string[] {
    const ended = this.#endedByRestart;
    this.#endedByRestart = [];
    return ended;
  }

  get alerts(): ReadonlyMap<string, Alert> {
    return this.#store.alerts;
  }

  /**
   * Returns the alert if the alert is on and not a drill; undefined otherwise. A drill neither starts nor
   * ends the actions of such an alert.
   */
  inEarnest(alertId: string): Alert | undefined {
    const alert = this.#store.alerts.get(alertId);
    return alert?.isOn && !alert.drill ? alert : undefined;
  }

  /**
   * Starts an alert, or updates an active alert. Returns the answer for each action. The request of each ticket counts
   * as under way from then on.
   */
  start(startRequest: StartRequest, actions: readonly DeviceAction[]): Answer[] {
    const { endAfterMs, asked, by, acknowledgeWithinMs, ...rest } = startRequest;
    const earnest = rest.drill ? this.inEarnest(rest.id) : undefined;
    if (earnest) return actions.map(() => ({ heldBy: earnest }));
    const known = this.#store.alerts.get(rest.id);
    const before = known?.isOn ? known : undefined;
    const now = this.clock.now();
    this.#order += 1;
    const askedAt = asked?.at ?? this.clock.monotonic();
    // The jobs of a centre can arrive late. If a start that was requested later is already known, the time of
    // that request is kept.
    const later = this.isStartedAfter(rest.id, { ...asked, at: askedAt }) ? known?.asked : undefined;
    const isAsked = ({ id, where }: Named) =>
      rest.targets.includes(id) || actions.some(({ device }) => isSameDevice(device, { id, where }));
    const failures = before?.failures?.filter(({ device }) => !isAsked(device)) ?? [];
    if (known && !before) this.#store.reports.close(known, null, new Date(now).toISOString());
    const isAwaited = !before && acknowledgeWithinMs !== undefined;
    const person = before ? before.by : by;
    const acknowledgeBy = isAwaited
      ? { at: now + acknowledgeWithinMs, afterMs: acknowledgeWithinMs }
      : before?.acknowledgeBy;
    const alert: Alert = {
      ...rest,
      asked: later ?? { ...asked, at: now - (this.clock.monotonic() - askedAt) },
      targets: [...new Set([...(before?.targets ?? []), ...rest.targets])],
      since: before?.since ?? new Date(now).toISOString(),
      order: this.#order,
      isOn: true,
      maxParallel: Math.min(before?.maxParallel ?? rest.maxParallel, rest.maxParallel),
      ...(endAfterMs !== undefined && { ends: { at: now + endAfterMs, afterMs: endAfterMs } }),
      ...(failures.length > 0 && { failures }),
      run: before ? before.run : newRun(this.#order, now),
      ...(person !== undefined && { by: person }),
      ...(before?.acknowledged && { acknowledged: before.acknowledged }),
      ...(acknowledgeBy && { acknowledgeBy }),
      ...(before && { updates: (before.updates ?? 0) + 1 }),
    };
    this.#store.put(alert);
    if (!before) this.#acknowledgeAt.delete(alert.id);
    if (isAwaited) this.#acknowledgeAt.set(alert.id, this.clock.monotonic() + acknowledgeWithinMs);
    this.#clearedAt.delete(alert.id);
    if (!later) this.#askedAt.set(alert.id, askedAt);
    this.#endsAt.delete(alert.id);
    if (endAfterMs !== undefined) this.#endsAt.set(alert.id, this.clock.monotonic() + endAfterMs);
    const wanted = new Set<OutputState>();
    const answers = actions.map((deviceAction) => {
      const answer = this.#want(alert, deviceAction, !before);
      const output = this.#store.at(deviceAction);
      wanted.add(output);
      this.#settle(output);
      this.#store.reports.start(alert, { ...deviceAction, isHeld: answer.heldBy !== undefined });
      return answer;
    });
    // The alert might have a lower priority than before, so other alerts might now own outputs that this
    // start does not use.
    for (const output of this.#store.outputsOf(alert.id)) if (!wanted.has(output)) this.#settle(output);
    return answers;
  }

  /**
   * Records a start for which no request can be sent. If the alert is on, only its targets, its number of
   * updates and its report change; otherwise, the alert gets a closed report.
   */
  refuse(startRequest: StartRequest, receipts: readonly ActionReceipt[]): void {
    const { id, name, priority, drill, targets, clearsAtRestart, maxParallel, by } = startRequest;
    if (drill && this.inEarnest(id)) return;
    const known = this.#store.alerts.get(id);
    if (known?.isOn) {
      const all = [...new Set([...known.targets, ...targets])];
      const alert = { ...known, targets: all, updates: (known.updates ?? 0) + 1 };
      this.#store.put(alert);
      for (const receipt of receipts) this.#store.reports.record(alert, alert.run, receipt);
      return;
    }
    this.#order += 1;
    const now = this.clock.now();
    const since = new Date(now).toISOString();
    const run = newRun(this.#order, now);
    const about = { id, name, priority, drill, since, targets, clearsAtRestart, maxParallel, run };
    const alert = { ...about, asked: { at: now }, order: this.#order, isOn: false, ...(by && { by }) };
    this.#store.reports.refuse(alert, receipts, since);
  }

  /**
   * Records a failed action for which the alert has no claim to a device output. If the alert is not on, only
   * the report of the alert changes.
   */
  recordFailed(
    alertId: string,
    device: Named,
    what: string,
    { run, receipt }: { readonly run?: string | undefined; readonly receipt?: ActionReceipt } = {},
  ): void {
    const alert = this.#store.alerts.get(alertId);
    if (alert && receipt) this.#store.reports.record(alert, run ?? alert.run, receipt);
    if (!alert?.isOn) return;
    const others =
      alert.failures?.filter((one) => one.what !== what || !isSameDevice(one.device, device)) ?? [];
    this.#store.put({ ...alert, failures: [...others, { device, what }] });
  }

  setRetry(alertId: string, retryAlert: RetryAlert): void {
    const alert = this.#store.alerts.get(alertId);
    if (!alert?.isOn || (alert.retryAlert ?? false) === retryAlert) return;
    this.#store.put({ ...alert, retryAlert });
    for (const output of this.#store.outputsOf(alertId)) {
      this.#dropFailed(output, alertId);
      this.#settle(output);
    }
  }

  /**
   * Whether the alert is on and a start of the alert was requested after the given request. Requests of one
   * centre are compared by number, other requests by time.
   */
  isStartedAfter(alertId: string, { at, centre, seq }: MonotonicRequestTime): boolean {
    const alert = this.#store.alerts.get(alertId);
    if (!alert?.isOn) return false;
    const { asked } = alert;
    if (asked.centre !== undefined && asked.centre === centre && asked.seq !== undefined && seq !== undefined)
      return asked.seq > seq;
    const startedAt = this.#askedAt.get(alertId) ?? this.clock.monotonic() - (this.clock.now() - asked.at);
    return startedAt > at;
  }

  /**
   * Clears an alert. If the alert is already cleared, returns requests for its pending commands.
   * @param isDrill if true, a real alert is not cleared
   * @param by the person who has sent the message of the clear; undefined if unknown
   * @returns the requests to send now, at each device in reverse order of the actions; failed requests stay
   * pending
   */
  clear(alertId: string, isDrill = false, by?: string): Ticket[] {
    if (isDrill && this.inEarnest(alertId)) return [];
    const alert = this.#store.alerts.get(alertId);
    if (!alert?.isOn) {
      const pending = this.#store.outputsOf(alertId).filter((output) => this.#pending.has(output));
      return this.#ask(reversed(pending, ({ on }) => on?.number));
    }
    const { acknowledgeBy: _, ...rest } = alert;
    const clearedAt = new Date(this.clock.now()).toISOString();
    this.#store.put({ ...rest, isOn: false, clearedAt, ...(by !== undefined && { clearedBy: by }) });
    this.#endsAt.delete(alertId);
    this.#acknowledgeAt.delete(alertId);
    this.#clearedAt.set(alertId, this.clock.monotonic());
    const outputs = reversed(this.#store.outputsOf(alertId), ({ claims }) => claims.get(alertId)?.order);
    const tickets = outputs.flatMap((output) => {
      output.claims.delete(alertId);
      output.forgetUnclaimed();
      const ended = this.#end(output, alertId);
      this.#settle(output);
      return ended;
    });
    this.#store.forgetIfDone(alertId);
    return tickets;
  }

  /**
   * Records an acknowledgement. A further acknowledgement of the same person replaces the answer, but not the
   * time.
   * @returns the reason of a refusal; undefined if the acknowledgement is recorded
   */
  acknowledge(alertId: string, { by, at, answer }: Acknowledgement): AcknowledgementProblem | undefined {
    const alert = this.#store.alerts.get(alertId);
    if (!alert?.isOn) return alert ? 'clearing' : 'idle';
    const { acknowledged: before = [], acknowledgeBy: _, ...rest } = alert;
    const known = before.find((one) => one.by === by);
    if (!known && before.length >= maxPeople) return 'full';
    const noted = { by, at: known?.at ?? at, ...(answer !== undefined && { answer }) };
    const acknowledged = known ? before.map((one) => (one === known ? noted : one)) : [...before, noted];
    this.#store.put({ ...rest, acknowledged });
    this.#acknowledgeAt.delete(alertId);
    return undefined;
  }

  /**
   * Returns the alerts that no person has acknowledged in time, and stops waiting for their acknowledgements.
   */
  unacknowledged(): string[] {
    const now = this.clock.monotonic();
    const ids = [...this.#acknowledgeAt].flatMap(([id, at]) => (at <= now ? [id] : []));
    for (const id of ids) {
      this.#acknowledgeAt.delete(id);
      const alert = this.#store.alerts.get(id);
      if (!alert) continue;
      const { acknowledgeBy: _, ...rest } = alert;
      this.#store.put(rest);
    }
    return ids;
  }

  reports(alertId: string): AlertReport[] {
    return this.#store.reports.of(alertId, this.#store.alerts.get(alertId));
  }

  newestReport(alertId: string): AlertReport | undefined {
    return this.#store.reports.newestOf(alertId, this.#store.alerts.get(alertId));
  }

  lastReport(alertId: string): AlertReport | undefined {
    return this.#store.reports.lastOf(alertId);
  }

  run(alertId: string): string | undefined {
    return this.#store.alerts.get(alertId)?.run;
  }

  isCurrent(ticket: Ticket): boolean {
    const alert = this.#store.alerts.get(ticket.alert);
    return alert?.isOn === true && this.#runs.get(ticket)?.run === alert.run;
  }

  /**
   * Handles the result of a request. Has no effect if the request is no longer under way.
   * @param receipt the receipt for the report of the alert; ignored for a stop
   */
  answered(ticket: Ticket, result: SendResult, receipt?: ActionReceipt): void {
    const { output, kind } = ticket;
    if (!output.underWay.delete(ticket)) return;
    if (receipt && kind !== 'end') this.#recordReceipt(ticket, receipt);
    if (kind === 'end') this.#ended(ticket, result);
    else this.#started(ticket, result);
    this.#settle(output);
    // An output does not move while a request is under way, so the output might still be at an old location.
    this.relocate(this.#whereOf, [output]);
  }

  holderOf(device: DeviceLocation, deviceOutput: string): Alert | undefined {
    return this.#store.find(device, deviceOutput)?.owner(this.alerts);
  }

  /**
   * Returns the real alert that owns an output, unless its action there has ended. Without an output, returns
   * a real alert that uses the device.
   */
  realOwnerOf(device: DeviceLocation, deviceOutput: string | undefined): Alert | undefined {
    const outputs =
      deviceOutput === undefined
        ? this.#store.outputsAt(device)
        : [this.#store.find(device, deviceOutput)].flatMap((output) => output ?? []);
    for (const output of outputs) {
      const owner = output.dryRun ? undefined : output.owner(this.alerts);
      if (owner && !owner.drill && !output.claims.get(owner.id)?.isLeft) return owner;
    }
    return undefined;
  }

  /**
   * Detaches an output from its alerts after other code has stopped the output, or has started a lasting
   * operation at the output. Has no effect if the start of an alert is under way, since this start comes
   * after the start of the other code.
   * @returns false if nothing has changed
   */
  replaced(device: DeviceLocation, deviceOutput: string, isStop: boolean): boolean {
    const output = this.#store.find(device, deviceOutput);
    if (!output || (!output.on && [...output.claims.values()].every(({ isLeft }) => isLeft))) return false;
    if (!isStop && [...output.underWay].some(({ kind }) => kind !== 'end')) return false;
    this.#leave(output);
    return true;
  }

  /**
   * Records the time at which a device ends by itself what another node has started.
   * @param until time in epoch milliseconds
   */
  othersEndAt(device: DeviceLocation, deviceOutput: string, until: number): void {
    const key = outputKey(device, deviceOutput);
    this.#othersUntil.set(key, Math.max(until, this.#othersUntil.get(key) ?? until));
    const output = this.#store.find(device, deviceOutput);
    if (!output) return;
    output.recordOthersUntil(until);
    this.#settle(output);
  }

  /**
   * Called before Node-RED stops by itself what a node has started at an output.
   * @param nodeId id of the node; an alert does not keep its own action on
   * @returns true if the output belongs to a real alert, so that the stop must not be sent. The start of the
   * alert is then sent again if it is safe to repeat. `later` if the start of the alert still has to be sent: it might
   * fail, and only the stop would then end what the node has started
   */
  keepsOn(device: DeviceLocation, deviceOutput: string, nodeId: string): boolean | 'later' {
    const output = this.#store.find(device, deviceOutput);
    const owner = this.realOwnerOf(device, deviceOutput);
    if (!output || !owner || owner.id === nodeId) return false;
    const isOn = output.isOnFor(owner.id, this.clock.now());
    if (output.underWay.size > 0 || this.#pending.has(output)) return isOn || 'later';
    if (!isOn) return false;
    if (!output.on?.action.end) return output.claims.get(owner.id)?.problem === undefined;
    this.#doubt(output, 'ended');
    return true;
  }

  /** Called when a device answers again that did not answer, or that has restarted. */
  returned(device: DeviceLocation): void {
    for (const output of this.#store.outputsAt(device)) this.#doubt(output, 'away');
  }

  /** The devices of the real alerts that retry their actions, under the names of the starts. */
  *watched(): Generator<Named> {
    for (const output of this.#store.outputs()) {
      const owner = output.dryRun ? undefined : output.owner(this.alerts);
      if (!owner || owner.drill || (owner.retryAlert ?? false) === false) continue;
      const device = output.claims.get(owner.id)?.device ?? output.device;
      yield at(output, device);
    }
  }

  /**
   * Moves outputs to the current locations of their devices: after a deploy, and after a request that kept an
   * output at the old location.
   */
  relocate(whereOf: WhereOf, outputs = this.#store.outputs()): void {
    this.#whereOf = whereOf;
    for (const output of this.#store.move(whereOf, outputs)) this.#settle(output);
  }

  /** Gives up an output whose device no longer exists. */
  surrender(output: OutputState): void {
    for (const claim of output.claims.values()) claim.isHeld = false;
    this.#leave(output);
  }

  #leave(output: OutputState): void {
    output.leave();
    for (const id of output.claims.keys()) this.#dropFailed(output, id);
    this.#settle(output);
  }

  overdue(now = this.clock.monotonic()): string[] {
    return [...this.#endsAt].flatMap(([id, at]) => (at <= now ? [id] : []));
  }

  /**
   * Returns the stops to send before the flows stop: pending stops, and stops of outputs whose alerts
   * Node-RED would all clear within `ms` milliseconds.
   * @param isMeant whether to stop an output; other outputs stay on
   */
  endSoon(ms: number, isMeant: (output: OutputState) => boolean): Ticket[] {
    const soon = this.overdue(this.clock.monotonic() + ms);
    const outputs = new Set(
      soon.flatMap((id) => reversed(this.#store.outputsOf(id), ({ claims }) => claims.get(id)?.order)),
    );
    const pending = [...this.#pending].filter((output) => {
      const step = output.step(this.#store.alerts);
      return step?.kind === 'end' && !step.isBeforeStart;
    });
    const over = [...outputs].filter(
      (output) =>
        isMeant(output) &&
        output.claims.size > 0 &&
        (output.on || output.underWay.size > 0) &&
        [...output.claims.keys()].every((id) => soon.includes(id)),
    );
    const tickets = over.flatMap((output) => {
      const [id = ''] = output.on ? [output.on.alert] : output.claims.keys();
      output.claims.clear();
      return this.#end(output, id);
    });
    for (const output of over) this.#settle(output);
    return [...tickets, ...this.#ask(pending.filter((output) => isMeant(output) && !over.includes(output)))];
  }

  pendingStops(): OutputStep[] {
    return this.#store.outputs().flatMap((output) => {
      const step = output.dryRun ? undefined : output.step(this.#store.alerts);
      return step?.kind === 'end' && !step.isBeforeStart ? [step] : [];
    });
  }

  /** @param max maximum number of device outputs; the others stay due */
  due(max = Number.POSITIVE_INFINITY): Ticket[] {
    const now = this.clock.monotonic();
    const wall = this.clock.now();
    for (const output of this.#othersEnd) {
      // A start under way might have come before the end or after it, so it is sent again after its answer.
      if ((output.othersUntil ?? 0) > wall || output.underWay.size > 0) continue;
      output.othersUntil = undefined;
      this.#othersEnd.delete(output);
      this.#doubt(output, 'ended');
    }
    return this.#ask([...this.#pending].filter(({ dueAt }) => dueAt <= now).slice(0, max));
  }

  /**
   * The next time at which a pending command, a clear, an acknowledgement or the end of an action is due, in
   * milliseconds on the monotonic clock; infinity if nothing is due.
   */
  get nextAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.#pending) next = Math.min(next, dueAt);
    for (const at of this.#endsAt.values()) next = Math.min(next, at);
    for (const at of this.#acknowledgeAt.values()) next = Math.min(next, at);
    const now = this.clock.now();
    let fades = this.#deviceExpiry.nextAt(now, () => this.#store.outputs());
    for (const { othersUntil = fades, underWay } of this.#othersEnd)
      if (underWay.size === 0) fades = Math.min(fades, othersUntil);
    return Math.min(next, this.clock.monotonic() + (fades - now));
  }

  takeChanges(): [key: string, value: unknown][] {
    return this.#store.takeChanges();
  }

  state(alertId: string): AlertState | undefined {
    return this.#store.state(alertId, this.clock.now());
  }

  wanted(): Iterable<WantedOutput> {
    return this.#store.wanted();
  }

  #recordReceipt(ticket: Ticket, { latencyMs, ...receipt }: ActionReceipt): void {
    const alert = this.#store.alerts.get(ticket.alert);
    const of = this.#runs.get(ticket);
    if (!alert || !of) return;
    const timed = of.isFirst && latencyMs !== undefined && { latencyMs };
    this.#store.reports.record(alert, of.run, { ...receipt, ...this.#retried(ticket), ...timed });
  }

  #retried({ output, device, action }: Ticket): Pick<ActionReceipt, 'target' | 'operation' | 'deviceOutput'> {
    // A retry can use another name of the device, but has the same location.
    const where = output.device.where ?? device.where;
    const target = { ...device, ...(where !== undefined && { where }) };
    return { target, operation: action.operation, deviceOutput: output.deviceOutput };
  }

  #sinceClear({ id, clearedAt }: Alert): { now: string; ms: number | null } {
    const now = this.clock.now();
    const monotonic = this.#clearedAt.get(id);
    this.#clearedAt.delete(id);
    const since =
      monotonic === undefined ? now - Date.parse(clearedAt ?? '') : this.clock.monotonic() - monotonic;
    const ms = Number.isFinite(since) ? Math.max(0, Math.round(since)) : null;
    return { now: new Date(now).toISOString(), ms };
  }

  #want(alert: Alert, deviceAction: DeviceAction, isFirst: boolean): Answer {
    const output = this.#store.at(deviceAction);
    this.#order += 1;
    const { action, device } = deviceAction;
    // The result of an earlier start stays unknown until the new start has an answer.
    const problem = unlessFailed(output.claims.get(alert.id)?.problem);
    const claim = { action, device, order: this.#order, isHeld: false, ...(problem && { problem }) };
    output.claims.set(alert.id, claim);
    const othersUntil = this.#othersUntil.get(output.key) ?? 0;
    if (othersUntil > this.clock.now()) output.recordOthersUntil(othersUntil);
    const owner = output.owner(this.#store.alerts);
    if (!owner || owner.id === alert.id) {
      return { ticket: this.#issue(output, { alert: alert.id, action, device, kind: 'start' }, isFirst) };
    }
    claim.isHeld = true;
    this.#store.record(output);
    return { heldBy: owner };
  }

  /**
   * Returns the request that is needed after an alert has lost its claim to an output; empty if no request is
   * needed.
   */
  #end(output: OutputState, alertId: string): Ticket[] {
    const starts = [...output.underWay].filter(({ kind }) => kind !== 'end');
    // Another alert's start is under way: its result decides the next command.
    if (starts.some(({ alert }) => alert !== alertId && output.claims.has(alert))) return [];
    const step = output.step(this.#store.alerts);
    const starting = starts.findLast(({ action }) => action.end);
    // A retry of another alert waits until the retry is due.
    const isAgain = step?.kind === 'again' || (step?.isBeforeStart && step.alert !== alertId);
    if (step?.kind === 'return' || !starting) return step && !isAgain ? [this.#issue(output, step)] : [];
    // The stop would also stop the action of the owner, which might be on.
    if (isAgain ? output.on?.alert === step.alert : output.owner(this.#store.alerts)) return [];
    const { action, device } = starting;
    return [this.#issue(output, { alert: alertId, action, device, kind: 'end' })];
  }

  #ask(outputs: readonly OutputState[]): Ticket[] {
    return outputs.flatMap((output) => {
      const step = output.step(this.#store.alerts);
      const ticket = step && this.#issue(output, step);
      this.#settle(output);
      return ticket ?? [];
    });
  }

  #issue(output: OutputState, step: OutputStep, isFirst = false): Ticket {
    this.#number += 1;
    const ticket = { ...step, output, number: this.#number };
    const claim = step.kind === 'end' ? undefined : output.claims.get(step.alert);
    if (claim) Object.assign(claim, { isLeft: false, isHeld: false });
    output.underWay.add(ticket);
    const alert = this.#store.alerts.get(step.alert);
    if (alert) this.#runs.set(ticket, { run: alert.run, isFirst });
    const isRetry = step.kind === 'again' || step.kind === 'return';
    if (alert && isRetry) this.#store.reports.retry(alert, this.#retried(ticket));
    this.#store.record(output);
    return ticket;
  }

  #started(ticket: Ticket, result: SendResult): void {
    const { output, alert, kind } = ticket;
    if (result === 'taken' || result === 'unknown') this.#recordStart(ticket, result === 'taken');
    output.recordProblem(ticket, result === 'taken' || result === 'skipped' ? undefined : result);
    const [is, claim] = [this.alerts.get(alert), output.claims.get(alert)];
    // A start in place of a stop that is retried still takes the place of the stop.
    const isStillMeant = kind === 'return' && result === 'missed' && claim?.action === ticket.action;
    if (isStillMeant && is && isTriedAgain(is, claim)) claim.isHeld = true;
    if (result === 'skipped') this.#drop(output, alert);
    else this.#dropFailed(output, alert);
    if (result !== 'taken' && output.step(this.alerts)?.alert === alert) this.#askLater(output);
  }

  /**
   * Records that the action that is on at an output might be over although its device accepted the start, so
   * that the start is sent again while a real alert wants the action.
   */
  #doubt(output: OutputState, problem: 'ended' | 'away'): void {
    const { on } = output;
    if (output.dryRun) return;
    const [alert, claim] = [this.alerts.get(on?.alert ?? ''), output.claims.get(on?.alert ?? '')];
    if (alert && claim && !claim.isLeft && on?.action.end && output.isOnFor(alert.id, this.clock.now())) {
      const isKept = problem === 'ended' && !isTriedAgain({ ...alert, drill: false }, { ...claim, problem });
      // After a start of unknown result, the start is sent again in any case.
      const isKnown = claim.problem === 'ended' || claim.problem === 'unknown';
      if (!isKept && !isKnown) claim.problem = problem;
    }
    output.resetBackoff();
    this.#settle(output);
  }

  #askLater(output: OutputState): void {
    output.dueAt = output.retries.fail(this.clock);
  }

  #dropFailed(output: OutputState, alertId: string): void {
    const [alert, claim] = [this.#store.alerts.get(alertId), output.claims.get(alertId)];
    if (!alert || !claim?.problem || !isFailure(claim.problem) || isTriedAgain(alert, claim)) return;
    if (!this.#drop(output, alertId)) return;
    this.recordFailed(alertId, at(output, claim.device), output.deviceOutput);
  }

  /**
   * Removes the claim of an alert, unless a start of the alert might be on, is being sent or is held back.
   * @returns whether the claim was removed
   */
  #drop(output: OutputState, alertId: string): boolean {
    if (output.has(alertId) || output.claims.get(alertId)?.isHeld !== false) return false;
    return output.claims.delete(alertId);
  }

  #ended(ticket: Ticket, result: SendResult): void {
    if (result === 'taken') ticket.output.recordEnd(ticket);
    else this.#askLater(ticket.output);
  }

  #recordStart(ticket: Ticket, isSure: boolean): void {
    const { number, alert, action, device, output } = ticket;
    const { on } = output;
    if (on && on.alert !== alert && (on.until ?? 0) > this.clock.now()) output.recordOthersUntil(on.until);
    const until = this.#deviceExpiry.from(action, this.clock.now());
    output.recordStart({ number, alert, action, device, until }, isSure);
  }

  #settle(output: OutputState): void {
    const { claims } = output;
    output.forgetUnclaimed();
    if (output.othersUntil !== undefined && claims.size > 0) this.#othersEnd.add(output);
    else this.#othersEnd.delete(output);
    const isPending = output.step(this.#store.alerts) !== undefined;
    if (!isPending) output.resetBackoff();
    if (isPending && output.underWay.size === 0) this.#pending.add(output);
    else this.#pending.delete(output);
    this.#store.record(output);
  }

  #takeUp({ id, isOn, ends, acknowledgeBy }: Alert): void {
    if (!isOn) return;
    if (ends) this.#endsAt.set(id, this.#againAt(ends));
    if (acknowledgeBy) this.#acknowledgeAt.set(id, this.#againAt(acknowledgeBy));
  }

  /**
   * Converts a time of the journal, in epoch milliseconds, to the monotonic clock. The system clock might
   * have been set, so the result is at least now and at most `afterMs` from now.
   */
  #againAt({ at, afterMs }: { readonly at: number; readonly afterMs: number }): number {
    return this.clock.monotonic() + Math.max(0, Math.min(afterMs, at - this.clock.now()));
  }
}

function unlessFailed(problem: StartProblem | undefined): StartProblem | undefined {
  return problem && !isFailure(problem) ? problem : undefined;
}

function at({ device: { where } }: OutputState, device: Named): Named {
  return where === undefined ? device : { ...device, where };
}

function isSameDevice(one: DeviceLocation, other: DeviceLocation): boolean {
  return (one.where ?? one.id) === (other.where ?? other.id);
}

function reversed(
  outputs: readonly OutputState[],
  orderOf: (output: OutputState) => number | undefined,
): OutputState[] {
  const order = (output: OutputState) => orderOf(output) ?? 0;
  const devices = new Map<string, OutputState[]>();
  for (const output of [...outputs].sort((a, b) => order(a) - order(b))) {
    const { id, where = id } = output.device;
    devices.set(where, [output, ...(devices.get(where) ?? [])]);
  }
  return [...devices.values()].flat();
}
