import type { Node } from 'node-red';
import { localized } from '../../catalogue/localized-message';
import { faultOf, nothingSent } from '../../catalogue/sentence';
import { DeviceError, messageOf } from '../../client/errors';
import { Failure } from '../../client/failure';
import type { RequestAge } from '../../sites/actions';
import {
  type JobCommand,
  type JobMessage,
  operationNameOf,
  receiptsFor,
  type WireReceipt,
} from '../../sites/wire';
import type { MonotonicRequestTime } from '../alert/alert';
import { alertNamed } from '../alert/named-alert';
import { readActions } from '../alert/properties';
import { emitOperation, publish } from '../message/bus';
import type { Delivery } from '../message/delivery';
import { dispatch } from '../message/dispatch';
import { kindOf } from '../message/kinds';

interface Allowance {
  readonly site: string;
  readonly allow: readonly string[];
  readonly alerts: readonly string[];
}

interface JobEvents {
  /**
   * Called when a device is ready for the job, or when the job of an alert has its turn. One job can cause
   * several calls.
   */
  turn(id: string): void;
  finished(job: JobMessage, receipts: readonly WireReceipt[]): void;
  fault(fault: unknown): void;
}

interface Underway {
  deliveries: readonly Delivery[];
  isDropped: boolean;
  admission(): Promise<void>;
  admit(): void;
  refuse(reason: Failure): void;
}

/**
 * Whether a job is idempotent; false for an operation, or the start of an alert, that this site does not
 * know.
 */
export function isIdempotent(command: JobCommand): boolean {
  if ('alert' in command) return command.action !== 'start' || isIdempotentAlert(command.alert);
  return isRepeatable(operationNameOf(command));
}

function isRepeatable(operationName: string): boolean {
  const id = operationName.split('/')[1];
  return (
    kindOf(operationName)?.group.operations.find((operation) => operation.id === id)?.repeatable === true
  );
}

function isIdempotentAlert(name: string): boolean {
  try {
    return readActions(alertNamed(name).properties).every(({ operation }) => isRepeatable(operation));
  } catch {
    return false;
  }
}

/** Whether an alert of this Node-RED is active and not a drill; false for an alert that it does not know. */
export function isEarnest(name: string): boolean {
  try {
    const { state, drill } = alertNamed(name).state();
    return state === 'active' && !drill;
  } catch {
    return false;
  }
}

function askedAt({ agoMs, centre, seq }: RequestAge): MonotonicRequestTime {
  return { at: performance.now() - agoMs, centre, seq };
}

export class JobRunner {
  readonly #underway = new Map<string, Underway>();
  /**
   * The latest job of each alert, as a promise that resolves when the job may be sent, and rejects if the job
   * is refused.
   */
  readonly #last = new Map<string, Promise<void>>();

  constructor(
    private readonly node: Node,
    private readonly allowance: Allowance,
    private readonly events: JobEvents,
  ) {}

