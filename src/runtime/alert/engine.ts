import type { SharedJournal } from '../../kernel/journal/journal';
import type { Json } from '../../kernel/journal/lines';
import { count, flag, list, number, oneOf, open, type Shape, text } from '../../kernel/shape';
import type { Clock } from '../../kernel/time/clock';
import { type JournalChange, WriteBehindMap } from '../../kernel/write-behind-map';
import type {
  Acknowledgement,
  AcknowledgementProblem,
  Alert,
  AlertAction,
  AlertState,
  DeviceAction,
  FailedAction,
  MonotonicRequestTime,
  Named,
  RetryAlert,
  SendResult,
  StartRequest,
} from './alert';
import { stateOf } from './alert-state';
import {
  type Answer,
  isFailure,
  isTriedAgain,
  type OutputState,
  type OutputStep,
  type StartProblem,
  type StartUnderWay,
  type Ticket,
  type WhereOf,
} from './output-state';
import { type DeviceLocation, isNamed, keyOf, locationOf, Outputs } from './outputs';
import {
  type ActionReceipt,
  type AlertReport,
  isAcknowledgement,
  newRun,
  type ReportedReceipt,
  Reports,
} from './reports';

const maxPeople = 500;

export interface WantedOutput {
  readonly deviceId: string;
  /** Name of an alert that claims an output of the device; absent if `pending` is set. */
  readonly alert?: string;
  readonly pending?: { readonly operation: string; readonly by: string };
}

/** Times of an alert on the monotonic clock, in milliseconds; undefined for never. */
interface AlertTimes {
  /** When Node-RED clears the alert by itself. */
  readonly endsAt?: number | undefined;
  /** By when a person must acknowledge the alert. */
  readonly acknowledgeAt?: number | undefined;
  /** When the start that was requested last was requested; undefined for starts of earlier processes. */
  readonly askedAt?: number | undefined;
  /** When the alert was cleared; undefined for clears of earlier processes. */
  readonly clearedAt?: number | undefined;
}

/**
 * A state machine that decides which alerts are on, which alert owns each device output, and which commands
 * are pending (docs/contract.md 2.6). The engine returns requests and receives their results, but sends
 * nothing itself. Its state is in the journal: the caller stores all changes of a turn of the event loop in one batch.
 */
