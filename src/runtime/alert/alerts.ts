import type { NodeAPI } from 'node-red';
import { alertActions } from '../../catalogue/alert-actions';
import { nameOf } from '../../catalogue/operation-name';
import { DeviceError, describeFault, wordsOf } from '../../client/errors';
import type { SharedJournal } from '../../kernel/journal/journal';
import { readEntries } from '../../kernel/journal/read-entries';
import { backgroundClock } from '../../time/clock';
import { DeadlineTimer } from '../../time/deadline-timer';
import { Slices } from '../../time/slices';
import { onContact } from '../device/contacts';
import { defaultMaxParallel } from '../device/group';
import { about } from '../device/record';
import { deviceById, foundAgain } from '../device/registry';
import { isStoppedForGood, onStopForGood, soonMs, stopsAll, warnOfUnsent } from '../flows-stopped';
import { journalOf } from '../journal/shared-journal';
import { type OperationEvent, onOperation, onSending, publish } from '../message/bus';
import { ConcurrencyLimiter } from '../message/concurrency-limiter';
import { isOpening, sendLastStops } from '../message/opening-starts';
import { registerRealAlerts } from '../message/real-alerts';
import { type Receipt, succeeded } from '../message/receipt';
import { PerNodeRed } from '../per-node-red';
import type {
  Acknowledgement,
  AcknowledgementProblem,
  Alert,
  AlertState,
  DeviceAction,
  MonotonicRequestTime,
  RetryAlert,
  SendResult,
  StartRequest,
} from './alert';
import { atLeastTogether } from './alert-start';
import { type DeviceLocation, entryIn, keyPrefix, locationOf, type Wanted } from './alert-store';
import { Engine } from './engine';
import type { Answer, OutputState, Ticket } from './output-state';
import { Presence } from './presence';
import type { Report } from './report';
import type { ActionReceipt } from './reports';
import {
  type AlertSendOptions,
  alertType,
  countedOf,
  idOf,
  type NamedAlert,
  resultOf,
  sendPending,
} from './send';

/** Maximum number of device outputs at which pending commands are sent in one turn of the event loop. */
const maxPerTurn = 100;

export interface AlertView {
  readonly id: string;
  readonly state: AlertState;
  readonly targets: number;
  readonly report: Report | undefined;
}

interface AlertListener {
  state(): AlertState;
  /** Called after each possible change of any alert, often several times in a row. */
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
 * Runs the alert engine: writes its state to the journal, sends its requests, and passes their results back.
 * The requests of `start` are sent by the caller of `start`.
 */
export class Alerts {
  readonly #engine: Engine;
  readonly #nodes = new Map<string, AlertListener>();
  readonly #timer = new DeadlineTimer(() => this.#guard(() => this.#onTimer()), backgroundClock);
  #isRunning = false;
  #hasStarted = false;
  #lastWrite: Promise<unknown> = Promise.resolve();
  readonly #closings = new Set<Promise<unknown>>();
  /**
   * Returns the length of a tone in milliseconds, if known. Announcements, which read the lengths, replace this
   * function.
   * @param key location of the device
   */
  lengthOfTone: (key: string, tone: string) => number | undefined = () => undefined;
  /** For each watched location, a name of the device. */
  #watched: ReadonlyMap<string, string> = new Map();
  readonly #presence = new Presence(
    backgroundClock,
    () => this.#watchedLocations(),
    (where) => this.#askFor(where),
    (where) => this.#guard(() => this.#returned(where)),
  );

