import type { RowField } from './field';

/** A value of a field as the editor's language says it; the value itself where there is no other word. */
export function wordOf(
  { names, words, enum: values, literal }: RowField,
  value: string,
  translate: Translate,
): string {
  const switched = literal === 'bool' ? ['true', 'false'] : undefined;
  const lists = [names, words, values, switched];
  const isListed = lists.some((list) => list?.some((one) => String(one) === value));
  const key = switched ? `form.${value}` : `value.${value}`;
  const word = isListed ? translate(key) : key;
  return word.endsWith(key) ? value : word;
}

/** The same, with the device's own word: it is what a message has, and what technicians know. */
export function worded(field: RowField, value: string, translate: Translate): string {
  const word = wordOf(field, value, translate);
  return word === value ? value : translate('form.worded', { word, value });
}

/** A value of a field, and which models have it where not all have; or which lacks it. */
interface ModelValue {
  readonly value: string;
  readonly models?: string;
  readonly isLacking?: boolean;
}

/** The values of a field that may be chosen, as options that say which models have them, or lack them. */
export function choicesOf(
  field: RowField,
  values: readonly string[],
  model: string | undefined,
  translate: Translate,
): InputOption[] {
  return valuesFor(field, values, model).map(({ value, models = '', isLacking }) => {
    const having = isLacking ? translate('form.notOn', { models }) : models;
    const label = worded(field, value, translate);
    return { value, label: having ? translate('form.onModels', { value: label, models: having }) : label };
  });
}

/**
 * The values that may be chosen: for a model those it has, and then those that it lacks. A device that has none of
 * them says nothing about any.
 */
export function valuesFor(
  { valueModels = {}, models = [] }: RowField,
  values: readonly string[],
  model: string | undefined,
): ModelValue[] {
  const own = models.filter((one) => model?.toUpperCase().includes(one));
  const meant = own.length > 0 ? own : models;
  const found = values.flatMap((value): ModelValue[] => {
    const having = (Object.hasOwn(valueModels, value) ? valueModels[value] : models) ?? [];
    const known = meant.filter((one) => having.includes(one));
    if (known.length === meant.length) return [{ value }];
    if (known.length > 0) return [{ value, models: known.join(', ') }];
    const isElsewhere = models.some((one) => having.includes(one));
    return isElsewhere ? [{ value, models: meant.join(', '), isLacking: true }] : [];
  });
  return found.sort((one, other) => Number(one.isLacking ?? 0) - Number(other.isLacking ?? 0));
}

/** The one value of a field's own that is meant for a model; undefined where there are several, or the model has none. */
export function onlyValueFor(field: RowField, model: string): string | undefined {
  const { models = [], enum: values = [] } = field;
  if (!models.some((one) => model.toUpperCase().includes(one))) return undefined;
  const meant = valuesFor(field, values.map(String), model).filter(({ isLacking }) => !isLacking);
  return meant.length === 1 ? meant[0]?.value : undefined;
}
