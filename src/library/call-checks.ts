import { isPlainObject } from '../catalogue/coerce';
import type { Fields, Operation, Parameters } from '../catalogue/operation';
import { operation as entryOf } from '../catalogue/operation-name';
import { nothingSent } from '../catalogue/sentence';
import { checkParameters } from '../catalogue/validate';
import { DeviceError } from '../client/errors';
import { noOperation, type OperationName, operationNames } from './operations';

/** Memoizes `withoutNames`, since `checkParameters` compiles a check for each operation object. */
const operationsWithoutNames = new WeakMap<Operation, Operation>();

/** @throws DeviceError INVALID_PARAMETER if the argument does not have the name of an operation */
export function entryNamed(operation: { readonly name: OperationName } | null | undefined): Operation {
  const name = operation?.name;
  if (name === undefined || !operationNames.includes(name)) throw noOperation('this is no operation');
  return entryOf(name);
}

/**
 * Returns the checked parameters of an operation in the form that is sent. Rejects unknown parameters, so
 * that a misspelled name is not ignored.
 * @param operationName for error messages, for example `door/munlock`
 * @param what name of the object in error messages
 * @throws DeviceError INVALID_PARAMETER that lists the mistakes
 */
export function checked(
  operation: Operation,
  given: unknown,
  operationName: string,
  what = 'parameters',
): Parameters {
  if (!isPlainObject(given)) throw invalid(operationName, `${what} must be an object`);
  const result = checkParameters(withoutNames(operation), given);
  if (!result.ok) throw invalid(operationName, result.findings.join('; '));
  return result.parameters;
}

/**
 * Returns the operation with fields that accept no names for numbers: the number of a name depends on the
 * model of the device, which the library does not read.
 */
function withoutNames(operation: Operation): Operation {
  const known = operationsWithoutNames.get(operation);
  if (known) return known;
  const { fields, variants } = operation;
  const bodies = variants?.map((variant) => ({ ...variant, fields: numbersOnly(variant.fields) }));
  const made = { ...operation, fields: numbersOnly(fields), ...(bodies && { variants: bodies }) };
  operationsWithoutNames.set(operation, made);
  return made;
}

function numbersOnly(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, { names: _, ...field }]) => [name, field]));
}

/** @throws DeviceError INVALID_PARAMETER if the time limit is set, but is not a number above 0 */
export function checkLimit(timeoutMs: unknown, operationName: string): void {
  if (timeoutMs === undefined || (typeof timeoutMs === 'number' && timeoutMs > 0)) return;
  throw invalid(operationName, 'timeoutMs must be a number of milliseconds above 0');
}

function invalid(operationName: string, finding: string): DeviceError {
  return new DeviceError('INVALID_PARAMETER', nothingSent(finding), { operationName });
}
