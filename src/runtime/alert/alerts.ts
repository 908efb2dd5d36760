import type { NodeAPI } from 'node-red';
import { alertActions } from '../../catalogue/alert-actions';
import { nameOf } from '../../catalogue/operation-name';
import { DeviceError, describeFault } from '../../client/errors';
import type { SharedJournal } from '../../kernel/journal/journal';
import { backgroundClock } from '../../kernel/time/clock';
import { DeadlineTimer } from '../../kernel/time/deadline-timer';
import { Slices } from '../../kernel/time/slices';
import { Throttle } from '../../kernel/time/throttle';
import { onContact } from '../device/device';
import { about } from '../device/record';
import { deviceById, foundAgain } from '../device/registry';
import { isStoppedForGood, onStopForGood, soonMs, stopsAll, warnOfUnsent } from '../flows-stopped';
import { journalOf } from '../journal/shared-journal';
import { type OperationEvent, onOperation, publish, registerRealAlerts } from '../message/bus';
import { isOpening, sendLastStops } from '../message/opening-starts';
import { type Receipt, succeeded } from '../message/receipt';
import { PerNodeRed } from '../per-node-red';
import type { Alert, AlertState, RetryAlert, StartRequest } from './alert';
import type { AlertStart, StartPart } from './alert-start';
import { Engine } from './engine';
import type { Answer, OutputState, Ticket } from './output-state';
import { type DeviceLocation, locationOf } from './outputs';
import { Presence, type WatchedDevice } from './presence';
import type { AlertReport } from './reports';
import {
  type AlertIdentity,
  AlertSender,
  type AlertSendOptions,
  alertType,
  atLeastTogether,
  idOf,
  limiterFor,
  reportedOf,
  resultOf,
  type TakenRequest,
} from './send';

/**
 * Maximum number of device outputs that are stored, or at which pending commands are sent, in one turn of the event
 * loop.
 */
const maxPerTurn = 100;

/** Minimum time between two calls of `onChange`, in milliseconds, since the state of an alert can be large. */
const lookPauseMs = 100;

export interface AlertView {
  readonly id: string;
  readonly state: AlertState;
  readonly targets: number;
  readonly report: AlertReport | undefined;
}

interface AlertListener {
  state(): AlertState;
  /** Called after possible changes of any alert. */
  onChange(): void;
  /** Called after a retried start has succeeded while the alert is still in the same run. */
  onReached(receipt: Receipt): void;
  /**
   * Called after a restart of Node-RED if the alert was being cleared before the restart, and nothing is
   * pending any more.
   */
  onEnded(): void;
  onUnacknowledged(): void;
}

const alerts = new PerNodeRed((RED) => new Alerts(RED, journalOf(RED)));

export function alertsOf(RED: NodeAPI): Alerts {
  return alerts.of(RED);
}

export function knownAlerts(RED: NodeAPI): Alerts | undefined {
  return alerts.existing(RED);
}

/**
 * Runs the alert engine: stores each change of its state, sends its requests, and passes their results back.
 */
