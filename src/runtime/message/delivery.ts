import { localized, type Text } from '../../catalogue/localized-message';
import type { Operation, Option, Parameters } from '../../catalogue/operation';
import { nothingSent } from '../../catalogue/sentence';
import type { Answer } from '../../client/client';
import { DeviceError } from '../../client/errors';
import { Failure } from '../../client/failure';
import { Abort, type QueueEntry, queuePolicyFor } from '../../client/queue/entry';
import { isOn } from '../../kernel/property';
import { Deadline } from '../../kernel/time/deadline';
import type { Device } from '../device/device';
import { awaitSuccessor } from '../device/registry';
import type { Target } from '../device/targets';
import { burst } from './burst';
import { whenAll } from './bus';
import type { Command } from './command';
import type { ConcurrencyLimiter } from './concurrency-limiter';
import { isEmpty, localizedPartsOf, type Outcome, type Receipt, receiptOf } from './receipt';
import type { StartGuard } from './stop-command';

/**
 * Maximum wait for a deploy to replace a closed device, in milliseconds. Node-RED waits at most 15 s for a
 * node to close, so a longer deploy has failed.
 */
const maxDeployMs = 30_000;

/**
 * One message on its way to one target; `deliver` takes its steps. The delivery has a queue entry from the
 * arrival of the message on. If a deploy has closed the device, the delivery waits for the successor and keeps
 * its place in the order.
 */
export class Delivery {
  readonly abort = new Abort();
  readonly operation: Operation | undefined;
  readonly operationName: string;
  /** Undefined if the target was not found. */
  device: Device | undefined;
  /** Undefined without a device or an operation, and while the delivery waits for the successor of its device. */
  entry: QueueEntry | undefined;
  /** Rejects if there is no successor of a closed device; undefined if the device was open. */
  successor: Promise<void> | undefined;
  /** Whether the delivery, of a rolling message, has its turn among the others. */
  isBegun = false;
  /** The parameters, adapted to the device. */
  parameters: Parameters = {};
  answer: Answer | undefined;
  outcome: Outcome = 'accepted';
  /** Set while a start is under way that can replace an auto-stop. */
  guard: StartGuard | undefined;
  /**
   * Resolves when the state that must survive a crash is on disk or its write has failed; undefined if there
   * is nothing to wait for.
   */
  written: Promise<void> | undefined;
  #notes: Map<string, Text> | undefined;
  #isAnnounced: boolean;
  #isWithdrawn = false;

  /** @param isAnnounced whether the parameters are still to be read, as after `announce` */
  constructor(
    readonly command: Command,
    readonly target: Target,
    readonly limiter?: ConcurrencyLimiter,
    isAnnounced = false,
  ) {
    this.#isAnnounced = isAnnounced;
    this.operation = command.operation;
    this.operationName = command.operationName;
    // Earlier messages that still wait for their slice must take their queue entries first.
    burst.beginBefore(command);
    this.abort.admission = command.action.admission;
    const { device } = target;
    this.device = device;
    if (device) this.#place(device);
  }

  /** Called when a delivery of a rolling message has its turn among the others. Its time to live counts from now. */
  begin(): void {
    this.follow();
    this.isBegun = true;
    const { entry } = this;
    const { operation, options } = this.command;
    if (entry && operation) entry.policy = queuePolicyFor(operation, performance.now(), options);
  }

  /**
   * Moves a delivery that waits, of a rolling message, to the successor of its device after a deploy. A stop before the
   * deploy has superseded its start; a later stop finds its entry in the queue of the successor.
   */
  follow(): void {
    const { device, entry, command } = this;
    if (!command.options.rolling || this.isBegun || this.successor || !device?.isClosed) return;
    this.endIfSuperseded();
    if (entry) device.withdraw(entry);
    this.#place(device);
  }

  /** Ends a start that waits for its turn in a rolling message, if a later stop has superseded the start. */
  endIfSuperseded(): void {
    const { device, entry, command } = this;
    if (entry && command.deviceOutput) device?.endIfSuperseded(entry, command.deviceOutput);
  }

