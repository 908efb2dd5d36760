import { Failure } from '../../src/client/failure';
import { Abort, type QueueEntry, QueueUser } from '../../src/client/queue/entry';
import { Queue } from '../../src/client/queue/queue';
import { TurnBudget } from '../../src/kernel/time/turn-budget';
import { type History, maxNames, type Step } from '../fixtures/history';
import { VirtualClock } from '../fixtures/virtual-clock';
import { type End, type Entry, OrderModel } from './order-model';

/** More ticks than any history needs: what goes on longer never ends. */
const mostTicks = 20_000;

/** How long it takes to give up what is under way. */
const givingUpMs = 5;

/** A message that the queue keeps. */
interface Call {
  readonly step: Step;
  readonly entry: Entry;
  /** Anew for what is done once more. */
  readonly place: QueueEntry;
  /** Cancels what its request waits for. */
  cancel: () => void;
  readonly isRepeat: boolean;
}

/** Tells that its call is ended in that instant: those that go on by it may begin before its own promise is rejected. */
class WatchedAbort extends Abort {
  constructor(private readonly heard: (reason: Failure) => void) {
    super();
  }

  override abort(reason: Failure): void {
    if (!this.reason) this.heard(reason);
    super.abort(reason);
  }
}

/** Plays one history with the real queue on a virtual clock, and asks the model about every step. */
export class HistoryPlayer {
  readonly #clock = new VirtualClock();
  readonly #alarms = new Set<() => void>();
  readonly #queue = new Queue(
    { monotonic: this.#clock.monotonic, after: (ms, task) => this.#alarm(ms, task) },
    undefined,
    new TurnBudget(Number.POSITIVE_INFINITY),
  );
  readonly #model = new OrderModel();
  /** What is on at the device. */
  readonly #on = new Map<string, boolean>();
  #wrong: string | undefined;
  readonly #users = Array.from({ length: maxNames }, () => new QueueUser());
  /** By number. */
  readonly #calls: Call[] = [];
  /** The model knows that they were taken out; their messages do not yet. */
  readonly #unreported = new Set<Entry>();
  readonly #closed = new Set<number>();
  #closing = 0;

  /** @param log told what happens, for a person */
  constructor(
    private readonly history: History,
    private readonly log?: (line: string) => void,
  ) {}

