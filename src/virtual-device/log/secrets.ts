const secretName = /pass(w(or)?d)?$|pwd|token$|secret|api[_-]?key$|^authorization$/i;
const credentials = /(\b(?:Basic|Bearer)\s+|X-(?:Token|Api-Key)"?:\s*"?)[^\s"\\]+/gi;
const cookies = /(Cookie"?:\s*"?)[^\r\n"\\]+/gi;
const userInUrl = /(:\/\/)[^\s/?#"\\@]*@/gi;
/** Matches a secret in a text: `"api.admin.pwd": "…"` in JSON within the text, or `password=…` in a query. */
const secretInText =
  /((?:pass(?:w(?:or)?d)?|pwd|token|secret|api[_-]?key)"?\s*[:=]\s*)("(?:[^"\\]|\\.)*"?|[^\s&,"}]+)/gi;

/** The header text of an `api_call`: its name in a body, its line breaks, and the lines without a secret. */
const headerText = 'header';
const lineBreaks = /(\r\n|\r|\n|\\r\\n)/;
const plainLine = /^\s*(?:%DEVICE_HEADERS%\s*$|(?:content-type|accept|user-agent):)/i;

export function isSecret(name: string): boolean {
  return secretName.test(name) || name === headerText || name.endsWith(`.${headerText}`);
}

export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return withoutSecretsInText(value);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (name === 'target' && typeof item === 'string' && item.includes('@')) return [name, '***'];
      if (name === headerText) return [name, typeof item === 'string' ? withoutHeaderValues(item) : '***'];
      return [name, isSecret(name) ? '***' : withoutSecrets(item)];
    }),
  );
}

/** Maximum length of a header text that is compared, in characters. */
export const maxComparedHeader = 2048;

/** Maximum number of values of a header text that are compared. */
const maxCompared = 100;

/** A shorter value would be found in many texts by chance, in letters and digits. */
const minComparedLength = 4;

/**
 * Whether a text might repeat the value of a header that can contain a secret, as it was written or in an encoding. A
 * header text with many values counts as repeated, and so does one with a login that is too short to be compared.
 * @param header the header text of an `api_call`
 */
export function mightRepeatHeaders(text: string, header: string): boolean {
  if (header.length > maxComparedHeader) return true;
  const lines = header.split(lineBreaks).filter((line, index) => index % 2 === 0 && !plainLine.test(line));
  const logins = lines.filter((line) => isLogin.test(line));
  if (logins.some((line) => passwordsIn(wordsIn(line)).some(isShort) || valuesIn(line).every(isShort)))
    return true;
  const secrets = [...new Set(lines.flatMap(valuesIn))].filter((secret) => !isShort(secret));
  if (secrets.length > maxCompared) return true;
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

/** Masks the values of all headers that can contain a secret, whatever their names. */
function withoutHeaderValues(text: string): string {
  const lines = text.split(lineBreaks).map((line, index) => {
    const isBreak = index % 2 === 1;
    if (isBreak || line === '' || plainLine.test(line)) return line;
    const colon = line.indexOf(':');
    return colon < 0 ? '***' : `${line.slice(0, colon)}: ***`;
  });
  return lines.join('');
}

function withoutSecretsInText(text: string): string {
  const withoutUsers = text.replace(userInUrl, '$1***@').replace(cookies, '$1***');
  return withoutUsers.replace(credentials, '$1***').replace(secretInText, '$1***');
}
