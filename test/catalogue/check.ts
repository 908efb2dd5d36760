import assert from 'node:assert/strict';
import { catalogue } from '../../src/catalogue';
import type { Operation } from '../../src/catalogue/operation';
import { checkParameters } from '../../src/catalogue/validate';

/** An operation by its name in a receipt, for example `door/unlock`. */
export function operationNamed(deed: string): Operation {
  const [noun, id] = deed.split('/');
  const group = catalogue.find((one) => one.noun === noun);
  const operations: readonly Operation[] = group?.operations ?? [];
  const operation = operations.find((one) => one.id === id);
  assert.ok(operation, `there is no operation ${deed}`);
  return operation;
}

/** What goes out for these parameters. */
export function sent(deed: string, parameters: Record<string, unknown>): Readonly<Record<string, unknown>> {
  const checked = checkParameters(operationNamed(deed), parameters);
  assert.ok(checked.ok, `${deed} was refused: ${checked.ok ? '' : checked.findings.join('; ')}`);
  return checked.parameters;
}

/** The sentences that refuse these parameters. */
export function findings(deed: string, parameters: Record<string, unknown>): readonly string[] {
  const checked = checkParameters(operationNamed(deed), parameters);
  assert.ok(!checked.ok, `${deed} was not refused`);
  return checked.findings;
}
