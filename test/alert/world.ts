import assert from 'node:assert/strict';
import type { Deed } from '../../src/runtime/alert/alert';
import { Engine } from '../../src/runtime/alert/engine';
import type { Ticket } from '../../src/runtime/alert/place';
import { type Came, Model } from './model';
import { assertPromised, deedOf, type Lit, namedOf, placeOf, whereIs, wishOf } from './world-deeds';

const names = ['lockdown', 'weather', 'medical'];
const devices = ['hall', 'gate'];
const subjects = ['strobe', 'tone', 'door 1'];

/** Two devices, three alerts, a person, and everything that can go wrong between them; the model looks on. */
export class World {
  readonly model = new Model();
  readonly #journal = new Map<string, unknown>();
  readonly #on = new Map<string, Lit>();
  readonly #away = new Set<string>();
  /** At each place what has been sent and not been answered, in order. */
  #sent: Ticket[] = [];
  #now = 1_000_000;
  #deeds = 0;
  #isCalm = false;
  #engine: Engine;
  readonly story: string[] = [];

  constructor(private readonly chance: () => number) {
    this.#engine = this.#boot();
  }

  /** Something happens. */
  step(): void {
    const happenings = [
      () => this.#start(),
      () => this.#start(),
      () => this.#start(),
      () => this.#clear(),
      () => this.#clear(),
      () => this.#answer(),
      () => this.#answer(),
      () => this.#answer(),
      () => this.#answer(),
      () => this.#turnUpOrAway(),
      () => this.#pass(),
      () => this.#pass(),
      () => this.#person(),
      () => this.#restart(),
    ];
    this.#pick(happenings)();
  }

