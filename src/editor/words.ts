import { interpolate } from '../catalogue/interpolate';
import type { Field, Operation, OperationGroup, Variant } from '../catalogue/operation';
import { english, type FormatPhrase, phrases } from '../catalogue/phrases';
import { choicesOf, describeField } from '../catalogue/validate';
import { availabilityOf } from './availability';
import { type ChoiceGroup, choiceGroupsOf, operationGroupsOf } from './choice-groups';
import { type FormField, formOf, placeholderOf } from './field';

/**
 * The content of a locale file: texts by nested keys (`scripts/missing-words.mjs` describes the files). A text that a
 * language lacks stays English, so a translation can grow file by file.
 */
export interface Words {
  [key: string]: string | Words;
}

/**
 * Returns the locale key of a field. Operations and variants share a key if their fields have the same name,
 * texts and limits, and the same products and firmware support the fields.
 */
export type KeyOf = (operation: Operation, row: Pick<FormField, 'name' | 'variant'>) => string;

interface GroupWords {
  /** The words to translate. The function `completed` adds the words that the catalogue provides. */
  readonly own: Words;
  readonly keyOf: KeyOf;
  readonly fields: ReadonlyMap<string, Field>;
}

/** Returns the English words of a group's dialog and help, and the locale key of each field. */
export function wordsOf(group: OperationGroup): GroupWords & { readonly words: Words } {
  const fields = new Map<string, Field>();
  const keys = new Map<string, string>();
  for (const operation of group.operations) {
    for (const row of describedFields(operation)) {
      const [shared, operations, own] = keysFor(operation, row);
      const isFree = (key: string) => isSame(fields.get(key) ?? row.field, row.field);
      const key = [shared, operations].find(isFree) ?? own;
      fields.set(key, row.field);
      keys.set(identityOf(operation, row), `field.${key}`);
    }
  }
  const field = Object.fromEntries([...fields].map(([key, one]) => [key, fieldWords(one)]));
  const operation = Object.fromEntries(group.operations.map((one) => [one.id, operationWords(one)]));
  const keyOf: KeyOf = (one, row) => keys.get(identityOf(one, row)) ?? `field.${row.name}`;
  const menus = operationGroupsOf(group.resource).map(({ id, title }) => [id, title]);
  const menu = menus.length > 0 && { menu: Object.fromEntries(menus) };
  const own = { resource: group.resource, ...menu, operation, field };
  return { own, keyOf, fields, words: completed(group, { own, fields }, own, english) };
}

/**
 * Adds the words that the catalogue provides to a group's words: supported products, limits of fields, and
 * values of choices.
 * @param own words of the group in one language
 * @param formatPhrase formatter of phrases in the same language
 */
export function completed(
  group: OperationGroup,
  { fields }: Pick<GroupWords, 'own' | 'fields'>,
  own: Words,
  formatPhrase: FormatPhrase,
): Words {
  const field = [...fields].map(([key, one]): [string, Words] => {
    const help = textIn(own, 'field', key, 'help');
    const whole = help && [help, availabilityOf(one, formatPhrase)].filter(Boolean).join(' ');
    const limits = describeField(one, formatPhrase);
    const values = choicesOf(one)?.join(', ');
    return [
      key,
      {
        ...(whole && { help: whole }),
        limits,
        ...(values && { values: formatPhrase('allowedValues', { values }) }),
      },
    ];
  });
  const operation = group.operations.map(({ id, firmware, products, others }): [string, Words] => {
    const availability = availabilityOf({ firmware, products }, formatPhrase);
    const limits = others && {
      limits: describeField(others.value, formatPhrase),
      name: formatPhrase(others.name),
    };
    return [id, { availability, ...(limits && { others: limits }) }];
  });
  const operationHelp = formatPhrase('operationHelp', {
    names: group.operations.map(({ id }) => id).join(', '),
  });
  return mergeWords(own, {
    operationHelp,
    operation: Object.fromEntries(operation),
    field: Object.fromEntries(field),
  });
}

/** Returns the formatter for the phrases of a language. A phrase that the language lacks is English. */
export function phraseFormatter(words: Words): FormatPhrase {
  return (phrase, values) => interpolate(textIn(words, phrase) ?? phrases[phrase], values);
}

/** Returns three possible keys, the most widely shared first. The last key belongs to this field alone. */
function keysFor({ id }: Operation, { name, variant = 'own' }: FormField): [string, string, string] {
  const shared = name.replaceAll('.', '-');
  return [shared, `${id}-${shared}`, `${id}-${variant}-${shared}`];
}

function identityOf({ id }: Operation, { name, variant = '' }: Pick<FormField, 'name' | 'variant'>): string {
  return `${id} ${variant} ${name}`;
}

function isSame(a: Field, b: Field): boolean {
  const [one, other] = [a, b].map((field) => [
    fieldWords(field),
    describeField(field, english),
    availabilityOf(field, english),
  ]);
  return JSON.stringify(one) === JSON.stringify(other);
}

function describedFields(operation: Operation): FormField[] {
  const heads = Object.entries(operation.fields).filter(([, { properties }]) => properties);
  return [...heads.map(([name, field]) => ({ name, field, required: false })), ...formOf(operation).rows];
}

function operationWords(operation: Operation): Words {
  const { title, description, variants, others } = operation;
  const choices = choiceGroupsOf(operation);
  return {
    title,
    help: description,
    ...(variants && { variant: Object.fromEntries(variants.map(variantWords)) }),
    ...(choices.length > 0 && { choice: Object.assign({}, ...choices.map(choiceWords)) }),
    ...(others && { others: fieldWords(others.value) }),
  };
}

function choiceWords({ id, title, values }: ChoiceGroup): Words {
  return { [id]: title, ...values };
}

function variantWords({ id, title }: Variant): [string, string] {
  return [placeholderOf(title) ?? id, title.replace(/ ?\{\w+\}/, '')];
}

function fieldWords({ title, description, unit }: Field): Words {
  return { label: unit ? `${title} (${unit})` : title, help: description };
}

function textIn(words: Words, ...keys: readonly string[]): string | undefined {
  const found = keys.reduce<string | Words | undefined>(
    (at, key) => (typeof at === 'object' && Object.hasOwn(at, key) ? at[key] : undefined),
    words,
  );
  return typeof found === 'string' ? found : undefined;
}

export function wordAt(words: Words, key: string): string {
  const found = textIn(words, ...key.split('.'));
  if (found === undefined) throw new Error(`The locale file has no text ${key}`);
  return found;
}

export function mergeWords(base: Words, over: Words): Words {
  const merged: Words = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = typeof below === 'object' && typeof value === 'object' ? mergeWords(below, value) : value;
  }
  return merged;
}
