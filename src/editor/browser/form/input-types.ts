import type { Entry } from '../operations/entry';
import type { RowField } from '../operations/field';
import { choicesOf } from '../operations/values';

/** The label and the icon of core's literal types, which are defined again here with a check of the field. */
const appearance = {
  str: { label: 'form.string', icon: 'red/images/typedInput/az.svg' },
  num: { label: 'form.number', icon: 'red/images/typedInput/09.svg' },
} as const;

/** The data from which the types of a row's typedInput are made. */
interface Kinds {
  readonly field: RowField;
  readonly translate: Translate;
  /** Returns the check for the literal text of a type. */
  readonly validate: (type: string) => (value: string) => true | string;
  /** The current entry. A value that is not an option becomes an additional option for this node. */
  readonly shown: Partial<Entry>;
  /**
   * The model of the device, which limits the options to the values that it supports; undefined if unknown.
   */
  readonly model: string | undefined;
}

/** Returns the types of a field's row, the default type first. */
export function typesOf(kinds: Kinds): InputType[] {
  const { field } = kinds;
  const sources = ['msg', 'flow', 'global', 'env', 'jsonata'];
  const unreadable = sources.filter((source) => source !== 'env');
  if (field.type === 'binary') return field.encoding ? [...sources, literal(kinds, 'str')] : unreadable;
  if (field.type === 'object' || field.type === 'array') return ['json', ...unreadable];
  if (field.type === 'any') return ['json', literal(kinds, 'str'), ...sources];
  if (field.type === 'setting') return [literal(kinds, 'str'), literal(kinds, 'num'), ...sources];
  const named = field.names ?? field.words;
  const kind = field.literal ?? 'str';
  if (named && kind === 'num') return [choice(kinds, 'str', named), literal(kinds, 'num'), ...sources];
  const values = [...(named ?? []), ...(field.enum ?? [])].map(String);
  if (values.length > 0) return [choice(kinds, kind, values), ...sources];
  return [kind === 'bool' ? choice(kinds, 'bool', ['true', 'false']) : literal(kinds, kind), ...sources];
}

export function nameOf(type: InputType): string {
  return typeof type === 'string' ? type : type.value;
}

/**
 * The origin of an empty row: the user added the field, the form is new, or a form was stored without the
 * field.
 */
type Origin = 'added' | 'new' | 'stored';

/**
 * Returns the initial entry of a row, with the first of its types.
 * A text with a single valid value gets this value, and a boolean that the user adds is on.
 * A field that was stored without a value stays empty.
 */
export function beginningOf(field: RowField, [first = 'str']: readonly InputType[], origin: Origin): Entry {
  const type = nameOf(first);
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

/** Puts "choose" before the options, because a typedInput selects its first option if no value is set. */
function optionsOf(choices: readonly InputOption[], translate: Translate, stored: string): InputOption[] {
  const isListed = stored === '' || choices.some(({ value }) => value === stored);
  const stray = isListed ? [] : [{ value: stored, label: stored }];
  return [{ value: '', label: translate('form.choose') }, ...choices, ...stray];
}
