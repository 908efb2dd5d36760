import { LocalizedMessage } from './localized-message';

const [minute, hour, day] = [60, 3_600, 86_400];

const maxInSeconds = 2 * minute;

const maxWithHours = 10 * day;

const maxExact = 10 * minute;

/**
 * Formats the absolute value of a duration in the largest units: `90 s`, `5 min`, `1 h 30 min`, `2 days 3 h`.
 * @param language language of the word for days; undefined for the language of the computer
 */
export function durationIn(language: string | undefined, seconds: number): string {
  const whole = Math.round(Math.abs(seconds));
  if (whole < maxInSeconds) return `${whole} s`;
  if (whole < maxExact) return joined([whole, minute, 'min'], [1, 's']);
  const minutes = rounded(whole, minute);
  if (minutes < hour) return `${minutes / minute} min`;
  if (minutes < day) return joined([minutes, hour, 'h'], [minute, 'min']);
  const hours = rounded(whole, whole < maxWithHours ? hour : day);
  const rest = (hours % day) / hour;
  return [count(language, 'day', Math.floor(hours / day)), ...(rest > 0 ? [`${rest} h`] : [])].join(' ');
}

/**
 * Formats a typed time of more than a day, rounded down to whole hours: `11 days 13 hours`. People can check
 * such a time better than its number of seconds.
 * @param language language of the words; undefined for the language of the computer
 * @returns undefined for a day or less
 */
export function daysAndHoursIn(language: string | undefined, seconds: number): string | undefined {
  if (!(seconds > day)) return undefined;
  const hours = Math.floor((seconds % day) / hour);
  const days = count(language, 'day', Math.floor(seconds / day));
  return hours > 0 ? `${days} ${count(language, 'hour', hours)}` : days;
}

export function daysAndHours(seconds: number): LocalizedMessage | undefined {
  const english = daysAndHoursIn('en', seconds);
  return english === undefined
    ? undefined
    : new LocalizedMessage('daysAndHours', english, { seconds: String(seconds) });
}

export function duration(seconds: number): LocalizedMessage {
  return new LocalizedMessage('duration', durationIn('en', seconds), {
    seconds: String(Math.round(Math.abs(seconds))),
  });
}

function count(language: string | undefined, unit: 'day' | 'hour', number: number): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(number);
}

function rounded(seconds: number, unit: number): number {
  return Math.round(seconds / unit) * unit;
}

function joined(
  [seconds, size, unit]: readonly [number, number, string],
  [restSize, restUnit]: readonly [number, string],
): string {
  const rest = (seconds % size) / restSize;
  return [`${Math.floor(seconds / size)} ${unit}`, ...(rest > 0 ? [`${rest} ${restUnit}`] : [])].join(' ');
}
