import { isPasswordName } from '../catalogue/describe';
import type { Text } from '../catalogue/localized-message';

/** The name of a password or a login, and what follows it in the same line. */
const secretLine =
  /((?:pwd|pass(?:w(?:or)?d|phrase)?|token|secret|psk|authorization)[\\"']{0,9}\s{0,9}[:=>])(?!\s?(?:(?:Basic|Bearer) )?\*\*\*)[^\n]*/gi;

const userInUrl = /(:\/\/)[^\s/?#"\\@]*@/g;

/**
 * Replaces passwords and logins in a text by `***`: the rest of a line after a name such as `api.admin.pwd` and a
 * colon, and the user of a URL. A text from a device or a message can contain them in any form.
 */
export function maskSecrets(text: string): string {
  return text.replace(userInUrl, '$1***@').replace(secretLine, '$1***');
}

/** Replaces passwords and logins in all values of a sentence. */
export function maskSentence(sentence: Text): Text {
  return typeof sentence === 'string' ? maskSecrets(sentence) : sentence.mapTexts(maskSecrets);
}

/** Minimum length of a secret that is searched for in an answer. The factory password is shorter. */
export const minSearchedLength = 5;

/** Maximum length of a body in which secrets are searched for, in bytes. */
const maxSearchedBytes = 256 * 1024;

/** Returns the passwords and logins in the JSON of a request, which an error must not repeat. */
export function secretsIn(body: Buffer | undefined): string[] {
  if (!body || body.length > maxSearchedBytes) return [];
  try {
    return [...secretsBelow(JSON.parse(body.toString()), false)];
  } catch {
    return [];
  }
}

function* secretsBelow(value: unknown, isSecret: boolean): Generator<string> {
  if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      yield* secretsBelow(inner, isSecret || (!Array.isArray(value) && isPasswordName(name)));
    }
  } else if (isSecret && String(value).length >= minSearchedLength) yield String(value);
}
