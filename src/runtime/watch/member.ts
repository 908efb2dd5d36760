import type { DeviceError } from '../../client/errors';
import type { Device } from '../device/device';
import type { ContactPayload, Content, Sink, WatchState } from './watch';

/** Who wants to know what the watch over one member says. */
export interface MemberListener {
  changes(device: string, messages: readonly Content[]): void;
  contact(device: string, payload: ContactPayload): void;
  fault(device: string, error: DeviceError): void;
  /** @param before whether it answered, undefined until it had been read */
  turn(before: boolean | undefined, now: boolean): void;
}

/** Where the watch over one member of a group leads to. */
export class Member implements Sink {
  #answers: boolean | undefined;

  constructor(
    readonly device: Device,
    private readonly listener: MemberListener,
  ) {}

  /** Undefined until it has been read. */
  get answers(): boolean | undefined {
    return this.#answers;
  }

  changes(messages: readonly Content[]): void {
    this.listener.changes(this.device.name, messages);
  }

  contact(payload: ContactPayload): void {
    this.turn(payload.contact === 'restored');
    this.listener.contact(this.device.name, payload);
  }

  lack(error: DeviceError): void {
    this.listener.fault(this.device.name, error);
  }

  show({ state }: WatchState): void {
    if (state === 'watching' || state === 'lacking') this.turn(true);
    if (state === 'lost') this.turn(false);
  }

  turn(answers: boolean): void {
    const before = this.#answers;
    if (before === answers) return;
    this.#answers = answers;
    this.listener.turn(before, answers);
  }
}
