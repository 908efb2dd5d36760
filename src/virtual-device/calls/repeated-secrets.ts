import { withoutEscapes } from '../log/escapes';

/** A shorter form of a secret would be found in many texts by chance. */
const minFormLength = 4;

/**
 * Whether a text might repeat one of some secrets, as it was written or in a common encoding.
 * @param forms further texts to look for, in the form of `formsOf`
 */
export function mightRepeat(
  text: string,
  secrets: readonly string[],
  forms: readonly string[] = [],
): boolean {
  if (secrets.length + forms.length === 0) return false;
  const decoded = withoutEscapes(text);
  if (secrets.some((secret) => text.includes(secret) || decoded.includes(secret))) return true;
  const written = [text, decoded, text.replace(/0x/gi, '')].map(plainForm);
  return [...secrets.flatMap(formsOf), ...forms].some((form) => written.some((one) => one.includes(form)));
}

/**
 * Whether a secret could not be found in every common encoding, because it has too few letters and digits, has
 * letters that are not ASCII, or looks like an encoding itself.
 */
export function isHardToFind(secret: string): boolean {
  const isShort = plainForm(secret).length < minFormLength;
  return isShort || /[^\p{ASCII}]/u.test(secret) || withoutEscapes(secret) !== secret;
}

/** Returns a secret in letters and digits as it is, reversed, and in each encoding of its bytes. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // The encoding depends on the place of the secret in what is encoded, and its ends depend on its neighbors.
  const base64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    return encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 4) / 3));
  });
  const plain = plainForm(secret);
  return [
    plain,
    [...plain].reverse().join(''),
    bytes.toString('hex'),
    bytes.join(''),
    ...base64.map(plainForm),
  ].filter(({ length }) => length >= minFormLength);
}

/** Returns the letters and digits of a text, in small letters, without escapes of HTML, URLs and JSON. */
function plainForm(text: string): string {
  const decode = (_code: string, digits: string) => String.fromCharCode(Number.parseInt(digits, 16));
  const unescaped = text
    .replace(/&(?:#\w+|[a-z]+);/gi, '')
    .replace(/[%=]([0-9a-f]{2})/gi, decode)
    .replace(/\\(?:u00|x)([0-9a-f]{2})/gi, decode)
    .replace(/\\u[0-9a-f]{4}/gi, '');
  return unescaped.replace(/[^a-z0-9]/gi, '').toLowerCase();
}
