import { isPlainObject } from '../../catalogue/coerce';
import { type DeviceProperties, isUnresolved, type Reaching, urlOf } from '../device/settings';

/** What of a device's dialog decides how it is reached. */
const reaching = [
  'address',
  'auth',
  'certificate',
  'fingerprint',
  'tls',
  'timeout',
  'virtual',
] as const satisfies readonly (keyof DeviceProperties)[];

/**
 * Reads what a dialog sent.
 * @param resolve what `${ENV}` stands for; gives back what is no such thing, or is not set
 */
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

/** What a field of a request says. JSON may hold what cannot be made a text, and is read before anybody was asked who. */
export function textIn(value: unknown): string {
  return typeof value === 'object' ? '' : String(value ?? '');
}

/** Whether a dialog shows the device as it is deployed, so that trying it reaches nothing new. */
export function isAsDeployed({ properties, password }: Reaching, deployed: Reaching | undefined): boolean {
  // An empty box is no other password where none is stored. Whether one is the stored one is nobody's to ask.
  if (!deployed || password || (password === '' && deployed.password)) return false;
  return reaching.every(
    (name) => defaultFor(name, properties[name]) === defaultFor(name, deployed.properties[name]),
  );
}

/** What is left out counts as what it stands for. */
function defaultFor(name: (typeof reaching)[number], value: unknown): string {
  const usually: Partial<Record<string, string>> = { auth: 'standard', certificate: 'verify', timeout: '10' };
  const text = String(value ?? '');
  return text === '' ? (usually[name] ?? '') : text;
}

/**
 * The password to try a dialog's settings with. One that nobody typed, since it is stored or in the environment,
 * goes to the stored address and to no other.
 * @param resolve as in `readDialog`
 * @returns undefined where one is needed that may not go there
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
