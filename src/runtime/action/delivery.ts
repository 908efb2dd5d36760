import { lackAt, mayLack, type Needs, needsOfAny } from '../../catalogue/lacks';
import type { Operation, Option } from '../../catalogue/operation';
import { said, type Text, together } from '../../catalogue/saying';
import type { Answer, WireRequest } from '../../client/client';
import { DeviceError } from '../../client/errors';
import { Abort } from '../../client/queue/entry';
import type { Turn } from '../../client/turn';
import type { Crowd } from '../delivery/crowd';
import { endingOf, partiesOf } from '../delivery/end';
import type { Happened } from '../delivery/happened';
import type { Hold } from '../delivery/hold';
import { whenAll } from '../delivery/ledger';
import type { Device } from '../device/device';
import type { Identity } from '../device/identity';
import { otherIdsOf } from '../device/registry';
import { isOn } from '../device/settings';
import { Arrival } from './arrival';
import { carryOut } from './carry-out';
import type { Dispatch } from './dispatch';
import { endingByItself } from './ending';
import type { ActionHooks, DeliveryContext } from './hooks';
import type { Given } from './parameters';
import { isEmpty, isTooMuch, type Outcome, type Receipt, receiptOf, sayingsOf, succeeded } from './receipt';
import { waitUntilBack } from './restart';
import type { Target } from './targets';
import { asDeviceError } from './verdict';

/** One message on its way to one target, from its arrival to its receipt. */
export class Delivery implements DeliveryContext {
  /** Ends it. */
  readonly abort = new Abort();
  /** The device's answer to what the message asks for, once there is one. */
  answer: Answer | undefined;
  /** The parameters as the device wants them. */
  parameters: Given = {};
  outcome: Outcome = 'accepted';
  #notes: Map<string, Text> | undefined;
  readonly #arrival: Arrival;
  /** What it starts is not ended while this is open. */
  #hold: Hold | undefined;
  /** There while what is to survive a crash is not written through. */
  #written: Promise<void> | undefined;

  /** Takes its place in the order of the device's calls. */
  constructor(
    readonly dispatch: Dispatch,
    private readonly target: Target,
    /** Those of the message that are spoken to at once; absent where there are few. */
    private readonly crowd?: Crowd,
  ) {
    this.abort.admission = dispatch.action.admission;
    this.#arrival = new Arrival(dispatch, target, this.abort);
  }

  /** @throws DeviceError when the target was not found */
  get device(): Device {
    const { device } = this.#arrival;
    if (device) return device;
    throw this.target.error;
  }

  /** What a receipt calls its target, also where that was not found. */
  get addressee(): Pick<Receipt, 'device' | 'address'> {
    const { device } = this.#arrival;
    return { device: device?.name ?? this.target.asked ?? '', address: device?.address ?? '' };
  }

  get deed(): string {
    return this.dispatch.deed;
  }

  /** @throws DeviceError when it is no operation of the node */
  get operation(): Operation {
    if (this.dispatch.operation) return this.dispatch.operation;
    throw this.dispatch.fault;
  }

  get sharedParameters(): Given {
    return this.dispatch.parameters;
  }

  get hooks(): ActionHooks {
    return this.dispatch.action.hooks;
  }

  get retryForMs(): number {
    return this.dispatch.wishes.retryForMs;
  }

  get readsOnly(): boolean {
    return this.dispatch.readsOnly;
  }

  request(operation: Parameters<Dispatch['request']>[0], parameters: Given): WireRequest {
    return this.dispatch.request(operation, parameters);
  }

  /** What of the answer becomes a message's payload; undefined when nothing does. */
  get payload(): unknown {
    const { fault, operation } = this.dispatch;
    if (fault || operation?.answer === 'none' || isEmpty(this.answer?.body)) return undefined;
    return this.answer?.body;
  }

  /** Whether a person switched on what the operation has. */
  has(option: Option): boolean {
    return this.operation.options?.includes(option) === true && isOn(this.dispatch.action.properties[option]);
  }

