import type { NodeAPI } from 'node-red';
import { show } from '../../catalogue/describe';
import { isAcceptable } from '../../catalogue/formats';
import { firmwareIn } from '../../catalogue/identity';
import { joinMessages } from '../../catalogue/localized-message';
import { DeviceError } from '../../client/errors';
import { isRecord } from '../../json';
import { isOn, isUnresolved } from '../../kernel/property';
import type { TargetProperties } from '../device/targets';
import { isEmpty, numberOf } from '../watch/properties';

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

export interface Expectations {
  readonly clock: number | undefined;
  readonly firmware: string | undefined;
  readonly sip: boolean;
  readonly settings: readonly ExpectedSetting[];
  readonly files: readonly ExpectedFile[];
  readonly certificateDays: number | undefined;
}

export interface SupervisionSettings {
  readonly intervalMs: number;
  readonly misses: number;
  readonly expectations: Expectations;
}

/** Default and limits of the interval, in seconds. */
const interval = { default: 300, min: 10, max: 86_400 };

const defaultClock = 15;
const defaultCertificateDays = 30;
const defaultMisses = 3;

/**
 * Maximum number of settings, and of files, that a node checks. The check of a setting or a file can cost a
 * request.
 */
const maxChecked = 100;

const secretName = /pwd|password|secret|key/i;

const variable = /^\$\{[^}\s]+\}$/;

/**
 * @param readStored returns the settings as stored in the flow, where variables are not replaced
 * @throws DeviceError INVALID_PARAMETER for an invalid property; NOT_CONFIGURED for an environment variable
 * that is not set, or a secret in plain text
 */
export function readSupervision(
  properties: SupervisionProperties,
  readStored: () => unknown,
): SupervisionSettings {
  const { target, firmware, sip } = properties;
  if (!isEmpty(target) && !['device', 'group', 'several'].includes(String(target)))
    throw invalid('target must be device, group or several', `it is ${show(target)}`);
  const seconds = isEmpty(properties.interval) ? interval.default : properties.interval;
  const misses = isEmpty(properties.misses) ? defaultMisses : properties.misses;
  return {
    intervalMs: numberOf('interval', seconds, interval.min, interval.max, ' seconds') * 1000,
    misses: Math.ceil(numberOf('misses', misses, 1, 1000)),
    expectations: {
      clock: optionalOf('clock', properties.clock, defaultClock, 1, 86_400, ' seconds'),
      firmware: isEmpty(firmware) ? undefined : firmwareOf(firmware),
      sip: isOn(sip),
      settings: settingsOf(properties.settings, readStored),
      files: filesOf(properties.files),
      certificateDays: optionalOf(
        'certificateDays',
        properties.certificateDays,
        defaultCertificateDays,
        0,
        36_500,
        ' days',
      ),
    },
  };
}

/**
 * Returns the settings of a node as stored in the flow; undefined if the flow does not contain the node. In
 * the definition of the node, Node-RED has already replaced the variables.
 */
export function storedSettings(
  RED: NodeAPI,
  node: { readonly id: string; readonly _alias?: string },
): unknown {
  const id = node._alias ?? node.id;
  let found: unknown;
  RED.nodes.eachNode((stored) => {
    if (stored.id === id) found = (stored as SupervisionProperties).settings;
  });
  return found;
}

/**
 * Returns the number of a property, or `fallback` if the property is missing. Returns undefined for an empty
 * property, which switches the check off.
 */
function optionalOf(
  name: string,
  value: unknown,
  fallback: number,
  low: number,
  high: number,
  unit: string,
): number | undefined {
  if (value === undefined) return fallback;
  return isEmpty(value) ? undefined : numberOf(name, value, low, high, unit);
}

function firmwareOf(value: unknown): string {
  const version = /^\d+$/.test(String(value).trim()) ? String(value).trim() : firmwareIn(value);
  if (version === undefined) throw invalid('firmware must be a version such as 5.5', `it is ${show(value)}`);
  return version;
}

function settingsOf(value: unknown, readStored: () => unknown): ExpectedSetting[] {
  if (isEmpty(value)) return [];
  if (!isRecord(value))
    throw invalid('settings must be an object of names and values', `it is ${show(value)}`);
  const entries = Object.entries(value);
  if (entries.length > maxChecked) throw invalid(`settings must have at most ${maxChecked} names`);
  let stored: unknown;
  return entries.map(([name, expected]) => {
    if (!isAcceptable('setting-name', name)) throw invalid(`settings: ${show(name)} is no name of a setting`);
    if (!['string', 'number', 'boolean'].includes(typeof expected))
      throw invalid(`settings: the value of ${show(name)} must be a text`, `it is ${show(expected)}`);
    if (isUnresolved(expected))
      throw notConfigured(`settings: ${name} is ${expected}, and that environment variable is not set`);
    const isSecret = secretName.test(name);
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

function filesOf(value: unknown): ExpectedFile[] {
  if (isEmpty(value)) return [];
  if (!Array.isArray(value)) throw invalid('files must be a list of paths', `it is ${show(value)}`);
  if (value.length > maxChecked) throw invalid(`files must have at most ${maxChecked} paths`);
  const files = new Map<string, ExpectedFile>();
  for (const one of value) {
    const { path, md5 } = isRecord(one) ? one : { path: one, md5: undefined };
    const name = typeof path === 'string' ? path.replace(/^\//, '') : '';
    if (!isAcceptable('file-path', name)) throw invalid(`files: ${show(path)} is no path of a file`);
    if (isEmpty(md5)) {
      if (!files.has(name)) files.set(name, { path: name });
      continue;
    }
    if (typeof md5 !== 'string' || !/^[\da-f]{32}$/i.test(md5))
      throw invalid(`files: the MD5 checksum of ${name} must be 32 hexadecimal digits`, `it is ${show(md5)}`);
    files.set(name, { path: name, md5: md5.toLowerCase() });
  }
  return [...files.values()];
}

function invalid(...words: readonly [reason: string, ...details: string[]]): DeviceError {
  return new DeviceError('INVALID_PARAMETER', joinMessages(words));
}

function notConfigured(...words: readonly [reason: string, ...details: string[]]): DeviceError {
  return new DeviceError('NOT_CONFIGURED', joinMessages(words));
}
