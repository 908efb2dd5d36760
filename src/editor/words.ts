import { formats } from '../catalogue/formats';
import type { Field, Operation, OperationGroup, Products, Variant } from '../catalogue/operation';
import { describeField } from '../catalogue/validate';
import { type ChoiceGroup, choiceGroupsOf } from './choice-groups';
import { type FormField, formOf, placeholderOf } from './field';

/**
 * A locale file: texts by nested keys. A language is a folder beside `locales/en-US`; whatever of these it leaves
 * out stays English, so it may grow file by file:
 * - `shared.json`, the words of every dialog and status,
 * - `<noun>.json`, those of one node; the English ones of its operations and fields come from the catalogue and
 *   can be read in `dist/nodes/locales/en-US/<noun>.json`,
 * - `<noun>.html`, its help: the whole last script element of `nodes/<noun>.html`, with its `{{placeholders}}`,
 * - `help.json`, the sentences that stand for these placeholders (`help.ts`).
 * Never translated are keys, wire names, ids, and what stands in `{{braces}}` or `__underlines__`.
 */
export interface Words {
  [key: string]: string | Words;
}

/** The locale key of a field; it becomes its own where operations or variants word the same field differently. */
export type KeyOf = (operation: Operation, row: Pick<FormField, 'name' | 'variant'>) => string;

/** The en-US words of a group's dialogs and property tables, and where each field's are. */
export function wordsOf(group: OperationGroup): { words: Words; keyOf: KeyOf } {
  const field: Record<string, Words> = {};
  const keys = new Map<string, string>();
  for (const operation of group.operations) {
    for (const row of describedFields(operation)) {
      const text = fieldWords(row.field);
      const [shared, operations, own] = keysFor(operation, row);
      const key = [shared, operations].find((one) => !field[one] || isSame(field[one], text)) ?? own;
      field[key] = text;
      keys.set(identityOf(operation, row), `field.${key}`);
    }
  }
  const operation = Object.fromEntries(group.operations.map((one) => [one.id, operationWords(one)]));
  const keyOf: KeyOf = (one, row) => keys.get(identityOf(one, row)) ?? `field.${row.name}`;
  const ids = group.operations.map(({ id }) => id).join(', ');
  const operationHelp = `msg.operation holds one of ${ids}.`;
  return { words: { noun: group.noun, operationHelp, operation, field }, keyOf };
}

/** Where the words of a field may be, the shortest key first; the last is the field's alone. */
function keysFor({ id }: Operation, { name, variant = 'own' }: FormField): [string, string, string] {
  const shared = name.replaceAll('.', '-');
  return [shared, `${id}-${shared}`, `${id}-${variant}-${shared}`];
}

function identityOf({ id }: Operation, { name, variant = '' }: Pick<FormField, 'name' | 'variant'>): string {
  return `${id} ${variant} ${name}`;
}

function isSame(a: Words | undefined, b: Words): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Every field that has a label: the rows, and the objects that head some of them. */
function describedFields(operation: Operation): FormField[] {
  const heads = Object.entries(operation.fields).filter(([, { properties }]) => properties);
  return [...heads.map(([name, field]) => ({ name, field, required: false })), ...formOf(operation).rows];
}

function operationWords(operation: Operation): Words {
  const { title, description, firmware, products, variants, others } = operation;
  const choices = choiceGroupsOf(operation);
  return {
    title,
    help: description,
    availability: sentences([since(firmware), available(products)]),
    ...(variants && { variant: Object.fromEntries(variants.map(variantWords)) }),
    ...(choices.length > 0 && { choice: Object.assign({}, ...choices.map(choiceWords)) }),
    ...(others && { others: { ...fieldWords(others.value), name: formats[others.name].words } }),
  };
}

/** The titles of a group's values, and its own. */
function choiceWords({ id, title, values }: ChoiceGroup): Words {
  return { [id]: title, ...values };
}

/** A variant's title; of those that stand for several values, what they are. */
function variantWords({ id, title }: Variant): [string, string] {
  return [placeholderOf(title) ?? id, title.replace(/ ?\{\w+\}/, '')];
}

function fieldWords(field: Field): Words {
  const { title, description, unit, firmware, earlier, products } = field;
  return {
    label: unit ? `${title} (${unit})` : title,
    help: sentences([
      description,
      since(firmware, earlier && `${earlier.firmware} on the ${listed(earlier.products)}`),
      available(products),
    ]),
    limits: describeField(field),
  };
}

function sentences(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(' ');
}

function since(firmware: string | undefined, earlier?: string): string | undefined {
  if (!firmware) return undefined;
  return `Firmware ${firmware} or later${earlier ? `, or ${earlier}` : ''}.`;
}

function available(products: Products | undefined): string | undefined {
  if (!products || products === 'all') return undefined;
  return 'except' in products ? `Not on the ${listed(products)}.` : `On the ${listed(products)}.`;
}

function listed(products: Products): string {
  if (products === 'all') return 'devices';
  if ('except' in products) return joined(products.except);
  return joined([...(products.classes ?? []), ...(products.models ?? [])]);
}

function joined(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** One text of a locale file by its dotted key. Throws where there is none. */
export function wordAt(words: Words, key: string): string {
  const found = key
    .split('.')
    .reduce<string | Words | undefined>((at, part) => (typeof at === 'object' ? at[part] : undefined), words);
  if (typeof found !== 'string') throw new Error(`The locale file has no text ${key}`);
  return found;
}

/** The texts of `over` in the place of those of `base`, the others as they are. */
export function mergeWords(base: Words, over: Words): Words {
  const merged: Words = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = typeof below === 'object' && typeof value === 'object' ? mergeWords(below, value) : value;
  }
  return merged;
}
