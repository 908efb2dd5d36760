import assert from 'node:assert/strict';
import type { AlertAction, SendResult } from '../../src/runtime/alert/alert';
import { Engine } from '../../src/runtime/alert/engine';
import type { Ticket } from '../../src/runtime/alert/output-state';
import { itHolds, seedsOf } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { clearIn } from './engine-parts';
import { Model } from './wanted-model';
import { Paper, pick } from './world-actions';

const devices = ['hall', 'gate'];
const kinds = ['strobe', 'tone', 'door'];
const outputs = devices.flatMap((device) => kinds.map((kind) => `${device}/${kind}`));
const alerts = ['lockdown', 'fire', 'weather'];

const deviceOf = (output: string) => output.split('/')[0] ?? '';
const named = (device: string) => ({ id: device, name: device, where: device });

/** Devices that do what they are told, or are away; alerts; and nodes of others. */
class World {
  readonly model = new Model();
  readonly #journal = new Paper();
  /** For each output that is on, the alert that has switched it on, or `others`. */
  readonly #on = new Map<string, string>();
  /** When a device ends by itself what is on at an output. */
  readonly #timers = new Map<string, number>();
  /** When Node-RED ends what another node has started. */
  readonly #autoStops = new Map<string, number>();
  readonly #away = new Set<string>();
  #sent: Ticket[] = [];
  #now = 1_000_000;
  #count = 0;
  #isCalm = false;
  #engine = this.#boot();

  constructor(
    private readonly chance: () => number,
    private readonly log: (line: string) => void,
  ) {}