  /** Returns the first thing that was wrong. */
  async run(): Promise<string | undefined> {
    const { steps, closeAt = new Map() } = this.history;
    for (const step of steps) this.#clock.after(step.at, () => this.#arrive(step));
    for (const [name, at] of closeAt) this.#clock.after(at, () => this.#close(name));
    for (let ticks = 0; this.#clock.pending > 0 && !this.#wrong; ticks += 1) {
      if (ticks > mostTicks) return 'it never ends';
      this.#clock.step();
      await settled();
      if (this.#clock.isInstantOver) this.#judge(this.#model.overdue(this.#clock.now));
    }
    return this.#wrong ?? this.#atTheEnd();
  }

  #atTheEnd(): string | undefined {
    for (const { number } of this.#unreported) return `${number} was never told`;
    if (this.#closing > 0) return 'closing never ended';
    if (this.#closed.size > 0 && this.#alarms.size > 0) return 'closed, but an alarm is still set';
    return this.#model.atTheEnd(this.#on);
  }

  #arrive(step: Step): void {
    const { message, parametersMs, abortMs } = step;
    const entry = this.#model.arrives(message, this.#clock.now);
    const rank = message.kind === 'reading' ? 'reading' : message.urgent ? 'urgent' : 'ordinary';
    const expiresAt = message.kind === 'start' ? this.#clock.now + 60_000 : Number.POSITIVE_INFINITY;
    const claim = { rank, isStop: message.kind === 'stop', expiresAt } as const;
    const abort = new WatchedAbort((reason) => this.#takenOut(entry, reason));
    const place = this.#queue.take(claim, abort, this.#users[step.name]);
    const call: Call = { step, entry, place, cancel: () => {}, isRepeat: false };
    this.#calls[entry.number] = call;
    if (this.#closed.has(step.name)) this.#model.closes([entry]);
    this.#report(entry, 'arrives');
    place.resend = (once) => {
      if (place.abort.reason) return;
      this.#calls[entry.number] = { ...call, place: once, isRepeat: true };
      this.#enter(this.#calls[entry.number] as Call);
    };
    // The model's verdict changes at these times.
    for (const ms of [2_000, 60_000]) this.#clock.after(ms, () => {});
    if (abortMs !== undefined) {
      const reason = Failure.own('ABORTED', 'it was canceled');
      this.#clock.after(abortMs, () => entry.end ?? this.#giveUp(entry, place, reason));
    }
    if (parametersMs === undefined) this.#enter(call);
    else {
      if (message.family) this.#queue.announce(place, message.family);
      if (Number.isFinite(parametersMs)) this.#clock.after(parametersMs, () => this.#enter(call));
      else this.#clock.after(1_000, () => this.#withdraw(call));
    }
  }

  #giveUp(entry: Entry, { abort }: QueueEntry, reason: Failure): void {
    entry.givenUp = true;
    this.#report(entry, 'is given up');
    abort.abort(reason);
  }

  #withdraw({ place, entry }: Call): void {
    this.#ends(entry, 'aborted');
    this.#queue.withdraw(place);
  }

  #enter(call: Call): void {
    const { entry, place, isRepeat } = call;
    const { deviceOutput: name, family = '' } = entry;
    if (!isRepeat && (place.abort.reason || place.user.closed)) this.#willBeRefused(entry, 'aborted');
    else if (!isRepeat) {
      this.#report(entry, 'enters');
      this.#model.enters(entry, this.#clock.now);
      for (const ms of [2_000]) this.#clock.after(ms, () => {});
    }
    place.onTurn = () => this.#hasTurn(call);
    try {
      const turn = this.#queue.enter(place, name === undefined ? undefined : { name, family });
      if (turn) {
        const { onTurn } = place;
        place.onTurn = () => {
          this.#hasTurn(call);
          onTurn?.();
        };
        turn.then(
          () => this.#begin(call),
          (reason) => this.#refused(call, reason),
        );
      } else this.#begin(call);
    } catch (reason) {
      this.#refused(call, reason as Failure);
    }
  }

  /** What waits is taken out by the reason for its end; what is under way ends by itself. */
  #takenOut(entry: Entry, { code }: Failure): void {
    const isWaiting = entry.entered !== undefined && !entry.connection && !entry.end;
    const ends: Record<string, End> = { SUPERSEDED: 'superseded', EXPIRED: 'expired', ABORTED: 'aborted' };
    if (isWaiting) this.#willBeRefused(entry, ends[code] ?? 'failed');
  }

