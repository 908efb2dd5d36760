const secretName = /pass(word)?$|pwd/i;
const credentials = /(\b(?:Basic|Bearer)\s+|\bX-Token:\s*)[^\s"\\]+/gi;
/** `"api.admin.pwd": "…"` inside a text that is JSON itself, and `password=…` in a query. */
const secretInText = /((?:pass(?:word)?|pwd)"?\s*[:=]\s*)("(?:[^"\\]|\\.)*"?|[^\s&,"}]+)/gi;

/** Whether a value of this name is a secret. */
export function isSecret(name: string): boolean {
  return secretName.test(name);
}

/** Returns a copy of a request's body in which passwords and credentials are replaced by stars. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(credentials, '$1***').replace(secretInText, '$1***');
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecret(name) ? '***' : withoutSecrets(item)]),
  );
}
