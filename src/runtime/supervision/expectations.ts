import { isPasswordName, show } from '../../catalogue/describe';
import { isAcceptable } from '../../catalogue/formats';
import { firmwareIn } from '../../catalogue/identity';
import { joinMessages, localizedPhrase } from '../../catalogue/localized-message';
import { maxNames } from '../../catalogue/profiles';
import { DeviceError } from '../../client/errors';
import { isRecord } from '../../json';
import {
  choice,
  isEmpty,
  isOn,
  isUnresolved,
  number,
  orThrow,
  PropertyFinding,
  type PropertyValues,
  property,
  readProperties,
  seconds,
  wrong,
} from '../../kernel/property';
import type { TargetProperties } from '../device/targets';
import { invalid } from '../message/invalid';
import { misses } from '../watch/properties';

/**
 * The stored properties of an `algo-supervision`, after Node-RED has replaced `${ENV}`. Each value can have
 * any type.
 */
export interface SupervisionProperties extends TargetProperties {
  readonly interval?: unknown;
  readonly clock?: unknown;
  readonly firmware?: unknown;
  readonly sip?: unknown;
  readonly settings?: unknown;
  readonly files?: unknown;
  readonly certificateDays?: unknown;
  readonly misses?: unknown;
  readonly initial?: unknown;
}

export interface ExpectedSetting {
  readonly name: string;
  readonly value: string;
  readonly isSecret: boolean;
}

export interface ExpectedFile {
  readonly path: string;
  /** 32 lowercase hexadecimal digits; absent if the file only has to exist. */
  readonly md5?: string;
}

/** Maximum number of files that a node checks. The check of a file can cost a request. */
const maxChecked = 100;

const variable = /^\$\{[^}\s]+\}$/;

const readers = {
  target: choice(['device', 'group', 'several'], { empty: 'device' }),
  interval: seconds({ least: 10, most: 86_400, empty: 300 }),
  misses,
  initial: isOn,
  clock: number({ least: 1, most: 86_400, unit: 'numberOfSeconds', empty: undefined }),
  firmware: property(versionIn, localizedPhrase('firmwareVersion'), { empty: undefined }),
  sip: isOn,
  files: readFiles,
  certificateDays: number({ least: 0, most: 36_500, unit: 'numberOfDays', empty: undefined }),
};

/** The interval is in milliseconds. */
export interface SupervisionSettings extends Omit<PropertyValues<typeof readers>, 'target'> {
  readonly settings: readonly ExpectedSetting[];
}

/** The properties that decide about the findings of a device. */
export type Expectations = Omit<SupervisionSettings, 'interval' | 'misses' | 'initial'>;

/**
 * @param readStored returns the settings as stored in the flow, where variables are not replaced
 * @throws DeviceError INVALID_PARAMETER for an invalid property; NOT_CONFIGURED for an environment variable
 * that is not set, or a secret in plain text
 */
export function readSupervision(
  properties: SupervisionProperties,
  readStored: () => unknown,
): SupervisionSettings {
  // An empty value switches the check off.
  const { clock = 15, certificateDays = 30 } = properties;
  const settings = (value: unknown) => readSettings(value, readStored);
  const read = readProperties({ ...readers, settings }, { ...properties, clock, certificateDays });
  const { target: _, ...found } = orThrow(read, invalid);
  return found;
}

function versionIn(value: unknown): string | undefined {
  return /^\d+$/.test(String(value).trim()) ? String(value).trim() : firmwareIn(value);
}

function readSettings(value: unknown, readStored: () => unknown): ExpectedSetting[] | PropertyFinding {
  if (isEmpty(value)) return [];
  const limits = localizedPhrase('namesAndValues', { count: String(maxNames) });
  if (!isRecord(value)) return wrong('settings', limits, value);
  const entries = Object.entries(value);
  // The sentence shows no values, since they can be secrets.
  if (entries.length > maxNames)
    return new PropertyFinding('settings', localizedPhrase('mustBe', { place: 'settings', limits }));
  let stored: unknown;
  return entries.map(([name, expected]) => {
    if (!isAcceptable('setting-name', name)) throw invalid(`settings: ${show(name)} is no name of a setting`);
    if (!['string', 'number', 'boolean'].includes(typeof expected))
      throw invalid(`settings: the value of ${show(name)} must be a text`, `got ${show(expected)}`);
    if (isUnresolved(expected))
      throw notConfigured(`settings: ${name} is ${expected}, and that environment variable is not set`);
    const isSecret = isPasswordName(name);
    if (isSecret) {
      stored ??= Object(readStored());
      const written = (stored as Readonly<Record<string, unknown>>)[name];
      if (typeof written !== 'string' || !variable.test(written))
        throw notConfigured(
          `settings: ${name} is a secret, and flows are exported as plain text; enter its value as \${NAME} and set that environment variable`,
        );
    }
    const value = typeof expected === 'boolean' ? String(Number(expected)) : String(expected);
    return { name, value, isSecret };
  });
}

function readFiles(value: unknown, property: string): ExpectedFile[] | PropertyFinding {
  if (isEmpty(value)) return [];
  if (!Array.isArray(value) || value.length > maxChecked)
    return wrong(property, localizedPhrase('pathsOfAtMost', { count: String(maxChecked) }), value);
  const files = new Map<string, ExpectedFile>();
  for (const one of value) {
    const { path, md5 } = isRecord(one) ? one : { path: one, md5: undefined };
    const name = typeof path === 'string' ? path.replace(/^\//, '') : '';
    if (!isAcceptable('file-path', name))
      return new PropertyFinding(property, `${property}: ${show(path)} is no path of a file`);
    if (isEmpty(md5)) {
      if (!files.has(name)) files.set(name, { path: name });
      continue;
    }
    if (typeof md5 !== 'string' || !/^[\da-f]{32}$/i.test(md5)) {
      const reason = `${property}: the MD5 checksum of ${name} must be 32 hexadecimal digits`;
      return new PropertyFinding(property, joinMessages([reason, `got ${show(md5)}`]));
    }
    files.set(name, { path: name, md5: md5.toLowerCase() });
  }
  return [...files.values()];
}

function notConfigured(reason: string): DeviceError {
  return new DeviceError('NOT_CONFIGURED', reason);
}