  /**
   * Starts a job. No command is sent until the job is admitted, but the job of an operation takes its queue
   * entries immediately.
   * @param leftMs time until the job expires, in milliseconds
   * @param agoMs age of the request, in milliseconds
   */
  begin(job: JobMessage, leftMs: number, agoMs: number): void {
    const underway = this.#waiting(job.id);
    const asked = askedAt({ agoMs, centre: job.centre, seq: job.seq });
    this.#underway.set(job.id, underway);
    this.#do(job, leftMs, asked, underway)
      .catch((fault: unknown) => this.#receiptOf(job, fault))
      .then((receipts) => {
        if (underway.isDropped) return;
        this.#underway.delete(job.id);
        this.events.finished(job, receipts);
      })
      .catch((fault: unknown) => this.events.fault(fault));
  }

  admit(id: string): void {
    this.#underway.get(id)?.admit();
  }

  /**
   * Refuses a job that has expired or that the centre has removed: a device whose turn comes later gets no
   * request.
   */
  refuse(id: string): void {
    this.#underway.get(id)?.refuse(Failure.own('EXPIRED', 'it expired before it could be started'));
  }

  /**
   * Removes a job from the queues of its devices, sending neither a request nor a result. Another instance
   * does the job, or the job waits again.
   */
  drop(id: string): void {
    const underway = this.#underway.get(id);
    if (!underway) return;
    this.#underway.delete(id);
    underway.isDropped = true;
    this.#end(underway, 'another instance of the site does it');
  }

  /**
   * Clears an alert that is active at this instance, unless the alert was started again since. Called when
   * the site cleared the alert while this instance was offline.
   */
  clearLate(name: string, order: RequestAge, drill: boolean): void {
    if (!this.allowance.alerts.includes(name)) return;
    const alert = alertNamed(name);
    if (alert.state().state !== 'active') return;
    alert.clear({ drill }, askedAt(order)).catch((fault: unknown) => this.events.fault(fault));
  }

  close(): void {
    for (const underway of this.#underway.values()) this.#end(underway, 'its node was closed by a deploy');
  }

  #waiting(id: string): Underway {
    let [admit, reject] = [() => {}, (_reason: Failure) => {}];
    let admission = new Promise<void>((...both) => {
      [admit, reject] = both;
    });
    // The callers of `ask` receive the rejection. Without this handler, a rejection before the first call of
    // `ask` would be unhandled and could end Node-RED.
    admission.catch(() => {});
    const refuse = (reason: Failure) => {
      reject(reason);
      admission = admission.then(() => Promise.reject(reason));
      admission.catch(() => {});
    };
    const ask = () => {
      if (this.#underway.get(id) === underway) this.events.turn(id);
      return admission;
    };
    const underway: Underway = { deliveries: [], isDropped: false, admission: ask, admit, refuse };
    return underway;
  }

  #end(underway: Underway, words: string): void {
    const reason = Failure.own('ABORTED', words);
    for (const { abort } of underway.deliveries) abort.abort(reason);
    underway.refuse(reason);
  }

  async #do(
    job: JobMessage,
    leftMs: number,
    asked: MonotonicRequestTime,
    underway: Underway,
  ): Promise<readonly WireReceipt[]> {
    const { command } = job;
    if (!this.#isAllowed(command)) {
      const what = 'alert' in command ? `the alert "${command.alert}"` : operationNameOf(command);
      const details = [`site "${this.allowance.site}" does not allow ${what}`, localized('nothingSent')];
      throw new DeviceError('NOT_SUPPORTED', { reason: 'not allowed by the site', details });
    }
    if ('alert' in command) return this.#alert(job, command, leftMs, asked, underway);
    if (!kindOf(operationNameOf(command)))
      throw new DeviceError('NOT_SUPPORTED', nothingSent(localized('nodeNotLoaded')), {
        operationName: operationNameOf(command),
      });
    const { id, name = '', type } = this.node;
    const { deliveries, result } = dispatch({
      as: { id, name, type },
      operation: operationNameOf(command),
      names: job.devices.length === 1 ? job.devices[0] : job.devices,
      parameters: command.parameters,
      ttlMs: leftMs,
      by: command.by,
      messageId: job.id,
      how: { admission: underway.admission, onDone: emitOperation },
      onTargetEnd: ({ receipt }) => {
        if (underway.isDropped) return;
        publish(receipt, { node: name || id, nodeId: id }, (fault) => this.events.fault(fault));
      },
    });
    underway.deliveries = deliveries;
    return (await result).receipts as readonly unknown[] as readonly WireReceipt[];
  }

  async #alert(
    { devices }: JobMessage,
    command: Extract<JobCommand, { alert: string }>,
    leftMs: number,
    asked: MonotonicRequestTime,
    underway: Underway,
  ): Promise<readonly WireReceipt[]> {
    const alert = alertNamed(command.alert);
    await this.#inTurn(command.alert, underway.admission);
    const carryOut = () => {
      if (command.action === 'acknowledge') return alert.acknowledge(command);
      const { action, priority, drill, by } = command;
      if (action === 'clear') return alert.clear({ drill, by }, asked);
      return alert.start(
        { drill, by, device: devices, ttl: Math.max(1, leftMs) / 1_000 },
        { priority, admission: underway.admission, asked },
      );
    };
    const { receipts, error } = await carryOut();
    if (error && receipts.length === 0) throw error;
    return receipts as readonly unknown[] as readonly WireReceipt[];
  }

  /**
   * Waits until the earlier job of the alert is admitted or refused, then for the admission of this job.
   * Without this order, a clear could overtake a start that waits for the disk.
   */
  async #inTurn(name: string, admission: () => Promise<void>): Promise<void> {
    const before = this.#last.get(name);
    const turn = (async () => {
      await before?.catch(() => {});
      await admission();
    })();
    this.#last.set(name, turn);
    try {
      await turn;
    } finally {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    }
  }

  #isAllowed(command: JobCommand): boolean {
    if ('alert' in command) return this.allowance.alerts.includes(command.alert);
    return this.allowance.allow.some(
      (one) => one === command.operation || one === command.operation.split('/')[0],
    );
  }

  #receiptOf(job: JobMessage, fault: unknown): readonly WireReceipt[] {
    const { code, outcome } =
      fault instanceof DeviceError
        ? fault
        : fault instanceof Failure && fault.code === 'EXPIRED'
          ? ({ code: 'EXPIRED', outcome: 'expired' } as const)
          : ({ code: fault instanceof Failure ? 'ABORTED' : 'PROTOCOL', outcome: 'failed' } as const);
    const operation = operationNameOf(job.command);
    const words =
      fault instanceof DeviceError
        ? { reason: fault.reason, sentence: String(fault.sentenceFor(operation)) }
        : { reason: String(faultOf(messageOf(fault)).reason) };
    return receiptsFor(job, outcome, code, words, new Date().toISOString());
  }
}
