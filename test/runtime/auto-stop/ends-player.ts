import { AutoStopScheduler } from '../../../src/runtime/auto-stop/scheduler';
import type { StopCommand } from '../../../src/runtime/message/stop-command';
import { VirtualClock } from '../../fixtures/virtual-clock';
import { SlowJournal } from '../../kernel/slow-journal';
import { endOf, Fixture } from './ends-fixture';
import { Author, type Step } from './ends-history';
import type { EndsModel } from './ends-model';

const settled = () => new Promise(setImmediate);
const nothing = () => {};

/** Plays one history with the engine, a device and the model. */
export class EndsPlayer {
  readonly #clock = new VirtualClock();
  readonly #fixtures = Array.from({ length: 3 }, () => new Fixture());
  readonly #chance: Author;
  #journal: SlowJournal;
  #ends: AutoStopScheduler;
  #wall = 1_700_000_000_000;
  #life = 0;
  #runsSince = 0;
  #isCalm = false;
  #wrong: string | undefined;
  #started = 0;

  constructor(
    private readonly random: () => number,
    private readonly log: (line: string) => void = nothing,
  ) {
    this.#chance = new Author(random);
    this.#journal = this.#newJournal([]);
    this.#ends = this.#newEnds();
    this.#ends.run();
  }

  /** @returns what is wrong, if anything is */
  async run(steps: readonly Step[]): Promise<string | undefined> {
    for (const step of steps) this.#clock.after(step.at, () => this.#begin(step));
    const last = Math.max(...steps.map((step) => step.at + (step.kind === 'away' ? step.forMs : 0)));
    await this.#playUntil(last + 15_000);
    this.#isCalm = true;
    await this.#playUntil(this.#clock.now + 180_000);
    for (const [index, { isOn, expected, model }] of this.#fixtures.entries()) {
      if (model.pending) this.#blame(index, `${model.pending.id} is still pending`);
      if (expected !== 'either' && isOn !== (expected === 'on'))
        this.#blame(index, `it should be ${expected}`);
    }
    this.#life += 1;
    this.#ends.close();
    return this.#wrong;
  }

  async #playUntil(end: number): Promise<void> {
    this.#clock.after(end - this.#clock.now, nothing);
    while (this.#clock.now < end && !this.#wrong) {
      while (!this.#clock.step()) await settled();
      await settled();
      const isWritten = this.#journal.isWritten;
      for (const [index, { model }] of this.#fixtures.entries()) {
        if (isWritten) model.isWritten();
        this.#blame(index, model.overdue(this.#clock.now, this.#runsSince, 10));
      }
    }
  }

