import { DeviceError, wordsOf } from '../../client/errors';
import type { Json } from '../journal/lines';
import type { Keeping } from '../journal/of-node-red';
import { understood } from '../journal/understood';
import type { StopCommand } from '../message/stop-command';
import type { Timed } from './min-heap';

/** An end as it is kept in the journal. */
export interface PersistedStop extends StopCommand {
  readonly subject: string;
  /** Epoch milliseconds. */
  readonly due: number;
}

/** An end from the journal; undefined where it is none. */
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

/** Says that an end did not succeed, and that it is asked for again. */
export function failureOf(end: StopCommand, error: unknown): string {
  return `${called(end)} has not succeeded; it is asked for again until it does: ${wordsOf(error)}`;
}

/** The error of an end that is asked for no more. */
export function surrenderOf(end: StopCommand, error: unknown): DeviceError {
  const code = error instanceof DeviceError ? error.code : 'ABORTED';
  const sentence = `${called(end)} has not succeeded for a day and is given up, what it ends may still be on`;
  return new DeviceError(code, `${sentence}: ${wordsOf(error)}`, {
    cause: error,
    operationName: end.operation,
  });
}

function called({ operation, device, node }: StopCommand): string {
  return `${operation} at ${device.name || device.id}, which ends what the node ${node.name || node.id} started,`;
}

/** One subject of one device: starts that wait or are under way, and the end that is to come. */
export interface Subject {
  /** In the journal. */
  readonly key: string;
  readonly name: string;
  /** Starts that wait or are under way. */
  holds: number;
  /** What those of them that are about to be sent, or were, would bring; the last one counts. */
  armed: readonly PendingStop[];
  pending: PendingStop | undefined;
  /** What the journal holds, or will as soon as it is written through. */
  written: PendingStop | undefined;
  /** There until it is. */
  writing: Promise<void> | undefined;
}

/** An end that is to come, or would be if the start that brings it happens. */
export class PendingStop implements Timed {
  place = -1;
  /** How often it was asked for in vain. */
  failures = 0;
  /** When it was first asked for, on the monotonic clock. */
  firstAskedAt: number | undefined;
  /** There while it is being asked for. */
  asking: AbortController | undefined;

  constructor(
    readonly subject: Subject,
    readonly kept: PersistedStop,
    public dueAt: number,
  ) {}
}

export type LedgerJournal = Keeping;

/** How their keys in the journal begin. */
const prefix = 'end/';

/** The subjects of devices at which something is to end or may begin, and what of them the journal holds. */
export class PendingStopStore {
  readonly #subjects = new Map<string, Subject>();

  constructor(private readonly journal: LedgerJournal) {}

  /** What an earlier process wrote. */
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
   * Writes the one record of a device output: the stop that counts if this process dies. An armed start may have been
   * sent, so its stop counts; else the pending one does. A start without a stop deletes the record only when it was
   * done: after a crash in between, too much is stopped rather than too little.
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

  /** Until it is written through who comes next has to wait for that, too. */
  forget({ key, holds, pending, writing }: Subject): void {
    if (holds === 0 && !pending && !writing) this.#subjects.delete(key);
  }
}

function keyOf(deviceId: string, subject: string): string {
  return `${prefix}${deviceId}/${subject}`;
}
