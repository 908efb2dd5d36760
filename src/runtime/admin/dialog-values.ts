import { isPlainObject } from '../../catalogue/coerce';
import { isUnresolved } from '../../kernel/property';
import { type DeviceProperties, type Reaching, urlOf } from '../device/settings';

const reaching = [
  'address',
  'auth',
  'certificate',
  'fingerprint',
  'tls',
  'timeout',
  'virtual',
] as const satisfies readonly (keyof DeviceProperties)[];

export function readDialog(body: unknown, resolve: (value: string) => string): Reaching & { id: string } {
  const { id, values, password } = Object(body) as Record<string, unknown>;
  const given = isPlainObject(values) ? values : {};
  const properties = Object.fromEntries(reaching.map((name) => [name, resolve(textIn(given[name]))]));
  return {
    id: textIn(id),
    properties,
    ...(typeof password === 'string' && { password }),
  };
}

export function textIn(value: unknown): string {
  return typeof value === 'object' ? '' : String(value ?? '');
}

export function isAsDeployed({ properties, password }: Reaching, deployed: Reaching | undefined): boolean {
  // A typed password is never compared with the deployed password, since the result would confirm a guess.
  if (!deployed || password || (password === '' && deployed.password)) return false;
  return reaching.every(
    (name) => defaultFor(name, properties[name]) === defaultFor(name, deployed.properties[name]),
  );
}

function defaultFor(name: (typeof reaching)[number], value: unknown): string {
  const usually: Partial<Record<string, string>> = { auth: 'standard', certificate: 'verify', timeout: '10' };
  const text = String(value ?? '');
  return text === '' ? (usually[name] ?? '') : text;
}

/**
 * Returns the password for a test of a dialog's settings. The stored password, and a password from an
 * environment variable, are sent only to the stored address.
 * @param resolve as in `readDialog`
 * @returns undefined if no password may be sent to the address in the dialog
 */
export function passwordFor(
  { properties, password }: Reaching,
  deployed: Reaching | undefined,
  resolve: (value: string) => string,
): string | undefined {
  const there = urlOf(properties.address);
  const isStoredPlace =
    deployed !== undefined &&
    !deployed.properties.virtual &&
    there !== undefined &&
    there === urlOf(deployed.properties.address);
  if (password === undefined) return isStoredPlace ? (deployed.password ?? '') : undefined;
  if (!isUnresolved(password)) return password;
  return isStoredPlace ? resolve(password) : undefined;
}
