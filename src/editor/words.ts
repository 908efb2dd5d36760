import { interpolate } from '../catalogue/interpolate';
import type { Field, Operation, OperationGroup, Variant } from '../catalogue/operation';
import { english, type FormatPhrase, phrases } from '../catalogue/phrases';
import { choicesOf, describeField } from '../catalogue/validate';
import { availabilityOf } from './availability';
import { type ChoiceGroup, choiceGroupsOf } from './choice-groups';
import { type FormField, formOf, placeholderOf } from './field';

/**
 * A locale file: texts by nested keys. A language is a folder next to `locales/en-US`.
 * A file or a text that a language lacks stays English, so a translation can grow file by file:
 * - `shared.json`: the words of every dialog and status
 * - `<resource>.json`: the words of one node; the English of its operations and fields is in the catalogue
 * - `phrases.json`: the phrases of which the build and the dialogs compose texts
 *   (`src/catalogue/phrases.ts`)
 * - `values.json`: the translations of the values of choices (`values.ts`)
 * - `reasons.json`: the messages of the runtime about devices, where the editor shows them
 *   (`src/catalogue/reasons.ts`)
 * - `<resource>.html`: the help, the whole last script element of `nodes/<resource>.html`, with its
 *   `{{placeholders}}`
 * - `help.json`: the sentences for these placeholders (`help.ts`)
 * `scripts/missing-words.mjs` writes the English of the texts that a language lacks.
 * Keys, wire names, ids, `{{braces}}` and `__underlines__` are never translated.
 */
export interface Words {
  [key: string]: string | Words;
}

/**
 * Returns the locale key of a field. A field has its own key if operations or variants describe the same
 * field differently.
 */
export type KeyOf = (operation: Operation, row: Pick<FormField, 'name' | 'variant'>) => string;

/** The words of a group, and their keys. */
interface GroupWords {
  /** The words that a language translates; `completed` adds the words that follow from the catalogue. */
  readonly own: Words;
  readonly keyOf: KeyOf;
  /** Each field that has words, by the key of these words. */
  readonly fields: ReadonlyMap<string, Field>;
}

/** Returns the en-US words of a group's dialogs and property tables, with the key of each field. */
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
  const own = { resource: group.resource, operation, field };
  return { own, keyOf, fields, words: completed(group, { own, fields }, own, english) };
}

/**
 * Adds to a language's words of a group the words that follow from the catalogue: the supported products,
 * the limits of fields, and the values of fields with a choice.
 * @param own the language's own words; a missing word stays English
 */
export function completed(
  group: OperationGroup,
  { fields }: Pick<GroupWords, 'own' | 'fields'>,
  own: Words,
  say: FormatPhrase,
): Words {
  const field = [...fields].map(([key, one]): [string, Words] => {
    const help = textIn(own, 'field', key, 'help');
    const whole = help && [help, availabilityOf(one, say)].filter(Boolean).join(' ');
    const limits = describeField(one, say);
    const values = choicesOf(one)?.join(', ');
    return [
      key,
      { ...(whole && { help: whole }), limits, ...(values && { values: say('allowedValues', { values }) }) },
    ];
  });
  const operation = group.operations.map(({ id, firmware, products, others }): [string, Words] => {
    const availability = availabilityOf({ firmware, products }, say);
    const limits = others && { limits: describeField(others.value, say), name: say(others.name) };
    return [id, { availability, ...(limits && { others: limits }) }];
  });
  const operationHelp = say('operationHelp', { names: group.operations.map(({ id }) => id).join(', ') });
  return mergeWords(own, {
    operationHelp,
    operation: Object.fromEntries(operation),
    field: Object.fromEntries(field),
  });
}

/** Returns the formatter of a language's phrases. A phrase that the language lacks stays English. */
export function sayIn(words: Words): FormatPhrase {
  return (phrase, values) => interpolate(textIn(words, phrase) ?? phrases[phrase], values);
}

/**
 * Returns the possible keys of a field's words, the shortest first. The last key belongs to this field alone.
 */
function keysFor({ id }: Operation, { name, variant = 'own' }: FormField): [string, string, string] {
  const shared = name.replaceAll('.', '-');
  return [shared, `${id}-${shared}`, `${id}-${variant}-${shared}`];
}

function identityOf({ id }: Operation, { name, variant = '' }: Pick<FormField, 'name' | 'variant'>): string {
  return `${id} ${variant} ${name}`;
}

/** Whether two fields have the same words. */
function isSame(a: Field, b: Field): boolean {
  const [one, other] = [a, b].map((field) => [
    fieldWords(field),
    describeField(field, english),
    availabilityOf(field, english),
  ]);
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns every field that has a label: the fields of rows, and the objects that contain such fields. */
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

/** Returns a variant's title. A variant with a choice for each value gets the title without the value. */
function variantWords({ id, title }: Variant): [string, string] {
  return [placeholderOf(title) ?? id, title.replace(/ ?\{\w+\}/, '')];
}

function fieldWords({ title, description, unit }: Field): Words {
  return { label: unit ? `${title} (${unit})` : title, help: description };
}

/** Returns one text of a locale file by its keys; undefined if there is none. */
function textIn(words: Words, ...keys: readonly string[]): string | undefined {
  const found = keys.reduce<string | Words | undefined>(
    (at, key) => (typeof at === 'object' && Object.hasOwn(at, key) ? at[key] : undefined),
    words,
  );
  return typeof found === 'string' ? found : undefined;
}

/**
 * Returns one text of a locale file by its dotted key.
 * @throws Error if there is no such text
 */
export function wordAt(words: Words, key: string): string {
  const found = textIn(words, ...key.split('.'));
  if (found === undefined) throw new Error(`The locale file has no text ${key}`);
  return found;
}

/** Merges `over` into `base`. A text of `over` replaces the text of `base` with the same key. */
export function mergeWords(base: Words, over: Words): Words {
  const merged: Words = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = typeof below === 'object' && typeof value === 'object' ? mergeWords(below, value) : value;
  }
  return merged;
}
