import type { Node, NodeAPI, NodeStatus } from 'node-red';
import { alertActions } from '../../catalogue/alert-actions';
import { nothingSent } from '../../catalogue/sentence';
import { DeviceError } from '../../client/errors';
import { Failure } from '../../client/failure';
import { journalOf } from '../journal/shared-journal';
import type { Open } from '../lazy';
import type { ActionMessage } from '../message/command';
import type { Delivery } from '../message/delivery';
import { kindOf } from '../message/kinds';
import { MessageNode, type Send } from '../message/message-node';
import { abortAtClose } from '../message/opening-starts';
import {
  addResults,
  errorOf,
  isFine,
  isHeldBack,
  personIn,
  quotedError,
  type Receipt,
} from '../message/receipt';
import { errorStatus, type Translate } from '../message/status';
import type { AlertState, MonotonicRequestTime, StartRequest } from './alert';
import { AlertStart, actionsOf } from './alert-start';
import { type Alerts, alertsOf } from './alerts';
import { AlertEvents } from './events';
import { type AlertResult, registerAlert, type StartOptions } from './named-alert';
import {
  type AlertMessage,
  type AlertProperties,
  type AlertSettings,
  idleOf,
  readAcknowledgement,
  readDrill,
  readOperation,
  readPriority,
  readSettings,
  refusedAcknowledgement,
  retryOf,
} from './properties';

interface Message extends ActionMessage, AlertMessage {
  by?: unknown;
  alert?: AlertState;
}

export function alertNode(RED: NodeAPI): Open<AlertProperties> {
  const alerts = alertsOf(RED);
  // Loads the code of all actions now, so that the first emergency does not wait for a module.
  for (const { operation } of alertActions) kindOf(operation);
  return (node, definition) => void new AlertNode(RED, node, definition, alerts);
}

