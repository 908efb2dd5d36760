import type { Text } from '../catalogue/localized-message';

/**
 * The name of a password or a login, as `isPasswordName` has it, and what follows it in the same line. If the value begins in the next line, all
 * that follows.
 */
const secretLine =
  /((?:(?:pwd|passw(?:or)?d|passphrase|token|secret|psk)[\w.-]{0,64}|pass|authorization|(?<![a-z\d])key)[\\"']{0,9}\s{0,9}[:=>])(?:[\s[{(\\"']*\n[\s\S]*|(?!\s?(?:(?:Basic|Bearer) )?\*\*\*)[^\n]*)/gi;

const userInUrl = /(:\/\/)[^\s/?#"\\]*@/g;

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