  constructor(
    private readonly RED: NodeAPI,
    private readonly journal: SharedJournal,
  ) {
    this.#engine = new Engine(backgroundClock, readEntries(journal, keyPrefix, entryIn));
    RED.events.on('flows:started', () => this.#guard(() => this.#run()));
    onStopForGood(RED, () => sendLastStops(RED, (isStarting) => this.#leave(isStarting)));
    RED.events.on('flows:stopped', (stop) => {
      if (!stopsAll(stop)) return;
      this.#stop();
      if (isStoppedForGood(RED)) this.#guard(() => this.#warnOfUnsent());
    });
    onOperation((happened) => this.#guard(() => this.#recordOthers(happened)));
    onSending(({ operation, device: { where } }) => {
      if (where === undefined || !operation.options?.includes('waitUntilBack')) return undefined;
      return {
        end: (happened) => {
          if (happened) this.#presence.restarting(where);
          return undefined;
        },
      };
    });
    onContact((where, isAnswered) => this.#presence.contact(where, isAnswered));
    registerRealAlerts({
      ownerOf: (device, deviceOutput) => {
        const owner = this.#engine.realOwnerOf(device, deviceOutput);
        return owner && (owner.name || owner.id);
      },
      keepsOn: (device, deviceOutput, nodeId) => {
        const keeps = this.#engine.keepsOn(device, deviceOutput, nodeId);
        if (keeps === true) this.#settle();
        return keeps;
      },
    });
  }

  /**
   * @param retryAlert the actions that the alert retries from now on
   * @returns a function that disconnects the node
   */
  attach(id: string, listener: AlertListener, retryAlert: RetryAlert): () => void {
    this.#nodes.set(id, listener);
    this.#engine.setRetry(id, retryAlert);
    return () => this.#nodes.delete(id);
  }

  reachOf(id: string): number {
    return this.#engine.alerts.get(id)?.targets.length ?? 0;
  }

  state(id: string): AlertState | undefined {
    return this.#engine.state(id);
  }

  wanted(): Iterable<Wanted> {
    return this.#engine.wanted();
  }

  *views(): Generator<AlertView> {
    for (const [id, listener] of this.#nodes)
      yield {
        id,
        state: listener.state(),
        targets: this.reachOf(id),
        report: this.#engine.newestReport(id),
      };
  }

  holderOf(device: DeviceLocation, deviceOutput: string): Alert | undefined {
    return this.#engine.holderOf(device, deviceOutput);
  }

  isStartedAfter(id: string, asked: MonotonicRequestTime): boolean {
    return this.#engine.isStartedAfter(id, asked);
  }

  inEarnest(id: string): Alert | undefined {
    return this.#engine.inEarnest(id);
  }

  /**
   * The caller must await `written` before sending, so that a crash does not lose the start.
   * @returns for each action, the request to send or the alert that holds the action back. `written` resolves
   * when the journal has stored the state, or has failed to do so
   */
  start(
    startRequest: StartRequest,
    actions: readonly DeviceAction[],
  ): { answers: Answer[]; written: Promise<unknown> } {
    return { answers: this.#engine.start(startRequest, actions), written: this.#settle() };
  }

  answered(ticket: Ticket, result: SendResult, receipt?: ActionReceipt): void {
    this.#engine.answered(ticket, result, receipt);
    this.#settle();
  }

  recordFailed(...failed: Parameters<Engine['recordFailed']>): void {
    this.#engine.recordFailed(...failed);
    this.#settle();
  }

  refuse(startRequest: StartRequest, receipts: readonly ActionReceipt[]): void {
    this.#engine.refuse(startRequest, receipts);
    this.#settle();
  }

  acknowledge(id: string, acknowledgement: Acknowledgement): AcknowledgementProblem | undefined {
    const problem = this.#engine.acknowledge(id, acknowledgement);
    this.#settle();
    return problem;
  }

  reports(id: string): Report[] {
    return this.#engine.reports(id);
  }

  lastReport(id: string): Report | undefined {
    return this.#engine.lastReport(id);
  }

  run(id: string): string | undefined {
    return this.#engine.run(id);
  }

  /**
   * Sends each request once; failed requests are retried later.
   * @param isDrill if true, a real alert is not cleared
   * @returns when all requests have entered their queues: `tried`, which resolves to the receipts of the first
   * attempts
   */
  async clear(
    id: string,
    { isDrill, ...options }: Pick<AlertSendOptions, 'track' | 'by'> & { isDrill?: boolean },
  ): Promise<{ tried: Promise<Receipt[]> }> {
    const alert = this.#engine.alerts.get(id);
    const tickets = this.#engine.clear(id, isDrill, options.by);
    // Waits for the journal: after the caller has the receipts, a crash must not turn the alert on again.
    const written = this.#settle();
    const devices = byDevice(tickets);
    const limiter = limiterFor(devices, [alert?.maxParallel]);
    // All stops take their queue entries in this turn, and are sent in slices.
    const gates = Array.from({ length: Math.ceil(devices.length / atLeastTogether) }, () => new Gate());
    const sending = devices.map((one, index) => {
      const { opened } = gates[Math.floor(index / atLeastTogether)] ?? {};
      return inOrder(one, (ticket, after) =>
        this.#send(ticket, {
          ...options,
          limiter,
          after: index < atLeastTogether ? after : Promise.all([after, opened]),
        }),
      );
    });
    const slices = new Slices();
    for (const gate of gates) {
      gate.open();
      if (slices.isOver) await slices.next();
    }
    const receipts = async () => {
      const tried = await Promise.all(sending);
      await Promise.all([written, this.#lastWrite]);
      return tried.flat();
    };
    return { tried: receipts() };
  }

  #clearSoon(id: string): void {
    this.clear(id, {})
      .then(({ tried }) => tried)
      .catch((fault: unknown) => this.#fault(fault));
  }

  #send(ticket: Ticket, options: AlertSendOptions): Promise<Receipt> {
    const sending = this.#sendOnce(ticket, options);
    if (ticket.kind === 'end' && opens(ticket.output)) {
      const closing = sending.catch(() => {}).finally(() => this.#closings.delete(closing));
      this.#closings.add(closing);
    }
    return sending;
  }

  async #sendOnce(ticket: Ticket, options: AlertSendOptions): Promise<Receipt> {
    const { output, kind, isBeforeStart } = ticket;
    const alert = this.#named(ticket.alert);
    // A return or a retry starts an action, so the journal stores the state before such a request is sent.
    const after = kind !== 'end' ? Promise.all([options.after, this.#lastWrite]) : options.after;
    const receipt = await sendPending(ticket, alert, { ...options, after });
    const result = resultOf(receipt, ticket);
    const isFirst = output.retries.failures === 0;
    this.#engine.answered(ticket, result, countedOf(receipt, ticket.device));
    this.#settle();
    this.#guard(() => {
      // Publishes the receipts of the first failure and of the success, but not of each failed retry.
      if (succeeded(receipt) || isFirst) {
        publish(receipt, { node: alert.name || alert.id, nodeId: alert.id }, (fault) =>
          this.#warn(alert, wordsOf(fault)),
        );
      }
      if (result === 'taken' && kind === 'again' && this.#engine.isCurrent(ticket))
        this.#nodes.get(alert.id)?.onReached(receipt);
      // An action that the model does not support is not retried, and nothing is wrong.
      if (result !== 'taken' && result !== 'skipped' && isFirst)
        this.#warn(alert, failureOf(receipt, isBeforeStart ? 'before' : kind, output.retries.failures > 0));
      if (output.retries.isHopeless(backgroundClock) && !deviceById(idOf(ticket)))
        this.#giveUp(ticket, alert, receipt);
    });
    return receipt;
  }

  #named(id: string): NamedAlert {
    return this.#engine.alerts.get(id) ?? { id, name: '', drill: false };
  }

  #giveUp({ output, device, kind }: Ticket, alert: NamedAlert, receipt: Receipt): void {
    this.#engine.surrender(output);
    this.#settle();
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
    // One batch for the journal: two outputs can exchange their keys, and a crash between two writes must
    // not lose an output.
    void this.journal.batch(() => {
      this.#engine.relocate((id, where) => foundAgain({ id, where })?.where);
      this.#settle();
    });
    // The alerts of another running process are cleared there, or by a message.
    const own = this.journal.isForeign ? [] : [...this.#engine.alerts.values()];
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
    for (const id of this.#engine.takeEnded()) this.#guard(() => this.#nodes.get(id)?.onEnded());
    this.#settle();
  }

  /**
   * Before the flows stop for good, stops doors, relays and 24 V outputs: outputs with a pending stop, and
   * outputs whose alerts Node-RED would all clear within `soonMs`. Returns a promise that resolves after all
   * attempts; undefined if there is nothing to stop.
   * @param isStarting whether to leave out outputs with a start under way
   */
  #leave(isStarting: boolean): Promise<unknown> | undefined {
    const isMeant = (output: OutputState) => opens(output) && !(isStarting && output.isStarting);
    this.#guard(() => this.#sendAll(this.#engine.endSoon(soonMs, isMeant)));
    return this.#closings.size > 0 ? Promise.all(this.#closings) : undefined;
  }

  #warnOfUnsent(): void {
    const alerts = [...this.#engine.alerts.values()];
    const clears = alerts.flatMap(({ isOn, ends, name, id }) =>
      isOn && ends ? [`the clear of ${name || id} (due ${new Date(ends.at).toISOString()})`] : [],
    );
    const ends = this.#engine.pendingStops().map(({ alert, action, device }) => {
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
    if (endsMs !== undefined) this.#engine.othersEndAt(device, deviceOutput, backgroundClock.now() + endsMs);
    const lastsWith = alertActions.find((action) => action.operation === nameOf(operation))?.lastsWith;
    const lasts =
      operation.autoStop !== undefined && (lastsWith === undefined || parameters[lastsWith] === true);
    const isChanged =
      (operation.isStop || lasts) && this.#engine.replaced(device, deviceOutput, operation.isStop === true);
    if (isChanged || endsMs !== undefined) this.#settle();
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
    if (!this.#engine.realOwnerOf(device, deviceOutput)) return undefined;
    return this.lengthOfTone(locationOf(device), String(parameters.path)) ?? toneMs;
  }

  *#watchedLocations(): Generator<string> {
    this.#watched = new Map(
      [...this.#engine.watched()].flatMap(({ id, where }) => (where === undefined ? [] : [[where, id]])),
    );
    yield* this.#watched.keys();
  }

  /** Asks a device for its identity, behind all messages. A device that does not answer this question is away. */
  #askFor(where: string): void {
    const device = foundAgain({ id: this.#watched.get(where) ?? '', where });
    device?.call(about, {}, { reading: true, unwarned: true }).catch((error: unknown) => {
      if (error instanceof DeviceError && error.code === 'TIMEOUT')
        this.#guard(() => this.#presence.contact(where, false));
    });
  }

  #returned(where: string): void {
    this.#engine.returned({ id: where, where });
    this.#settle();
  }

  #settle(): Promise<unknown> {
    const written = this.#engine
      .takeChanges()
      .map(([key, value]) =>
        value === undefined
          ? this.journal.delete(key)
          : this.journal.put(key, value as Parameters<SharedJournal['put']>[1]),
      );
    if (written.length > 0) this.#lastWrite = Promise.all(written);
    for (const { onChange } of this.#nodes.values()) this.#guard(onChange);
    this.#timer.clear();
    if (this.#isRunning) {
      this.#timer.set(this.#engine.nextAt);
      this.#presence.handleChange();
    }
    return this.#lastWrite;
  }

  #onTimer(): void {
    for (const id of this.#engine.overdue()) this.#clearSoon(id);
    for (const id of this.#engine.unacknowledged()) {
      this.#settle();
      this.#guard(() => this.#nodes.get(id)?.onUnacknowledged());
    }
    this.#sendAll(this.#engine.due(maxPerTurn));
  }

  #sendAll(tickets: readonly Ticket[]): void {
    this.#settle();
    const limits = tickets.map(({ alert }) => this.#engine.alerts.get(alert)?.maxParallel);
    const limiter = limiterFor(byDevice(tickets), limits);
    for (const ticket of tickets) {
      this.#send(ticket, { limiter }).catch((fault: unknown) => this.#fault(fault));
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

class Gate {
  open = () => {};
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

function byDevice(tickets: readonly Ticket[]): Ticket[][] {
  const devices = new Map<string, Ticket[]>();
  for (const ticket of tickets) {
    const { id, where = id } = ticket.output.device;
    devices.set(where, [...(devices.get(where) ?? []), ticket]);
  }
  return [...devices.values()];
}

/**
 * Returns a limiter with the lowest of the limits; undefined if no limiter is needed. An undefined limit
 * means `defaultMaxParallel`.
 */
export function limiterFor(
  devices: readonly unknown[],
  limits: readonly (number | undefined)[],
): ConcurrencyLimiter | undefined {
  const maxParallel = Math.min(...limits.map((limit) => limit ?? defaultMaxParallel));
  return devices.length > maxParallel ? new ConcurrencyLimiter(maxParallel) : undefined;
}

/**
 * Maximum time for which the requests to one device wait for each other, in milliseconds. The time must be
 * shorter than the time for which a device's queue keeps the place of an announced entry.
 */
const patienceMs = 1_000;

/**
 * Sends requests to one device in order: each request waits for the result of the previous request, but not
 * longer than `patienceMs` after the call. All requests take their queue entries immediately, so that a later
 * start comes after these requests.
 */
async function inOrder(
  tickets: readonly Ticket[],
  send: (ticket: Ticket, after: Promise<unknown> | undefined) => Promise<Receipt>,
): Promise<Receipt[]> {
  let stop = () => {};
  const late = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, patienceMs).unref();
    stop = () => clearTimeout(timer);
  });
  const receipts: Promise<Receipt>[] = [];
  for (const ticket of tickets) {
    const before = receipts.at(-1);
    receipts.push(send(ticket, before && Promise.race([before, late])));
  }
  return Promise.all(receipts).finally(stop);
}