export class Engine {
  readonly #alerts: WriteBehindMap<Alert>;
  /** The alerts that are not idle. */
  readonly alerts: ReadonlyMap<string, Alert>;
  readonly #outputs: Outputs;
  readonly #reports: Reports;
  #number = 0;
  #order = 0;
  readonly #times = new Map<string, AlertTimes>();
  /** The outputs at which a command is pending and no request is under way. */
  readonly #pending = new Set<OutputState>();
  /** The outputs where a device is going to end something by itself. */
  readonly #ending = new Set<OutputState>();
  /** For each output, the time at which the device ends what other nodes started there, in epoch milliseconds. */
  readonly #othersUntil = new Map<string, number>();
  /** The states that were calculated since the last change. */
  readonly #states = new Map<string, ReturnType<typeof stateOf>>();
  /** The alerts that had been cleared before the process started, and had nothing pending then. */
  #endedByRestart: readonly string[];
  #whereOf: WhereOf = () => undefined;

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'monotonic' | 'random'>,
    private readonly journal: SharedJournal,
  ) {
    this.#alerts = new WriteBehindMap(journal, 'alert/is/', isAlert);
    this.alerts = this.#alerts;
    this.#reports = new Reports(journal);
    this.#outputs = new Outputs(journal, (id) => this.#forgetIfDone(id));
    const known = [...this.alerts.values()];
    this.#order = Math.max(this.#reports.lastOrder, ...known.map(({ order }) => order));
    for (const { id, isOn, ends, acknowledgeBy } of known) {
      if (isOn)
        this.#setTimes(id, { endsAt: this.#againAt(ends), acknowledgeAt: this.#againAt(acknowledgeBy) });
    }
    for (const { output, start } of this.#outputs.interrupted) this.#recordAborted(output, start);
    for (const output of this.#outputs.all()) this.#takeUp(output);
    for (const { id } of known) this.#forgetIfDone(id);
    this.#endedByRestart = known.flatMap(({ id }) => (this.alerts.has(id) ? [] : [id]));
  }

  takeEnded(): readonly string[] {
    const ended = this.#endedByRestart;
    this.#endedByRestart = [];
    return ended;
  }

  /** Gives all changes since the last call to the journal. */
  store(): void {
    const changes: JournalChange[] = [
      ...this.#alerts.takeChanges(),
      ...this.#outputs.takeChanges(),
      ...this.#reports.takeChanges(),
    ];
    for (const [key, record] of changes)
      void (record === undefined ? this.journal.delete(key) : this.journal.put(key, record as Json));
  }

  /**
   * Returns the alert if the alert is on and not a drill; undefined otherwise. A drill neither starts nor
   * ends the actions of such an alert.
   */
  inEarnest(alertId: string): Alert | undefined {
    const alert = this.alerts.get(alertId);
    return alert?.isOn && !alert.drill ? alert : undefined;
  }

  /**
   * Starts an alert, or updates an active alert. Returns the answer for each action. The request of each ticket counts
   * as under way from then on.
   */
  start(startRequest: StartRequest, actions: readonly DeviceAction[]): Answer[] {
    const earnest = startRequest.drill ? this.inEarnest(startRequest.id) : undefined;
    if (earnest) return actions.map(() => ({ heldBy: earnest }));
    const alert = this.#begin(startRequest, actions);
    const wanted = new Set<OutputState>();
    const answers = actions.map((deviceAction) => {
      const output = this.#outputs.at(deviceAction);
      const answer = this.#want(alert, output, deviceAction);
      wanted.add(output);
      this.#settle(output);
      return answer;
    });
    // The alert might have a lower priority than before, so other alerts might now own outputs that this
    // start does not use.
    for (const output of this.#outputs.of(alert.id)) if (!wanted.has(output)) this.#settle(output);
    return answers;
  }

  #begin(startRequest: StartRequest, actions: readonly DeviceAction[]): Alert {
    const { endAfterMs, asked, by, acknowledgeWithinMs, ...rest } = startRequest;
    const known = this.alerts.get(rest.id);
    const before = known?.isOn ? known : undefined;
    const [now, monotonic] = [this.clock.now(), this.clock.monotonic()];
    this.#order += 1;
    const askedAt = asked?.at ?? monotonic;
    // The jobs of a centre can arrive late. If a start that was requested later is already known, the time of
    // that request is kept.
    const later = this.isStartedAfter(rest.id, { ...asked, at: askedAt }) ? known?.asked : undefined;
    const failures = before?.failures && leftOf(before.failures, rest.targets, actions);
    if (known && !before) this.#reports.close(this.#openReport(known), null, new Date(now).toISOString());
    const person = before ? before.by : by;
    const acknowledgeBy = before ? before.acknowledgeBy : planned(now, acknowledgeWithinMs);
    const ends = planned(now, endAfterMs);
    const alert: Alert = {
      ...rest,
      asked: later ?? { ...asked, at: now - (monotonic - askedAt) },
      targets: [...new Set([...(before?.targets ?? []), ...rest.targets])],
      since: before?.since ?? new Date(now).toISOString(),
      order: this.#order,
      isOn: true,
      maxParallel: Math.min(before?.maxParallel ?? rest.maxParallel, rest.maxParallel),
      ...(ends && { ends }),
      ...(failures?.length && { failures }),
      run: before ? before.run : newRun(this.#order, now),
      ...(person !== undefined && { by: person }),
      ...(before?.acknowledged && { acknowledged: before.acknowledged }),
      ...(acknowledgeBy && { acknowledgeBy }),
      ...(before && { updates: (before.updates ?? 0) + 1 }),
    };
    this.#put(alert);
    const within = (ms: number | undefined) => (ms === undefined ? undefined : monotonic + ms);
    this.#setTimes(alert.id, {
      endsAt: within(endAfterMs),
      clearedAt: undefined,
      ...(!before && { acknowledgeAt: within(acknowledgeWithinMs) }),
      ...(!later && { askedAt }),
    });
    return alert;
  }

  /**
   * Records a start for which no request can be sent. If the alert is on, only its targets, its number of
   * updates and its report change; otherwise, the alert gets a closed report.
   */
  refuse(startRequest: StartRequest, receipts: readonly ActionReceipt[]): void {
    const { id, name, priority, drill, targets, clearsAtRestart, maxParallel, by } = startRequest;
    if (drill && this.inEarnest(id)) return;
    const known = this.alerts.get(id);
    if (known?.isOn) {
      const all = [...new Set([...known.targets, ...targets])];
      const alert = { ...known, targets: all, updates: (known.updates ?? 0) + 1 };
      this.#put(alert);
      for (const receipt of receipts) this.#reports.record(alert, receipt);
      return;
    }
    this.#order += 1;
    const now = this.clock.now();
    const since = new Date(now).toISOString();
    const run = newRun(this.#order, now);
    const about = { id, name, priority, drill, since, targets, clearsAtRestart, maxParallel, run };
    const alert = { ...about, asked: { at: now }, order: this.#order, isOn: false, ...(by && { by }) };
    this.#reports.refuse(alert, receipts, since);
  }

  /**
   * Records a failed action for which the alert has no claim to a device output. If the alert is not on, only
   * the report of the alert changes.
   */
  recordFailed(alertId: string, receipt: ActionReceipt, run: string | undefined): void {
    const alert = this.alerts.get(alertId);
    if (alert && alert.run === run) this.#reports.record(alert, receipt);
    this.#addFailure(alertId, receipt.target, receipt.operation);
  }

  #addFailure(alertId: string, device: Named, what: string): void {
    const alert = this.alerts.get(alertId);
    if (!alert?.isOn) return;
    const isSame = (one: FailedAction) => one.what === what && locationOf(one.device) === locationOf(device);
    const others = alert.failures?.filter((one) => !isSame(one)) ?? [];
    this.#put({ ...alert, failures: [...others, { device, what }] });
  }

  setRetry(alertId: string, retryAlert: RetryAlert): void {
    const alert = this.alerts.get(alertId);
    if (!alert?.isOn || (alert.retryAlert ?? false) === retryAlert) return;
    this.#put({ ...alert, retryAlert });
    for (const output of this.#outputs.of(alertId)) {
      this.#dropFailed(output, alertId);
      this.#settle(output);
    }
  }

  /**
   * Whether the alert is on and a start of the alert was requested after the given request. Requests of one
   * centre are compared by number, other requests by time.
   */
  isStartedAfter(alertId: string, { at, centre, seq }: MonotonicRequestTime): boolean {
    const alert = this.alerts.get(alertId);
    if (!alert?.isOn) return false;
    const { asked } = alert;
    if (asked.centre !== undefined && asked.centre === centre && asked.seq !== undefined && seq !== undefined)
      return asked.seq > seq;
    const { askedAt = this.clock.monotonic() - (this.clock.now() - asked.at) } =
      this.#times.get(alertId) ?? {};
    return askedAt > at;
  }

  /**
   * Clears an alert. If the alert is already cleared, returns requests for its pending commands.
   * @param isDrill if true, a real alert is not cleared
   * @param by the person who has sent the message of the clear; undefined if unknown
   * @returns the requests to send now: by device, at each device in reverse order of the actions; failed requests
   * stay pending
   */
  clear(alertId: string, isDrill = false, by?: string): Ticket[][] {
    if (isDrill && this.inEarnest(alertId)) return [];
    const alert = this.alerts.get(alertId);
    if (!alert?.isOn) {
      const pending = this.#outputs.of(alertId).filter((output) => this.#pending.has(output));
      return reversed(pending, ({ on }) => on?.number).map((outputs) => this.#ask(outputs));
    }
    const { acknowledgeBy: _, ...rest } = alert;
    const clearedAt = new Date(this.clock.now()).toISOString();
    this.#put({ ...rest, isOn: false, clearedAt, ...(by !== undefined && { clearedBy: by }) });
    this.#setTimes(alertId, {
      endsAt: undefined,
      acknowledgeAt: undefined,
      clearedAt: this.clock.monotonic(),
    });
    const devices = reversed(this.#outputs.of(alertId), ({ claims }) => claims.get(alertId)?.order);
    const tickets = devices.map((outputs) =>
      outputs.flatMap((output) => {
        output.claims.delete(alertId);
        output.forgetUnclaimed();
        const ended = this.#end(output, alertId);
        this.#settle(output);
        return ended;
      }),
    );
    this.#forgetIfDone(alertId);
    return tickets.filter(({ length }) => length > 0);
  }

  /**
   * Records an acknowledgement. A further acknowledgement of the same person replaces the answer, but not the
   * time.
   * @returns the reason of a refusal; undefined if the acknowledgement is recorded
   */
  acknowledge(alertId: string, { by, at, answer }: Acknowledgement): AcknowledgementProblem | undefined {
    const alert = this.alerts.get(alertId);
    if (!alert?.isOn) return alert ? 'clearing' : 'idle';
    const { acknowledged: before = [], acknowledgeBy: _, ...rest } = alert;
    const known = before.find((one) => one.by === by);
    if (!known && before.length >= maxPeople) return 'full';
    const noted = { by, at: known?.at ?? at, ...(answer !== undefined && { answer }) };
    const acknowledged = known ? before.map((one) => (one === known ? noted : one)) : [...before, noted];
    this.#put({ ...rest, acknowledged });
    this.#setTimes(alertId, { acknowledgeAt: undefined });
    return undefined;
  }

  /**
   * Returns the alerts that no person has acknowledged in time, and stops waiting for their acknowledgements.
   */
  unacknowledged(): string[] {
    const now = this.clock.monotonic();
    const ids = [...this.#times].flatMap(([id, { acknowledgeAt }]) =>
      isDue(acknowledgeAt, now) ? [id] : [],
    );
    for (const id of ids) {
      this.#setTimes(id, { acknowledgeAt: undefined });
      const alert = this.alerts.get(id);
      if (!alert) continue;
      const { acknowledgeBy: _, ...rest } = alert;
      this.#put(rest);
    }
    return ids;
  }

  reports(alertId: string): AlertReport[] {
    const alert = this.alerts.get(alertId);
    return this.#reports.of(alertId, alert && this.#openReport(alert));
  }

  newestReport(alertId: string): AlertReport | undefined {
    const alert = this.alerts.get(alertId);
    return this.#reports.newestOf(alertId, alert && this.#openReport(alert));
  }

  lastReport(alertId: string): AlertReport | undefined {
    return this.#reports.lastOf(alertId);
  }

  isCurrent({ alert: id, run }: Pick<Ticket, 'alert' | 'run'>): boolean {
    const alert = this.alerts.get(id);
    return alert?.isOn === true && run === alert.run;
  }

  /**
   * Handles the result of a request. Has no effect if the request is no longer under way.
   * @param receipt the receipt for the report of the alert; ignored for a stop
   */
  answered(ticket: Ticket, result: SendResult, receipt?: ReportedReceipt): void {
    const { output, kind, alert: id } = ticket;
    if (!output.underWay.delete(ticket)) return;
    const alert = this.alerts.get(id);
    if (alert && receipt && kind !== 'end' && ticket.run === alert.run) {
      const latencyMs = ticket.isFirst ? receipt.latencyMs : undefined;
      this.#reports.record(alert, { ...receipt, latencyMs, ...placeOf(ticket, output) });
    }
    if (kind === 'end') this.#ended(ticket, result);
    else this.#started(ticket, result);
    this.#settle(output);
    if (output.isMoveDue) this.relocate(this.#whereOf, [output]);
  }

  /** Records in the report that the process ended before a start had an answer. */
  #recordAborted(output: OutputState, start: StartUnderWay): void {
    const alert = this.alerts.get(start.alert);
    if (!alert || start.run !== alert.run) return;
    const { device } = start;
    const reason = 'Node-RED ended before the device answered';
    const message = `${reason}: ${start.action.operation} at "${device.name}"; the action might have been started`;
    const receipt = { device: device.name, outcome: 'unknown', code: 'ABORTED', reason, message } as const;
    this.#reports.record(alert, { ...placeOf(start, output), ...receipt });
  }

  holderOf(device: DeviceLocation, deviceOutput: string): Alert | undefined {
    return this.#outputs.find(device, deviceOutput)?.owner(this.alerts);
  }

  /**
   * Returns the real alert that owns an output, unless its action there has ended. Without an output, returns
   * a real alert that uses the device.
   */
  realOwnerOf(device: DeviceLocation, deviceOutput: string | undefined): Alert | undefined {
    const outputs =
      deviceOutput === undefined
        ? this.#outputs.atDevice(device)
        : [this.#outputs.find(device, deviceOutput)].flatMap((output) => output ?? []);
    for (const output of outputs) {
      const owner = output.dryRun ? undefined : output.owner(this.alerts);
      if (owner && !owner.drill && !output.claims.get(owner.id)?.isLeft) return owner;
    }
    return undefined;
  }

  /** Whether alerts have actions at an output that have not ended. */
  isUsed(device: DeviceLocation, deviceOutput: string): boolean {
    const output = this.#outputs.find(device, deviceOutput);
    return output !== undefined && (!!output.on || [...output.claims.values()].some(({ isLeft }) => !isLeft));
  }

  /**
   * Detaches an output from its alerts after other code has stopped the output, or has started a lasting
   * operation at the output. Has no effect if the start of an alert is under way, since this start comes
   * after the start of the other code.
   */
  replaced(device: DeviceLocation, deviceOutput: string, isStop: boolean): void {
    const output = this.#outputs.find(device, deviceOutput);
    if (output && (isStop || !output.isStarting)) this.#leave(output);
  }

  /**
   * Records the time at which a device ends by itself what another node has started.
   * @param until time in epoch milliseconds
   */
  othersEndAt(device: DeviceLocation, deviceOutput: string, until: number): void {
    const key = keyOf(device, deviceOutput);
    this.#othersUntil.set(key, Math.max(until, this.#othersUntil.get(key) ?? until));
    const output = this.#outputs.find(device, deviceOutput);
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
    const output = this.#outputs.find(device, deviceOutput);
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
    for (const output of this.#outputs.atDevice(device)) this.#doubt(output, 'away');
  }

  /** The devices of the real alerts that retry their actions, under the names of the starts. */
  *watched(): Generator<Named> {
    for (const output of this.#outputs.all()) {
      const owner = output.dryRun ? undefined : output.owner(this.alerts);
      if (!owner || owner.drill || (owner.retryAlert ?? false) === false) continue;
      yield output.under(output.claims.get(owner.id)?.device ?? output.device);
    }
  }

  /**
   * Moves outputs to the current locations of their devices: after a deploy, and after a request that kept an
   * output at the old location.
   */
  relocate(whereOf: WhereOf, outputs = this.#outputs.all()): void {
    this.#whereOf = whereOf;
    for (const output of this.#outputs.move(whereOf, outputs)) this.#settle(output);
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
    return [...this.#times].flatMap(([id, { endsAt }]) => (isDue(endsAt, now) ? [id] : []));
  }

  /**
   * Returns the stops to send before the flows stop: pending stops, and stops of outputs whose alerts
   * Node-RED would all clear within `ms` milliseconds.
   * @param isMeant whether to stop an output; other outputs stay on
   */
  endSoon(ms: number, isMeant: (output: OutputState) => boolean): Ticket[] {
    const soon = this.overdue(this.clock.monotonic() + ms);
    const outputs = soon.flatMap((id) =>
      reversed(this.#outputs.of(id), ({ claims }) => claims.get(id)?.order),
    );
    const pending = [...this.#pending].filter((output) => isStop(output.step(this.alerts)));
    const over = [...new Set(outputs.flat())].filter(
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
    return this.#outputs.all().flatMap((output) => {
      const step = output.dryRun ? undefined : output.step(this.alerts);
      return step && isStop(step) ? [step] : [];
    });
  }

  /** @param max maximum number of device outputs; the others stay due */
  due(max = Number.POSITIVE_INFINITY): Ticket[] {
    const [now, wall] = [this.clock.monotonic(), this.clock.now()];
    for (const output of this.#ending) {
      // A start under way might have come before the end or after it, so it is sent again after its answer.
      if (output.underWay.size > 0 || output.othersUntil === undefined || output.othersUntil > wall) continue;
      output.othersUntil = undefined;
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
    for (const { endsAt = next, acknowledgeAt = next } of this.#times.values())
      next = Math.min(next, endsAt, acknowledgeAt);
    const now = this.clock.now();
    let ends = Number.POSITIVE_INFINITY;
    for (const { on, othersUntil = ends, underWay } of this.#ending) {
      if (on?.until !== undefined && on.until > now) ends = Math.min(ends, on.until);
      if (underWay.size === 0) ends = Math.min(ends, othersUntil);
    }
    return Math.min(next, this.clock.monotonic() + (ends - now));
  }

  /** Returns the state of an alert that is not idle. The caller must not change the state. */
  state(alertId: string): AlertState | undefined {
    const alert = this.alerts.get(alertId);
    if (!alert) return undefined;
    const now = this.clock.now();
    let known = this.#states.get(alertId);
    if (!known || known.until <= now) {
      known = stateOf(alert, this.#outputs.of(alertId), this.alerts, now);
      this.#states.set(alertId, known);
    }
    return known.state;
  }

  *wanted(): Generator<WantedOutput> {
    const nameOf = (id: string) => this.alerts.get(id)?.name || id;
    for (const output of this.#outputs.all()) {
      if (output.dryRun) continue;
      const step = output.step(this.alerts);
      const operation = isStop(step) ? step?.action.end?.operation : step?.action.operation;
      for (const [id, { device }] of output.claims) yield { deviceId: device.id, alert: nameOf(id) };
      if (step && operation !== undefined)
        yield { deviceId: step.device.id, pending: { operation, by: nameOf(step.alert) } };
    }
  }

  #put(alert: Alert): void {
    this.#alerts.set(alert.id, alert);
    this.#states.clear();
  }

  #setTimes(alertId: string, times: AlertTimes): void {
    this.#times.set(alertId, { ...this.#times.get(alertId), ...times });
  }

  #forgetIfDone(alertId: string): void {
    const alert = this.alerts.get(alertId);
    if (!alert || alert.isOn || this.#outputs.hasAny(alertId)) return;
    const { clearedAt: at } = this.#times.get(alertId) ?? {};
    const now = this.clock.now();
    const since = at === undefined ? now - Date.parse(alert.clearedAt ?? '') : this.clock.monotonic() - at;
    const clearMs = Number.isFinite(since) ? Math.max(0, Math.round(since)) : null;
    this.#alerts.delete(alertId);
    this.#times.delete(alertId);
    this.#states.clear();
    this.#reports.close({ alert, starting: [] }, clearMs, new Date(now).toISOString());
  }

  #openReport(alert: Alert): Parameters<Reports['close']>[0] {
    const tickets = this.#outputs.of(alert.id).flatMap(({ underWay }) => [...underWay]);
    const starts = tickets.filter(({ run, kind }) => run === alert.run && kind === 'start');
    const starting = starts.map(({ device: target, action: { operation }, index }) => ({
      target,
      operation,
      index,
    }));
    return { alert, starting };
  }

  #want(alert: Alert, output: OutputState, { action, device, index = 0 }: DeviceAction): Answer {
    this.#order += 1;
    // The result of an earlier start stays unknown until the new start has an answer.
    const problem = unlessFailed(output.claims.get(alert.id)?.problem);
    const claim = { action, device, order: this.#order, isHeld: false, ...(problem && { problem }) };
    output.claims.set(alert.id, claim);
    const othersUntil = this.#othersUntil.get(output.key) ?? 0;
    if (othersUntil > this.clock.now()) output.recordOthersUntil(othersUntil);
    const isFirst = alert.updates === undefined;
    const owner = output.owner(this.alerts);
    if (!owner || owner.id === alert.id)
      return {
        ticket: this.#issue(output, { alert: alert.id, action, device, kind: 'start', index, isFirst }),
      };
    claim.isHeld = true;
    const receipt = { device: device.name, outcome: 'skipped', isHeld: true } as const;
    this.#reports.record(alert, { ...placeOf({ action, device, index }, output), ...receipt });
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
    const step = output.step(this.alerts);
    const starting = starts.findLast(({ action }) => action.end);
    // A retry of another alert waits until the retry is due.
    const isAgain = step?.kind === 'again' || (step?.isBeforeStart && step.alert !== alertId);
    if (step?.kind === 'return' || !starting) return step && !isAgain ? [this.#issue(output, step)] : [];
    // The stop would also stop the action of the owner, which might be on.
    if (isAgain ? output.on?.alert === step.alert : output.owner(this.alerts)) return [];
    const { action, device } = starting;
    return [this.#issue(output, { alert: alertId, action, device, kind: 'end' })];
  }

  #ask(outputs: readonly OutputState[]): Ticket[] {
    return outputs.flatMap((output) => {
      const step = output.step(this.alerts);
      const ticket = step && this.#issue(output, step);
      this.#settle(output);
      return ticket ?? [];
    });
  }

  /** The caller settles the output. */
  #issue(output: OutputState, step: OutputStep): Ticket {
    this.#number += 1;
    const ticket = { ...step, output, number: this.#number, run: this.alerts.get(step.alert)?.run };
    const claim = step.kind === 'end' ? undefined : output.claims.get(step.alert);
    if (claim) Object.assign(claim, { isLeft: false, isHeld: false });
    output.underWay.add(ticket);
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
    if (result !== 'taken' && output.step(this.alerts)?.alert === alert) output.askLater(this.clock);
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

  #dropFailed(output: OutputState, alertId: string): void {
    const [alert, claim] = [this.alerts.get(alertId), output.claims.get(alertId)];
    if (!alert || !claim?.problem || !isFailure(claim.problem) || isTriedAgain(alert, claim)) return;
    if (!this.#drop(output, alertId)) return;
    this.#addFailure(alertId, output.under(claim.device), output.deviceOutput);
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
    else ticket.output.askLater(this.clock);
  }

  #recordStart(ticket: Ticket, isSure: boolean): void {
    const { number, alert, action, device, output } = ticket;
    const { alert: before = alert, until = 0 } = output.on ?? {};
    if (before !== alert && until > this.clock.now()) output.recordOthersUntil(until);
    output.recordStart({ number, alert, action, device, until: this.#untilOf(action) }, isSure);
  }

  #untilOf({ lastsMs }: AlertAction): number | undefined {
    return lastsMs === undefined ? undefined : this.clock.now() + lastsMs;
  }

  /** Called after each change of an output: decides whether a command is pending there, and stores the output. */
  #settle(output: OutputState): void {
    const { claims, othersUntil, on } = output;
    output.forgetUnclaimed();
    const isEnding = claims.size > 0 && (othersUntil !== undefined || on?.until !== undefined);
    setIn(this.#ending, output, isEnding);
    const isPending = output.step(this.alerts) !== undefined;
    if (!isPending) output.resetBackoff();
    setIn(this.#pending, output, isPending && output.underWay.size === 0);
    this.#states.clear();
    this.#outputs.record(output);
  }

  /** Takes up an output of an earlier process. */
  #takeUp(output: OutputState): void {
    for (const id of output.claims.keys()) if (!this.alerts.get(id)?.isOn) output.claims.delete(id);
    for (const { order } of output.claims.values()) this.#order = Math.max(this.#order, order);
    for (const { number } of output.starts) this.#number = Math.max(this.#number, number);
    output.starts = output.starts.map((start) => ({
      ...start,
      until: start.until ?? this.#untilOf(start.action),
    }));
    if (output.othersUntil !== undefined) this.#othersUntil.set(output.key, output.othersUntil);
    this.#settle(output);
  }

  /**
   * Converts a time of the journal, in epoch milliseconds, to the monotonic clock. The system clock might
   * have been set, so the result is at least now and at most `afterMs` from now.
   */
  #againAt(plan: Alert['ends']): number | undefined {
    if (!plan) return undefined;
    return this.clock.monotonic() + Math.max(0, Math.min(plan.afterMs, plan.at - this.clock.now()));
  }
}

/** Returns the failed actions at devices that a start does not address. */
function leftOf(
  failures: readonly FailedAction[],
  targets: readonly string[],
  actions: readonly DeviceAction[],
): readonly FailedAction[] {
  const addressed = new Set(actions.map(({ device }) => locationOf(device)));
  return failures.filter(({ device }) => !targets.includes(device.id) && !addressed.has(locationOf(device)));
}

function planned(now: number, afterMs: number | undefined): Alert['ends'] {
  return afterMs === undefined ? undefined : { at: now + afterMs, afterMs };
}

function isDue(at: number | undefined, now: number): boolean {
  return at !== undefined && at <= now;
}

function isStop(step: OutputStep | undefined): boolean {
  return step?.kind === 'end' && !step.isBeforeStart;
}

function setIn<T>(set: Set<T>, entry: T, isIn: boolean): void {
  if (isIn) set.add(entry);
  else set.delete(entry);
}

function unlessFailed(problem: StartProblem | undefined): StartProblem | undefined {
  return problem && !isFailure(problem) ? problem : undefined;
}

/** The place of an action in a report. A retry can use another name of the device, but has the same location. */
function placeOf(
  { action, device, index }: Pick<Ticket, 'action' | 'device' | 'index'>,
  output: OutputState,
): Pick<ActionReceipt, 'target' | 'operation' | 'index' | 'deviceOutput'> {
  const { deviceOutput } = output;
  return { target: output.under(device), operation: action.operation, index, deviceOutput };
}

/** Returns the outputs by device, and for each device in descending order. */
function reversed(
  outputs: readonly OutputState[],
  orderOf: (output: OutputState) => number | undefined,
): OutputState[][] {
  const order = (output: OutputState) => orderOf(output) ?? 0;
  const devices = new Map<string, OutputState[]>();
  for (const output of [...outputs].sort((a, b) => order(a) - order(b))) {
    const where = locationOf(output.device);
    devices.set(where, [output, ...(devices.get(where) ?? [])]);
  }
  return [...devices.values()];
}

const plan = open({ at: number(), afterMs: number() });
const isAlert = open(
  {
    ...{ id: text(), name: text(), since: text(), run: text(), priority: number(), order: count },
    ...{ drill: flag, isOn: flag, clearsAtRestart: flag, targets: list(text()) },
    ...{ maxParallel: count, asked: open({ at: number() }, { centre: text(), seq: count }) },
  },
  {
    ...{ by: text(), clearedBy: text(), clearedAt: text(), acknowledged: list(isAcknowledgement) },
    ...{ acknowledgeBy: plan, ends: plan, updates: count, retryAlert: oneOf(true, false, 'all') },
    failures: list(open({ device: isNamed, what: text() })),
  },
) as Shape<unknown> as Shape<Alert>;