  /** Every device is back and every request is answered: what is on is what has to be. */
  calm(): void {
    this.story.push('calm');
    this.#away.clear();
    this.#isCalm = true;
    for (let round = 0; round < 40 && (this.#sent.length > 0 || round < 3); round += 1) {
      while (this.#sent.length > 0) this.#answer();
      this.#tick(31_000, 0);
    }
    this.#isCalm = false;
    assert.equal(this.#sent.length, 0, 'something is asked for again and again');
    for (const place of this.#places()) assertPromised(this.model, place, this.#on.get(place));
    for (const name of names) {
      const state = this.#engine.state(name);
      assert.equal(
        state?.state ?? 'idle',
        this.model.on.has(name) ? 'active' : 'idle',
        JSON.stringify([state, ...this.#journal]),
      );
      assert.deepEqual(state?.waiting ?? [], []);
    }
  }

  clearAll(): void {
    for (const name of names) this.#clear(name);
    this.calm();
    for (const [place, is] of this.#on) assert.ok(!is?.lasting || is.by === 'person', `${place} is still on`);
    assert.deepEqual([...this.#journal], [], 'nothing is left to be remembered');
  }

  #start(): void {
    const name = this.#pick(names);
    const severity = this.#pick([1, 5, 5, 9]);
    const places = this.#places().filter(() => this.chance() < 0.6);
    const wishes = places.map((place) => {
      const [device = '', subject = ''] = place.split('/');
      return { device: namedOf(device, this.#pick([1, 2])), subject, deed: this.#deedOf(subject) };
    });
    this.story.push(`start ${name} ${severity} at ${places}`);
    this.model.begin(name, severity);
    const expected = wishes.map(({ deed }, index) =>
      this.model.want(name, places[index] ?? '', wishOf(deed)),
    );
    const endAfterMs = this.chance() < 0.1 ? 20_000 : undefined;
    const answers = this.#engine.start(
      {
        id: name,
        name,
        severity,
        drill: false,
        ...{ targets: devices, parallel: 100 },
        clearsAtRestart: name === 'medical',
        ...(endAfterMs && { endAfterMs }),
      },
      wishes,
    );
    assert.deepEqual(
      answers.map(({ heldBy }) => heldBy?.id),
      expected,
    );
    this.#write();
    const tickets = answers.flatMap(({ ticket }) => ticket ?? []);
    this.#send(tickets, this.chance() < 0.05);
  }

  #clear(name = this.#pick(names)): void {
    this.story.push(`clear ${name}`);
    this.model.clear(name);
    const tickets = this.#engine.clear(name);
    this.#write();
    this.#send(tickets);
  }

  #send(tickets: readonly Ticket[], diesBefore = false): void {
    for (const ticket of tickets) {
      const place = placeOf(ticket);
      this.story.push(`  ${ticket.kind} ${ticket.alert} at ${place}`);
      if (ticket.kind === 'end') assert.ok(this.model.mayEnd(place), `${place} must not be ended`);
      if (ticket.kind === 'return') {
        assert.ok(
          this.model.mayComeBack(ticket.alert, place),
          `${ticket.alert} must not come back at ${place}`,
        );
      }
      if (ticket.kind !== 'end')
        this.model.ask(ticket.alert, place, wishOf(ticket.deed), ticket.kind === 'return');
      if (!diesBefore) this.#sent.push(ticket);
    }
    if (diesBefore) this.#restart();
  }

  /** The first request at some place reaches its device, or does not, and is answered, or is not. */
  #answer(): void {
    const first = this.#pick(this.#sent);
    const ticket = this.#sent.find((other) => placeOf(other) === (first && placeOf(first)));
    if (!ticket) return;
    this.#sent = this.#sent.filter((other) => other !== ticket);
    const luck = this.#isCalm ? 1 : this.chance();
    const [place, isAway] = [placeOf(ticket), this.#away.has(whereIs(ticket.place))];
    const isDone = !isAway && luck > 0.15;
    if (isDone) this.#do(ticket);
    const isLost = !isAway && luck < 0.3;
    const isRefused = isAway ? false : !isDone && luck < 0.05;
    this.story.push(
      `  ${ticket.kind} ${ticket.alert} at ${place}: ${isDone ? 'done' : 'not done'}${isLost ? ', lost' : ''}`,
    );
    const came: Came = isRefused ? 'refused' : isLost ? 'unknown' : isDone ? 'taken' : 'missed';
    if (ticket.kind !== 'end') this.model.answered(place, came);
    else if (came === 'taken') this.model.gone(place);
    else if (came === 'unknown') this.model.perhapsGone(place);
    this.#engine.answered(ticket, came);
    this.#write();
  }

  #do(ticket: Ticket): void {
    const place = placeOf(ticket);
    if (ticket.kind === 'end') this.#on.delete(place);
    else this.#on.set(place, { by: ticket.alert, lasting: ticket.deed.end !== undefined });
  }

  #turnUpOrAway(): void {
    const device = this.#pick(devices);
    if (!this.#away.delete(device)) this.#away.add(device);
    this.story.push(`${device} is ${this.#away.has(device) ? 'away' : 'back'}`);
  }

  #pass(): void {
    this.#tick(this.chance() * 40_000);
  }

  #tick(ms: number, chance = this.chance()): void {
    this.#now += ms;
    this.story.push(`${Math.round(ms)} ms pass`);
    for (const id of this.#engine.overdue()) {
      assert.ok(this.model.on.has(id), `${id} is ended twice`);
      this.#clear(id);
    }
    const tickets = this.#engine.due();
    this.#write();
    this.#send(tickets, chance > 0.95);
  }

  /** A person's own node, to whom no order of ours applies but that at the device. */
  #person(): void {
    const place = this.#pick(this.#places());
    const [device = '', subject = ''] = place.split('/');
    if (this.#away.has(device) || this.#sent.some((ticket) => placeOf(ticket) === place)) return;
    const starts = this.chance() < 0.5;
    this.story.push(`a person ${starts ? 'starts' : 'ends'} ${place}`);
    if (starts) this.#on.set(place, { by: 'person', lasting: true });
    else this.#on.delete(place);
    this.model.gone(place);
    this.#engine.replaced(namedOf(device, this.#pick([1, 2])), subject);
    this.#write();
  }

  /** What was sent may still arrive, and nobody hears of it. */
  #restart(): void {
    this.story.push('restart');
    for (const ticket of this.#sent) {
      const isDone = this.chance() < 0.5 && !this.#away.has(whereIs(ticket.place));
      if (isDone) this.#do(ticket);
      if (ticket.kind === 'end') this.model.perhapsGone(placeOf(ticket));
    }
    this.#sent = [];
    // What was on its way, or about to be, may have been done.
    for (const [place, starts] of this.model.asked)
      for (const _ of starts) this.model.answered(place, 'unknown');
    this.#engine = this.#boot();
    for (const alert of this.#engine.alerts.values()) {
      if (alert.isOn && alert.clearsAtRestart) this.#clear(alert.id);
    }
  }

  #boot(): Engine {
    const clock = { now: () => this.#now, monotonic: () => this.#now, random: () => 0.5 };
    return new Engine(clock, structuredClone([...this.#journal]));
  }

  #write(): void {
    for (const [key, value] of this.#engine.takeChanges()) {
      if (value === undefined) this.#journal.delete(key);
      else this.#journal.set(key, structuredClone(value));
    }
  }

  #deedOf(subject: string): Deed {
    this.#deeds += 1;
    return deedOf(subject, this.#deeds, subject !== 'tone' || this.chance() < 0.5);
  }

  #places(): string[] {
    return devices.flatMap((device) => subjects.map((subject) => `${device}/${subject}`));
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.chance() * list.length)] as T;
  }
}
