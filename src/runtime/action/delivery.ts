import type { Operation, Option } from '../../catalogue/operation';
import { Abort } from '../../client/abort';
import { subjectOf } from '../../client/claim';
import type { Answer } from '../../client/client';
import { DeviceError, wordsOf } from '../../client/errors';
import type { Failure } from '../../client/failure';
import type { Place } from '../../client/place';
import type { Turn } from '../../client/turn';
import type { Device } from '../device/device';
import type { Identity } from '../device/identity';
import { lackAt, mayLack } from '../device/lacks';
import { awaitSuccessor } from '../device/registry';
import { isOn } from '../device/settings';
import { carryOut, followUp } from './carry-out';
import type { Dispatch } from './dispatch';
import type { Given } from './parameters';
import { type Outcome, type Receipt, responseOf } from './receipt';
import type { Target } from './targets';

/** One message on its way to one target, from its arrival to its receipt. */
export class Delivery {
  /** Ends it. */
  readonly abort = new Abort();
  /** The device's answer to what the message asks for, once there is one. */
  answer: Answer | undefined;
  /** The parameters as the device wants them. */
  parameters: Given = {};
  outcome: Outcome = 'accepted';
  readonly #startedAt = performance.now();
  readonly #notes = new Set<string>();
  #device: Device | undefined;
  #place: Place | undefined;

  /** Takes its place in the order of the device's calls. */
  constructor(
    readonly dispatch: Dispatch,
    private readonly target: Target,
  ) {
    this.#device = target.device;
    this.#takePlace();
  }

  /** @throws DeviceError when the target was not found */
  get device(): Device {
    if (this.#device) return this.#device;
    throw this.target.error;
  }

  get deed(): string {
    return this.dispatch.deed;
  }

  /** @throws DeviceError when it is no operation of the node */
  get operation(): Operation {
    if (this.dispatch.operation) return this.dispatch.operation;
    throw this.dispatch.fault;
  }

  /** Whether a person switched on what the operation has. */
  has(option: Option): boolean {
    return this.operation.options?.includes(option) === true && isOn(this.dispatch.action.properties[option]);
  }

  /** Says something that a person should know beside the outcome. */
  note(words: string): void {
    this.#notes.add(words);
  }

  /** Says in the node's status how far it is, for example `put 40 %`. */
  progress(words: string): void {
    this.dispatch.action.progress(`${this.operation.id} ${words}`);
  }

  /** Keeps the place while the parameters, and the subject with them, take a while to be read. */
  announce(): void {
    const family = this.dispatch.operation?.subject?.name;
    if (this.#place && family) this.#device?.announce(this.#place, family);
  }

  /** Does it, or says why not. Never rejects: whatever goes wrong is in the receipt. */
  async end(): Promise<Receipt> {
    try {
      if (this.#device?.isClosed) await this.#waitForSuccessor(this.#device);
      const { device, operation } = this;
      const { fault, parameters } = this.dispatch;
      if (fault) throw fault;
      this.#refuseLack(parameters, device.knownIdentity);
      const place = this.#place ?? device.take(operation, this.abort);
      await device.during(place, subjectOf(operation, parameters), this.deed, (turn) => this.#take(turn));
      await followUp(this);
      return this.#receipt();
    } catch (error) {
      if (this.#place) this.#device?.withdraw(this.#place);
      return this.#receipt(this.#asDeviceError(error));
    }
  }

  #takePlace(): void {
    const { operation } = this.dispatch;
    if (this.#device && !this.#device.isClosed && operation) {
      this.#place = this.#device.take(operation, this.abort);
    }
  }

  /** A deploy has closed the device and is going to start another one in its place. */
  async #waitForSuccessor(closed: Device): Promise<void> {
    const successor = await new Promise<Device | undefined>((resolve, reject) => {
      if (this.abort.reason) return reject(this.abort.reason);
      const giveUp = awaitSuccessor(closed, (found) => {
        this.abort.tell(undefined);
        resolve(found);
      });
      this.abort.tell((reason) => {
        giveUp();
        reject(reason);
      });
    });
    if (!successor || this.target.isMeant?.(successor) === false) {
      const sentence = `device "${closed.name}" was taken out by a deploy; nothing was sent`;
      throw new DeviceError('ABORTED', sentence);
    }
    this.#device = successor;
    this.#takePlace();
  }

  /** The message's turn at the device. */
  async #take(turn: Turn): Promise<void> {
    const { device, operation } = this;
    const { action, parameters } = this.dispatch;
    const mustAsk = !operation.urgent && mayLack(device, operation, parameters);
    const identity = mustAsk ? await device.identityIn(turn) : device.knownIdentity;
    const adapted = action.hooks.adapt?.(this, identity) ?? { parameters };
    this.#refuseLack(adapted.parameters, identity);
    if (adapted.note) this.note(adapted.note);
    this.parameters = adapted.parameters;
    await carryOut(this, turn);
    if (turn.overtakes) this.note('a start of it is still under way; this is sent once more after that');
    action.hooks.done?.(this);
  }

  #refuseLack(parameters: Given, identity: Identity): void {
    const { device, deed } = this;
    const lack = lackAt(device, this.operation, parameters, identity);
    if (!lack) return;
    const sentence = `${deed} at "${device.name}": ${lack.sentence}; nothing was sent`;
    throw new DeviceError('NOT_SUPPORTED', sentence, {
      deed,
      outcome: lack.because === 'model' ? 'skipped' : 'failed',
    });
  }

  #receipt(error?: DeviceError): Receipt {
    const { answer } = this;
    const device = this.#device;
    const note = [...this.#notes].join('; ');
    const statusCode = error?.statusCode ?? answer?.statusCode;
    return {
      device: device ? device.name : (this.target.asked ?? ''),
      address: device?.address ?? '',
      operation: this.deed,
      latencyMs: Math.round(performance.now() - this.#startedAt),
      at: new Date().toISOString(),
      outcome: error ? error.outcome : this.outcome,
      attempts: Math.max(error?.attempts ?? 0, answer?.attempts ?? 0),
      ...(statusCode !== undefined && { statusCode }),
      ...responseOf(error ? error.response : answer?.body),
      ...(note !== '' && { note }),
      ...(error && { error: { code: error.code, message: this.#sentenceOf(error) } }),
    };
  }

  /** What is wrong with a device or a name is found by who knows nothing of what was to be done. */
  #sentenceOf({ deed, message }: DeviceError): string {
    return deed === undefined ? `${this.deed}: ${message}` : message;
  }

  /** A fault of our own must not look like the device's, and must not vanish either. */
  #asDeviceError(error: unknown): DeviceError {
    const { reason } = this.abort;
    if (reason && this.answer) return this.#cutShort(reason);
    if (error instanceof DeviceError) return error;
    const { deed } = this;
    if (reason) {
      return new DeviceError('ABORTED', `${deed}: ${reason.message}; nothing was sent`, {
        deed,
        cause: error,
      });
    }
    return new DeviceError('PROTOCOL', `${deed}: a fault in this package: ${wordsOf(error)}`, {
      deed,
      cause: error,
      outcome: this.abort.wasOnWire ? 'unknown' : 'failed',
    });
  }

  /** The device said yes, and then this was closed before it was seen whether that holds. */
  #cutShort(reason: Failure): DeviceError {
    const { deed, device } = this;
    const sentence = `${deed} at "${device.name}" was accepted, but not followed to its end: ${reason.message}`;
    return new DeviceError('ABORTED', sentence, { deed, outcome: 'unknown', cause: reason });
  }
}
