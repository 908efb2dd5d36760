import { everyGroup } from '../catalogue';
import type { Operation, OperationGroup } from '../catalogue/operation';
import { formOf } from './field';

/** Names, codes and formats: the same in every language. */
const names = [
  ...['acumin', 'bookman', 'din', 'inter', 'nixie', 'overpass', 'roboto'],
  ...['GET', 'POST', 'PUT', 'DELETE', 'poly', 'rtp', 'sender', 'netdc1', 'true', 'false'],
];

/**
 * The values of a group's choices that are words: a language has its own for them (`values.json`), which a dialog shows
 * beside the value itself.
 */
export function valuesOf({ operations }: OperationGroup): string[] {
  return [...new Set(operations.flatMap(valuesIn))];
}

/** The same of all groups. */
export function everyValue(): string[] {
  return [...new Set(everyGroup.flatMap(valuesOf))];
}

function valuesIn(operation: Operation): string[] {
  // What says which variant is meant has a title.
  const titled = (operation.variants ?? []).flatMap(({ when }) => Object.values(when).flat());
  const known = [...names, ...titled];
  const values = formOf(operation).rows.flatMap(({ field }) => [
    ...(field.names ?? []),
    ...(field.words ?? []),
    ...(field.enum ?? []).map(String),
  ]);
  return values.filter((value) => !known.includes(value) && !/^\d/.test(value));
}