  /** Says something that a person should know beside the outcome. */
  note(words: Text): void {
    this.#notes ??= new Map();
    this.#notes.set(String(words), words);
  }

  /** Says in the node's status how far it is, for example `put 40 %`. */
  progress(words: string): void {
    this.dispatch.action.progress(`${this.operation.id} ${words}`);
  }

  /** Keeps the place while the parameters, and the subject with them, take a while to be read. */
  announce(): void {
    this.#arrival.announce();
  }

  /** Gives the place up: it is not to be done. */
  withdraw(): void {
    this.#arrival.withdraw();
  }

  /** Does it, or says why not, and tells. Never rejects: whatever goes wrong is in the receipt. */
  async end(tell?: (receipt: Receipt) => void): Promise<Receipt> {
    let receipt: Receipt;
    try {
      const arriving = this.#arrival.ready();
      if (arriving) await arriving;
      await this.#endAt(this.device);
      if (this.#written) await this.#written;
      // After its turn, so that others need not wait for a device that restarts.
      if (this.#waitsUntilBack) this.note(await waitUntilBack(this));
      receipt = this.#receipt();
    } catch (error) {
      this.#arrival.withdraw();
      // Also where nothing was sent: nobody is told of an end before the message has begun everywhere.
      await this.#written;
      receipt = this.#receipt(asDeviceError(this, error));
    } finally {
      this.#hold?.release(false);
    }
    tell?.(receipt);
    return receipt;
  }

  #endAt(device: Device): Promise<void> {
    const { operation } = this;
    const { action, fault, parameters, subject } = this.dispatch;
    if (fault) throw fault;
    this.#refuseLack(this.#needs(parameters), device.knownIdentity);
    if (subject && operation.subject && !operation.ends)
      this.#hold = action.ends?.hold(device.id, subject.name, otherIdsOf(device));
    const { crowd } = this;
    const take = (turn: Turn) => (crowd ? this.#doAmong(crowd, turn) : this.#doIn(turn));
    return device.during(this.#arrival.place, subject, this.deed, take);
  }

  async #doAmong(crowd: Crowd, turn: Turn): Promise<void> {
    const entering = crowd.enter(this.abort);
    const visit = entering instanceof Promise ? await entering : entering;
    try {
      await this.#doIn(turn);
    } finally {
      crowd.leave(visit);
    }
  }

  async #doIn(turn: Turn): Promise<void> {
    const { device, dispatch, operation } = this;
    const { action, parameters } = dispatch;
    const asked = this.#identityIn(turn);
    const identity = asked instanceof Promise ? await asked : asked;
    // Before words are put in this model's way: one that lacks the whole has no way for them.
    this.#refuseLack(needsOfAny(operation), identity);
    const adapted = action.hooks.adapt?.(this, identity) ?? { parameters };
    this.#refuseLack(this.#needs(adapted.parameters), identity);
    if (adapted.note) this.note(adapted.note);
    this.parameters = adapted.parameters;
    if (dispatch.leftOut) this.note(said('keysLeftOut', { names: dispatch.leftOut.join(', ') }));
    if (this.#isRehearsed) {
      this.outcome = 'rehearsed';
      return;
    }
    const { endAfterMs } = dispatch.wishes;
    if (endAfterMs !== undefined) await this.#prepareEnd(endAfterMs, identity);
    // Whether it happened is told in its turn, before anything later is sent.
    try {
      await carryOut(this, turn);
      this.#awaitLater(this.#hold?.release(true));
    } catch (error) {
      const mayHaveHappened = asDeviceError(this, error).outcome === 'unknown';
      this.#awaitLater(this.#hold?.release(mayHaveHappened));
      if (mayHaveHappened && !operation.ends) this.#awaitLater(action.hooks.done?.(this));
      throw error;
    }
    this.#awaitLater(action.hooks.done?.(this));
    const { subject } = dispatch;
    if (subject && operation.ends)
      this.#awaitLater(action.ends?.noteEnded(device.id, subject.name, otherIdsOf(device)));
    if (turn.overtakes) this.note(said('startUnderWay'));
  }

  /** Before its receipt, and not in its turn. */
  #awaitLater(writing: Promise<void> | undefined): void {
    if (writing) this.#written = whenAll([this.#written, writing]);
  }

