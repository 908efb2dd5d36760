import { Engine } from '../../src/runtime/alert/engine';
import type { Ticket } from '../../src/runtime/alert/output-state';
import { MemoryJournal } from '../kernel/memory-journal';
import { actionOf } from './world-actions';

/** A clock that a test turns. */
export class Clock {
  ms = 0;
  now = () => this.ms;
  monotonic = () => this.ms;
  random = () => 0;
}

/** An alert, as its start says it. */
export const about = {
  id: 'a',
  name: 'A',
  priority: 5,
  drill: false,
  clearsAtRestart: false,
  targets: ['d'],
  maxParallel: 100,
};

export const deviceAction = {
  device: { id: 'd', name: 'D' },
  deviceOutput: 'strobe',
  action: actionOf('strobe', 1, true),
};

const journals = new WeakMap<Engine, MemoryJournal>();

/** An engine over what a journal has. */
export function boot(
  clock: ConstructorParameters<typeof Engine>[0],
  entries: Iterable<readonly [key: string, value: unknown]> = [],
): Engine {
  const journal = new MemoryJournal(entries as ConstructorParameters<typeof MemoryJournal>[0]);
  const engine = new Engine(clock, journal);
  journals.set(engine, journal);
  return engine;
}

/** All that the journal of an engine has. */
export function journalOf(engine: Engine): Map<string, unknown> {
  engine.store();
  return new Map(journals.get(engine)?.entries('') ?? []);
}

/** Whether a key of the journal belongs to an alert or a device output, and not to a report. */
export function isNoReport(key: string): boolean {
  return !key.startsWith('alert/report/') && !key.startsWith('alert/receipt/');
}

/** The entries of the journal for alerts and device outputs. */
export function kept(engine: Engine): Map<string, unknown> {
  return new Map([...journalOf(engine)].filter(([key]) => isNoReport(key)));
}

export function clearIn(engine: Engine, ...clear: Parameters<Engine['clear']>): Ticket[] {
  return engine.clear(...clear).flat();
}
