import { DeviceError, wordsOf } from '../../client/errors';
import type { Json } from '../journal/lines';
import type { Keeping } from '../journal/of-node-red';
import { understood } from '../journal/understood';
import type { StopCommand } from '../message/stop-command';
import type { Timed } from './min-heap';

/** A stop as the journal keeps it. */
export interface PersistedStop extends StopCommand {
  readonly subject: string;
  /** Due time in epoch milliseconds. */
  readonly due: number;
}

/** Returns a stop from the journal; undefined if the value is invalid. */
export function keptIn(value: Json): PersistedStop | undefined {
  const kept = value as unknown as PersistedStop | null;
  const texts = [kept?.device?.id, kept?.device?.name, kept?.node?.id, kept?.node?.name, kept?.node?.type];
  const isWhole =
    ['string', 'undefined'].includes(typeof kept?.device?.where) &&
    [...texts, kept?.operation, kept?.subject].every((text) => typeof text === 'string') &&
    typeof kept?.parameters === 'object' &&
    kept.parameters !== null &&
    [kept.due, kept.afterMs].every(Number.isFinite);
  return isWhole && kept ? kept : undefined;
}

/** Returns the warning that a stop has failed and is retried. */
export function failureOf(end: StopCommand, error: unknown): string {
  return `${called(end)} has not succeeded; Node-RED retries until it does: ${wordsOf(error)}`;
}

/** Returns the error of a stop that is given up. */
export function surrenderOf(end: StopCommand, error: unknown): DeviceError {
  const code = error instanceof DeviceError ? error.code : 'ABORTED';
  const sentence = `${called(end)} has not succeeded for a day, and Node-RED stopped trying; the output might still be on`;
  return new DeviceError(code, `${sentence}: ${wordsOf(error)}`, {
    cause: error,
    operationName: end.operation,
  });
}

function called({ operation, device, node }: StopCommand): string {
  return `${operation} at ${device.name || device.id}, which ends what the node ${node.name || node.id} started,`;
}

/** One output of one device: its running starts and its pending stop. */
export interface Subject {
  /** The key in the journal. */
  readonly key: string;
  readonly name: string;
  /** The number of starts that wait or are being sent. */
  holds: number;
  /** The stops of starts that are about to be sent or were sent; the last one counts. */
  armed: readonly PendingStop[];
  pending: PendingStop | undefined;
  /** The stop in the journal, even if it is not on disk yet. */
  written: PendingStop | undefined;
  /** Resolves when `written` is on disk; undefined if it already is. */
  writing: Promise<void> | undefined;
}

/** A pending stop, or a stop that becomes pending if its start succeeds. */
export class PendingStop implements Timed {
  place = -1;
  /** The number of failed attempts. */
  failures = 0;
  /** The time of the first attempt, on the monotonic clock. */
  firstAskedAt: number | undefined;
  /** Aborts the running attempt; undefined if there is none. */
  asking: AbortController | undefined;

  constructor(
    readonly subject: Subject,
    readonly kept: PersistedStop,
    public dueAt: number,
  ) {}
}

export type LedgerJournal = Keeping;

/** The start of the keys in the journal. */
const prefix = 'end/';

/** The device outputs with running starts or pending stops, and their records in the journal. */
export class PendingStopStore {
  readonly #subjects = new Map<string, Subject>();

  constructor(private readonly journal: LedgerJournal) {}

  /** Returns the stops that an earlier process has written. */
  *read(): Generator<PersistedStop> {
    for (const [, kept] of understood(this.journal, prefix, keptIn)) yield kept;
  }

  subjects(): Iterable<Subject> {
    return this.#subjects.values();
  }

  find(deviceId: string, name: string): Subject | undefined {
    return this.#subjects.get(keyOf(deviceId, name));
  }

  subject(deviceId: string, name: string): Subject {
    const key = keyOf(deviceId, name);
    let subject = this.#subjects.get(key);
    if (!subject) {
      subject = {
        key,
        name,
        holds: 0,
        armed: [],
        pending: undefined,
        written: undefined,
        writing: undefined,
      };
      this.#subjects.set(key, subject);
    }
    return subject;
  }

  /**
   * Writes the one record of a device output: the stop that counts if this process dies. An armed start might have been
   * sent, so its stop counts; without an armed start, the pending stop counts. A start without an auto-stop deletes the
   * record only after the start was done. After a crash in between, Node-RED rather stops too much than too little.
   */
  write(subject: Subject): Promise<void> | undefined {
    const counts = subject.armed.at(-1) ?? subject.pending;
    if (counts === subject.written) return subject.writing;
    subject.written = counts;
    const { journal } = this;
    const put = counts ? journal.put(subject.key, { ...counts.kept }) : journal.delete(subject.key);
    const writing = put.then(() => {
      if (subject.writing !== writing) return;
      subject.writing = undefined;
      this.forget(subject);
    });
    subject.writing = writing;
    return writing;
  }

  /**
   * Removes a device output without starts and stops. While a write is running, the device output stays, since a later
   * change must wait for that write.
   */
  forget({ key, holds, pending, writing }: Subject): void {
    if (holds === 0 && !pending && !writing) this.#subjects.delete(key);
  }
}

function keyOf(deviceId: string, subject: string): string {
  return `${prefix}${deviceId}/${subject}`;
}
