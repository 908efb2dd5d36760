import { everyGroup } from '../catalogue';
import type { Operation, OperationGroup } from '../catalogue/operation';
import { formOf } from './field';

/** Names, codes and formats, which are the same in every language. */
const names = [
  ...['acumin', 'bookman', 'din', 'inter', 'nixie', 'overpass', 'roboto'],
  ...['GET', 'POST', 'PUT', 'DELETE', 'poly', 'rtp', 'sender', 'netdc1', 'true', 'false'],
];

/**
 * Returns the values of a group's choices that are words.
 * A language can translate such values (`values.json`); a dialog shows the translation next to the value.
 */
export function valuesOf({ operations }: OperationGroup): string[] {
  return [...new Set(operations.flatMap(valuesIn))];
}

/** Returns the same values for all groups. */
export function everyValue(): string[] {
  return [...new Set(everyGroup.flatMap(valuesOf))];
}

function valuesIn(operation: Operation): string[] {
  // The values that select a variant have a title already.
  const titled = (operation.variants ?? []).flatMap(({ when }) => Object.values(when).flat());
  const known = [...names, ...titled];
  const values = formOf(operation).rows.flatMap(({ field }) => [
    ...(field.names ?? []),
    ...(field.words ?? []),
    ...(field.enum ?? []).map(String),
  ]);
  return values.filter((value) => !known.includes(value) && !/^\d/.test(value));
}
