import { catalogue } from '../catalogue';
import { operation as entryOf } from '../catalogue/operation-name';
import { DeviceError } from '../client/errors';
import type { OperationParameters } from './parameters';

/** Name of an operation, for example `door/munlock`. */
export type OperationName = keyof OperationParameters;

/** An operation of the catalogue, with the properties that a program can use. */
export interface NamedOperation<Name extends OperationName = OperationName> {
  readonly name: Name;
  /** Title for people, in English, such as `Unlock momentarily`. */
  readonly title: string;
  /** Description of the operation, one or two sentences. */
  readonly description: string;
  /** First firmware that supports the operation. */
  readonly firmware: string;
  /** Whether the operation is idempotent, so that it can be sent again after an unclear result. */
  readonly repeatable: boolean;
}

/** The names of all operations, sorted by node. */
export const operationNames: readonly OperationName[] = catalogue.flatMap(({ resource, operations }) =>
  operations.map(({ id }) => `${resource}/${id}` as OperationName),
);

/**
 * Returns the operation of a name; an unknown name does not compile.
 * @throws DeviceError INVALID_PARAMETER if the name is unknown at run time
 */
export function operation<Name extends OperationName>(name: Name): NamedOperation<Name> {
  if (!operationNames.includes(name)) throw noOperation(`there is no operation "${String(name)}"`);
  const { title, description, firmware, repeatable } = entryOf(name);
  return { name, title, description, firmware, repeatable };
}

export function noOperation(finding: string): DeviceError {
  const hint = 'one is written operation("door/munlock"), and operationNames lists them all';
  return new DeviceError('INVALID_PARAMETER', `${finding}: ${hint}; nothing was sent`);
}
