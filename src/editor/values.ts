import { everyGroup } from '../catalogue';
import type { Operation, OperationGroup } from '../catalogue/operation';
import { formOf } from './field';

/** Names, codes and formats, which no language translates. */
const names = [
  ...['acumin', 'bookman', 'din', 'inter', 'nixie', 'overpass', 'roboto'],
  ...['GET', 'POST', 'PUT', 'DELETE', 'poly', 'rtp', 'sender', 'netdc1', 'true', 'false'],
];

/**
 * Returns the values in a group's selects that are words. Each language translates these words in
 * `values.json`, and a dialog shows the translation next to the value.
 */
export function valuesOf({ operations }: OperationGroup): string[] {
  return [...new Set(operations.flatMap(valuesIn))];
}

export function everyValue(): string[] {
  return [...new Set(everyGroup.flatMap(valuesOf))];
}

function valuesIn(operation: Operation): string[] {
  // A value that selects a variant is left out, since the variant's title is translated.
  const titled = (operation.variants ?? []).flatMap(({ when }) => Object.values(when).flat());
  const known = [...names, ...titled];
  const values = formOf(operation).rows.flatMap(({ field }) => [
    ...(field.names ?? []),
    ...(field.words ?? []),
    ...(field.enum ?? []).map(String),
  ]);
  return values.filter((value) => !known.includes(value) && !/^\d/.test(value));
}
