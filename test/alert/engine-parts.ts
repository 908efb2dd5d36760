import type { Engine } from '../../src/runtime/alert/engine';
import { isReportKey } from '../../src/runtime/alert/reports';
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

/** Whether a key of the journal belongs to an alert or a device output, and not to a report. */
export function isNoReport(key: string): boolean {
  return !isReportKey(key);
}

/** Writes down what has changed, as the journal would, but no reports. */
export function kept(engine: Engine, journal: Map<string, unknown>): Map<string, unknown> {
  for (const [key, value] of engine.takeChanges()) {
    if (isReportKey(key)) continue;
    if (value === undefined) journal.delete(key);
    else journal.set(key, JSON.parse(JSON.stringify(value)));
  }
  return journal;
}
