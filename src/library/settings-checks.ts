import { joinMessages, type Text } from '../catalogue/localized-message';
import { type DeviceSettings as CompleteSettings, unusable } from '../client/settings';
import type { DeviceSettings } from './settings';

/** The type of each setting, or its allowed texts. */
const forms: Readonly<Record<keyof DeviceSettings, keyof typeof words | readonly string[]>> = {
  name: 'string',
  address: 'string',
  auth: ['standard', 'basic', 'none'],
  password: 'string',
  certificate: ['verify', 'pin', 'any'],
  fingerprint: 'string',
  tls: 'object',
  timeoutMs: 'number',
};

const words = { string: 'a text', number: 'a number', object: 'an object' } as const;

/**
 * Number of characters of an invalid setting that an error message shows, since the value might be a whole
 * certificate.
 */
const maxShownLength = 40;

/**
 * Checks the settings and adds the defaults. Rejects an unknown key: ignoring a misspelled `certificat:
 * 'pin'` would leave the certificate without a pin.
 * @throws DeviceError NOT_CONFIGURED, whose message never contains the value of `password`
 */
export function completeSettings(given: DeviceSettings): CompleteSettings {
  if (typeof given !== 'object' || given === null) throw unusable('', 'settings are missing');
  const [finding] = Object.entries(given).flatMap(([key, value]) => findingsOf(key, value));
  if (finding !== undefined) throw unusable(typeof given.name === 'string' ? given.name : '', finding);
  const { name = '', address, auth = 'standard', certificate = 'verify', timeoutMs = 10_000 } = given;
  if (address === undefined) throw unusable(name, 'its address is missing');
  if (auth !== 'none' && !given.password) {
    throw unusable(
      name,
      joinMessages([
        'its password is missing',
        'give it as "password", for example from an environment variable',
      ]),
    );
  }
  const optional = { password: given.password, fingerprint: given.fingerprint, tls: given.tls };
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return { name, address, auth, certificate, timeoutMs, ...present };
}

function findingsOf(key: string, value: unknown): Text[] {
  if (!Object.hasOwn(forms, key)) return [`there is no setting "${key}"`];
  if (value === undefined) return [];
  const form = forms[key as keyof DeviceSettings];
  const type = typeof form === 'string' ? form : 'string';
  if (typeof value !== type || value === null) return [`its ${key} must be ${words[type]}`];
  if (typeof form === 'string' || form.includes(String(value))) return [];
  const mustBe = `its ${key} must be one of ${form.join(', ')}`;
  return [joinMessages([mustBe, `it is ${String(value).slice(0, maxShownLength)}`])];
}
