import type { Operation, Option } from '../catalogue/operation';
import { isOn } from './device-settings';

/** The options of an action node that apply to the operation at hand. */
export type Options = ReadonlySet<Option>;

/** What a person switched on, less what the operation does not have. */
export function optionsOf(
  properties: { readonly [name in Option]?: unknown },
  operation: Operation,
): Options {
  return new Set((operation.options ?? []).filter((option) => isOn(properties[option])));
}
