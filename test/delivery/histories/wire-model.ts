/** What one device is asked for. */
export interface ModelCommand {
  readonly kind: 'start' | 'stop' | 'message' | 'reading';
  readonly deviceOutput?: string;
  readonly urgent: boolean;
}

export type End = 'done' | 'failed' | 'superseded' | 'expired' | 'full';

export interface ModelRequest extends ModelCommand {
  readonly number: number;
  readonly arrived: number;
  readonly deadline: number;
  state: 'waits' | 'on the wire' | 'rests' | 'over';
  sent: number;
  /** A stop that is sent once more. */
  repeated?: true;
  end?: End;
}

const patience = 2_000;

/**
 * What one device may and must have seen, where messages have deadlines, are tried again, and find a queue that is full.
 * Written from the contract (docs/contract.md, section 2.5); it is told what happens and says what must not.
 */
export class WireModel {
  readonly asked: ModelRequest[] = [];
  readonly #on = new Map<string, boolean>();

  constructor(private readonly bound: number) {}

  arrives(command: ModelCommand, now: number, deadline: number): ModelRequest {
    const one: ModelRequest = {
      ...command,
      number: this.asked.length,
      arrived: now,
      deadline,
      state: 'waits',
      sent: 0,
    };
    this.asked.push(one);
    return one;
  }

  /** Whether it may and whether it must be refused because the queue is full. */
  isFull(one: ModelRequest): { readonly may: boolean; readonly must: boolean } {
    if (one.urgent || one.kind === 'reading') return { may: false, must: false };
    const others = this.#alive((other) => other !== one && !other.urgent && other.kind !== 'reading');
    const waiting = others.filter(({ state }) => state === 'waits').length;
    const resting = others.filter(({ state }) => state === 'rests').length;
    const isBusy = this.#alive((other) => other.state === 'on the wire' && !other.urgent).length > 0;
    return { may: waiting + resting >= this.bound, must: isBusy && waiting >= this.bound };
  }

  /** Its request begins. Returns what is wrong with that. */
  isSent(one: ModelRequest, now: number): string | undefined {
    const before = one.state;
    one.state = 'on the wire';
    one.sent += 1;
    if (before === 'over') return one.repeated ? undefined : 'it was over';
    const onWire = this.#alive(({ state }) => state === 'on the wire');
    if (onWire.length > 2) return 'it is the third request at once';
    if (onWire.filter(({ urgent }) => !urgent).length > 1) return 'two ordinary requests are on the wire';
    if (one.sent === 1 && now > one.deadline) return 'its time was over';
    if (one.kind === 'start' && this.#isStopped(one)) return 'a later stop had come';
    for (const other of this.#alive((other) => other.number < one.number && !this.#isOut(other, now))) {
      if (other.deviceOutput && other.deviceOutput === one.deviceOutput && !this.#passes(one, other, now)) {
        return `${other.number} of its device output came before`;
      }
      const bothAreMessages = [one, other].every(({ urgent, kind }) => !urgent && kind !== 'reading');
      if (bothAreMessages) return `${other.number} came before`;
    }
    const messages = this.#alive(
      (other) => !other.urgent && other.kind !== 'reading' && !this.#isOut(other, now),
    );
    const isHeldUp =
      messages.some(({ state }) => state === 'rests') || this.#alive(({ urgent }) => urgent).length > 0;
    if (one.kind === 'reading' && messages.length > 0 && !isHeldUp) return 'a message waits';
    return undefined;
  }

  /** A try was in vain, and another one is to come. */
  rests(one: ModelRequest): void {
    one.state = 'rests';
  }

  /** Returns what is wrong with its end. */
  ends(one: ModelRequest, end: End, now: number): string | undefined {
    const before = one.state;
    one.state = 'over';
    if (end === 'done' && one.deviceOutput) this.#on.set(one.deviceOutput, one.kind === 'start');
    if (before === 'over') return 'it ended twice';
    one.end = end;
    if (end === 'full') return this.isFull(one).may ? undefined : 'there was room';
    if (end === 'superseded')
      return this.#isStopped(one) && before !== 'on the wire' ? undefined : 'no stop came';
    if (end === 'expired') return one.sent === 0 && now >= one.deadline ? undefined : 'it had time';
    return before === 'waits' ? 'it was never sent' : undefined;
  }

  /** What is wrong when all is over. */
  last(): string | undefined {
    const forgotten = this.#alive(() => true)[0];
    if (forgotten) return `${forgotten.number} never ended`;
    for (const [deviceOutput, isOn] of this.#on) {
      const last = this.asked.findLast((one) => one.deviceOutput === deviceOutput && one.end === 'done');
      if (last && isOn !== (last.kind === 'start')) return `${deviceOutput} was left ${isOn ? 'on' : 'off'}`;
    }
    return undefined;
  }

  #alive(is: (one: ModelRequest) => boolean): ModelRequest[] {
    return this.asked.filter((one) => one.state !== 'over' && is(one));
  }

  /** It is out, though it has not been told yet. */
  #isOut(one: ModelRequest, now: number): boolean {
    if (one.state === 'on the wire') return false;
    return (one.kind === 'start' && this.#isStopped(one)) || (one.sent === 0 && now >= one.deadline);
  }

  #isStopped(start: ModelRequest): boolean {
    return this.asked.some(
      ({ kind, deviceOutput, number }) =>
        kind === 'stop' && deviceOutput === start.deviceOutput && number > start.number,
    );
  }

  #passes(stop: ModelRequest, start: ModelRequest, now: number): boolean {
    if (stop.kind !== 'stop' || start.kind !== 'start') return false;
    return start.state === 'rests' || now - stop.arrived >= patience;
  }
}
