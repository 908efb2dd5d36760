import { catalogue } from '../catalogue';
import { operation as entryOf } from '../catalogue/named';
import { DeviceError } from '../client/errors';
import type { OperationParameters } from './parameters';

/** The name of an operation, for example `door/munlock`. */
export type OperationName = keyof OperationParameters;

/** An operation of the devices, and what a program may want to know of it. */
export interface NamedOperation<Name extends OperationName = OperationName> {
  readonly name: Name;
  /** A few words. */
  readonly title: string;
  /** One or two sentences. */
  readonly description: string;
  /** The first firmware that has it. */
  readonly firmware: string;
  /** Whether it may be sent again when it is not known whether it was done. */
  readonly repeatable: boolean;
}

/** The names of all operations, node by node. */
export const operationNames: readonly OperationName[] = catalogue.flatMap(({ resource, operations }) =>
  operations.map(({ id }) => `${resource}/${id}` as OperationName),
);

/**
 * The operation of this name; a name that there is not does not compile.
 * @throws DeviceError INVALID_PARAMETER when there is none after all
 */
export function operation<Name extends OperationName>(name: Name): NamedOperation<Name> {
  if (!operationNames.includes(name)) throw noOperation(`there is no operation "${String(name)}"`);
  const { title, description, firmware, repeatable } = entryOf(name);
  return { name, title, description, firmware, repeatable };
}

/** For what is no operation. */
export function noOperation(finding: string): DeviceError {
  const hint = 'one is written operation("door/munlock"), and operationNames lists them all';
  return new DeviceError('INVALID_PARAMETER', `${finding}: ${hint}; nothing was sent`);
}
