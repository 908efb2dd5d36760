import type { Text } from '../../catalogue/localized-message';
import type { Operation, Option, Parameters } from '../../catalogue/operation';
import type { Answer, CallOptions, Turn } from '../../client/client';
import type { Abort } from '../../client/queue/entry';
import { wireRequestOf } from '../../client/request';
import type { Device } from '../device/device';
import type { Identity } from '../device/identity';
import type { ConcurrencyLimiter } from './concurrency-limiter';
import type { Outcome } from './receipt';

/** A delivery whose device and operation are known, as hooks and steps see it. */
export interface DeliveryContext {
  readonly device: Device;
  readonly operationName: string;
  readonly operation: Operation;
  readonly sharedParameters: Parameters;
  /** The parameters, adapted to the device. */
  readonly parameters: Parameters;
  readonly abort: Abort;
  /** Limits the targets on the wire; absent without a limit. */
  readonly limiter?: ConcurrencyLimiter | undefined;
  readonly readsOnly: boolean;
  answer: Answer | undefined;
  outcome: Outcome;
  has(option: Option): boolean;
  note(words: Text): void;
  progress(words: string): void;
}

export interface Adapted {
  readonly parameters: Parameters;
  readonly note?: Text;
}

export interface ActionHooks {
  /**
   * Returns mistakes in parameters that a schema cannot find, as sentences that start with the name of the
   * parameter. Returns a promise if the check takes so long that it needs pauses.
   * @param isValid whether the schema has found no mistake
   */
  check?(
    operation: Operation,
    parameters: Parameters,
    isValid: boolean,
  ): readonly Text[] | Promise<readonly Text[]>;
  needsModel?(parameters: Parameters): boolean;
  /** Whether `adapt` needs the firmware even for an urgent operation, which otherwise does not wait for it. */
  needsFirmware?(operation: Operation, parameters: Parameters): boolean;
  adapt?(delivery: DeliveryContext, identity: Identity): Adapted;
  /** Sends one or more requests instead of the operation's own route. Returns undefined to use the route. */
  send?(delivery: DeliveryContext, turn: Turn, options: CallOptions): Promise<Answer> | undefined;
  /** Reads what the operation needs, before its turn: the reads stand behind messages to the device. */
  prepare?(delivery: DeliveryContext, options: CallOptions): Promise<void> | undefined;
  /** Returns the answer of a dry run, in which `send` is not called. */
  dryRun?(delivery: DeliveryContext): Answer | undefined;
  /** Returns what the results at all targets say together, for the log and the note of the first receipt. */
  remark?(deliveries: readonly object[]): Text | undefined;
  /**
   * Called after a device has accepted an operation, or might have accepted an operation that is not a stop.
   * @returns a promise that the receipt waits for, so that the state survives a crash; undefined if there is
   * nothing to wait for
   */
  done?(delivery: DeliveryContext): Promise<void> | undefined;
  /**
   * Keys of the node's locale for the status after a success, by operation; absent for the default status.
   */
  readonly acceptedStatus?: Readonly<Record<string, string>>;
}

export function freeRequests(): ActionHooks {
  return {
    send({ parameters }, turn, options) {
      return turn.send(wireRequestOf(parameters), options);
    },
  };
}