  #place(device: Device): void {
    if (!device.isClosed) this.#takeEntry(device);
    else {
      const successor = this.#waitForSuccessor(device);
      this.successor = successor;
      // `deliver` receives the rejection. Without this handler, an earlier rejection could end Node-RED.
      successor.then(
        () => {
          this.successor = undefined;
        },
        () => {},
      );
    }
  }

  get addressee(): Pick<Receipt, 'device' | 'address'> {
    const { device } = this;
    return { device: device?.name ?? this.target.asked ?? '', address: device?.address ?? '' };
  }

  get sharedParameters(): Parameters {
    return this.command.parameters;
  }

  get readsOnly(): boolean {
    return this.command.readsOnly;
  }

  get payload(): unknown {
    const { fault, operation } = this.command;
    if (fault || operation?.answer === 'none' || isEmpty(this.answer?.body)) return undefined;
    return this.answer?.body;
  }

  has(option: Option): boolean {
    return this.operation?.options?.includes(option) === true && isOn(this.command.action.properties[option]);
  }

  note(words: Text): void {
    this.#notes ??= new Map();
    this.#notes.set(String(words), words);
  }

  progress(words: string): void {
    this.command.action.progress(`${this.operation?.id} ${words}`);
  }

  /** Called while the parameters are read: later starts of the same family wait for this delivery. */
  announce(): void {
    this.#isAnnounced = true;
    if (this.entry && this.operation) this.device?.announce(this.entry, this.operation);
  }

  withdraw(): void {
    this.#isWithdrawn = true;
    if (this.entry) this.device?.withdraw(this.entry);
  }

  /** Releases the guard. The receipt waits until the change is on disk. */
  releaseGuard(happened: boolean): void {
    const { guard } = this;
    this.guard = undefined;
    if (guard) this.awaitWrite(guard.release(happened));
  }

  awaitWrite(writing: Promise<void> | undefined): void {
    if (writing) this.written = whenAll([this.written, writing]);
  }

  receipt(error?: DeviceError): Receipt {
    const receipt = receiptOf({
      ...this.addressee,
      operationName: this.operationName,
      latencyMs: performance.now() - this.command.since,
      outcome: this.outcome,
      answer: this.answer,
      notes: this.#notes?.values(),
      error,
      by: this.command.by,
    });
    this.device?.status.recordReceipt(receipt, localizedPartsOf(receipt).reason);
    return receipt;
  }

  #takeEntry(device: Device): void {
    const { operation, options, since } = this.command;
    if (!operation || this.#isWithdrawn) return;
    this.entry = device.take(operation, this.abort, options, since, this.#isAnnounced);
  }

  #waitForSuccessor(closed: Device): Promise<void> {
    return new Promise((resolve, reject) => {
      const { operation, options } = this.command;
      // This entry only counts towards the queue limit, which also applies to a closed device.
      const counted = operation && closed.take(operation, this.abort, options);
      if (this.abort.reason) return reject(this.abort.reason);
      const release = () => counted && closed.withdraw(counted);
      const leftMs = operation ? queuePolicyFor(operation, 0, options).expiresAt : Number.POSITIVE_INFINITY;
      const why = localized('closedByDeploy');
      const over =
        leftMs <= maxDeployMs ? Failure.own('EXPIRED', localized('tooLate')) : Failure.own('ABORTED', why);
      const limit = new Deadline(() => this.abort.abort(over), Math.min(leftMs, maxDeployMs));
      const giveUp = awaitSuccessor(closed, (successor) => {
        limit.clear();
        release();
        this.abort.setListener(undefined);
        if (!successor || this.target.stillIncludes?.(successor) === false) {
          const place = `"${closed.name}"`;
          return reject(new DeviceError('ABORTED', nothingSent(localized('takenOut')), { place }));
        }
        this.device = successor;
        this.#takeEntry(successor);
        resolve();
      });
      this.abort.setListener((reason) => {
        limit.clear();
        release();
        giveUp();
        reject(reason);
      });
    });
  }
}
