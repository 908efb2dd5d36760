import assert from 'node:assert/strict';
import { Engine } from '../../src/runtime/alert/engine';
import type { Ticket } from '../../src/runtime/alert/output-state';
import { clearIn } from './engine-parts';
import { Model, type ModelResult } from './model';
import { Names } from './names';
import {
  actionOf,
  alerts,
  assertEnded,
  assertPromised,
  assertState,
  beginningOf,
  carry,
  carryOut,
  devices,
  type Lit,
  modelActionOf,
  outputs,
  Paper,
  pick,
  placeOf,
  whereIs,
} from './world-actions';

type IsStored = (output: string) => boolean;
const always: IsStored = () => true;

/** Three devices, three alerts, a person, and everything that can go wrong between them; the model looks on. */
export class World {
  readonly model = new Model();
  readonly #journal = new Paper();
  readonly #on = new Map<string, Lit>();
  readonly #away = new Set<string>();
  readonly #names: Names;
  /** At each place what has been sent and not been answered, in order. */
  #sent: Ticket[] = [];
  #now = 1_000_000;
  #actions = 0;
  #isCalm = false;
  #engine: Engine;

  /** @param log hears what happens */
  constructor(
    private readonly chance: () => number,
    private readonly log: (line: string) => void,
  ) {
    this.#names = new Names(chance);
    this.#engine = this.#boot();
  }

