import { secretLinesOf } from '../log/secrets';

/** Maximum length of a header text that is compared, in characters. */
export const maxComparedHeader = 2048;

/** Maximum number of values of a header text that are compared. */
const maxCompared = 100;

/** A shorter value would be found in many texts by chance, in letters and digits. */
const minComparedLength = 4;

/**
 * Whether a text might repeat the value of a header that can contain a secret, or the password of the device, as it
 * was written or in an encoding. Header texts with many values count as repeated, and so does one with a login that
 * is too short to be compared. A short password of the device is not looked for, since many texts contain it.
 * @param headers header texts of `api_call`
 */
export function mightRepeat(text: string, headers: readonly string[], password: string): boolean {
  if (headers.some(({ length }) => length > maxComparedHeader)) return true;
  const lines = headers.flatMap(secretLinesOf);
  const logins = lines.filter((line) => isLogin.test(line));
  if (logins.some((line) => passwordsIn(wordsIn(line)).some(isShort) || valuesIn(line).every(isShort)))
    return true;
  const secrets = [...new Set(lines.flatMap(valuesIn))].filter((secret) => !isShort(secret));
  if (secrets.length > maxCompared) return true;
  if (plainForm(password).length > minComparedLength) secrets.push(password);
  const written = [plainForm(text), plainForm(text.replace(/0x/gi, ''))];
  const forms = secrets.flatMap(formsOf);
  return forms.some((form) => written.some((one) => one.includes(form)));
}

function isShort(secret: string): boolean {
  return plainForm(secret).length < minComparedLength;
}

/** Returns the values of a header line that can each be a secret, with what is in values in base64. */
function valuesIn(line: string): string[] {
  const words = wordsIn(line);
  const unnamed = words.map((word) => word.replace(/^[\w-]+=(?=[^=])/, ''));
  return [...words, ...unnamed, ...decodedLogins(words), ...passwordsIn(words)].filter(Boolean);
}

const isLogin = /^\s*(?:proxy-)?authorization:/i;

/** Returns the words of a header value. In a login, the first of several words is the scheme, and is left out. */
function wordsIn(line: string): string[] {
  const value = line.slice(line.indexOf(':') + 1).trim();
  const words = value.split(/[\s,;"]+/).filter(Boolean);
  return isLogin.test(line) && words.length > 1 ? words.slice(1) : words;
}

/** Returns each `user:password` that a word has in base64. */
function decodedLogins(words: readonly string[]): string[] {
  return words
    .map((word) => Buffer.from(word, 'base64').toString())
    .filter((one) => /^[ -~]*:[ -~]*$/.test(one));
}

function passwordsIn(words: readonly string[]): string[] {
  const logins = [...decodedLogins(words), ...words.filter((word) => word.includes(':'))];
  return logins.map((login) => login.slice(login.indexOf(':') + 1));
}

/** Returns a value in letters and digits as it is, reversed, and in each encoding of its bytes. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // The encoding depends on the place of the value in what is encoded, and its ends depend on its neighbors.
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
  ].filter(({ length }) => length >= minComparedLength);
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
