import { localized } from '../../catalogue/localized-message';
import { Failure } from '../failure';
import { type DeviceOutput, type EntryList, OutputQueue, type QueueEntry } from './entry';

/**
 * The queues of all device outputs of a device, in a list instead of a Map, since a device has few outputs.
 * All times are on the monotonic clock, in milliseconds.
 */
export class OutputQueues {
  #queues: readonly OutputQueue[] = [];
  readonly withoutOutput = this.of({ family: '', name: '' });

  of({ family, name }: DeviceOutput): OutputQueue {
    for (const known of this.#queues) if (known.name === name) return known;
    const queue = new OutputQueue(name, family === name ? undefined : this.of({ family, name: family }));
    this.#queues = [...this.#queues, queue];
    return queue;
  }

  /**
   * Ends expired entries with EXPIRED, and removes overdue announced entries; both only at the front of a
   * list.
   */
  dropLate(now: number): void {
    for (const queue of this.#queues) {
      if (queue.isEmpty) continue;
      abortExpired(queue.ordinary, expired, now);
      abortExpired(queue.urgent, expired, now);
      queue.dropOverdueAnnounced(now);
    }
  }

  firstUrgent(now: number): QueueEntry | undefined {
    let first: QueueEntry | undefined;
    for (const queue of this.#queues) {
      const entry = queue.urgent.first;
      if (!entry || !queue.isFree(entry, now)) continue;
      entry.readyAt ??= now;
      if (!first || goesBefore(entry, first)) first = entry;
    }
    return first;
  }

  get firstOrdinary(): QueueEntry | undefined {
    let first: QueueEntry | undefined;
    for (const { ordinary } of this.#queues) {
      if (ordinary.first && (!first || ordinary.first.number < first.number)) first = ordinary.first;
    }
    return first;
  }

  nextWakeUp(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const queue of this.#queues) if (!queue.isEmpty) next = Math.min(next, queue.nextWakeUp(now));
    return next;
  }

  *[Symbol.iterator](): Generator<QueueEntry> {
    for (const { announced, urgent, ordinary } of this.#queues) {
      yield* announced;
      yield* urgent;
      yield* ordinary;
    }
  }
}

/** Whether an urgent entry gets a connection before another urgent entry: stops come first. */
export function goesBefore(one: QueueEntry, other: QueueEntry): boolean {
  if (one.policy.isStop !== other.policy.isStop) return one.policy.isStop;
  return one.number < other.number;
}

function abortExpired(list: EntryList, why: () => Failure, now: number): void {
  for (let entry = list.first; entry && now >= entry.policy.expiresAt; entry = list.first) {
    list.remove(entry);
    entry.abort.abort(why());
  }
}

function expired(): Failure {
  return Failure.own('EXPIRED', localized('tooLate'));
}
