import { interpolate } from '../catalogue/interpolate';
import type { Field, Operation, OperationGroup, Variant } from '../catalogue/operation';
import { english, type FormatPhrase, phrases } from '../catalogue/phrases';
import { describeField } from '../catalogue/validate';
import { availabilityOf } from './availability';
import { type ChoiceGroup, choiceGroupsOf } from './choice-groups';
import { type FormField, formOf, placeholderOf } from './field';

/**
 * A locale file: texts by nested keys. A language is a folder beside `locales/en-US`; whatever of these it leaves
 * out stays English, so it may grow file by file:
 * - `shared.json`, the words of every dialog and status,
 * - `<resource>.json`, those of one node; the English ones of its operations and fields come from the catalogue,
 * - `phrases.json`, what the build and the dialog put together of phrases (`src/catalogue/phrases.ts`),
 * - `values.json`, what the values of choices are called beside themselves (`values.ts`),
 * - `reasons.json`, what Node-RED's part says of devices (`src/catalogue/reasons.ts`), where the editor shows it,
 * - `<resource>.html`, its help: the whole last script element of `nodes/<resource>.html`, with its `{{placeholders}}`,
 * - `help.json`, the sentences that stand for these placeholders (`help.ts`).
 * `scripts/missing-words.mjs` writes what a language lacks, with its English. Never translated are keys, wire names,
 * ids, and what stands in `{{braces}}` or `__underlines__`.
 */
export interface Words {
  [key: string]: string | Words;
}

/** The locale key of a field; it becomes its own where operations or variants word the same field differently. */
export type KeyOf = (operation: Operation, row: Pick<FormField, 'name' | 'variant'>) => string;

/** What is said of a group, and where. */
interface GroupWords {
  /** The words that a language has of its own; the rest is put together of them and of its phrases (`completed`). */
  readonly own: Words;
  readonly keyOf: KeyOf;
  /** Each field that has words, by the key of these. */
  readonly fields: ReadonlyMap<string, Field>;
}

/** The en-US words of a group's dialogs and property tables, and where each field's are. */
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
  const own = { noun: group.resource, operation, field };
  return { own, keyOf, fields, words: completed(group, { own, fields }, own, english) };
}

/**
 * A language's own words of a group, with what follows from the catalogue: who has what, and what a field may be.
 * @param own may be incomplete: what is not there stays English
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
    return [key, { ...(whole && { help: whole }), limits: describeField(one, say) }];
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

/** A language's phrases; what it leaves out is said in English. */
export function sayIn(words: Words): FormatPhrase {
  return (phrase, values) => interpolate(textIn(words, phrase) ?? phrases[phrase], values);
}

/** Where the words of a field may be, the shortest key first; the last is the field's alone. */
function keysFor({ id }: Operation, { name, variant = 'own' }: FormField): [string, string, string] {
  const shared = name.replaceAll('.', '-');
  return [shared, `${id}-${shared}`, `${id}-${variant}-${shared}`];
}

function identityOf({ id }: Operation, { name, variant = '' }: Pick<FormField, 'name' | 'variant'>): string {
  return `${id} ${variant} ${name}`;
}

/** Whether the same is said of two fields. */
function isSame(a: Field, b: Field): boolean {
  const [one, other] = [a, b].map((field) => [
    fieldWords(field),
    describeField(field, english),
    availabilityOf(field, english),
  ]);
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Every field that has a label: the rows, and the objects that head some of them. */
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

/** The titles of a group's values, and its own. */
function choiceWords({ id, title, values }: ChoiceGroup): Words {
  return { [id]: title, ...values };
}

/** A variant's title; of those that stand for several values, what they are. */
function variantWords({ id, title }: Variant): [string, string] {
  return [placeholderOf(title) ?? id, title.replace(/ ?\{\w+\}/, '')];
}

function fieldWords({ title, description, unit }: Field): Words {
  return { label: unit ? `${title} (${unit})` : title, help: description };
}

/** One text of a locale file by its keys; undefined where there is none. */
function textIn(words: Words, ...keys: readonly string[]): string | undefined {
  const found = keys.reduce<string | Words | undefined>(
    (at, key) => (typeof at === 'object' && Object.hasOwn(at, key) ? at[key] : undefined),
    words,
  );
  return typeof found === 'string' ? found : undefined;
}

/** One text of a locale file by its dotted key. Throws where there is none. */
export function wordAt(words: Words, key: string): string {
  const found = textIn(words, ...key.split('.'));
  if (found === undefined) throw new Error(`The locale file has no text ${key}`);
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
