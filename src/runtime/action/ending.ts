import { lackOf } from '../../catalogue/lacks';
import type { Operation } from '../../catalogue/operation';
import { checkParameters } from '../../catalogue/validate';
import type { Identity } from '../device/identity';
import type { Given } from './parameters';

/**
 * The parameters with which a device ends by itself what it starts (docs/contract.md 2.5); undefined where it
 * cannot, or where nobody knows whether it can.
 * @param afterMs when it is to end
 */
export function endingByItself(
  operation: Operation,
  parameters: Given,
  afterMs: number,
  identity: Identity,
): Given | undefined {
  const field = operation.end?.field;
  if (field === undefined || identity.firmware === undefined || !Number.isInteger(afterMs / 1_000))
    return undefined;
  const ending = { ...parameters, [field]: afterMs / 1_000 };
  const checked = checkParameters(operation, ending);
  if (!checked.ok || lackOf(operation, ending, identity)) return undefined;
  return checked.parameters;
}
