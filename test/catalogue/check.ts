import assert from 'node:assert/strict';
import { everyGroup } from '../../src/catalogue';
import type { Fields, Operation } from '../../src/catalogue/operation';
import { type Phrase, phrases, english as say } from '../../src/catalogue/phrases';
import { checkParameters } from '../../src/catalogue/validate';

const all = new Map(
  everyGroup.flatMap(({ resource, operations }) =>
    operations.map(
      (operation) =>
        [operation.id === resource ? resource : `${resource}/${operation.id}`, operation] as const,
    ),
  ),
);

/**
 * Every operation of every node that has a request of its own by its name in a receipt, for example `door/unlock`;
 * `request` has but one.
 */
export const everyOperation: ReadonlyMap<string, Operation> = new Map(
  [...all].filter(([, { composedOf }]) => !composedOf),
);

/** The operations that are made of others. */
export const madeOperations: ReadonlyMap<string, Operation> = new Map(
  [...all].filter(([, { composedOf }]) => composedOf),
);

/** An operation by its name in a receipt. */
export function operationNamed(operationName: string): Operation {
  const operation = all.get(operationName);
  assert.ok(operation, `the catalogue lacks ${operationName}`);
  return operation;
}

/** The dotted names of fields, those of objects and of objects in lists too. */
export function namesOf(fields: Fields, prefix = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const inner = field.items?.properties ?? field.properties ?? {};
    return [`${prefix}${name}`, ...namesOf(inner, `${prefix}${name}.`)];
  });
}

/** What goes out for these parameters. */
export function sent(
  operationName: string,
  parameters: Record<string, unknown>,
): Readonly<Record<string, unknown>> {
  const checked = checkParameters(operationNamed(operationName), parameters);
  assert.ok(checked.ok, `${operationName} was refused: ${checked.ok ? '' : checked.findings.join('; ')}`);
  return checked.parameters;
}

/** The sentences that refuse these parameters. */
export function findings(operationName: string, parameters: Record<string, unknown>): readonly string[] {
  const checked = checkParameters(operationNamed(operationName), parameters);
  assert.ok(!checked.ok, `${operationName} was not refused`);
  return checked.findings;
}

/** The sentence about a parameter that is missing; `why` is what asks for it. */
export function missing(place: string, limits: string, why = ''): string {
  return say(why ? 'missingBecause' : 'missing', { place, limits, because: why });
}

/** The sentence about a parameter that is wrong. */
export function wrong(place: string, limits: string, got: string, why = ''): string {
  return say(why ? 'wrongBecause' : 'wrong', { place, limits, got, because: why });
}

/** The sentence about a parameter that must not be given. */
export function forbidden(place: string, why: string): string {
  return say('forbiddenBecause', { place, because: why });
}

/** The sentence about a name that is none of a parameter. */
export function unknown(place: string, names: string): string {
  return say('unknown', { place, names });
}

/** Why a rule asks for something, with the place of the field that it names. */
export function because(reason: Phrase, place: string): string {
  return phrases[reason].replace(/\{\w+\}/, place);
}
