import { DeviceError, wordsOf } from '../../client/errors';
import { Retries } from '../../time/retries';
import type { Json } from '../journal/lines';
import { readEntries } from '../journal/read-entries';
import type { SharedJournal } from '../journal/shared-journal';
import type { StopCommand } from '../message/stop-command';
import type { Timed } from './min-heap';

export interface PersistedStop extends StopCommand {
  readonly deviceOutput: string;
  readonly due: number;
}

export function parsePersistedStop(value: Json): PersistedStop | undefined {
  const persisted = value as unknown as PersistedStop | null;
  const texts = [
    persisted?.device?.id,
    persisted?.device?.name,
    persisted?.node?.id,
    persisted?.node?.name,
    persisted?.node?.type,
  ];
  const isWhole =
    ['string', 'undefined'].includes(typeof persisted?.device?.where) &&
    [...texts, persisted?.operation, persisted?.deviceOutput].every((text) => typeof text === 'string') &&
    typeof persisted?.parameters === 'object' &&
    persisted.parameters !== null &&
    [persisted.due, persisted.afterMs].every(Number.isFinite);
  return isWhole && persisted ? persisted : undefined;
}

export function failureOf(stopCommand: StopCommand, error: unknown): string {
  return `${called(stopCommand)} has not succeeded; Node-RED retries until it does: ${wordsOf(error)}`;
}

export function surrenderOf(stopCommand: StopCommand, error: unknown): DeviceError {
  const code = error instanceof DeviceError ? error.code : 'ABORTED';
  const reason = error instanceof DeviceError ? error.reason : wordsOf(error);
  return new DeviceError(
    code,
    { reason, details: givenUp(stopCommand) },
    {
      place: `"${stopCommand.device.name || stopCommand.device.id}"`,
      cause: error,
      operationName: stopCommand.operation,
    },
  );
}

function givenUp({ node }: StopCommand): string[] {
  return [
    `the stop of what the node ${node.name || node.id} started has not succeeded for a day, and Node-RED stopped trying`,
    'the output might still be on',
  ];
}

function called({ operation, device, node }: StopCommand): string {
  return `${operation} at ${device.name || device.id}, which ends what the node ${node.name || node.id} started,`;
}

export interface OutputStops {
  readonly key: string;
  readonly name: string;
  holds: number;
  /**
   * The stops of starts that were sent or are about to be sent. After a crash, the last stop in the list
   * becomes the pending stop.
   */
  armed: readonly PendingStop[];
  pending: PendingStop | undefined;
  /**
   * The stop that was last written to the journal, even if the write is not complete yet; undefined if the
   * journal has no stop.
   */
  written: PendingStop | undefined;
  writing: Promise<void> | undefined;
}

export class PendingStop implements Timed {
  index = -1;
  readonly retries = new Retries();
  asking: AbortController | undefined;

  constructor(
    readonly output: OutputStops,
    readonly persisted: PersistedStop,
    public dueAt: number,
  ) {}
}

export type StopJournal = SharedJournal;

const prefix = 'end/';

export class PendingStopStore {
  readonly #outputs = new Map<string, OutputStops>();

  constructor(private readonly journal: StopJournal) {}

  *read(): Generator<PersistedStop> {
    for (const [, persisted] of readEntries(this.journal, prefix, parsePersistedStop)) yield persisted;
  }

  outputs(): Iterable<OutputStops> {
    return this.#outputs.values();
  }

  find(deviceId: string, name: string): OutputStops | undefined {
    return this.#outputs.get(keyOf(deviceId, name));
  }

  output(deviceId: string, name: string): OutputStops {
    const key = keyOf(deviceId, name);
    let output = this.#outputs.get(key);
    if (!output) {
      output = {
        key,
        name,
        holds: 0,
        armed: [],
        pending: undefined,
        written: undefined,
        writing: undefined,
      };
      this.#outputs.set(key, output);
    }
    return output;
  }

  /**
   * Writes the stop that must be sent after a crash: the stop of the last armed start, or else the pending
   * stop. If there is neither, deletes the record.
   * @returns a promise that resolves when the record is on disk or its write has failed; undefined if no
   * write is running
   */
  write(output: OutputStops): Promise<void> | undefined {
    const counts = output.armed.at(-1) ?? output.pending;
    if (counts === output.written) return output.writing;
    output.written = counts;
    const { journal } = this;
    const written = counts ? journal.put(output.key, { ...counts.persisted }) : journal.delete(output.key);
    const writing = written.then(() => {
      if (output.writing !== writing) return;
      output.writing = undefined;
      this.forget(output);
    });
    output.writing = writing;
    return writing;
  }

  /**
   * Removes a device output that has no starts and no pending stop, unless a write is running: a later change
   * must wait for the running write.
   */
  forget({ key, holds, pending, writing }: OutputStops): void {
    if (holds === 0 && !pending && !writing) this.#outputs.delete(key);
  }
}

function keyOf(deviceId: string, deviceOutput: string): string {
  return `${prefix}${deviceId}/${deviceOutput}`;
}