class AlertNode extends MessageNode<Message, [Message]> {
  readonly name: string;
  readonly #underWay = new Set<Delivery>();
  readonly #events: AlertEvents;
  readonly #detach: (() => void)[];
  /** The state of the idle alert, without the persons of the last run. */
  readonly #idle: AlertState;
  #settings: AlertSettings | undefined;
  #actions: ReturnType<typeof actionsOf> | undefined;
  /**
   * Resolves when the task of the latest message has ended; never rejects. Messages take effect in order of
   * arrival, even if reading a form takes long.
   */
  #last: Promise<unknown> = Promise.resolve();
  /** Number of messages whose tasks have not ended. */
  #turns = 0;
  /** The status of the alert's state that was shown last. */
  #shown: string | undefined;
  #isErrorShown = false;
  readonly #listener = {
    state: () => this.state(),
    onChange: () => this.#show(this.#events.look()),
    onReached: ({ device, operation }: Receipt) => this.#events.tell('reached', { device, operation }),
    onEnded: () => this.#events.tellEnd(),
    onUnacknowledged: () => this.#events.tell('unacknowledged'),
  };

  constructor(
    RED: NodeAPI,
    node: Node,
    readonly properties: AlertProperties,
    private readonly alerts: Alerts,
  ) {
    super(RED, node, 'alert');
    this.name = node.name || node.id;
    this.#idle = { name: this.name, ...idleOf(RED.util, properties) };
    this.#events = new AlertEvents(
      () => this.state(),
      (news) => node.send([null, { topic: this.name, payload: structuredClone(news) }]),
      () => alerts.engine.lastReport(node.id),
    );
    this.#detach = [alerts.attach(node.id, this.#listener, retryOf(properties)), registerAlert(this)];
  }

  /** Returns a state that the caller must not change. */
  state(): AlertState {
    const known = this.alerts.engine.state(this.node.id);
    if (known) return { ...known, name: this.name };
    const last = this.alerts.engine.lastReport(this.node.id);
    if (!last) return this.#idle;
    const { startedBy: by, clearedBy, acknowledged } = last;
    return { ...this.#idle, by, clearedBy, acknowledged };
  }

  /** Returns a state for a message, which flows may change. */
  #stateForMessage(): AlertState {
    return structuredClone(this.state());
  }

  start(message: object = {}, options?: StartOptions): Promise<AlertResult> {
    return this.#result(() => this.#start({ ...message, _msgid: '' } as Message, options));
  }

  clear(message: AlertMessage = {}, asked?: MonotonicRequestTime): Promise<AlertResult> {
    return this.#result(() => this.#clear(message, asked));
  }

  acknowledge(message: AlertMessage): Promise<AlertResult> {
    return this.#result(() => this.#acknowledge(message));
  }

  /** Aborts the requests under way (`abortAtClose`). Pending stops and retries of the alert stay pending. */
  protected stop(): void {
    for (const detach of this.#detach) detach();
    for (const delivery of this.#underWay) abortAtClose(delivery);
  }

  protected override onStopped(): void {
    this.#events.close();
  }

  #follow(deliveries: readonly Delivery[]): void {
    if (this.isClosing) for (const { abort } of deliveries) abort.abort(Failure.nodeClosed());
    else for (const delivery of deliveries) this.#underWay.add(delivery);
  }

  async #result(task: () => Promise<AlertResult>): Promise<AlertResult> {
    try {
      return await task();
    } catch (fault) {
      return { receipts: [], alert: this.#stateForMessage(), error: this.errorOf(fault) };
    }
  }

  protected async run(message: Message, send: Send<[Message]>): Promise<DeviceError | undefined> {
    const { receipts, alert, error, ...more } = await this.#do(message);
    const cannotCarry = addResults(message, { receipts: [...receipts], alert, ...more }, 'alert');
    if ((!error || receipts.some(isFine)) && !cannotCarry) send([message]);
    return error ?? cannotCarry;
  }

  #do(message: Message): Promise<AlertResult> {
    const operation = readOperation(message);
    if (operation === 'start') return this.#start(message);
    if (operation === 'clear') return this.#clear(message);
    if (operation === 'acknowledge') return this.#acknowledge(message);
    return this.#inTurn(async () => {
      const result = { receipts: [], alert: this.#stateForMessage() };
      return operation === 'report'
        ? { ...result, payload: this.alerts.engine.reports(this.node.id) }
        : result;
    });
  }

  /** Throws for an invalid message; rejects if the alert cannot be acknowledged. */
  #acknowledge(message: AlertMessage): Promise<AlertResult> {
    const acknowledgement = { ...readAcknowledgement(message), at: new Date().toISOString() };
    return this.#inTurn(async () => {
      const problem = this.alerts.change((engine) => engine.acknowledge(this.node.id, acknowledgement));
      if (problem) throw refusedAcknowledgement(this.name, problem);
      this.#events.tell('acknowledged');
      return { receipts: [], alert: this.#stateForMessage() };
    });
  }

  async #start(message: Message, options: StartOptions = {}): Promise<AlertResult> {
    const { admission, asked } = options;
    const withPriority = options.priority === undefined ? this.properties : options;
    const priority = readPriority(this.RED.util, withPriority, message);
    const drill = readDrill(this.properties, message);
    this.#settings ??= readSettings(this.properties);
    const { actions, ...settings } = this.#settings;
    this.#actions ??= actionsOf(this.RED, this.node, actions);
    const alert = { id: this.node.id, name: this.name, drill };
    const starting = new AlertStart(this.#actions, this.properties, message, alert, admission);
    const startRequest: StartRequest = {
      ...{ ...alert, priority, ...settings, ...starting.reach },
      ...{ asked, by: personIn(message) },
    };
    this.enter();
    const take = () => {
      starting.take();
      this.#follow(starting.parts.map(({ delivery }) => delivery));
    };
    // Behind other messages only in turn: the stops of an earlier clear must enter the queue before.
    const isTaken = this.#turns === 0;
    if (isTaken) take();
    let answered = () => {};
    try {
      const { hasBegun, receipts: sending } = await this.#inTurn(async () => {
        if (!isTaken) take();
        await starting.read();
        const isUpdate = this.#events.look().state === 'active';
        const begun = this.alerts.start(startRequest, starting);
        if (begun.hasBegun) answered = this.#events.begin(isUpdate ? 'updated' : 'started');
        return begun;
      });
      const receipts = await sending;
      const error = errorIn(receipts);
      if (!hasBegun && error) this.showError(error);
      return { receipts, alert: this.#stateForMessage(), ...(error && { error }) };
    } finally {
      for (const { delivery } of starting.parts) this.#underWay.delete(delivery);
      answered();
      this.leave();
    }
  }

  async #clear(message: AlertMessage, asked?: MonotonicRequestTime): Promise<AlertResult> {
    // Ignores the drill setting of the node: a clear whose message has no `drill` also clears a real alert.
    const isDrill = readDrill({}, message);
    this.enter();
    const ended: Delivery[] = [];
    try {
      const clearing = await this.#inTurn(async () => {
        // All earlier starts have taken effect by now, so the request time of the latest start is known.
        if (asked && this.alerts.engine.isStartedAfter(this.node.id, asked)) {
          const words = nothingSent('the alert was started after this clear was requested');
          throw new DeviceError('SUPERSEDED', words, { place: `"${this.name}"`, outcome: 'superseded' });
        }
        this.#events.look();
        if (!isDrill || !this.alerts.engine.inEarnest(this.node.id)) this.#events.tellStart();
        const track = (delivery: Delivery) => {
          ended.push(delivery);
          this.#follow([delivery]);
        };
        const tried = this.alerts.clear(this.node.id, { track, isDrill, by: personIn(message) });
        this.#events.look();
        return { tried };
      });
      const receipts = await clearing.tried;
      this.#hideError();
      return { receipts, alert: this.#stateForMessage() };
    } finally {
      for (const delivery of ended) this.#underWay.delete(delivery);
      this.leave();
    }
  }

  /** Runs a task after the tasks of earlier messages; now if there are none, so that its stops are in their order. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const isFirst = this.#turns === 0;
    this.#turns += 1;
    const turn = (isFirst ? task() : this.#last.then(task)).finally(() => {
      this.#turns -= 1;
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Called after changes of any alert: shows the status only if it is another one, since an error might be shown. */
  #show(state: AlertState): void {
    const isSaved = journalOf(this.RED).isWritable !== false;
    const status = statusOf(this.RED._, state, this.alerts.reachOf(this.node.id), isSaved);
    const words = JSON.stringify(status);
    if (words === this.#shown) return;
    this.#shown = words;
    this.status.show(() => status);
  }

  /** Shows the error of a message that had no effect, but does not hide the status of an alert that is not idle. */
  protected override showError(error: DeviceError): void {
    if (this.state().state !== 'idle') return;
    this.#isErrorShown = true;
    this.status.showPassing(() => errorStatus(this.RED._, error));
  }

  #hideError(): void {
    if (!this.#isErrorShown) return;
    this.#isErrorShown = false;
    this.#shown = undefined;
    this.#show(this.state());
  }
}