  /** @throws DeviceError where it has to be known, and cannot be asked for */
  #identityIn(turn: Turn): Promise<Identity> | Identity {
    const { device, dispatch } = this;
    if (dispatch.action.hooks.needsModel?.(dispatch.parameters) && !device.recognition.isModelSet) {
      const { retryForMs } = dispatch.wishes;
      return device.identityNeededIn(turn, { retryForMs }).catch((error: unknown) => {
        throw this.abort.reason ?? modelNotAsked(error);
      });
    }
    return this.#mustAsk ? device.identityIn(turn) : device.knownIdentity;
  }

  get #waitsUntilBack(): boolean {
    return this.outcome !== 'rehearsed' && this.has('waitUntilBack');
  }

  get #mustAsk(): boolean {
    const { device, operation } = this;
    const { parameters, wishes } = this.dispatch;
    if (operation.urgent || !device.recognition.isOpen) return false;
    const endsByItself = wishes.endAfterMs !== undefined && operation.end?.field !== undefined;
    return (endsByItself && !device.letDeviceDecide) || mayLack(device, this.#needs(parameters));
  }

  /** Whether all but the sending is done. What only reads is sent all the same. */
  get #isRehearsed(): boolean {
    if (!this.device.rehearsal && !this.target.rehearsal) return false;
    return !this.readsOnly;
  }

  /** Lets the device end what it starts, or has it ended after a while, whatever happens meanwhile. */
  async #prepareEnd(endAfterMs: number, identity: Identity): Promise<void> {
    const { device, operation, parameters } = this;
    const { action } = this.dispatch;
    const ending = endingByItself(operation, parameters, endAfterMs, identity);
    if (ending) {
      this.parameters = ending;
      return;
    }
    const sent = endingOf(operation, parameters);
    if (sent) await this.#hold?.arm({ ...sent, ...partiesOf(device, action.node), afterMs: endAfterMs });
  }

  #needs(parameters: Given): Needs {
    return this.dispatch.needs(this.operation, parameters);
  }

  #refuseLack(needs: Needs, identity: Identity): void {
    const { device, deed } = this;
    const lack = lackAt(device, needs, identity);
    if (!lack) return;
    const reason = said('atDevice', { deed, device: device.name, reason: lack.sentence });
    const sentence = said('nothingSent', { reason });
    throw new DeviceError('NOT_SUPPORTED', sentence, {
      deed,
      outcome: lack.because === 'model' ? 'skipped' : 'failed',
    });
  }

  /** What its message has started or ended at the device; undefined where that is nothing. */
  happened(receipt: Receipt): Happened | undefined {
    const { operation, parameters, subject } = this.dispatch;
    if (!operation || !subject || !succeeded(receipt) || receipt.outcome === 'rehearsed') return undefined;
    return { device: this.device, subject: subject.name, operation, parameters };
  }

  #receipt(error?: DeviceError): Receipt {
    const { device } = this.#arrival;
    if (isTooMuch(this.answer?.body)) this.note(said('responseLeftOut'));
    const receipt = receiptOf({
      ...this.addressee,
      deed: this.deed,
      latencyMs: performance.now() - this.dispatch.since,
      outcome: this.outcome,
      answer: this.answer,
      note: together([...(this.#notes?.values() ?? [])]),
      error,
    });
    device?.sight.noteReceipt(receipt, sayingsOf(receipt).reason);
    return receipt;
  }
}

/** The device could not be asked for its model: that is why, and nothing else was sent. */
function modelNotAsked(error: unknown): unknown {
  if (!(error instanceof DeviceError)) return error;
  const { attempts, code, outcome, said: reason, statusCode } = error;
  return new DeviceError(code, said('nothingSent', { reason: said('modelNotAsked', { reason }) }), {
    outcome: outcome === 'unknown' ? 'failed' : outcome,
    attempts,
    ...(statusCode !== undefined && { statusCode }),
    cause: error,
  });
}
