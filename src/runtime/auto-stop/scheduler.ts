import { DeviceError, wordsOf } from '../../client/errors';
import type { SharedJournal } from '../../kernel/journal/journal';
import { Reconciler, type ReconcilerOptions } from '../../kernel/reconciler';
import { number, object, oneOf, open, type Shape, text } from '../../kernel/shape';
import type { Clock } from '../../kernel/time/clock';
import { whenAll } from '../message/bus';
import type { StartGuard, StopCommand } from '../message/stop-command';

/** A stop that is due some time after a start; the device output is in the terms of the catalogue. */
export interface AutoStop extends StopCommand {
  readonly deviceOutput: string;
}

export interface AutoStopOptions extends Pick<ReconcilerOptions<AutoStop>, 'clock' | 'attempt'> {
  readonly clock: Clock;
  readonly journal: SharedJournal;
  /** Returns the device that has replaced a stop's device in a deploy; undefined if there is none. */
  readonly successorOf?: (stopCommand: StopCommand) => Pick<StopCommand, 'device'> | undefined;
  readonly warn: (stopCommand: StopCommand, sentence: string) => void;
  readonly giveUp: (stopCommand: StopCommand, error: Error) => void;
}

/**
 * Sends stops some time after their starts (docs/contract.md 2.5, `endAfter`). The journal has a stop before its
 * start is sent, so that a crash leaves no door open unless the write has failed. No stop is sent while a start
 * of the same device output waits or is under way, since the start can replace the stop.
 */
export class AutoStopScheduler {
  readonly #stops: Reconciler<AutoStop>;

  constructor(private readonly options: AutoStopOptions) {
    const { journal, clock, attempt, warn, giveUp } = options;
    this.#stops = new Reconciler({
      ...{ prefix: 'end/', journal, clock, shape: autoStop, attempt },
      failedFirst: (stop, error) => warn(stop, failureOf(stop, error)),
      gaveUp: (stop, error) => giveUp(stop, surrenderOf(stop, error)),
      // An aborted stop is not a failure of the device.
      isNoFailure: (error) => error instanceof DeviceError && error.code === 'ABORTED',
    });
  }

  /** Sends the stops that are due, at the devices that have their addresses after the deploy. */
  run(): void {
    void this.options.journal.batch(() => {
      this.#stops.move((stop) => {
        const successor = this.options.successorOf?.(stop);
        if (!successor) return undefined;
        return { key: keyOf(successor.device.id, stop.deviceOutput), record: { ...stop, ...successor } };
      });
      this.#stops.run();
    });
  }

  /** Sends each selected stop once, before the flows stop for good (see `Reconciler.flush`). */
  leave(isSelected: (stop: AutoStop, due: number) => boolean): Promise<void> | undefined {
    return this.#stops.flush(isSelected);
  }

  /** Aborts all attempts, and sends no stop until `run`. */
  close(): void {
    this.#stops.close();
  }

  *pending(): Generator<AutoStop & { readonly due: number }> {
    for (const { record, due } of this.#stops.entries()) yield { ...record, due };
  }

  /**
   * Guards a start at a device output, with or without an auto-stop.
   * @param others ids of the device under its other names; the start replaces the stops of these names too
   */
  hold(deviceId: string, deviceOutput: string, others: readonly string[] = []): StartGuard {
    const own = this.#stops.hold(keyOf(deviceId, deviceOutput));
    const holds = [own, ...others.map((id) => this.#stops.hold(keyOf(id, deviceOutput)))];
    return {
      arm: async (stop) => own.intend({ ...stop, deviceOutput }, stop.afterMs),
      release: (happened) => whenAll(holds.map((hold) => hold.release(happened))),
    };
  }

  /**
   * Removes the stop of a device output, after any node has stopped the output.
   * @param others ids of the device under its other names
   */
  recordEnded(
    deviceId: string,
    deviceOutput: string,
    others: readonly string[] = [],
  ): Promise<void> | undefined {
    return whenAll([deviceId, ...others].map((id) => this.#stops.set(keyOf(id, deviceOutput), undefined)));
  }
}

function keyOf(deviceId: string, deviceOutput: string): string {
  return `${deviceId}/${deviceOutput}`;
}

const location = open({ id: text(), name: text() }, { where: text(), ownPassword: oneOf(true) });
const autoStop: Shape<AutoStop> = open({
  ...{ device: location, node: open({ id: text(), name: text(), type: text() }) },
  ...{ operation: text(), deviceOutput: text(), parameters: object, afterMs: number() },
}) as Shape<AutoStop>;

function failureOf({ operation, device, node }: StopCommand, error: unknown): string {
  const stop = `${operation} at ${device.name || device.id}, which ends what the node ${node.name || node.id} started,`;
  return `${stop} has not succeeded; Node-RED retries until it does: ${wordsOf(error)}`;
}

function surrenderOf({ device, node, operation }: StopCommand, error: unknown): DeviceError {
  const code = error instanceof DeviceError ? error.code : 'ABORTED';
  const reason = error instanceof DeviceError ? error.reason : wordsOf(error);
  const details = [
    `the stop of what the node ${node.name || node.id} started has not succeeded for a day, and Node-RED stopped trying`,
    'the output might still be on',
  ];
  const place = `"${device.name || device.id}"`;
  return new DeviceError(code, { reason, details }, { place, cause: error, operationName: operation });
}