/** @param isSaved whether the journal has the state of alerts, so that a restart finds the state again */
export function statusOf(translate: Translate, state: AlertState, of: number, isSaved = true): NodeStatus {
  const status = savedStatusOf(translate, state, of);
  return isSaved ? status : { ...status, text: translate('status.unsaved', { status: status.text ?? '' }) };
}

function savedStatusOf(
  translate: Translate,
  { state, active, pending, dryRun }: AlertState,
  of: number,
): NodeStatus {
  if (state === 'idle') return { fill: 'grey', shape: 'dot', text: translate('status.idle') };
  if (state === 'clearing') {
    const text = translate('status.clearing', { count: String(pending.length) });
    return { fill: 'yellow', shape: 'ring', text };
  }
  const on = (done: number) => translate('status.on', { done: String(done), all: String(of) });
  if (dryRun === 0) return { fill: 'red', shape: 'dot', text: on(active.length) };
  const dry = translate('status.dryRun', { on: on(dryRun) });
  const text = active.length === 0 ? dry : `${on(active.length)}, ${dry}`;
  return { fill: active.length === 0 ? 'yellow' : 'red', shape: 'dot', text };
}

/**
 * Returns one error for all receipts; undefined if no receipt is an error. An action that an alert holds back
 * is not an error. If an alert holds back an action, a skipped action is not an error either.
 */
export function errorIn(receipts: readonly Receipt[]): DeviceError | undefined {
  const isSkippingFine = receipts.some(isHeldBack);
  const wrong = isSkippingFine ? receipts.filter(({ outcome }) => outcome !== 'skipped') : receipts;
  const error = errorOf(wrong);
  if (!error) return undefined;
  const all = devicesIn(receipts);
  if (all <= 1) return error;
  const failed = devicesIn(
    wrong.filter(({ outcome }) => outcome === 'failed' || outcome === 'expired' || outcome === 'superseded'),
  );
  const unknown = devicesIn(wrong.filter(({ outcome }) => outcome === 'unknown'));
  const skipped = devicesIn(wrong.filter(({ outcome }) => outcome === 'skipped'));
  const counts = [
    ...(failed > 0 ? [`${failed} of ${all} devices failed`] : []),
    ...(unknown > 0 ? [failed > 0 ? `${unknown} unknown` : `${unknown} of ${all} devices unknown`] : []),
  ];
  if (counts.length === 0) counts.push(`${skipped} of ${all} devices skipped`);
  const first = firstError(wrong);
  const { code } = error;
  return quotedError({ ...(first ?? error), code }, ` (${counts.join(', ')}: see msg.receipts)`);
}

function firstError(receipts: readonly Receipt[]): Receipt['error'] {
  const wrong = receipts.filter(({ error }) => error);
  return (wrong.find(({ outcome }) => outcome !== 'skipped') ?? wrong[0])?.error;
}

function devicesIn(receipts: readonly Receipt[]): number {
  return new Set(receipts.map(({ device, address }) => JSON.stringify([device, address]))).size;
}
