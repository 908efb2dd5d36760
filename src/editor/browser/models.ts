import { current } from './node';
import type { RowField } from './row-field';
import { worded } from './value-words';

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

/** A value of a field, and which models have it where not all have; or which lacks it. */
export interface ModelValue {
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
