const secretName = /pass(word)?$|pwd/i;
const credentials = /(\b(?:Basic|Bearer)\s+|\bX-Token"?:\s*"?)[^\s"\\]+/gi;
/** A secret in a text: `"api.admin.pwd": "…"` in JSON within the text, or `password=…` in a query. */
const secretInText = /((?:pass(?:word)?|pwd)"?\s*[:=]\s*)("(?:[^"\\]|\\.)*"?|[^\s&,"}]+)/gi;

/** Whether a name such as `password` marks its value as a secret. */
export function isSecret(name: string): boolean {
  return secretName.test(name);
}

/** Returns a copy of a value in which stars replace passwords and credentials. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(credentials, '$1***').replace(secretInText, '$1***');
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecret(name) ? '***' : withoutSecrets(item)]),
  );
}
