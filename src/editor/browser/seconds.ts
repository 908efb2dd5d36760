import { isVariable } from './check';

/** The seconds that a text of "Delivery" stands for; undefined where only the runtime knows, NaN where it is none. */
export function secondsIn(text: string): number | undefined {
  if (isVariable(text)) return undefined;
  const isNumber = /^\d+(?:\.\d+)?$/.test(text.trim());
  return isNumber ? Number(text) : Number.NaN;
}
