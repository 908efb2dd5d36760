import type { Entry } from '../operations/entry';
import type { RowField } from '../operations/field';
import { choicesOf } from '../operations/values';
import { typeName } from '../page/typed-input';

/**
 * Labels and icons of core's types `str` and `num`. A row defines these types itself, since core's
 * definitions cannot check a value for the field.
 */
const appearance = {
  str: { label: 'form.string', icon: 'red/images/typedInput/az.svg' },
  num: { label: 'form.number', icon: 'red/images/typedInput/09.svg' },
} as const;

interface Kinds {
  readonly field: RowField;
  readonly translate: Translate;
  readonly validate: (type: string) => (value: string) => true | string;
  /**
   * Current entry of the row. If its value is not an option of the field, the value becomes an additional
   * option.
   */
  readonly shown: Partial<Entry>;
  /** Model of the target device; undefined if unknown. Values that the model does not support come last. */
  readonly model: string | undefined;
}

export function typesOf(kinds: Kinds): InputType[] {
  const { field } = kinds;
  const sources = ['msg', 'flow', 'global', 'env', 'jsonata'];
  const unreadable = sources.filter((source) => source !== 'env');
  if (field.type === 'binary') return field.encoding ? [...sources, literal(kinds, 'str')] : unreadable;
  if (field.type === 'object' || field.type === 'array') return ['json', ...unreadable];
  if (field.type === 'any') {
    const text = literal(kinds, 'str');
    // The example tells which type most users need.
    return typeof field.example === 'string' ? [text, 'json', ...sources] : ['json', text, ...sources];
  }
  if (field.type === 'setting') return [literal(kinds, 'str'), literal(kinds, 'num'), ...sources];
  const named = field.names ?? field.words;
  const kind = field.literal ?? 'str';
  if (named && kind === 'num') return [choice(kinds, 'str', named), literal(kinds, 'num'), ...sources];
  const values = [...(named ?? []), ...(field.enum ?? [])].map(String);
  if (values.length > 0) return [choice(kinds, kind, values), ...sources];
  return [kind === 'bool' ? choice(kinds, 'bool', ['true', 'false']) : literal(kinds, kind), ...sources];
}

type Origin = 'added' | 'new' | 'stored';

export function beginningOf(field: RowField, [first = 'str']: readonly InputType[], origin: Origin): Entry {
  const type = typeName(first);
  if (type === 'msg') return { type, value: 'payload' };
  if (origin === 'stored') return { type, value: '' };
  const [only, second] = field.enum ?? [];
  if (type === 'str' && only !== undefined && second === undefined) return { type, value: String(only) };
  if (type !== 'bool') return { type, value: '' };
  return { type, value: origin === 'added' ? 'true' : String(field.initial ?? '') };
}

function literal({ translate, validate }: Kinds, value: 'str' | 'num'): InputType {
  const { label, icon } = appearance[value];
  return { value, label: translate(label), icon, validate: validate(value) };
}

function choice(kinds: Kinds, value: string, values: readonly string[]): InputType {
  const { field, translate, validate, shown, model } = kinds;
  const choices = choicesOf(field, values, model, translate);
  return {
    value,
    label: translate('form.choice'),
    icon: 'fa fa-list-ul',
    options: optionsOf(choices, translate, shown.type === value ? (shown.value ?? '') : ''),
    validate: validate(value),
  };
}

/**
 * Adds an empty option "choose" before the options. Without this option, an empty typedInput would select the
 * first value.
 */
function optionsOf(choices: readonly InputOption[], translate: Translate, stored: string): InputOption[] {
  const isListed = stored === '' || choices.some(({ value }) => value === stored);
  const stray = isListed ? [] : [{ value: stored, label: stored }];
  return [{ value: '', label: translate('form.choose') }, ...choices, ...stray];
}