  /** Something happens. */
  step(): void {
    const [starts, answers] = [() => this.#start(), () => this.#answer()];
    const happenings = [
      ...[starts, starts, starts, answers, answers, answers, answers],
      () => this.#clear(),
      () => this.#clear(undefined, this.chance() < 0.05, this.chance() < 0.5),
      () => this.#turnUpOrAway(),
      ...[1, 2].map(() => () => this.#tick(this.chance() * 40_000)),
      () => this.#person(),
      ...[() => this.#restart(), () => this.#deploy()],
    ];
    pick(this.chance, happenings)();
  }

  /** Every device is back and every request is answered: what is on is what has to be. */
  calm(): void {
    this.log('calm');
    this.#away.clear();
    while (this.#names.lost) this.#deploy(() => this.#names.add(this.#names.lost ?? ''));
    this.#isCalm = true;
    for (let round = 0; round < 40 && (this.#sent.length > 0 || round < 3); round += 1) {
      while (this.#sent.length > 0) this.#answer();
      this.#tick(31_000, 0);
    }
    this.#isCalm = false;
    const isQuiet = this.#sent.length === 0 && this.#engine.nextAt > this.#now;
    assert.ok(isQuiet, 'something is asked for again and again');
    for (const output of outputs) assertPromised(this.model, output, this.#on.get(output));
    for (const name of alerts) assertState(this.model, name, this.#engine.state(name));
  }

  clearAll(): void {
    for (const name of alerts) this.#clear(name);
    this.calm();
    for (const [output, is] of this.#on)
      assert.ok(!is?.lasting || is.by === 'person', `${output} is still on`);
    const left = this.#journal.keys().filter((key) => !key.startsWith('alert/report/'));
    assert.deepEqual(left, [], 'nothing but reports is left to be remembered');
  }

  #start(): void {
    const name = pick(this.chance, alerts);
    const priority = pick(this.chance, [1, 5, 5, 9]);
    const deviceActions = outputs.flatMap((output) => {
      const [where = '', deviceOutput = ''] = output.split('/');
      const device = this.chance() < 0.6 ? this.#names.at(where) : undefined;
      if (!device) return [];
      this.#actions += 1;
      const lasts = deviceOutput !== 'tone' || this.chance() < 0.5;
      const retry = pick(this.chance, ['never', 'all', 'always', 'always'] as const);
      return {
        device,
        deviceOutput,
        action: actionOf(deviceOutput, this.#actions, lasts, retry),
      };
    });
    const asked = deviceActions.map(({ device, deviceOutput }) => `${device.where}/${deviceOutput}`);
    const drill = this.chance() < 0.3;
    this.log(`${drill ? 'drill' : 'start'} ${name} ${priority} at ${asked}`);
    const endAfterMs = this.chance() < 0.1 ? 20_000 : undefined;
    const retry = pick(this.chance, [false, true, true, 'all'] as const);
    const startRequest = { ...beginningOf(name, priority, endAfterMs), retryAlert: retry };
    const mayDrill = this.model.mayDrill(name, drill);
    const before = this.#journal.changes;
    const answers = this.#engine.start({ ...startRequest, drill }, deviceActions);
    if (!mayDrill) {
      for (const { heldBy } of answers) assert.equal(heldBy?.id, name);
      this.#engine.store();
      assert.equal(this.#journal.changes, before, 'a drill changes nothing in earnest');
      return;
    }
    const places = deviceActions.map(({ device }) => device.where ?? '');
    this.model.begin(name, priority, drill, retry, places);
    const isStored = this.#store(this.chance() < 0.03);
    for (const [index, { action, device }] of deviceActions.entries()) {
      const output = asked[index] ?? '';
      if (!isStored(output)) continue;
      assert.equal(answers[index]?.heldBy?.id, this.model.want(name, output, modelActionOf(action, device)));
    }
    const tickets = answers.flatMap(({ ticket }) => ticket ?? []);
    this.#send(tickets, isStored);
  }

  #clear(name = pick(this.chance, alerts), dies = false, drill = false): void {
    this.log(`clear ${name}${drill ? ', a drill' : ''}`);
    const before = this.#journal.changes;
    if (!this.model.mayDrill(name, drill)) {
      assert.deepEqual(this.#engine.clear(name, drill), []);
      this.#engine.store();
      assert.equal(this.#journal.changes, before, 'the end of a drill ends nothing in earnest');
      return;
    }
    const wanted = [...(this.model.on.get(name)?.wants.keys() ?? [])];
    const tickets = clearIn(this.#engine, name, drill);
    this.model.clear(name);
    const isStored = this.#store(dies);
    if (!dies) assertEnded(this.model, wanted, tickets);
    this.#send(tickets, isStored);
  }

  /**
   * Stores what has changed. The journal has all of a change or nothing, so that a process dies after it is stored, or
   * as if it had not come.
   * @returns whether the changes at an output were stored
   */
  #store(dies = false): IsStored {
    this.#engine.store();
    if (!dies) return always;
    this.log('  dies after that is stored');
    return () => true;
  }

  /** @param isStored of a process that died while it stored: what it was about to send, as far as it knows of that */
  #send(tickets: readonly Ticket[], isStored: IsStored = always): void {
    for (const ticket of tickets) {
      const output = placeOf(ticket);
      if (!isStored(output)) continue;
      this.log(`  ${ticket.kind} ${ticket.alert} at ${output}`);
      if (ticket.kind === 'end') assert.ok(this.model.mayEnd(output), `${output} must not be ended`);
      else if (ticket.kind !== 'start')
        assert.equal(`${ticket.kind} ${ticket.alert}`, this.model.next(output), `sent at ${output}`);
      if (ticket.kind !== 'end')
        this.model.ask(
          ticket.alert,
          output,
          modelActionOf(ticket.action, ticket.device),
          ticket.kind === 'return',
        );
      if (isStored === always) this.#sent.push(ticket);
    }
    if (isStored !== always) this.#restart();
  }

  /** The first request at some place reaches its device, or does not, and is answered, or is not. */
  #answer(): void {
    const first = pick(this.chance, this.#sent);
    const ticket = this.#sent.find((other) => placeOf(other) === (first && placeOf(first)));
    if (!ticket) return;
    this.#sent = this.#sent.filter((other) => other !== ticket);
    const luck = this.#isCalm ? 1 : this.chance();
    const [output, isAway] = [placeOf(ticket), this.#isAway(ticket)];
    const isDone = !isAway && luck > 0.15;
    if (isDone) carryOut(ticket, this.#on);
    const [isLost, isRefused] = [!isAway && luck < 0.3, !isAway && luck < 0.05];
    const words = `${isDone ? 'done' : 'not done'}${isLost ? ', lost' : ''}`;
    this.log(`  ${ticket.kind} ${ticket.alert} at ${output}: ${words}`);
    const isOdd = !isLost && !isDone && ticket.kind !== 'end' && this.chance() < 0.2;
    const result: ModelResult = isOdd
      ? pick(this.chance, ['impossible', 'skipped'] as const)
      : isRefused
        ? 'refused'
        : isLost
          ? 'unknown'
          : isDone
            ? 'taken'
            : 'missed';
    if (ticket.kind !== 'end') this.model.answered(output, result);
    else if (result === 'taken') this.model.ended(output, ticket.alert);
    else if (result === 'unknown') this.model.mayBeGone(output);
    this.#engine.answered(ticket, result);
    this.#store();
  }

  /** It is off, or no name leads to it. */
  #isAway({ output, device: { id } }: Ticket): boolean {
    const where = whereIs(output);
    const now = this.#names.now(id, where) ?? where;
    assert.equal(now, where, `what is sent to ${id} for ${where} goes to ${now}`);
    return this.#away.has(where) || !this.#names.at(where);
  }

  #turnUpOrAway(): void {
    const device = pick(this.chance, devices);
    if (!this.#away.delete(device)) this.#away.add(device);
    this.log(`${device} is ${this.#away.has(device) ? 'away' : 'back'}`);
  }

  #tick(ms: number, chance = this.chance()): void {
    this.#now += ms;
    this.log(`${Math.round(ms)} ms pass`);
    for (const id of this.#engine.overdue()) {
      assert.ok(this.model.on.has(id), `${id} is ended twice`);
      this.#clear(id);
    }
    const due = this.#engine.due();
    this.#send(due, this.#store(chance > 0.95));
  }

  /** A person's own node, to whom no order of ours applies but that at the device. */
  #person(): void {
    const output = pick(this.chance, outputs);
    const [where = '', deviceOutput = ''] = output.split('/');
    const device = this.#names.at(where);
    if (!device || this.#away.has(where) || this.#sent.some((ticket) => placeOf(ticket) === output)) return;
    const starts = this.chance() < 0.5;
    this.log(`a person ${starts ? 'starts' : 'ends'} ${output}`);
    if (starts) this.#on.set(output, { by: 'person', lasting: true });
    else this.#on.delete(output);
    this.model.leave(output);
    this.#engine.replaced(device, deviceOutput, !starts);
    this.#store();
  }

  /** What was sent may still arrive, and nobody hears of it. */
  #restart(): void {
    this.log('restart');
    for (const ticket of this.#sent) {
      const isDone = this.chance() < 0.5 && !this.#isAway(ticket);
      if (isDone) carryOut(ticket, this.#on);
      if (ticket.kind === 'end') this.model.mayBeGone(placeOf(ticket));
    }
    this.#sent = [];
    // What was on its way, or about to be, may have been done.
    for (const [output, starts] of this.model.asked)
      for (const _ of starts) this.model.answered(output, 'unknown');
    this.#engine = this.#boot();
    this.#store();
    if (this.chance() < 0.3) this.#deploy();
    for (const alert of this.#engine.alerts.values()) {
      if (alert.isOn && alert.clearsAtRestart) this.#clear(alert.id);
    }
  }

  /** What is on its way is over before the flows are started again. */
  #deploy(change = () => this.#names.change()): void {
    while (this.#sent.length > 0) this.#answer();
    this.log(change());
    const gone = this.model.move((by, where) => this.#names.now(by, where) ?? where);
    carry(this.#on, gone);
    const relocate = () => this.#engine.relocate((id, was = '') => this.#names.now(id, was));
    // The outputs that a deploy moves are stored together or not at all; if not, they are moved after the crash.
    this.#journal.isLost = this.chance() < 0.1;
    relocate();
    if (this.#journal.isLost) {
      this.log('  dies before that is stored');
      this.#journal.isLost = false;
      this.#engine = this.#boot();
      relocate();
    }
    this.#store();
  }

  #boot(): Engine {
    const clock = { now: () => this.#now, monotonic: () => this.#now, random: () => 0.5 };
    return new Engine(clock, this.#journal);
  }
}
