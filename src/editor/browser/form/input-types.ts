import type { Entry } from '../operations/entry';
import type { RowField } from '../operations/field';
import { choicesOf } from '../operations/values';

/** How core shows its own literal types; they are made anew here to take the field's own check. */
const appearance = {
  str: { label: 'form.string', icon: 'red/images/typedInput/az.svg' },
  num: { label: 'form.number', icon: 'red/images/typedInput/09.svg' },
} as const;

/** What a row's typedInput offers, and says about what is entered. */
interface Kinds {
  readonly field: RowField;
  readonly translate: Translate;
  /** Checks the text of a literal of a type. */
  readonly validate: (type: string) => (value: string) => true | string;
  /** What to begin with: a stored value that is no option is one for this node. */
  readonly shown: Partial<Entry>;
  /** Of values that not all models have, a known model is offered its own. */
  readonly model: string | undefined;
}

/** The types that a field's row offers, the usual one first. */
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

/** Where the beginning of a row comes from: a person adds the field, the form is new, or it was stored without. */
type Origin = 'added' | 'new' | 'stored';

/**
 * What a row begins with, of the types that it offers. Of a text with a single value there is nothing to choose, and
 * whoever adds a switch wants it on; but what was stored without a value stays without.
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

/** Begins with "choose": an option type takes its first option where nothing is chosen. */
function optionsOf(choices: readonly InputOption[], translate: Translate, stored: string): InputOption[] {
  const isListed = stored === '' || choices.some(({ value }) => value === stored);
  const stray = isListed ? [] : [{ value: stored, label: stored }];
  return [{ value: '', label: translate('form.choose') }, ...choices, ...stray];
}
