import { choicesOf } from './models.mjs';

/** How core shows its own literal types; they are made anew here to take the field's own check. */
const appearance = {
  str: { label: 'form.string', icon: 'red/images/typedInput/az.svg' },
  num: { label: 'form.number', icon: 'red/images/typedInput/09.svg' },
};

/**
 * The types that a field's row offers besides "not sent", the usual one first. `validate` checks the text of a
 * literal; `shown` is the `{ type, value }` to begin with: a stored value that is no option is one for this node.
 * Of values that not all models have, a known `model` is offered its own.
 */
export function typesOf(field, translate, validate, shown, model) {
  const literal = (value) => ({
    value,
    label: translate(appearance[value].label),
    icon: appearance[value].icon,
    validate: validate(value),
  });
  const choice = (value, values) => ({
    value,
    label: translate('form.choice'),
    icon: 'fa fa-list-ul',
    options: optionsOf(
      choicesOf(field, values, model, translate),
      translate,
      shown.type === value ? shown.value : '',
    ),
    validate: validate(value),
  });
  const sources = ['msg', 'flow', 'global', 'env', 'jsonata'];
  const unreadable = sources.filter((source) => source !== 'env');
  if (field.type === 'binary') return field.encoding ? [...sources, literal('str')] : unreadable;
  if (['object', 'array'].includes(field.type)) return ['json', ...unreadable];
  if (field.type === 'any') return ['json', literal('str'), ...sources];
  if (field.type === 'setting') return [literal('str'), literal('num'), ...sources];
  const named = field.names ?? field.words;
  const kind = field.literal ?? 'str';
  if (named && kind === 'num') return [choice('str', named), literal('num'), ...sources];
  const values = [...(named ?? []), ...(field.enum ?? [])].map(String);
  if (values.length > 0) return [choice(kind, values), ...sources];
  return [kind === 'bool' ? choice('bool', ['true', 'false']) : literal(kind), ...sources];
}

/** Begins with "choose": an option type takes its first option where nothing is chosen. */
function optionsOf(choices, translate, stored) {
  const isListed = stored === '' || choices.some(({ value }) => value === stored);
  const stray = isListed ? [] : [{ value: stored, label: stored }];
  return [{ value: '', label: translate('form.choose') }, ...choices, ...stray];
}
