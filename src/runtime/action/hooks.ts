import type { Operation } from '../../catalogue/operation';
import type { Text } from '../../catalogue/saying';
import type { Answer, CallOptions } from '../../client/client';
import type { Turn } from '../../client/turn';
import type { Identity } from '../device/identity';
import type { Delivery } from './delivery';
import type { Given } from './parameters';

/** The parameters as one device wants them, and what a person should know about the difference. */
export interface Adapted {
  readonly parameters: Given;
  readonly note?: Text;
}

/** What one node does by hand, where the document asks for something that data cannot say. */
export interface ActionHooks {
  /**
   * What is wrong with parameters beyond what a schema can say, in sentences that begin with the place. Later, where
   * looking takes so long that others must have their turn meanwhile.
   */
  check?(operation: Operation, parameters: Given): readonly Text[] | Promise<readonly Text[]>;
  /** Whether parameters can be sent to no device whose model is not known. */
  needsModel?(parameters: Given): boolean;
  /**
   * The parameters as this device wants them.
   * @throws DeviceError when there are none it could want
   */
  adapt?(delivery: Delivery, identity: Identity): Adapted;
  /** Sends the request, or several; nothing where the operation's own route is what is wanted. */
  send?(delivery: Delivery, turn: Turn, options: CallOptions): Promise<Answer> | undefined;
  /**
   * Told when a device has taken an operation on, or may have.
   * @returns what its receipt waits for, where something is to survive a crash
   */
  done?(delivery: Delivery): Promise<void> | undefined;
  /** Keys of the node's locale for the status after a success, by operation, where it needs more words. */
  readonly acceptedStatus?: Readonly<Record<string, string>>;
}
