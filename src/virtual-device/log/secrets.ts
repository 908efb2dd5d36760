const secretName = /pass(word)?$|pwd|token$|api[_-]?key$/i;
const credentials = /(\b(?:Basic|Bearer)\s+|\bX-(?:Token|Api-Key)"?:\s*"?)[^\s"\\]+/gi;
const cookies = /(\bCookie"?:\s*"?)[^\r\n"\\]+/gi;
/** Matches the user and the password of a URL. */
const userInUrl = /(\bhttps?:\/\/)[^\s/?#"\\@]*@/gi;
/** Matches a secret in a text: `"api.admin.pwd": "…"` in JSON within the text, or `password=…` in a query. */
const secretInText = /((?:pass(?:word)?|pwd|token|api[_-]?key)"?\s*[:=]\s*)("(?:[^"\\]|\\.)*"?|[^\s&,"}]+)/gi;

export function isSecret(name: string): boolean {
  return secretName.test(name);
}

export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return withoutSecretsInText(value);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecret(name) ? '***' : withoutSecrets(item)]),
  );
}

function withoutSecretsInText(text: string): string {
  const withoutUsers = text.replace(userInUrl, '$1***@').replace(cookies, '$1***');
  return withoutUsers.replace(credentials, '$1***').replace(secretInText, '$1***');
}
