import type { Text } from '../../catalogue/localized-message';
import type { Operation, Option, Parameters } from '../../catalogue/operation';
import type { Answer, CallOptions, Turn, WireRequest } from '../../client/client';
import type { Abort } from '../../client/queue/entry';
import { type RequestTemplate, wireRequestOf } from '../../client/request';
import type { Device } from '../device/device';
import type { Identity } from '../device/identity';
import type { Outcome } from './receipt';

/** A delivery as its steps and the hooks see it: one message at one device, while it is that message's turn. */
export interface DeliveryContext {
  readonly device: Device;
  /** For example `door/unlock`. */
  readonly operationName: string;
  readonly operation: Operation;
  /** The checked parameters, which all targets share. */
  readonly sharedParameters: Parameters;
  /** The parameters as the device wants them. */
  readonly parameters: Parameters;
  readonly hooks: ActionHooks;
  /** Ends the delivery. */
  readonly abort: Abort;
  /** How long failed requests are retried, in milliseconds. */
  readonly retryForMs: number;
  /** The operation changes nothing. */
  readonly readsOnly: boolean;
  /** The device's answer to the operation, once there is one. */
  answer: Answer | undefined;
  outcome: Outcome;
  /** Whether an option of the operation is switched on. */
  has(option: Option): boolean;
  /** Adds a sentence to the receipt. */
  note(words: Text): void;
  /** Shows the progress in the node's status, for example `put 40 %`. */
  progress(words: string): void;
  /** Builds a request; targets with the same parameters share one. */
  request(operation: RequestTemplate, parameters: Parameters): WireRequest;
}

/** The parameters as one device wants them, and what a person should know about the difference. */
interface Adapted {
  readonly parameters: Parameters;
  readonly note?: Text;
}

/** What one node does by hand, where the document asks for something that data cannot say. */
export interface ActionHooks {
  /**
   * What is wrong with parameters beyond what a schema can say, in sentences that begin with the place. Later, where
   * looking takes so long that others must have their turn meanwhile.
   */
  check?(operation: Operation, parameters: Parameters): readonly Text[] | Promise<readonly Text[]>;
  /** Whether parameters can be sent to no device whose model is not known. */
  needsModel?(parameters: Parameters): boolean;
  /**
   * The parameters as this device wants them.
   * @throws DeviceError when there are none it could want
   */
  adapt?(delivery: DeliveryContext, identity: Identity): Adapted;
  /** Sends the request, or several; nothing where the operation's own route is what is wanted. */
  send?(delivery: DeliveryContext, turn: Turn, options: CallOptions): Promise<Answer> | undefined;
  /**
   * Told when a device has taken an operation on, or may have.
   * @returns what its receipt waits for, where something is to survive a crash
   */
  done?(delivery: DeliveryContext): Promise<void> | undefined;
  /** Keys of the node's locale for the status after a success, by operation, where it needs more words. */
  readonly acceptedStatus?: Readonly<Record<string, string>>;
}

/** Sends what the message says instead of an operation's route, signed all the same. */
export function freeRequests(): ActionHooks {
  return {
    send({ parameters }, turn, options) {
      return turn.send(wireRequestOf(parameters), options);
    },
  };
}
