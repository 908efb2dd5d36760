import { localized } from '../../catalogue/localized-message';
import { Failure } from '../failure';
import { type DeviceOutput, type EntryList, OutputQueue, type QueueEntry } from './entry';

/** The lines of all subjects of a device, and who is first among them. There are about as many as nouns. */
export class OutputQueues {
  #lines: readonly OutputQueue[] = [];
  /** Of what starts and ends nothing. */
  readonly noSubject = this.of({ family: '', name: '' });

  of({ family, name }: DeviceOutput): OutputQueue {
    for (const known of this.#lines) if (known.name === name) return known;
    const line = new OutputQueue(name, family === name ? undefined : this.of({ family, name: family }));
    this.#lines = [...this.#lines, line];
    return line;
  }

  /** Takes out what waited too long, and lets nobody wait any longer for parameters that take too long. */
  dropLate(now: number): void {
    for (const line of this.#lines) {
      if (line.isEmpty) continue;
      endFirst(line.ordinary, expired, now);
      endFirst(line.urgent, expired, now);
      line.passAnnounced(now);
    }
  }

  /** The earliest of those that are urgent and that their own subject does not hold up. */
  firstUrgent(now: number): QueueEntry | undefined {
    let first: QueueEntry | undefined;
    for (const line of this.#lines) {
      const place = line.urgent.first;
      if (place && (!first || place.number < first.number) && line.isFree(place, now)) first = place;
    }
    return first;
  }

  /** The earliest of the others. */
  get firstOrdinary(): QueueEntry | undefined {
    let first: QueueEntry | undefined;
    for (const { ordinary } of this.#lines) {
      if (ordinary.first && (!first || ordinary.first.number < first.number)) first = ordinary.first;
    }
    return first;
  }

  /** When any of them has to be looked at again, on the monotonic clock; infinite for never. */
  nextWakeUp(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const line of this.#lines) if (!line.isEmpty) next = Math.min(next, line.nextWakeUp(now));
    return next;
  }

  /** All that wait, also for their parameters. */
  *[Symbol.iterator](): Generator<QueueEntry> {
    for (const { announced, urgent, ordinary } of this.#lines) {
      yield* announced;
      yield* urgent;
      yield* ordinary;
    }
  }
}

/**
 * Ends those in front that are too late: what stands behind one that may still be sent is looked at when it comes to
 * the front.
 */
function endFirst(list: EntryList, why: () => Failure, now: number): void {
  for (let place = list.first; place && now >= place.claim.expiresAt; place = list.first) {
    list.remove(place);
    place.abort.abort(why());
  }
}

function expired(): Failure {
  return Failure.own('EXPIRED', localized('tooLate'));
}
