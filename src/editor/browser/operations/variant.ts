import { isVariable, literals } from './check';
import { type Stored, shown } from './entry';
import type { Choice } from './field';

/** What tells a choice: fields that hold these texts, and fields that are there at all. */
type Telling = Pick<Choice, 'id' | 'sets' | 'needs'>;

/**
 * Which choice of an operation with variants a stored form is: its id, '' for a form that holds nothing yet,
 * or `all` where the form alone does not say.
 */
export function choiceOf(choices: readonly Telling[], stored: Stored): string {
  if (Object.keys(stored).length === 0) return '';
  const held = choices.filter((choice) => holds(choice, stored));
  const [match, second] = held.filter((choice) => !held.some((other) => asksForMore(other, choice)));
  return match && !second ? match.id : 'all';
}

/** Whether a form that is no choice cannot become one either: all that decides is written in the dialog. */
export function isUndecided(choices: readonly Telling[], stored: Stored): boolean {
  const chosen = choiceOf(choices, stored);
  if (chosen !== 'all') return chosen === '';
  const deciding = new Set(choices.flatMap((choice) => conditionsOf(choice)));
  return [...deciding].every((name) => !Object.hasOwn(stored, name) || isLiteral(stored[name]));
}

function holds({ sets, needs }: Telling, stored: Stored): boolean {
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

function conditionsOf({ sets, needs }: Telling): string[] {
  return [...Object.keys(sets), ...needs];
}

function asksForMore(choice: Telling, other: Telling): boolean {
  const [names, others] = [conditionsOf(choice), conditionsOf(other)];
  return names.length > others.length && others.every((name) => names.includes(name));
}
