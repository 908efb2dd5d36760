import { current } from './node';
import type { RowField } from './row-field';

/** The device that a node is for, or the virtual one in its place; undefined where there is not one alone. */
export function targetDevice(node: EditorNode): EditorNode | undefined {
  if ((current(node, 'target') ?? 'device') !== 'device') return undefined;
  const device = RED.nodes.node(current(node, 'device'));
  const virtual = RED.nodes.node(device?.virtual);
  if (virtual && device?.letDeviceDecide === true) return device;
  return virtual ?? device ?? undefined;
}

/** What a person set as the model of the device that a node is for; undefined where only the device can tell. */
export function modelOf(node: EditorNode): string | undefined {
  const model = targetDevice(node)?.model;
  return typeof model === 'string' && model !== '' ? model : undefined;
}

/**
 * The values of a field that may be chosen, as options: for a model those it has, else all, with the models that
 * have them where not all have. A device that has none of them is no reason to hide any.
 */
export function choicesOf(
  field: RowField,
  values: readonly string[],
  model: string | undefined,
  translate: Translate,
): InputOption[] {
  return valuesFor(field, values, model).map(({ value, models = '' }) => ({
    value,
    label: models === '' ? value : translate('form.onModels', { value, models }),
  }));
}

/** The values that may be chosen, and the models that have them where not all have. */
export function valuesFor(
  { valueModels = {}, models = [] }: RowField,
  values: readonly string[],
  model: string | undefined,
): { readonly value: string; readonly models?: string }[] {
  const own = models.filter((one) => model?.toUpperCase().includes(one));
  const meant = own.length > 0 ? own : models;
  const havingOf = (value: string) => (Object.hasOwn(valueModels, value) ? valueModels[value] : models) ?? [];
  const offered = values.filter(
    (value) => models.length === 0 || havingOf(value).some((one) => meant.includes(one)),
  );
  return offered.map((value) => {
    const having = meant.filter((one) => havingOf(value).includes(one));
    return having.length === meant.length ? { value } : { value, models: having.join(', ') };
  });
}
