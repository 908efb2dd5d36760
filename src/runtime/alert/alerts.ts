import type { NodeAPI } from 'node-red';
import { alertActions } from '../../catalogue/alert-actions';
import { nameOf } from '../../catalogue/operation-name';
import { describeFault, wordsOf } from '../../client/errors';
import { backgroundClock } from '../../time/clock';
import { DeadlineTimer } from '../../time/deadline-timer';
import { defaultMaxParallel } from '../device/group';
import { deviceById, foundAgain } from '../device/registry';
import { isStoppedByUser, onUserStops, soonMs, stopsAll, warnOfUnsent } from '../flows-stopped';
import { readEntries } from '../journal/read-entries';
import { journalOf, type SharedJournal } from '../journal/shared-journal';
import { type OperationEvent, onOperation, publish } from '../message/bus';
import { ConcurrencyLimiter } from '../message/concurrency-limiter';
import { type Receipt, succeeded } from '../message/receipt';
import {
  type Acknowledgement,
  type AcknowledgementProblem,
  type Alert,
  type AlertState,
  type DeviceAction,
  type MonotonicRequestTime,
  type RetryAlert,
  type SendResult,
  type StartRequest,
  unnamed,
} from './alert';
import { entryIn, keyPrefix, type Wanted } from './alert-store';
import { Engine } from './engine';
import type { Answer, OutputState, Ticket } from './output-state';
import type { Report } from './report';
import type { ActionReceipt } from './reports';
import { type AlertSendOptions, alertType, countedOf, idOf, resultOf, sendPending } from './send';

/**
 * Number of failed requests after which Node-RED gives up the pending command of a device that no longer
 * exists. With the pauses in between, the number corresponds to about 18 hours.
 */
const maxRequests = 2_900;

/** The alert of a node. */
export interface AlertView {
  readonly id: string;
  readonly state: AlertState;
  /** The number of targets since the first start. */
  readonly targets: number;
  readonly report: Report | undefined;
}

interface AlertListener {
  state(): AlertState;
  /** Called after each possible change of any alert, often several times in a row. */
  onChange(): void;
  /** Called after the retry of a start has succeeded. */
  onReached(receipt: Receipt): void;
  /** Called after a restart if nothing is pending any more. */
  onEnded(): void;
  /** Called when no person has acknowledged the alert in time. */
  onUnacknowledged(): void;
}

/**
 * The alerts of each Node-RED, by its user directory, since tests start several instances of Node-RED in one
 * process.
 */
const known = new Map<string, Alerts>();

/** Returns the alerts of a Node-RED, created on demand. A deploy does not create a new object. */
export function alertsOf(RED: NodeAPI): Alerts {
  const directory = RED.settings?.userDir ?? '';
  const alerts = known.get(directory) ?? new Alerts(RED, journalOf(RED));
  known.set(directory, alerts);
  return alerts;
}

/** Returns undefined before the first call of `alertsOf`. */
export function knownAlerts({ settings }: NodeAPI): Alerts | undefined {
  return known.get(settings?.userDir ?? '');
}

/**
 * Runs the alert engine: sends all requests of the engine but those of `start`, passes the results to the
 * engine, and writes the state to the journal.
 */
export class Alerts {
  readonly #engine: Engine;
  readonly #nodes = new Map<string, AlertListener>();
  readonly #timer = new DeadlineTimer(() => this.#guard(() => this.#onTimer()), backgroundClock);
  #isRunning = false;
  #hasStarted = false;
  #lastWrite: Promise<unknown> = Promise.resolve();
  readonly #closings = new Set<Promise<unknown>>();