  step(): void {
    const happenings = [
      ...[() => this.#start(), () => this.#start()],
      ...Array(5).fill(() => this.#answer()),
      () => this.#clear(pick(this.chance, alerts)),
      ...Array(4).fill(() => this.#others()),
      ...Array(2).fill(() => this.#tick(this.chance() * 20_000)),
      () => this.#turn(pick(this.chance, devices)),
      () => this.#kill(),
    ];
    pick(this.chance, happenings)();
  }

  /** All devices are back, all is answered, time passes: all is as it has to be. */
  calm(): void {
    this.log('calm');
    this.#isCalm = true;
    for (const device of devices) if (this.#away.has(device)) this.#turn(device);
    for (let round = 0; round < 8; round += 1) {
      while (this.#sent.length > 0) this.#answer();
      this.#tick(31_000);
    }
    this.#isCalm = false;
    for (const output of outputs) {
      const [wanted, is] = [this.model.wanted(output), this.#on.get(output)];
      if (wanted === 'nobody')
        assert.ok(is === undefined || is === 'others', `${output} is left on by ${is}`);
      else if (wanted !== undefined) assert.equal(is, wanted, `${output} is not as it has to be`);
    }
  }

  #start(): void {
    const name = pick(this.chance, alerts);
    const isDrill = this.chance() < 0.15;
    const priority = pick(this.chance, [5, 5, 9]);
    const chosen = outputs.filter(() => this.chance() < 0.5);
    this.log(`${isDrill ? 'drill' : 'start'} ${name} ${priority} at ${chosen}`);
    const actions = chosen.map((output) => {
      const [device = '', deviceOutput = ''] = output.split('/');
      return { device: named(device), deviceOutput, action: this.#action(deviceOutput) };
    });
    const request = { id: name, name, priority, drill: isDrill, targets: [], maxParallel: 100 };
    if (actions.length === 0) return;
    const answers = this.#engine.start({ ...request, clearsAtRestart: false, retryAlert: true }, actions);
    this.model.start(name, isDrill, priority, chosen);
    this.#send(answers.flatMap(({ ticket }) => ticket ?? []));
  }

  #action(deviceOutput: string): AlertAction {
    this.#count += 1;
    return {
      operation: `${deviceOutput}/start`,
      parameters: { number: this.#count },
      end: { operation: `${deviceOutput}/stop`, parameters: {} },
      repeatable: deviceOutput !== 'tone',
      ...(deviceOutput === 'tone' && { steady: true }),
      ...(deviceOutput !== 'door' && { retry: 'always' }),
    };
  }

  #clear(name: string): void {
    this.log(`clear ${name}`);
    const tickets = clearIn(this.#engine, name);
    this.model.clear(name);
    this.#send(tickets);
  }

  #send(tickets: readonly Ticket[]): void {
    for (const ticket of tickets) {
      const output = outputOf(ticket);
      this.log(`  ${ticket.kind} ${ticket.alert} at ${output}`);
      const isRepeated = ticket.kind === 'again' && ticket.action.steady;
      if (isRepeated) assert.notEqual(this.#on.get(output), ticket.alert, `${output} is started twice`);
      if (ticket.kind !== 'end') this.model.sent(ticket.alert, output);
      this.#sent.push(ticket);
    }
  }

  /** The first request at some output arrives or not, and its answer comes or not. */
  #answer(): void {
    const chosen = pick(this.chance, this.#sent);
    const ticket = this.#sent.find((other) => chosen && outputOf(other) === outputOf(chosen));
    if (!ticket) return;
    this.#sent = this.#sent.filter((other) => other !== ticket);
    const luck = this.#isCalm ? 1 : this.chance();
    const isThere = !this.#away.has(deviceOf(outputOf(ticket)));
    this.#end(ticket, isThere && luck > 0.15, isThere && luck < 0.3);
  }

  #end(ticket: Ticket, isDone: boolean, isLost: boolean): void {
    const { kind, alert } = ticket;
    const output = outputOf(ticket);
    this.log(`  ${kind} ${alert} at ${output}: ${isDone ? 'done' : 'not done'}${isLost ? ', lost' : ''}`);
    if (isDone && kind === 'end') this.#on.delete(output);
    else if (isDone) this.#on.set(output, alert);
    const result: SendResult = isDone && !isLost ? 'taken' : isLost && kind !== 'end' ? 'unknown' : 'missed';
    if (kind !== 'end') {
      this.model.answered(alert, output, result === 'taken');
      // A start that was or may have been done takes the place of what another node had to end.
      if (result !== 'missed') this.#autoStops.delete(output);
    }
    this.#engine.answered(ticket, result);
  }

  /** A node of others sends something. The order at the device is that of the queue, so not while something is sent. */
  #others(): void {
    const output = pick(this.chance, outputs);
    const [device = '', deviceOutput = ''] = output.split('/');
    if (this.#away.has(device) || this.#sent.some((ticket) => outputOf(ticket) === output)) return;
    const what = pick(this.chance, ['stop', 'lasting', 'lasting', 'ending']);
    const isHeld = this.#engine.realOwnerOf(named(device), deviceOutput) !== undefined;
    assert.equal(isHeld, this.model.holdsBack(output) ?? isHeld, `${output} is held back`);
    if (what !== 'stop' && isHeld && this.chance() < 0.7) return;
    this.log(`others: ${what} at ${output}${isHeld ? ', although it is held' : ''}`);
    if (what === 'stop') {
      this.#on.delete(output);
      this.#autoStops.delete(output);
    } else this.#on.set(output, 'others');
    // A momentary unlock, and a tone that ends, are no lasting operations.
    const isMomentary = what === 'ending' && deviceOutput !== 'strobe';
    if (what === 'ending') {
      this.#timers.set(output, this.#now + 5_000);
      this.#engine.othersEndAt(named(device), deviceOutput, this.#now + 5_000);
    }
    if (what === 'lasting') this.#autoStops.set(output, this.#now + 8_000);
    if (!isMomentary) {
      this.#engine.replaced(named(device), deviceOutput, what === 'stop');
      this.model.others(output);
    }
  }

  /** A device loses its power, or comes back and answers. */
  #turn(device: string): void {
    this.log(`${device} ${this.#away.has(device) ? 'comes back' : 'goes'}`);
    if (this.#away.delete(device)) {
      this.#engine.returned(named(device));
      return;
    }
    this.#away.add(device);
    const own = outputs.filter((output) => deviceOf(output) === device);
    for (const output of own) {
      this.#on.delete(output);
      this.#timers.delete(output);
    }
    for (const ticket of this.#sent.filter((other) => deviceOf(outputOf(other)) === device)) {
      this.#sent = this.#sent.filter((other) => other !== ticket);
      this.#end(ticket, false, this.chance() < 0.5);
    }
    this.model.away(own);
  }

  #tick(ms: number): void {
    this.#now += ms;
    this.log(`${Math.round(ms)} ms pass`);
    for (const [output, at] of this.#timers) {
      if (at > this.#now) continue;
      this.#timers.delete(output);
      // It may end whatever is on there by now.
      this.#on.delete(output);
    }
    for (const [output, at] of this.#autoStops) if (at <= this.#now) this.#autoStop(output);
    this.#send(this.#engine.due());
  }

  #autoStop(output: string): void {
    const [device = '', deviceOutput = ''] = output.split('/');
    const isStarting = this.#sent.some((ticket) => outputOf(ticket) === output && ticket.kind !== 'end');
    if (isStarting) return;
    const isKept = this.#engine.keepsOn(named(device), deviceOutput, 'others');
    // The start of the alert might fail, so that the stop is asked for again.
    if (isKept === 'later') return;
    if (isKept) this.log(`  no stop of others at ${output}`);
    if (!isKept && this.#away.has(device)) return;
    this.#autoStops.delete(output);
    if (!isKept) this.#on.delete(output);
  }

  /** Node-RED is killed. What was sent may have been done. */
  #kill(): void {
    this.log('kill');
    for (const ticket of this.#sent) {
      const output = outputOf(ticket);
      const isDone = this.chance() < 0.5 && !this.#away.has(deviceOf(output));
      if (isDone && ticket.kind === 'end') this.#on.delete(output);
      else if (isDone) this.#on.set(output, ticket.alert);
      if (ticket.kind === 'end') continue;
      this.model.answered(ticket.alert, output, false);
      this.#autoStops.delete(output);
    }
    this.#sent = [];
    // Only what an alert uses is in the journal.
    for (const output of this.#timers.keys()) {
      const wanted = this.model.wanted(output);
      if (wanted === undefined || wanted === 'nobody') this.#timers.delete(output);
    }
    this.#engine.store();
    this.#engine = this.#boot();
    this.#send(this.#engine.due());
  }

  #boot(): Engine {
    const clock = { now: () => this.#now, monotonic: () => this.#now, random: () => 0.5 };
    return new Engine(clock, this.#journal);
  }
}

function outputOf({ output }: Ticket): string {
  return `${output.device.where}/${output.deviceOutput}`;
}

describe('alerts: what is wanted, in random histories of alerts, other nodes, power cuts and kills', () => {
  itHolds<number>({
    file: __filename,
    defaultCount: 10_000,
    draw(seed) {
      const random = chance(seed);
      return seedsOf(random, 5 + Math.floor(random() * 50));
    },
    play(_seed, steps, log) {
      let dice = chance(0);
      const world = new World(() => dice(), log);
      for (const step of steps) {
        dice = chance(step);
        world.step();
        if (dice() < 0.05) world.calm();
      }
      world.calm();
      return undefined;
    },
  });
});
