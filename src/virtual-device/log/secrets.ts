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

/** Maximum length of a header text that is compared, in characters: each word in it is looked for. */
export const maxComparedHeader = 2048;

/**
 * Whether a text might repeat the value of a header that can contain a secret, as it was written or in a common
 * encoding. A long header text counts as repeated.
 * @param header the header text of an `api_call`
 */
export function mightRepeatHeaders(text: string, header: string): boolean {
  if (header.length > maxComparedHeader) return true;
  const read = [text, text.replace(percentCode, decodeCode), text.replace(unicodeCode, decodeCode)];
  return secretsIn(header).some((secret) => {
    const bytes = Buffer.from(secret);
    const written = [secret, bytes.toString('base64url'), bytes.toString('hex')];
    return read.some((one) => written.some((form) => one.includes(form)));
  });
}

const percentCode = /%([0-9a-f]{2})/gi;
const unicodeCode = /\\(?:u00|x)([0-9a-f]{2})/gi;

function decodeCode(_code: string, digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

/** Shorter values would be found in many texts by chance. */
const minSecretLength = 4;

/** Returns the values in the lines of a header text that can contain a secret, and what they decode to. */
function secretsIn(header: string): string[] {
  const lines = header.split(lineBreaks).filter((line) => !plainLine.test(line));
  const words = lines.flatMap((line) => {
    const value = line.slice(line.indexOf(':') + 1).trim();
    const [scheme = '', ...rest] = value.split(/[\s,;]+/);
    return (rest.length > 0 ? rest : [scheme]).map((word) => word.replace(/^[\w-]+=(?=.)|"/g, ''));
  });
  const decoded = words.map((word) => Buffer.from(word, 'base64').toString());
  const passwords = [...words, ...decoded].map((word) => word.slice(word.indexOf(':') + 1));
  return [...new Set([...words, ...decoded, ...passwords])].filter(({ length }) => length >= minSecretLength);
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
