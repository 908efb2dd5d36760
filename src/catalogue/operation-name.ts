import { catalogue } from './index';
import type { Operation } from './operation';

type NameIn<Group> = Group extends {
  readonly resource: infer Resource extends string;
  readonly operations: readonly (infer Entry)[];
}
  ? Entry extends { readonly id: infer Id extends string }
    ? `${Resource}/${Id}`
    : never
  : never;

export type OperationName = NameIn<(typeof catalogue)[number]>;

const byName = new Map<string, Operation>();
const names = new WeakMap<Operation, string>();
for (const { resource, operations } of catalogue) {
  for (const entry of operations) {
    const name = `${resource}/${entry.id}`;
    byName.set(name, entry);
    names.set(entry, name);
  }
}

export function operation(name: OperationName): Operation {
  const found = byName.get(name);
  if (!found) throw new Error(`there is no operation ${name}`);
  return found;
}

/** Returns the name of an operation of the catalogue, or the route of any other operation. */
export function nameOf(operation: Operation): string {
  return names.get(operation) ?? operation.route;
}
