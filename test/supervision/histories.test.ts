import { deepStrictEqual } from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { SupervisionEngine } from '../../src/runtime/supervision/engine';
import type { CheckName, CheckResult, Finding } from '../../src/runtime/supervision/finding';
import { SupervisionStates } from '../../src/runtime/supervision/states';
import { itHolds, seedsOf } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { MemoryJournal } from '../kernel/memory-journal';
import { type Check, expectedChanges, type Mask, type StateChange, shown } from './model';

const names = ['north', 'south', 'west'];

const findable: readonly (readonly [CheckName, string?])[] = [
  ['login'],
  ['trust'],
  ['clock'],
  ['sip'],
  ['settings', 'audio.page.vol'],
  ['settings', 'net.vlan'],
  ['files', 'tones/chime.wav'],
];

/** All that happened to one device, for the model. */
interface Course {
  readonly bornAt: number;
  readonly checks: Check[];
  readonly masks: Mask[];
  readonly changes: StateChange[];
}

/** An engine beside what the model is asked about. */
class World {
  #now = 0;
  #misses = 3;
  readonly #restarts: number[] = [];
  readonly #journal = new MemoryJournal();
  #engine = this.#start();
  readonly #courses = new Map<string, Course>();

  constructor(
    private readonly initial: boolean,
    private readonly dice: () => number,
    private readonly log: (line: string) => void,
  ) {
    this.#deploy(names.slice(0, 2));
  }

  step(): void {
    // Each moment has one event, so the model needs no order within a moment.
    this.#now += 1 + Math.floor(this.dice() * 100);
    this.#endMasks();
    const kind = this.dice();
    if (kind < 0.72) this.#check();
    else if (kind < 0.8) this.#mask();
    else if (kind < 0.86) this.#unmask();
    else if (kind < 0.93) this.#restart();
    else this.#deploy(names.filter(() => this.dice() < 0.8));
    this.#compare();
  }

