/** What each component of a recurrence rule may hold (2.6a names these, RFC 5545 says what is in them). */
const components: ReadonlyMap<string, RegExp> = new Map([
  ['FREQ', /^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/],
  ['INTERVAL', /^[1-9]\d*$/],
  ['COUNT', /^[1-9]\d*$/],
  ['UNTIL', /^\d{8}(?:T\d{6}Z?)?$/],
  ['BYDAY', /^(?:[+-]?[1-9]\d?)?(?:MO|TU|WE|TH|FR|SA|SU)(?:,(?:[+-]?[1-9]\d?)?(?:MO|TU|WE|TH|FR|SA|SU))*$/],
]);

/** Whether a text is a recurrence rule of 2.6a, for example `FREQ=WEEKLY;BYDAY=MO,FR`. */
export function isRecurrence(text: string): boolean {
  const parts = text.split(';').map((part) => part.split('='));
  const names = parts.map(([name]) => name);
  if (!names.includes('FREQ') || new Set(names).size !== names.length) return false;
  return parts.every(
    ([name = '', value = '', ...more]) => more.length === 0 && components.get(name)?.test(value) === true,
  );
}
