import type { RowField } from './row-field';

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