export class Alerts {
  /** Only to ask: all changes go through `change`. */
  readonly engine: Engine;
  readonly #nodes = new Map<string, AlertListener>();
  readonly #timer = new DeadlineTimer(() => this.#guard(() => this.#onTimer()), backgroundClock);
  readonly #look = new Throttle(() => this.#tellNodes(), lookPauseMs, backgroundClock);
  #isRunning = false;
  #hasStarted = false;
  /** Whether a change waits for the end of this turn of the event loop. */
  #isChanged = false;
  #written: Promise<unknown> = Promise.resolve();
  readonly #closings = new Set<Promise<unknown>>();
  /**
   * Returns the length of a tone in milliseconds, if known. Announcements, which read the lengths, replace this
   * function.
   * @param key location of the device
   */
  lengthOfTone: (key: string, tone: string) => number | undefined = () => undefined;
  readonly #presence = new Presence(
    backgroundClock,
    () => this.engine.watched(),
    (device) => this.#askFor(device),
    (where) => this.#guard(() => this.change((engine) => engine.returned({ id: where, where }))),
  );

  constructor(
    private readonly RED: NodeAPI,
    private readonly journal: SharedJournal,
  ) {
    this.engine = new Engine(backgroundClock, journal);
    void journal.batch(() => this.engine.store());
    RED.events.on('flows:started', () => this.#guard(() => this.#run()));
    onStopForGood(RED, () => sendLastStops(RED, (isStarting) => this.#leave(isStarting)));
    RED.events.on('flows:stopped', (stop) => {
      if (!stopsAll(stop)) return;
      this.#stop();
      if (isStoppedForGood(RED)) this.#guard(() => this.#warnOfUnsent());
    });
    onOperation((happened) => this.#guard(() => this.#recordOthers(happened)));
    onContact((where, contact) => this.#presence.contact(where, contact));
    registerRealAlerts({
      ownerOf: (device, deviceOutput) => {
        const owner = this.engine.realOwnerOf(device, deviceOutput);
        return owner && (owner.name || owner.id);
      },
      keepsOn: (...stop) => this.change((engine) => engine.keepsOn(...stop)),
    });
  }

  /**
   * @param retryAlert the actions that the alert retries from now on
   * @returns a function that disconnects the node
   */
  attach(id: string, listener: AlertListener, retryAlert: RetryAlert): () => void {
    this.#nodes.set(id, listener);
    this.change((engine) => engine.setRetry(id, retryAlert));
    return () => this.#nodes.delete(id);
  }

  *views(): Generator<AlertView> {
    for (const [id, listener] of this.#nodes)
      yield { id, state: listener.state(), targets: this.reachOf(id), report: this.engine.newestReport(id) };
  }

  reachOf(id: string): number {
    return this.engine.alerts.get(id)?.targets.length ?? 0;
  }

  holderOf(device: DeviceLocation, deviceOutput: string): Alert | undefined {
    return this.engine.holderOf(device, deviceOutput);
  }

  /**
   * Makes one change of the engine. All changes of a turn of the event loop are stored together after the turn: after a
   * crash, the journal has either all of them or none.
   */
  change<T>(make: (engine: Engine) => T): T {
    if (!this.#isChanged) {
      this.#isChanged = true;
      this.#written = new Promise((resolve) => {
        setImmediate(() => resolve(this.#store()));
      });
    }
    return make(this.engine);
  }

  /** Resolves when the journal has stored all changes until now, or has failed to do so. */
  get written(): Promise<unknown> {
    return this.#written;
  }

  /**
   * Starts an alert, and sends its requests in slices when the journal has the start. A drill of an alert that is on in
   * earnest changes nothing. A start without any action that can be sent changes only the reports, and the targets of an
   * alert that is on.
   * @param starting has its queue entries, and has read its parameters
   * @returns whether the start has taken effect, and its receipts
   */
  start(
    request: StartRequest,
    { parts }: AlertStart,
  ): { readonly hasBegun: boolean; readonly receipts: Promise<readonly Receipt[]> } {
    const earnest = request.drill ? this.engine.inEarnest(request.id) : undefined;
    if (earnest) {
      const receipts = parts.map((part) => this.#hold(part, earnest));
      return { hasBegun: false, receipts: Promise.resolve(receipts) };
    }
    const actions = parts.flatMap(({ deviceAction }) => deviceAction ?? []);
    const hasBegun = actions.length > 0;
    const answers = hasBegun ? this.change((engine) => engine.start(request, actions)) : [];
    return { hasBegun, receipts: this.#sendStart(request, parts, answers) };
  }

  /** @param answers the answers for the parts with a device action; empty if the start has changed nothing */
  async #sendStart(
    request: StartRequest,
    parts: readonly StartPart[],
    answers: readonly Answer[],
  ): Promise<readonly Receipt[]> {
    const run = answers.length > 0 ? this.engine.alerts.get(request.id)?.run : undefined;
    if (run !== undefined) await this.written;
    const left = answers.values();
    const sending: Promise<Receipt>[] = [];
    const slices = new Slices();
    for (const part of parts) {
      if (slices.isOverAt(atLeastTogether)) await slices.next();
      sending.push(this.#sendPart(part, part.deviceAction && left.next().value, run));
    }
    const receipts = await Promise.all(sending);
    if (run === undefined) {
      const reported = receipts.map((receipt, index) => (parts[index] as StartPart).reported(receipt));
      this.change((engine) => engine.refuse(request, reported));
    }
    // After the caller has the receipts, a restart must not send the starts again.
    await this.written;
    return receipts;
  }

  async #sendPart(part: StartPart, answer: Answer | undefined, run: string | undefined): Promise<Receipt> {
    if (answer?.heldBy) return this.#hold(part, answer.heldBy);
    const receipt = await part.send();
    if (answer) {
      this.#answered(answer.ticket, receipt, part.isLeftToOthers(receipt) ? 'skipped' : undefined);
      return receipt;
    }
    // The device is unknown or the parameters are invalid: there is no `OutputState` that could record the failure.
    if (run !== undefined && (receipt.outcome === 'failed' || receipt.outcome === 'expired'))
      this.change((engine) => engine.recordFailed(part.alert.id, part.reported(receipt), run));
    this.#publish(receipt, part.alert);
    return receipt;
  }

  #hold(part: StartPart, by: Alert): Receipt {
    const receipt = part.hold(by);
    this.#publish(receipt, part.alert);
    return receipt;
  }

  /**
   * Sends each request once, in slices; failed requests are retried later. All requests take their queue entries
   * immediately, so that a later start comes after these requests.
   * @param isDrill if true, a real alert is not cleared
   * @returns a promise that resolves to the receipts of the first attempts
   */
  async clear(
    id: string,
    { isDrill, ...options }: Pick<AlertSendOptions, 'track' | 'by'> & { isDrill?: boolean },
  ): Promise<Receipt[]> {
    const { maxParallel } = this.engine.alerts.get(id) ?? {};
    const devices = this.change((engine) => engine.clear(id, isDrill, options.by));
    const sender = new AlertSender({ ...options, limiter: limiterFor(devices, [maxParallel]) });
    const taken = devices.map((tickets) =>
      tickets.map((ticket) => ({ ticket, request: sender.take(ticket, this.#named(ticket.alert)) })),
    );
    const sending: Promise<Receipt>[] = [];
    const slices = new Slices();
    for (const device of taken) {
      if (sending.length >= atLeastTogether && slices.isOver) await slices.next();
      sending.push(...this.#sendInOrder(device));
    }
    const receipts = await Promise.all(sending);
    // After the caller has the receipts, a crash must not turn the alert on again.
    await this.written;
    return receipts;
  }

  /**
   * Sends requests to one device in order: each request waits for the result of the previous request, but not
   * longer than `patienceMs` after the call.
   */
  #sendInOrder(
    requests: readonly { readonly ticket: Ticket; readonly request: TakenRequest }[],
  ): Promise<Receipt>[] {
    const receipts: Promise<Receipt>[] = [];
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      if (requests.length > 1) cancel = backgroundClock.after(patienceMs, resolve);
    });
    for (const { ticket, request } of requests) {
      const before = receipts.at(-1);
      receipts.push(this.#send(ticket, request, before && Promise.race([before, late])));
    }
    void Promise.allSettled(receipts).then(cancel);
    return receipts;
  }

  #clearSoon(id: string): void {
    this.clear(id, {}).catch((fault: unknown) => this.#fault(fault));
  }

  #send(ticket: Ticket, request: TakenRequest, after?: Promise<unknown>): Promise<Receipt> {
    const sending = this.#sendOnce(ticket, request, after);
    if (ticket.kind === 'end' && opens(ticket.output)) {
      const closing = sending.catch(() => {}).finally(() => this.#closings.delete(closing));
      this.#closings.add(closing);
    }
    return sending;
  }

  async #sendOnce(ticket: Ticket, request: TakenRequest, after?: Promise<unknown>): Promise<Receipt> {
    // A return or a retry starts an action, so the journal stores the state before such a request is sent.
    const receipt = await request(ticket.kind === 'end' ? after : Promise.all([after, this.written]));
    this.#answered(ticket, receipt);
    return receipt;
  }

  /** Passes the receipt of a request to the engine, to the listeners and to the log. */
  #answered(ticket: Ticket, receipt: Receipt, result = resultOf(receipt, ticket)): void {
    const { output, kind, isBeforeStart } = ticket;
    const alert = this.#named(ticket.alert);
    const isStart = kind === 'start';
    const isFirst = output.retries.failures === 0;
    this.change((engine) => engine.answered(ticket, result, reportedOf(receipt)));
    this.#guard(() => {
      // Publishes the receipts of the first failure and of the success, but not of each failed retry.
      if (isStart || isFirst || succeeded(receipt)) this.#publish(receipt, alert);
      if (result === 'taken' && kind === 'again' && this.engine.isCurrent(ticket))
        this.#nodes.get(alert.id)?.onReached(receipt);
      // The node tells the failure of a start. An action that the model does not support is not retried, and nothing
      // is wrong.
      if (!isStart && isFirst && result !== 'taken' && result !== 'skipped')
        this.#warn(alert, failureOf(receipt, isBeforeStart ? 'before' : kind, output.retries.failures > 0));
      if (output.retries.isHopeless(backgroundClock) && !deviceById(idOf(ticket)))
        this.#giveUp(ticket, alert, receipt);
    });
  }

  #publish(receipt: Receipt, { id, name }: AlertIdentity): void {
    publish(receipt, { node: name || id, nodeId: id }, (fault) => this.#fault(fault));
  }

  #named(id: string): AlertIdentity {
    return this.engine.alerts.get(id) ?? { id, name: '', drill: false };
  }

  #giveUp({ output, device, kind }: Ticket, alert: AlertIdentity, receipt: Receipt): void {
    this.change((engine) => engine.surrender(output));
    const isAgain = kind !== 'end';
    const failure = failureOf(receipt, kind, true);
    const sentence = `${failure}; ${device.name} no longer exists: Node-RED stopped trying${isAgain ? '' : '; the output might still be on'}`;
    this.RED.log.error(`[${alertType}:${alert.name || alert.id}] ${sentence}`);
  }

  /**
   * Called after the flows have started. Enables the sending of pending requests. Clears each alert that has
   * no node, and at the first start of the flows each alert with `clearsAtRestart`, unless another process holds the
   * journal.
   */
  #run(): void {
    this.#isRunning = true;
    this.change((engine) => engine.relocate((id, where) => foundAgain({ id, where })?.where));
    // The alerts of another running process are cleared there, or by a message.
    const own = this.journal.isForeign ? [] : [...this.engine.alerts.values()];
    for (const alert of own) {
      if (!alert.isOn) continue;
      if (!this.#nodes.has(alert.id)) {
        this.#warn(
          alert,
          'its node no longer exists; the alert is cleared because no node can clear it later',
        );
        this.#clearSoon(alert.id);
      } else if (alert.clearsAtRestart && !this.#hasStarted) this.#clearSoon(alert.id);
    }
    this.#hasStarted = true;
    for (const id of this.engine.takeEnded()) this.#guard(() => this.#nodes.get(id)?.onEnded());
  }

  /**
   * Before the flows stop for good, stops doors, relays and 24 V outputs: outputs with a pending stop, and
   * outputs whose alerts Node-RED would all clear within `soonMs`. Returns a promise that resolves after all
   * attempts; undefined if there is nothing to stop.
   * @param isStarting whether to leave out outputs with a start under way
   */
  #leave(isStarting: boolean): Promise<unknown> | undefined {
    const isMeant = (output: OutputState) => opens(output) && !(isStarting && output.isStarting);
    this.#guard(() => this.#sendAll(this.change((engine) => engine.endSoon(soonMs, isMeant))));
    return this.#closings.size > 0 ? Promise.all(this.#closings) : undefined;
  }

  #warnOfUnsent(): void {
    const alerts = [...this.engine.alerts.values()];
    const clears = alerts.flatMap(({ isOn, ends, name, id }) =>
      isOn && ends ? [`the clear of ${name || id} (due ${new Date(ends.at).toISOString()})`] : [],
    );
    const ends = this.engine.pendingStops().map(({ alert, action, device }) => {
      const { name } = this.#named(alert);
      return `${action.end?.operation} at ${device.name} (${name || alert})`;
    });
    warnOfUnsent(this.RED, [...clears, ...ends]);
  }

  #stop(): void {
    this.#isRunning = false;
    this.#timer.clear();
    this.#presence.stop();
  }

  #recordOthers(happened: OperationEvent): void {
    const { device, deviceOutput, operation, parameters } = happened;
    const endsMs = this.#endsByItselfMs(happened);
    const lastsWith = alertActions.find((action) => action.operation === nameOf(operation))?.lastsWith;
    const lasts =
      operation.autoStop !== undefined && (lastsWith === undefined || parameters[lastsWith] === true);
    const record = (engine: Engine) => {
      if (endsMs !== undefined) engine.othersEndAt(device, deviceOutput, backgroundClock.now() + endsMs);
      if (operation.isStop || lasts) engine.replaced(device, deviceOutput, operation.isStop === true);
    };
    if (this.engine.isUsed(device, deviceOutput)) this.change(record);
    else record(this.engine);
  }

  /**
   * Returns the time after which the device ends by itself what another node has started, in milliseconds;
   * undefined if the device does not end it. A tone that ends counts only if it replaces the action of a real
   * alert. An uploaded sound counts in any case, since it begins late.
   */
  #endsByItselfMs({ device, deviceOutput, operation, parameters }: OperationEvent): number | undefined {
    if (operation.isStop) return undefined;
    const seconds = Number(parameters[operation.autoStop?.field ?? 'duration']);
    if (seconds > 0) return seconds * 1_000;
    if (deviceOutput !== 'tone' || parameters.loop === true) return undefined;
    if (operation.minTimeoutMs !== undefined) return operation.minTimeoutMs;
    if (!this.engine.realOwnerOf(device, deviceOutput)) return undefined;
    return this.lengthOfTone(locationOf(device), String(parameters.path)) ?? toneMs;
  }

  /** Asks a device for its identity, behind all messages. A device that does not answer this question is away. */
  #askFor({ id, where }: WatchedDevice): void {
    const device = foundAgain({ id, where });
    device?.call(about, {}, { reading: true, unwarned: true }).catch((error: unknown) => {
      if (error instanceof DeviceError && error.code === 'TIMEOUT')
        this.#guard(() => this.#presence.contact(where, 'unreachable'));
    });
  }

  /** Stores all changes of a turn of the event loop. */
  #store(): Promise<void> {
    this.#isChanged = false;
    const written = this.journal.batch(() => this.#guard(() => this.engine.store()));
    this.#guard(() => {
      if (!this.#isRunning) return;
      this.#timer.clear();
      this.#timer.set(this.engine.nextAt);
      this.#presence.handleChange();
    });
    this.#look.soon();
    return written;
  }

  #tellNodes(): void {
    for (const { onChange } of this.#nodes.values()) this.#guard(onChange);
  }

  #onTimer(): void {
    for (const id of this.engine.overdue()) this.#clearSoon(id);
    for (const id of this.change((engine) => engine.unacknowledged()))
      this.#guard(() => this.#nodes.get(id)?.onUnacknowledged());
    this.#sendAll(
      this.change((engine) => engine.due(maxPerTurn)),
      { isDue: true },
    );
  }

  #sendAll(tickets: readonly Ticket[], options: Pick<AlertSendOptions, 'isDue'> = {}): void {
    const limits = tickets.map(({ alert }) => this.engine.alerts.get(alert)?.maxParallel);
    const devices = new Set(tickets.map(({ output }) => locationOf(output.device)));
    const sender = new AlertSender({ ...options, limiter: limiterFor([...devices], limits) });
    for (const ticket of tickets) {
      const request = sender.take(ticket, this.#named(ticket.alert));
      this.#send(ticket, request).catch((fault: unknown) => this.#fault(fault));
    }
  }

  #warn({ id, name }: Pick<Alert, 'id' | 'name'>, sentence: string): void {
    this.RED.log.warn(`[${alertType}:${name || id}] ${sentence}`);
  }

  /** Runs a task and logs any exception, since an uncaught exception would end Node-RED. */
  #guard(task: () => void): void {
    try {
      task();
    } catch (fault) {
      this.#fault(fault);
    }
  }

  #fault(fault: unknown): void {
    this.RED.log.error(`[${alertType}] ${describeFault(fault)}`);
  }
}

function opens({ deviceOutput }: OutputState): boolean {
  return isOpening(deviceOutput);
}

/** Assumed length of a tone of unknown length, in milliseconds. */
const toneMs = 10_000;

const doings = {
  start: 'which starts,',
  end: 'which ends what the alert started,',
  before: 'which comes before the start,',
  return: 'which the alert starts again,',
  again: 'which is retried,',
};

function failureOf(
  { device, operation, error, note }: Receipt,
  kind: keyof typeof doings,
  isRetried: boolean,
): string {
  const words = error?.message ?? note ?? 'Dry run is on for the device';
  const result = isRetried ? 'has not succeeded; Node-RED retries until it does' : 'has failed';
  return `${operation} at ${device}, ${doings[kind]} ${result}: ${words}`;
}

/**
 * Maximum time for which the requests to one device wait for each other, in milliseconds. The time must be
 * shorter than the time for which a device's queue keeps the place of an announced entry.
 */
const patienceMs = 1_000;
