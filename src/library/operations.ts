import { catalogue } from '../catalogue';
import { joinMessages } from '../catalogue/localized-message';
import { operation as entryOf } from '../catalogue/operation-name';
import { nothingSent } from '../catalogue/sentence';
import { DeviceError } from '../client/errors';
import type { OperationParameters } from './parameters';

/** Name of an operation, for example `door/munlock`. */
export type OperationName = keyof OperationParameters;

/** An operation of the catalogue, with the properties that a program can use. */
export interface NamedOperation<Name extends OperationName = OperationName> {
  readonly name: Name;
  /** English title, such as `Unlock momentarily`. */
  readonly title: string;
  /** English description of one or two sentences. */
  readonly description: string;
  /** First firmware that supports the operation. */
  readonly firmware: string;
  /** Whether the operation is idempotent: a client can send the operation again after an unclear result. */
  readonly repeatable: boolean;
}

export const operationNames: readonly OperationName[] = catalogue.flatMap(({ resource, operations }) =>
  operations.map(({ id }) => `${resource}/${id}` as OperationName),
);

/** @throws DeviceError INVALID_PARAMETER if an untyped caller passes an unknown name */
export function operation<Name extends OperationName>(name: Name): NamedOperation<Name> {
  if (!operationNames.includes(name)) throw noOperation(`there is no operation "${String(name)}"`);
  const { title, description, firmware, repeatable } = entryOf(name);
  return { name, title, description, firmware, repeatable };
}

export function noOperation(finding: string): DeviceError {
  const hint = 'one is written operation("door/munlock"), and operationNames lists them all';
  return new DeviceError('INVALID_PARAMETER', nothingSent(joinMessages([finding, hint])));
}