  constructor(
    private readonly RED: NodeAPI,
    private readonly journal: SharedJournal,
  ) {
    this.#engine = new Engine(backgroundClock, readEntries(journal, keyPrefix, entryIn));
    RED.events.on('flows:started', () => this.#guard(() => this.#run()));
    onUserStops(RED, () => this.#leave());
    RED.events.on('flows:stopped', (stop) => {
      if (!stopsAll(stop)) return;
      this.#stop();
      if (isStoppedByUser(RED)) this.#guard(() => this.#warnOfUnsent());
    });
    onOperation((happened) => this.#guard(() => this.#recordOthers(happened)));
  }

  /**
   * Connects a node to its alert.
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

  /** Returns the claims and the pending commands of alerts at each device, without dry runs. */
  wanted(): Iterable<Wanted> {
    return this.#engine.wanted();
  }

  /** Returns the alert of each node. */
  *views(): Generator<AlertView> {
    for (const [id, listener] of this.#nodes)
      yield {
        id,
        state: listener.state(),
        targets: this.reachOf(id),
        report: this.#engine.newestReport(id),
      };
  }

  isStartedAfter(id: string, asked: MonotonicRequestTime): boolean {
    return this.#engine.isStartedAfter(id, asked);
  }

  inEarnest(id: string): Alert | undefined {
    return this.#engine.inEarnest(id);
  }

  /**
   * Starts an alert.
   * @returns for each action, the request to send or the alert that holds the action back. The caller must
   * await `written` before sending, so that the journal has the state unless the write has failed
   */
  start(
    startRequest: StartRequest,
    actions: readonly DeviceAction[],
  ): { answers: Answer[]; written: Promise<unknown> } {
    const answers = this.#engine.start(startRequest, actions);
    return { answers, written: this.#settle() };
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
   * Clears an alert. Each request is sent once, and failed requests are retried later.
   * @param isDrill whether the clear is a drill, which does not clear a real alert
   * @returns the receipts of these attempts
   */
  async clear(
    id: string,
    { isDrill, ...options }: Pick<AlertSendOptions, 'track' | 'yields' | 'by'> & { isDrill?: boolean },
  ): Promise<Receipt[]> {
    const alert = this.#engine.alerts.get(id);
    const devices = byDevice(this.#engine.clear(id, isDrill, options.by));
    this.#settle();
    const limiter = limiterFor(devices, [alert?.maxParallel]);
    const send = (ticket: Ticket, after: Promise<unknown> | undefined) =>
      this.#send(ticket, { ...options, limiter, after });
    const receipts = await Promise.all(devices.map((tickets) => inOrder(tickets, send)));
    // Waits for the journal: a crash after the report of the clear must not turn the alert on again.
    await this.#lastWrite;
    return receipts.flat();
  }

  #clearSoon(id: string): void {
    this.clear(id, { yields: true }).catch((fault: unknown) => this.#fault(fault));
  }

  #send(ticket: Ticket, options: AlertSendOptions): Promise<Receipt> {
    const sending = this.#sendOnce(ticket, options);
    if (ticket.kind === 'end' && isOpening(ticket.output)) {
      const closing = sending.catch(() => {}).finally(() => this.#closings.delete(closing));
      this.#closings.add(closing);
    }
    return sending;
  }

  async #sendOnce(ticket: Ticket, options: AlertSendOptions): Promise<Receipt> {
    const { output, kind } = ticket;
    const alert = this.#engine.alerts.get(ticket.alert) ?? unnamed(ticket.alert);
    // A return or a retry is a start, so the journal writes its state before the request is sent.
    const after = kind !== 'end' ? Promise.all([options.after, this.#lastWrite]) : options.after;
    const receipt = await sendPending(ticket, alert, { ...options, after });
    const result = resultOf(receipt, ticket);
    const isFirst = output.failures === 0;
    this.#engine.answered(ticket, result, countedOf(receipt, ticket.device));
    this.#settle();
    this.#guard(() => {
      // Reports the first failure and the success, but not each failed retry.
      if (succeeded(receipt) || isFirst) {
        publish(receipt, { node: alert.name || alert.id, nodeId: alert.id }, (fault) =>
          this.#warn(alert, wordsOf(fault)),
        );
      }
      if (result === 'taken' && kind === 'again' && this.#engine.isCurrent(ticket))
        this.#nodes.get(alert.id)?.onReached(receipt);
      if (result !== 'taken' && isFirst) this.#warn(alert, failureOf(receipt, kind));
      if (output.failures > maxRequests && !deviceById(idOf(ticket))) this.#giveUp(ticket, alert, receipt);
    });
    return receipt;
  }

  #giveUp({ output, device, kind }: Ticket, alert: Alert, receipt: Receipt): void {
    this.#engine.surrender(output);
    this.#settle();
    const isAgain = kind === 'again';
    const failure = failureOf(receipt, isAgain ? kind : 'end');
    const sentence = `${failure}; ${device.name} no longer exists: Node-RED stopped trying${isAgain ? '' : '; the output might still be on'}`;
    this.RED.log.error(`[${alertType}:${alert.name || alert.id}] ${sentence}`);
  }

  /**
   * Starts to send the requests of alerts, after the flows have started. Clears the alerts that have no node
   * and the alerts that a restart clears.
   */
  #run(): void {
    this.#isRunning = true;
    // Makes one change of the journal: two outputs can exchange their keys, and a crash must not lose an
    // output.
    void this.journal.batch(() => {
      this.#engine.relocate((id, where) => foundAgain({ id, where })?.where);
      this.#settle();
    });
    for (const alert of [...this.#engine.alerts.values()]) {
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
   * Stops doors and relays before a user's request stops the flows: those of alerts that are due soon, and
   * those with pending stops. Returns a promise that resolves after all attempts; undefined without an
   * attempt.
   */
  #leave(): Promise<unknown> | undefined {
    this.#guard(() => this.#sendAll(this.#engine.endSoon(soonMs, isOpening)));
    return this.#closings.size > 0 ? Promise.all(this.#closings) : undefined;
  }

  #warnOfUnsent(): void {
    const alerts = [...this.#engine.alerts.values()];
    const clears = alerts.flatMap(({ isOn, ends, name, id }) =>
      isOn && ends ? [`the clear of ${name || id} (due ${new Date(ends.at).toISOString()})`] : [],
    );
    const ends = this.#engine.pendingStops().map(({ alert, action, device }) => {
      const { name } = this.#engine.alerts.get(alert) ?? unnamed(alert);
      return `${action.end?.operation} at ${device.name} (${name || alert})`;
    });
    warnOfUnsent(this.RED, [...clears, ...ends]);
  }

  #stop(): void {
    this.#isRunning = false;
    this.#timer.clear();
  }

  /**
   * Detaches an output from its alerts, after other code has stopped the output or started a lasting
   * operation there. Alerts then neither stop the output nor retry failed starts.
   */
  #recordOthers({ device, deviceOutput, operation, parameters }: OperationEvent): void {
    const lastsWith = alertActions.find((action) => action.operation === nameOf(operation))?.lastsWith;
    const lasts =
      operation.autoStop !== undefined && (lastsWith === undefined || parameters[lastsWith] === true);
    if (!operation.isStop && !lasts) return;
    // Most operations concern no alert, so nothing is written.
    if (this.#engine.replaced(device, deviceOutput)) this.#settle();
  }

  /** Writes the changes of the engine to the journal, notifies the nodes and sets the timer. */
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
    if (this.#isRunning) this.#timer.set(this.#engine.nextAt);
    return this.#lastWrite;
  }

  #onTimer(): void {
    for (const id of this.#engine.overdue()) this.#clearSoon(id);
    for (const id of this.#engine.unacknowledged()) {
      this.#settle();
      this.#guard(() => this.#nodes.get(id)?.onUnacknowledged());
    }
    this.#sendAll(this.#engine.due());
  }

  #sendAll(tickets: readonly Ticket[]): void {
    this.#settle();
    const limits = tickets.map(({ alert }) => this.#engine.alerts.get(alert)?.maxParallel);
    const limiter = limiterFor(byDevice(tickets), limits);
    for (const ticket of tickets) {
      this.#send(ticket, { limiter, yields: true }).catch((fault: unknown) => this.#fault(fault));
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

/**
 * Whether an output is a door, a relay or the 24 V output: when the flows stop, an open door or an active
 * relay is the worst case.
 */
function isOpening({ deviceOutput }: OutputState): boolean {
  return /^(?:door|relay|24v)\b/.test(deviceOutput);
}

const doings = {
  start: 'which starts,',
  end: 'which ends what the alert started,',
  return: 'which comes back,',
  again: 'which is retried,',
};

function failureOf({ device, operation, error, note }: Receipt, kind: Ticket['kind']): string {
  const words = error?.message ?? note ?? 'Dry run is on for the device';
  const what = doings[kind];
  return `${operation} at ${device}, ${what} has not succeeded; Node-RED retries until it does: ${words}`;
}

function byDevice(tickets: readonly Ticket[]): Ticket[][] {
  const devices = new Map<string, Ticket[]>();
  for (const ticket of tickets) {
    const { id, where = id } = ticket.output.device;
    devices.set(where, [...(devices.get(where) ?? []), ticket]);
  }
  return [...devices.values()];
}

/** Returns a limiter for parallel devices; undefined if the lowest limit covers all devices. */
export function limiterFor(
  devices: readonly unknown[],
  limits: readonly (number | undefined)[],
): ConcurrencyLimiter | undefined {
  const maxParallel = Math.min(...limits.map((limit) => limit ?? defaultMaxParallel));
  return devices.length > maxParallel ? new ConcurrencyLimiter(maxParallel) : undefined;
}

/**
 * Time after which the remaining requests to one device no longer wait for each other, in milliseconds. The
 * time is shorter than the time for which a device's queue keeps the place of an announced entry.
 */
const patienceMs = 1_000;

/**
 * Sends requests to one device in order. After `patienceMs`, all remaining requests follow in parallel. All
 * requests take their queue entries now, so that a later start comes after these requests.
 * @param send sends one request, after the given promise has resolved, if any
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