  #check(): void {
    const id = this.#oneOf(names);
    const course = this.#courses.get(id);
    const isMissed = this.dice() < 0.4;
    const findings = isMissed ? [] : findable.filter(() => this.dice() < 0.15).map(findingOf);
    const result: CheckResult = isMissed
      ? { kind: 'missed', finding: findingOf(['contact']) }
      : { kind: 'answered', findings, notChecked: [] };
    this.log(`${this.#now}: ${id} ${isMissed ? 'has no answer' : `finds ${findings.map(keyOf).join(', ')}`}`);
    course?.checks.push({
      at: this.#now,
      found: isMissed ? undefined : findings.map(keyOf),
      misses: this.#misses,
    });
    this.#receive(id, this.#engine.record(id, result, this.#now));
  }

  #mask(): void {
    const id = this.#oneOf(names);
    // No check comes at the moment at which a mask ends.
    const to = this.#now + Math.floor(this.dice() * 400) + 0.5;
    const masks = this.#courses.get(id)?.masks;
    this.log(`${this.#now}: ${id} is masked until ${to}`);
    if (masks) cut(masks, this.#now);
    masks?.push({ from: this.#now, to });
    this.#engine.mask(id, to);
  }

  #unmask(): void {
    const id = this.#oneOf(names);
    this.log(`${this.#now}: ${id} is unmasked`);
    const masks = this.#courses.get(id)?.masks;
    const last = masks?.at(-1);
    if (masks && last && last.to > this.#now) masks.splice(-1, 1, { ...last, to: this.#now });
    this.#receive(id, this.#engine.unmask(id, this.#now));
  }

  #restart(): void {
    this.log(`${this.#now}: Node-RED restarts`);
    this.#restarts.push(this.#now);
    this.#engine = this.#start();
    this.#engine.setDevices([...this.#courses.keys()].map(supervised), this.#now);
  }

  #deploy(devices: readonly string[]): void {
    this.#misses = 1 + Math.floor(this.dice() * 4);
    this.log(`${this.#now}: a deploy of ${devices.join(', ')}; offline after ${this.#misses}`);
    for (const id of [...this.#courses.keys()]) if (!devices.includes(id)) this.#courses.delete(id);
    for (const id of devices) {
      if (!this.#courses.has(id)) {
        this.#courses.set(id, { bornAt: this.#now, checks: [], masks: [], changes: [] });
      }
    }
    this.#restart();
    this.#engine.setDevices(devices.map(supervised), this.#now);
  }

  /** A timer of the node does so in its time. */
  #endMasks(): void {
    for (let end = this.#engine.nextMaskEnd; end <= this.#now; end = this.#engine.nextMaskEnd) {
      for (const change of this.#engine.endMasks(end)) this.#receive(change.device, change, end);
    }
  }

  #receive(id: string, change: ReturnType<SupervisionEngine['record']>, at = this.#now): void {
    if (!change) return;
    const { state, previous, findings, initial = false } = change;
    const found = findings.map(({ message }) => message).sort();
    this.log(`  tells ${state}${initial ? ', initial' : ''}, before ${previous}: ${found.join(', ')}`);
    this.#courses.get(id)?.changes.push({ at, state, previous, found, initial });
  }

  #start(): SupervisionEngine {
    const states = new SupervisionStates({ events: new EventEmitter() }, this.#journal);
    return new SupervisionEngine(
      { misses: this.#misses, initial: this.initial },
      states.open('node', this.initial),
    );
  }

  #compare(): void {
    const report = this.#engine.report(this.#now);
    const ranks = ['offline', 'fault', 'warning', 'unknown', 'masked', 'ok'];
    const found = report.devices.map(({ state }) => ranks.indexOf(state));
    deepStrictEqual(found, [...found].sort());
    deepStrictEqual(report.total, this.#courses.size);
    for (const [id, { bornAt, checks, masks, changes }] of this.#courses) {
      const expected = shown(bornAt, checks);
      const isMasked = masks.some(({ from, to }) => from <= this.#now && this.#now < to);
      const one = report.devices.find(({ device }) => device === id);
      deepStrictEqual(
        {
          state: one?.state,
          previous: one?.previous,
          since: Date.parse(one?.since ?? ''),
          found: one?.findings.map(({ message }) => message),
        },
        { ...expected, ...(isMasked && { state: 'masked' }) },
      );
      const restarts = this.initial ? this.#restarts : undefined;
      deepStrictEqual(changes, expectedChanges(checks, masks, this.#now, restarts));
    }
  }

  #oneOf(all: readonly string[]): string {
    return all[Math.floor(this.dice() * all.length)] ?? '';
  }
}

/** Another mask in place of one that is on: that one ends without a moment in which anything is told. */
function cut(masks: Mask[], now: number): void {
  const last = masks.at(-1);
  if (last && last.to > now) masks.pop();
  if (last && last.to > now && last.from < now) masks.push({ from: last.from, to: now });
}

/** Check and subject of a finding, in words of its own. */
function keyOf({ check, subject }: Pick<Finding, 'check' | 'subject'>): string {
  return subject ? `${check} ${subject}` : check;
}

function findingOf([check, subject]: readonly [CheckName, string?]): Finding {
  const finding = {
    check,
    reason: '',
    message: '',
    expected: null,
    actual: null,
    ...(subject && { subject }),
  };
  return { ...finding, message: keyOf(finding) };
}

function supervised(name: string) {
  return { id: name, name, address: `https://${name}.example` };
}

describe('supervision: random histories against a model', () => {
  itHolds<number>({
    file: __filename,
    defaultCount: 10_000,
    draw(seed) {
      const random = chance(seed);
      return seedsOf(random, 5 + Math.floor(random() * 45));
    },
    play(seed, steps, log) {
      let dice = chance(seed);
      const world = new World(dice() < 0.5, () => dice(), log);
      for (const step of steps) {
        dice = chance(step);
        world.step();
      }
      return undefined;
    },
  });
});
