import type { Engine } from '../../src/runtime/alert/engine';
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

/** Writes down what has changed, as the journal would. */
export function kept(engine: Engine, journal: Map<string, unknown>): Map<string, unknown> {
  for (const [key, value] of engine.takeChanges()) {
    if (value === undefined) journal.delete(key);
    else journal.set(key, JSON.parse(JSON.stringify(value)));
  }
  return journal;
}
