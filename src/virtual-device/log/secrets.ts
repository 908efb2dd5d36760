import { shownPartsOf } from '../calls/call';

const secretName = /(?:^|\.)(?:pwd|password|secret|token|key)$/i;

/** Whether a field is secret by its name; the name of a setting counts from its last dot. */
export function isSecret(name: string): boolean {
  return secretName.test(name);
}

/** Returns JSON as the log shows it: secret fields as `***`, and of the calls in a schedule what the log shows of a call. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, item]) => {
    if (isSecret(name)) return [name, '***'];
    if (name === 'api_call')
      return [name, Array.isArray(item) ? item.map((call) => shownPartsOf(Object(call))) : '***'];
    return [name, withoutSecrets(item)];
  });
  return Object.fromEntries(fields);
}

/** Returns a query as sent, with `***` for the values of secret fields. */
export function queryWithoutSecrets(query: string): string {
  const fields = query.split('&').map((field) => {
    const [name = ''] = new URLSearchParams(field).keys();
    return isSecret(name) ? `${field.split('=', 1)[0]}=***` : field;
  });
  return fields.join('&');
}
