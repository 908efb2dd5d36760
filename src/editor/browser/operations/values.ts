import type { RowField } from './field';

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

export function worded(field: RowField, value: string, translate: Translate): string {
  const word = wordOf(field, value, translate);
  return word === value ? value : translate('form.worded', { word, value });
}

/**
 * A value of a field. `models` lists the models that support the value; if `isUnsupported` is set, the models
 * that do not support the value.
 */
interface ModelValue {
  readonly value: string;
  readonly models?: string;
  readonly isUnsupported?: boolean;
}

/** @param model model of the target device; undefined if unknown */
export function choicesOf(
  field: RowField,
  values: readonly string[],
  model: string | undefined,
  translate: Translate,
): InputOption[] {
  return valuesFor(field, values, model).map(({ value, models = '', isUnsupported }) => {
    const having = isUnsupported ? translate('form.notOn', { models }) : models;
    const label = worded(field, value, translate);
    return { value, label: having ? translate('form.onModels', { value: label, models: having }) : label };
  });
}

/**
 * Returns the values of a field for a model, supported values first. Values that no known model supports
 * are left out. A model that does not support the operation is treated as unknown.
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
    return isElsewhere ? [{ value, models: meant.join(', '), isUnsupported: true }] : [];
  });
  return found.sort((one, other) => Number(one.isUnsupported ?? 0) - Number(other.isUnsupported ?? 0));
}

/**
 * Returns the only value of a field that a model supports; undefined if the model supports several values or
 * none, or does not support the operation.
 */
export function onlyValueFor(field: RowField, model: string): string | undefined {
  const { models = [], enum: values = [] } = field;
  if (!models.some((one) => model.toUpperCase().includes(one))) return undefined;
  const meant = valuesFor(field, values.map(String), model).filter(({ isUnsupported }) => !isUnsupported);
  return meant.length === 1 ? meant[0]?.value : undefined;
}
