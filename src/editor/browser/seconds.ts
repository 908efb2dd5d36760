import { isVariable } from './check';

/** As the runtime has it: no more than a year. */
const longest = 31_536_000;

/** The seconds that a text of "Delivery" stands for; undefined where only the runtime knows, NaN where it is none. */
export function secondsIn(text: string): number | undefined {
  if (isVariable(text)) return undefined;
  const seconds = text.trim() === '' ? Number.NaN : Number(text);
  return seconds >= 0 && seconds <= longest ? seconds : Number.NaN;
}
