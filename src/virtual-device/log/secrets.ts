import { maxPreviewBytes } from '../choices';
import { readJsonText } from '../wire/json-text';
import { withoutNestedEscapes } from './escapes';

// The same words, since each pattern must stand in the source as a whole, so that a test can search it for weaknesses.
const secretName =
  /(?:pass(?:w(?:or)?d|phrase)?|pwd|token|secret|psk|api[_-]?key)$|pwd|secret|header|^authorization$/i;
/**
 * Matches a secret in a text: `"api.admin.pwd": "…"` in JSON within the text, or `password=…` in a query. The
 * secret of a list, an object or JSON within JSON is the rest of the text.
 */
const secretInText =
  /((?:pass(?:w(?:or)?d|phrase)?|pwd|token|secret|psk|api[_-]?key|header(?=s?["'\\])s?)[\s"'“”„‘’«»\\[\]]{0,9}\s*[:=>]{1,2}\s*)(?!"\*\*\*")("(?:[^"\\]|\\.)*"?|[[{'“„‘«\\][\s\S]*|[,}]*[^\s&"}]+)/gi;
/** Matches a field of a form in several parts, and all that follows. */
const secretPart =
  /\bname=\\?["']?[^"'\\\r\n;]{0,60}(?:pass(?:w(?:or)?d|phrase)?|pwd|token|secret|psk|api[_-]?key)\]?\\?["']?[\s;][\s\S]*/i;
const credentials = /(\b(?:Basic|Bearer)\s+|X-(?:Token|Api-Key)"?:\s*"?)[^\s"\\]+/gi;
const cookies = /(Cookie"?:\s*"?)[^\r\n"\\]+/gi;
const userInUrl = /((?:^|:)\/\/)[^\s/?#"\\@]*@/gi;
/** Matches the value of an `Authorization` header without a known scheme. */
const otherLogin = /(authorization["'\\]{0,9}\s*[:=]\s*["'\\]{0,9})(?!Basic |Bearer |hmac |\*)[^\s"'\\]+/gi;

/** Maximum number of parameters of a text that are masked one by one; more would take too much time. */
const maxParts = 50;

/** Maximum number of characters of texts with escapes that are searched for secrets in `searchMs`. */
const maxSearched = 50_000;

const searchMs = 100;

let searchedLength = 0;

/** The fields of an entry of `api_call` (section 2.6a). */
const callFields: readonly string[] = ['actid', 'name', 'method', 'target', 'path', 'header', 'payload'];

/** The header text of an entry: its line breaks, and the lines without a secret. */
const lineBreaks = /(\r\n|\r|\n|\\r\\n)/;
const plainLine =
  /^\s*(?:%DEVICE_HEADERS%|(?:content-type|accept):\s*[\w.+*-]+\/[\w.+*-]+(?:;\s*(?:charset|q)=[\w.-]{1,20})?)\s*$/i;

export function isSecret(name: string): boolean {
  return secretName.test(name.trim());
}

export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return withoutSecretsInText(value);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (name === 'api_call') return [name, Array.isArray(item) ? item.map(withoutSecretsInCall) : '***'];
      if (name === 'header') return [name, typeof item === 'string' ? withoutHeaderValues(item) : '***'];
      if (name === 'target' && isHiddenTarget(item)) return [name, '***'];
      return [name, isSecret(name) ? '***' : withoutSecrets(item)];
    }),
  );
}

/** A header can be typed into another field, or into the name of a field. A path contains no blank. */
function withoutSecretsInCall(call: unknown): unknown {
  if (typeof call !== 'object' || call === null || Array.isArray(call)) return '***';
  const fields = Object.entries(call).map(([name, item]) => {
    if (!callFields.includes(name)) return ['***', '***'];
    return [name, name === 'path' && hasBlank(item) ? '***' : item];
  });
  return withoutSecrets(Object.fromEntries(fields));
}

/** A target with an @ or a blank is never called, but can contain a password. */
export function isHiddenTarget(target: unknown): boolean {
  return typeof target === 'string' && /[@\s]/.test(target);
}

export function hasBlank(value: unknown): boolean {
  return typeof value === 'string' && /\s/.test(value);
}

/** Returns the lines of a header text that can contain a secret. */
export function secretLinesOf(header: string): string[] {
  return header.split(lineBreaks).filter((line, index) => index % 2 === 0 && !plainLine.test(line));
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

/** Masks JSON by its names, since a name can be written with escapes. */
function withoutSecretsInText(text: string): string {
  const json = jsonIn(text);
  const masked = json === undefined ? json : withoutSecrets(json);
  const isChanged = masked !== undefined && JSON.stringify(masked) !== JSON.stringify(json);
  return withoutEncodedSecrets(withoutNamedSecrets(isChanged ? JSON.stringify(masked) : text));
}

/** Masks each parameter of a path or a form that names a secret with escapes, or contains such a text. */
function withoutEncodedSecrets(text: string): string {
  if (!mayHaveEscapes(text)) return text;
  if (!maySearch(text)) return '***';
  if (!hasEncodedSecret(text)) return text;
  const parts = text.split(/(^[^?&]*\?|&)/);
  if (parts.length > maxParts) return '***';
  const masked = parts.map((part) => (hasEncodedSecret(part) ? '***' : part)).join('');
  return hasEncodedSecret(masked) ? '***' : masked;
}

function mayHaveEscapes(text: string): boolean {
  return /[%\\]|&#/.test(text);
}

/** In a flood, texts with escapes are not searched but hidden: searching thousands of them would block the event loop. */
function maySearch(text: string): boolean {
  if (searchedLength >= maxSearched) return false;
  if (searchedLength === 0)
    setTimeout(() => {
      searchedLength = 0;
    }, searchMs).unref();
  searchedLength += text.length;
  return true;
}

function hasEncodedSecret(text: string): boolean {
  const decoded = withoutNestedEscapes(text);
  return decoded !== text && withoutNamedSecrets(decoded) !== decoded;
}

function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || text.length > maxPreviewBytes) return undefined;
  try {
    return readJsonText(Buffer.from(text));
  } catch {
    return undefined;
  }
}

function withoutNamedSecrets(text: string): string {
  const withoutUsers = text.replace(userInUrl, '$1***@').replace(cookies, '$1***');
  return withoutUsers
    .replace(credentials, '$1***')
    .replace(otherLogin, '$1***')
    .replace(secretInText, '$1***')
    .replace(secretPart, '***');
}
