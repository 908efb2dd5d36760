import { phrases } from '../../src/catalogue/phrases';
import { reasons } from '../../src/catalogue/reasons';

/** What stands between the values of our English sentences, where it is long enough to be no accident. */
const pieces = Object.values({ ...phrases, ...reasons })
  .flatMap((text) => text.split(/__\w+?__|\{\w+\}|;/))
  .map((piece) => piece.trim())
  .filter((piece) => piece.split(' ').length >= 3);

/** Words that no other language of ours has. */
const words = /\b(?:the|its|with|which|nothing|sent|refuses|refused|clock|answer|unknown|has no)\b/gi;

/** What of a text is our English. */
export function englishIn(text: string): string[] {
  return [...pieces.filter((piece) => text.includes(piece)), ...(text.match(words) ?? [])];
}
