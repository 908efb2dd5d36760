import type { StopCommand } from '../../../src/runtime/message/stop-command';
import type { Outcome } from './ends-history';
import { EndsModel } from './ends-model';

/** What a device output of the device is to be in the end, as far as it follows from what was done. */
type ExpectedState = 'off' | 'on' | 'either';

/** One device output of a device in the hall: what it is, what was asked of it, and what the model says. */
export class Fixture {
  readonly model = new EndsModel();
  isOn = false;
  expected: ExpectedState = 'off';
  awayUntil = 0;
  /** Starts that wait, and what is under way. */
  waiting = new Set<number>();
  starting = new Set<number>();
  sent = new Set<number>();
  /** Those of them that bring no end. */
  endless = new Set<number>();
  stopping = 0;

  outcomeAt(now: number, outcome: Outcome): Outcome {
    return this.awayUntil > now ? 'failed' : outcome;
  }

  /** Node-RED dies. What was sent the device may do all the same. */
  dies(now: number, isDone: boolean): void {
    if (isDone && this.sent.size > 0 && this.awayUntil <= now) this.isOn = true;
    if (this.endless.size > 0) this.expected = 'either';
    for (const starts of [this.waiting, this.starting, this.sent, this.endless]) starts.clear();
    this.stopping = 0;
  }
}

export function endOf(id: number, deviceOutput: number, afterMs: number): StopCommand {
  return {
    device: { id: 'device', name: 'Device' },
    node: { id: 'node', name: 'Node', type: 'algo-door' },
    operation: 'door/lock',
    parameters: { id, deviceOutput },
    afterMs,
  };
}
