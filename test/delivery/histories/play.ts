import type { Failure } from '../../../src/client/failure';
import { Abort, type QueueEntry } from '../../../src/client/queue/entry';
import { Queue } from '../../../src/client/queue/queue';
import { TurnBudget } from '../../../src/kernel/time/turn-budget';
import { VirtualClock } from '../../fixtures/virtual-clock';
import { type End, type ModelCommand, type ModelRequest, WireModel } from './wire-model';

/** A message to some of the devices, and what will come of each of its tries. */
export interface Step {
  readonly at: number;
  readonly devices: readonly number[];
  readonly command: ModelCommand;
  /** Seconds as milliseconds, as a node has them. */
  readonly ttl: number;
  readonly retryFor: number;
  /** How long a request takes, how long is waited until the next, and which try is the first to be done. */
  readonly takesMs: number;
  readonly pauseMs: number;
  readonly doneAt: number;
}

/** Five devices on one clock that only runs when all that was due is done. */
export class Play {
  readonly #clock = new VirtualClock();
  readonly #queues: Queue[] = [];
  readonly #models: WireModel[] = [];
  #wrong: string | undefined;

  constructor(
    private readonly steps: readonly Step[],
    bound: number,
    private readonly log?: (line: string) => void,
  ) {
    for (let device = 0; device < 5; device += 1) {
      this.#queues.push(new Queue(this.#clock, bound, new TurnBudget(Number.POSITIVE_INFINITY)));
      this.#models.push(new WireModel(bound));
    }
  }

  /** Returns the first thing that was wrong. */
  async run(): Promise<string | undefined> {
    for (const step of this.steps) {
      this.#clock.after(step.at, () => {
        for (const device of step.devices) this.#arrive(device, step);
      });
    }
    for (let ticks = 0; this.#clock.pending > 0 && !this.#wrong; ticks += 1) {
      if (ticks > 500_000) return 'it never ends';
      this.#clock.step();
      for (let turn = 0; turn < 6; turn += 1) await undefined;
    }
    return this.#wrong ?? this.#models.map((model) => model.last()).find(Boolean);
  }

  #arrive(device: number, step: Step): void {
    const [queue, model] = [this.#queues[device], this.#models[device]];
    if (!queue || !model) return;
    const { command, ttl } = step;
    const now = this.#clock.now;
    const one = model.arrives(command, now, now + ttl);
    this.#record(device, one, 'arrives');
    const rank = command.kind === 'reading' ? 'reading' : command.urgent ? 'urgent' : 'ordinary';
    const { must } = model.isFull(one);
    const place = queue.take({ rank, isStop: command.kind === 'stop', expiresAt: now + ttl }, new Abort());
    const call = { device, queue, model, one, place, step };
    place.resend = (once) => {
      one.repeated = true;
      this.#enter({ ...call, place: once });
    };
    const isRefused = this.#enter(call) === 'full';
    if (must && !isRefused) this.#record(device, one, 'is let in', 'the queue was full');
  }

  #enter(call: Call): 'full' | undefined {
    const { queue, place, one } = call;
    const deviceOutput =
      one.deviceOutput === undefined ? undefined : { name: one.deviceOutput, family: one.deviceOutput };
    try {
      const turn = queue.enter(place, deviceOutput);
      if (!turn) this.#send(call);
      else
        turn.then(
          () => this.#send(call),
          (reason) => this.#refused(call, reason),
        );
    } catch (reason) {
      this.#refused(call, reason as Failure);
      return one.end === 'full' ? 'full' : undefined;
    }
    return undefined;
  }

  #refused({ one, device, model }: Call, { code }: Failure): void {
    if (one.repeated) return;
    const ends: Record<string, End> = { SUPERSEDED: 'superseded', EXPIRED: 'expired', QUEUE_FULL: 'full' };
    const end = ends[code];
    this.#record(device, one, `is refused: ${code}`, end ? model.ends(one, end, this.#clock.now) : 'why?');
  }

  #send(call: Call): void {
    const { device, model, one, place, step } = call;
    place.abort.onWire = true;
    const now = this.#clock.now;
    this.#record(device, one, 'is sent', model.isSent(one, now));
    this.#clock.after(step.takesMs, () => this.#answered(call));
  }

  #answered(call: Call): void {
    const { device, queue, model, one, place, step } = call;
    place.abort.onWire = false;
    const now = this.#clock.now;
    if (one.repeated && one.end) {
      model.ends(one, 'done', now);
      this.#record(device, one, 'is done once more');
      queue.leave(place, true);
      return;
    }
    const isDone = one.sent >= step.doneAt;
    const next = now + step.pauseMs;
    const isLast = next >= Math.min(one.arrived + step.retryFor, one.deadline);
    if (!isDone && !isLast && !place.isEnded) {
      this.#record(device, one, 'rests');
      model.rests(one);
      queue.pauseForRetry(place, next).then(
        () => this.#send(call),
        (reason) => {
          this.#refused(call, reason);
          queue.leave(place, false);
        },
      );
      return;
    }
    const end = isDone ? 'done' : place.isEnded ? 'superseded' : 'failed';
    this.#record(
      device,
      one,
      `ends ${end}`,
      end === 'superseded' ? this.#given(call) : model.ends(one, end, now),
    );
    queue.leave(place, isDone);
  }

  /** Its try was in vain, and a stop has come meanwhile: it is not tried again. */
  #given({ model, one }: Call): string | undefined {
    model.rests(one);
    return model.ends(one, 'superseded', this.#clock.now);
  }

  #record(
    device: number,
    { number, kind, deviceOutput = '' }: ModelRequest,
    what: string,
    wrong?: string,
  ): void {
    this.log?.(`${this.#clock.now}: device ${device}, ${number} (${kind} ${deviceOutput}) ${what}`);
    if (wrong) this.#wrong ??= `${this.#clock.now}: device ${device}, ${number} ${what}, but ${wrong}`;
  }
}

interface Call {
  readonly device: number;
  readonly queue: Queue;
  readonly model: WireModel;
  readonly one: ModelRequest;
  readonly place: QueueEntry;
  readonly step: Step;
}
