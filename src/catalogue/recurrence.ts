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
  const names: string[] = [];
  for (const part of text.split(';')) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals));
    if (names.includes(name) || !components.get(name)?.test(part.slice(equals + 1))) return false;
    names.push(name);
  }
  return names.includes('FREQ');
}
