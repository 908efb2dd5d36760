import { isVariable, literals } from './check';
import { type Stored, shown } from './entry';
import type { Choice } from './field';

/** The conditions of an option: fields in `sets` have the given texts, fields in `needs` have any value. */
type VariantConditions = Pick<Choice, 'id' | 'sets' | 'needs'>;

/**
 * Returns the id of the option that a stored form matches; '' for an empty form. If two options match and one
 * has all conditions of the other and more, the option with more conditions wins. Returns `all` if no single
 * option matches.
 */
export function choiceOf(choices: readonly VariantConditions[], stored: Stored): string {
  if (Object.keys(stored).length === 0) return '';
  const held = choices.filter((choice) => holds(choice, stored));
  const [match, second] = held.filter((choice) => !held.some((other) => asksForMore(other, choice)));
  return match && !second ? match.id : 'all';
}

/**
 * Whether a form selects no single variant. False if only the runtime knows the value of a field on which the
 * selection depends.
 */
export function isUndecided(choices: readonly VariantConditions[], stored: Stored): boolean {
  const chosen = choiceOf(choices, stored);
  if (chosen !== 'all') return chosen === '';
  const deciding = new Set(choices.flatMap((choice) => conditionsOf(choice)));
  return [...deciding].every((name) => !Object.hasOwn(stored, name) || isLiteral(stored[name]));
}

function holds({ sets, needs }: VariantConditions, stored: Stored): boolean {
  const isSet = ([name, text]: [string, string]) => {
    if (!Object.hasOwn(stored, name)) return false;
    const { type, value } = shown(stored[name]);
    return type === 'str' && value === text;
  };
  return Object.entries(sets).every(isSet) && needs.every((name) => Object.hasOwn(stored, name));
}

function isLiteral(entry: unknown): boolean {
  const { type, value } = shown(entry);
  return literals.includes(type) && !isVariable(value);
}

function conditionsOf({ sets, needs }: VariantConditions): string[] {
  return [...Object.keys(sets), ...needs];
}

function asksForMore(choice: VariantConditions, other: VariantConditions): boolean {
  const [names, others] = [conditionsOf(choice), conditionsOf(other)];
  return names.length > others.length && others.every((name) => names.includes(name));
}
