import assert from 'node:assert/strict';
import type { Deed } from '../../src/runtime/alert/alert';
import { Engine } from '../../src/runtime/alert/engine';
import type { Ticket } from '../../src/runtime/alert/place';
import { type Came, Model } from './model';
import {
  assertPromised,
  beginningOf,
  deedOf,
  devices,
  type Lit,
  namedOf,
  Paper,
  placeOf,
  places,
  whereIs,
  wishOf,
} from './world-deeds';

const names = ['lockdown', 'weather', 'medical'];

type IsWritten = (key: string) => boolean;
const always: IsWritten = () => true;

/** Two devices, three alerts, a person, and everything that can go wrong between them; the model looks on. */
export class World {
  readonly model = new Model();
  readonly #journal = new Paper();
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
      () => this.#clear(undefined, this.chance() < 0.05),
      () => this.#answer(),
      () => this.#answer(),
      () => this.#answer(),
      () => this.#answer(),
      () => this.#turnUpOrAway(),
      () => this.#tick(this.chance() * 40_000),
      () => this.#tick(this.chance() * 40_000),
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
    const isQuiet = this.#sent.length === 0 && this.#engine.nextAt > this.#now;
    assert.ok(isQuiet, 'something is asked for again and again');
    for (const place of places) assertPromised(this.model, place, this.#on.get(place));
    for (const name of names) {
      const state = this.#engine.state(name);
      assert.equal(
        state?.state ?? 'idle',
        this.model.on.has(name) ? 'active' : 'idle',
        JSON.stringify([state, ...this.#journal.entries]),
      );
      assert.deepEqual(state?.waiting ?? [], []);
    }
  }

  clearAll(): void {
    for (const name of names) this.#clear(name);
    this.calm();
    for (const [place, is] of this.#on) assert.ok(!is?.lasting || is.by === 'person', `${place} is still on`);
    assert.deepEqual(this.#journal.entries, [], 'nothing is left to be remembered');
  }

  #start(): void {
    const name = this.#pick(names);
    const severity = this.#pick([1, 5, 5, 9]);
    const asked = places.filter(() => this.chance() < 0.6);
    const wishes = asked.map((place) => {
      const [device = '', subject = ''] = place.split('/');
      return { device: namedOf(device, this.#pick([1, 2])), subject, deed: this.#deedOf(subject) };
    });
    this.story.push(`start ${name} ${severity} at ${asked}`);
    const endAfterMs = this.chance() < 0.1 ? 20_000 : undefined;
    const answers = this.#engine.start(beginningOf(name, severity, endAfterMs), wishes);
    const isWritten = this.#write(this.chance() < 0.03);
    if (isWritten(`alert/is/${name}`)) this.model.begin(name, severity);
    for (const [index, { deed }] of wishes.entries()) {
      const place = asked[index] ?? '';
      if (!isWritten(`alert/at/${place}`)) continue;
      assert.equal(answers[index]?.heldBy?.id, this.model.want(name, place, wishOf(deed)));
    }
    const tickets = answers.flatMap(({ ticket }) => ticket ?? []);
    this.#send(tickets, isWritten);
  }

  #clear(name = this.#pick(names), dies = false): void {
    this.story.push(`clear ${name}`);
    const tickets = this.#engine.clear(name);
    const isWritten = this.#write(dies);
    if (isWritten(`alert/is/${name}`)) this.model.clear(name);
    this.#send(tickets, isWritten);
  }

  /** @param isWritten of a process that died while it wrote: what it was about to send, as far as it knows of that */
  #send(tickets: readonly Ticket[], isWritten: IsWritten = always): void {
    for (const ticket of tickets) {
      const place = placeOf(ticket);
      if (!isWritten(`alert/at/${place}`)) continue;
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
      if (isWritten === always) this.#sent.push(ticket);
    }
    if (isWritten !== always) this.#restart();
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
    const [isLost, isRefused] = [!isAway && luck < 0.3, !isAway && luck < 0.05];
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

  #tick(ms: number, chance = this.chance()): void {
    this.#now += ms;
    this.story.push(`${Math.round(ms)} ms pass`);
    for (const id of this.#engine.overdue()) {
      assert.ok(this.model.on.has(id), `${id} is ended twice`);
      this.#clear(id);
    }
    const tickets = this.#engine.due();
    this.#send(tickets, this.#write(chance > 0.95));
  }

  /** A person's own node, to whom no order of ours applies but that at the device. */
  #person(): void {
    const place = this.#pick(places);
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
    this.#write();
    for (const alert of this.#engine.alerts.values()) {
      if (alert.isOn && alert.clearsAtRestart) this.#clear(alert.id);
    }
  }

  #boot(): Engine {
    const clock = { now: () => this.#now, monotonic: () => this.#now, random: () => 0.5 };
    return new Engine(clock, this.#journal.entries);
  }

  /** @param dies while it writes, and before anything is sent @returns what was written of what has just changed */
  #write(dies = false): IsWritten {
    const changes = this.#engine.takeChanges();
    const lines = dies ? Math.floor(this.chance() * (changes.length + 1)) : changes.length;
    const written = this.#journal.write(changes.slice(0, lines));
    if (!dies) return always;
    this.story.push(`  dies when ${lines} of ${changes.length} lines are written`);
    return (key) => written.has(key);
  }

  #deedOf(subject: string): Deed {
    this.#deeds += 1;
    return deedOf(subject, this.#deeds, subject !== 'tone' || this.chance() < 0.5);
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.chance() * list.length)] as T;
  }
}