  #begin(step: Step): void {
    const fixture = this.#fixtures[step.deviceOutput];
    if (!fixture || this.#wrong) return;
    if (step.kind === 'away') fixture.awayUntil = Math.max(fixture.awayUntil, this.#clock.now + step.forMs);
    else if (step.kind === 'crash') void this.#crash(step);
    else if (this.#runsSince === Number.POSITIVE_INFINITY) return;
    else if (step.kind === 'start') void this.#start(step, fixture);
    else void this.#stop(step, fixture);
  }

  async #start(step: Step & { kind: 'start' }, fixture: Fixture): Promise<void> {
    const { model } = fixture;
    const [life, id] = [this.#life, ++this.#started];
    const end = step.afterMs === undefined ? undefined : endOf(id, step.deviceOutput, step.afterMs);
    this.#say(step.deviceOutput, `start ${id} waits, ends after ${step.afterMs}`);
    const hold = this.#ends.hold('device', `device output ${step.deviceOutput}`);
    model.startWaits(id);
    fixture.waiting.add(id);
    const until = this.#clock.now + step.waitMs;
    const isFree = () =>
      this.#clock.now >= until &&
      fixture.stopping === 0 &&
      model.asking === undefined &&
      (step.overlaps || fixture.starting.size === 0);
    while (fixture.waiting.has(id) && !isFree()) {
      await this.#pass(50);
      if (life !== this.#life) return;
    }
    const wasSuperseded = !fixture.waiting.delete(id);
    if (!wasSuperseded) {
      fixture.starting.add(id);
      if (end) {
        const armed = model.startIsArmed(id, end.afterMs, this.#clock.now);
        await hold.arm(end);
        if (life !== this.#life) return;
        model.isWritten(armed);
      } else fixture.endless.add(id);
      fixture.sent.add(id);
      await this.#pass(step.latencyMs);
      if (life !== this.#life) return;
    }
    const outcome = wasSuperseded ? 'failed' : fixture.outcomeAt(this.#clock.now, step.outcome);
    fixture.starting.delete(id);
    fixture.sent.delete(id);
    fixture.endless.delete(id);
    if (outcome === 'accepted' || outcome === 'done') fixture.isOn = true;
    const happened = outcome !== 'failed';
    if (happened && end) fixture.expected = 'off';
    else if (happened) fixture.expected = outcome === 'accepted' ? 'on' : 'either';
    this.#say(step.deviceOutput, `start ${id}: ${outcome}`);
    const ended = model.startEnded(id, happened, this.#clock.now);
    await this.#written(model, ended, hold.release(happened));
  }

  async #stop(step: Step & { kind: 'stop' }, fixture: Fixture): Promise<void> {
    const life = this.#life;
    fixture.waiting.clear();
    fixture.stopping += 1;
    while (fixture.starting.size > 0) {
      await this.#pass(50);
      if (life !== this.#life) return;
    }
    await this.#pass(step.latencyMs);
    if (life !== this.#life) return;
    fixture.stopping -= 1;
    const outcome = fixture.outcomeAt(this.#clock.now, step.outcome);
    this.#say(step.deviceOutput, `stop: ${outcome}`);
    if (outcome === 'accepted' || outcome === 'done') fixture.isOn = false;
    if (outcome === 'accepted') {
      fixture.expected = 'off';
      const ended = fixture.model.stopSucceeded();
      const written = this.#ends.recordEnded('device', `device output ${step.deviceOutput}`);
      if (fixture.model.asking) this.#blame(step.deviceOutput, 'it goes on to ask');
      await this.#written(fixture.model, ended, written);
    } else if (outcome !== 'failed' && fixture.expected === 'on') fixture.expected = 'either';
  }

  /** Waits until the engine says that what was told is written through; where there is no promise, it is. */
  async #written(model: EndsModel, step: number, written: Promise<void> | undefined): Promise<void> {
    const life = this.#life;
    if (written) await written;
    if (life === this.#life) model.isWritten(step);
  }

  /** The engine asks the device for an end. */
  async #send(end: StopCommand, signal: AbortSignal): Promise<void> {
    const [index, id] = [Number(end.parameters.deviceOutput), Number(end.parameters.id)];
    const fixture = this.#fixtures[index] as Fixture;
    const life = this.#life;
    this.#say(index, `end ${id} is sent`);
    this.#blame(index, fixture.model.isAsked(id, this.#clock.now));
    if (signal.aborted) this.#blame(index, 'it is sent what is not wanted');
    const aborted = new Promise<'aborted'>((resolve) => {
      signal.addEventListener('abort', () => {
        if (life === this.#life) fixture.model.answered(id, false, this.#clock.now);
        resolve('aborted');
      });
    });
    const word = await Promise.race([aborted, this.#pass(this.#chance.latencyMs())]);
    if (word === 'aborted') {
      // Whoever sends may learn of it too late, and have a yes already.
      if (this.random() < 0.5) throw new Error('aborted');
      return this.#pass(20);
    }
    // A process that died gets no answer.
    if (life !== this.#life) return new Promise(nothing);
    const outcome = fixture.outcomeAt(this.#clock.now, this.#isCalm ? 'accepted' : this.#chance.outcome());
    this.#say(index, `end ${id}: ${outcome}`);
    if (outcome === 'accepted' || outcome === 'done') fixture.isOn = false;
    fixture.model.answered(id, outcome === 'accepted', this.#clock.now);
    if (outcome !== 'accepted') throw new Error(outcome);
  }

  async #crash(step: Step & { kind: 'crash' }): Promise<void> {
    if (this.#runsSince === Number.POSITIVE_INFINITY) return;
    this.#life += 1;
    this.#runsSince = Number.POSITIVE_INFINITY;
    const remains = this.#journal.remains(this.random);
    for (const fixture of this.#fixtures) fixture.dies(this.#clock.now, this.random() < 0.5);
    await this.#pass(step.downMs);
    this.#wall += step.wallJump;
    this.#journal = this.#newJournal(remains);
    this.#ends = this.#newEnds();
    const found = new Map(
      [...this.#ends.pending()].map(({ deviceOutput, parameters }) => [deviceOutput, parameters.id]),
    );
    for (const [index, fixture] of this.#fixtures.entries()) {
      const id = found.get(`device output ${index}`) as number | undefined;
      this.#say(index, `restart: took up ${id}`);
      this.#blame(index, fixture.model.restarts(id, this.#clock.now, step.wallJump));
      if (id !== undefined) fixture.expected = 'off';
    }
    await this.#pass(step.beforeRunMs);
    this.#runsSince = this.#clock.now;
    this.#ends.run();
  }

  #newJournal(lines: ReturnType<SlowJournal['remains']>): SlowJournal {
    return new SlowJournal(
      (done) => this.#afterInThisLife(1 + this.random() * (this.random() < 0.7 ? 30 : 4_000), done),
      lines,
    );
  }

  #newEnds(): AutoStopScheduler {
    return new AutoStopScheduler({
      clock: {
        now: () => this.#clock.now + this.#wall,
        monotonic: () => this.#clock.now,
        random: this.random,
        after: (ms, task) => this.#afterInThisLife(ms, task),
      },
      journal: this.#journal,
      attempt: (end, signal) => this.#send(end, signal),
      warn: nothing,
      giveUp: ({ parameters }) => this.#giveUp(Number(parameters.deviceOutput), Number(parameters.id)),
    });
  }

  #giveUp(index: number, id: number): void {
    const fixture = this.#fixtures[index] as Fixture;
    this.#blame(index, fixture.model.isGivenUp(id, this.#clock.now));
    fixture.expected = 'either';
  }

  #afterInThisLife(ms: number, task: () => void): () => void {
    const life = this.#life;
    return this.#clock.after(ms, () => life === this.#life && task());
  }

  #pass(ms: number): Promise<void> {
    return new Promise((resolve) => this.#clock.after(ms, resolve));
  }

  #say(index: number, word: string): void {
    this.log(`${this.#clock.now} device output ${index}: ${word}`);
  }

  #blame(index: number, wrong: string | undefined): void {
    if (!wrong || this.#wrong) return;
    this.#wrong = `${this.#clock.now} device output ${index}: ${wrong}`;
    this.log(this.#wrong);
  }
}