  #willBeRefused(entry: Entry, end: End): void {
    this.#unreported.add(entry);
    this.#ends(entry, end);
  }

  #refused({ entry, isRepeat }: Call, { code }: Failure): void {
    const wasTakenOut = this.#unreported.delete(entry);
    if (!isRepeat && !wasTakenOut) this.#report(entry, 'is refused', code);
  }

  #hasTurn({ entry, place }: Call): void {
    const wrong = this.#model.begins(entry, this.#clock.now);
    this.#report(entry, 'begins', place.user.closed ? 'its name was closed' : wrong);
  }

  #begin(call: Call): void {
    const { place, step, isRepeat } = call;
    place.abort.setListener((reason) => this.#interrupt(call, reason));
    const requests = isRepeat ? [step.againMs] : step.requestsMs;
    if (place.abort.reason) this.#stop(call, place.abort.reason);
    else this.#afterwards(call, step.connectMs, () => this.#send(call, requests));
  }

  #send(call: Call, [ms = 0, ...more]: readonly number[]): void {
    const { entry, place, step } = call;
    place.abort.onWire = true;
    place.abort.giveUp = () => this.#giveWay(call);
    this.#report(entry, 'is sent', this.#model.isSent(entry));
    if (step.done === 'early') this.#does(step);
    this.#afterwards(call, ms, () => {
      if (step.done === 'late') this.#does(step);
      place.abort.onWire = false;
      place.abort.giveUp = undefined;
      if (more.length === 0) this.#finish(call, step.end);
      else if (place.isEnded) this.#finish(call, 'unclear');
      else this.#connectAgain(call, more);
    });
  }

  #connectAgain(call: Call, requests: readonly number[]): void {
    call.entry.onWire = false;
    this.#report(call.entry, 'connects again');
    this.#afterwards(call, call.step.connectMs, () => this.#send(call, requests));
  }

  #afterwards(call: Call, ms: number, task: () => void): void {
    call.cancel = this.#clock.after(ms, task);
  }

  #does({ message: { kind, deviceOutput }, end }: Step): void {
    if (deviceOutput !== undefined && end !== 'failed') this.#on.set(deviceOutput, kind === 'start');
  }

  /** What is on the wire has a socket to be closed. */
  #interrupt(call: Call, reason: Failure): void {
    call.cancel();
    if (call.place.abort.onWire) this.#afterwards(call, givingUpMs, () => this.#stop(call, reason));
    else queueMicrotask(() => this.#stop(call, reason));
  }

  #giveWay(call: Call): void {
    this.#report(call.entry, 'gives way', this.#model.givesWay(call.entry, this.#clock.now));
    call.cancel();
    call.place.abort.giveUp = undefined;
    this.#afterwards(call, givingUpMs, () => this.#finish(call, 'unclear'));
  }

  /** As the client does when a call is ended from outside. */
  #stop(call: Call, reason: Failure): void {
    const { entry } = call;
    if (entry.sent && entry.kind === 'start') this.#finish(call, 'unclear');
    else this.#finish(call, reason.code === 'SUPERSEDED' ? 'superseded' : 'aborted');
  }

  #finish(call: Call, end: End): void {
    const { place, entry, step } = call;
    place.abort.setListener(undefined);
    place.abort.onWire = false;
    place.abort.giveUp = undefined;
    // A yes for what the device does not do is none.
    const isDone = end === 'done' && step.done === 'never' ? 'unclear' : end;
    this.#ends(entry, isDone);
    this.#queue.leave(
      place,
      end === 'done' || end === 'unclear' || (end === 'aborted' && entry.sent === true),
    );
  }

  #ends(entry: Entry, end: End): void {
    this.#report(entry, `ends ${end}`, this.#model.ends(entry, end, this.#clock.now));
  }

  #close(name: number): void {
    this.#closed.add(name);
    this.#closing += 1;
    this.log?.(`${this.#clock.now}: closes name ${name}`);
    const user = this.#users[name] as QueueUser;
    const own = this.#calls.filter(({ step }) => step.name === name).map(({ entry }) => entry);
    const waiting = own.filter((entry) => entry.entered !== undefined && !entry.end);
    this.#model.closes(own);
    // What is done once more is done by a name that is there.
    for (const { entry, place } of this.#calls) if (place.user === user) this.#model.pending.delete(entry);
    let isOver = false;
    void this.#queue.close(Failure.own('ABORTED', 'it was closed meanwhile'), user).then(() => {
      isOver = true;
      this.#closing -= 1;
      const left = waiting.find((entry) => entry.end === undefined || this.#unreported.has(entry));
      if (left) this.#judge(`closed, but ${left.number} has not ended`);
    });
    this.#clock.after(2 * givingUpMs, () => isOver || this.#judge('closing takes too long'));
  }

  #alarm(ms: number, task: () => void): () => void {
    const cancel = this.#clock.after(ms, () => {
      this.#alarms.delete(cancel);
      task();
    });
    this.#alarms.add(cancel);
    return () => {
      this.#alarms.delete(cancel);
      cancel();
    };
  }

  #report({ number, kind, deviceOutput = '' }: Entry, what: string, wrong?: string): void {
    this.log?.(`${this.#clock.now}: ${number} (${kind} ${deviceOutput}) ${what}`);
    if (wrong) this.#judge(`${number} ${what}, but ${wrong}`);
  }

  #judge(wrong: string | undefined): void {
    if (wrong) this.#wrong ??= `${this.#clock.now}: ${wrong}`;
  }
}

/** What promises bring has been brought. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await undefined;
}
