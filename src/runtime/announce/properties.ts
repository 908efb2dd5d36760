import type { NodeAPI } from 'node-red';
import { localizedPhrase } from '../../catalogue/localized-message';
import type { Parameters } from '../../catalogue/operation';
import { operation } from '../../catalogue/operation-name';
import { isSegment } from '../../catalogue/paths';
import { checkParameters } from '../../catalogue/validate';
import { isRecord } from '../../json';
import {
  choice,
  isEmpty,
  type MessageReader,
  number,
  orThrow,
  PropertyFinding,
  parseJson,
  property,
  readMessageProperty,
  readProperties,
  seconds,
  text,
  wrong,
} from '../../kernel/property';
import { type PriorityProperties, readPriority } from '../alert/properties';
import type { TargetProperties } from '../device/targets';
import type { DeliveryProperties } from '../message/command';
import { readDeliveryOptions } from '../message/command';
import { notSent } from '../message/invalid';

const overlaps = ['queue', 'replace', 'skip'] as const;

export interface AnnounceProperties extends TargetProperties, PriorityProperties, DeliveryProperties {
  readonly audio?: unknown;
  readonly audioType?: unknown;
  readonly chime?: unknown;
  readonly repeat?: unknown;
  /** Pause between two plays of the audio, in seconds. */
  readonly interval?: unknown;
  readonly volume?: unknown;
  readonly volumeSetting?: unknown;
  readonly text?: unknown;
  readonly textType?: unknown;
  readonly toneParameters?: unknown;
  /** Maximum time for which ready targets wait for the other targets, in seconds. */
  readonly together?: unknown;
  readonly overlap?: unknown;
}

export interface AnnounceSettings {
  readonly priority: number;
  readonly overlap: (typeof overlaps)[number];
  readonly repeat: number;
  readonly intervalMs: number;
  readonly togetherMs: number;
  readonly ttlMs: number;
  readonly retryForSeconds: number;
  readonly split: boolean;
  /** Value to write, such as `-12dB`; undefined to leave the volume as it is. */
  readonly volume: string | undefined;
  /**
   * Name of the device setting that holds the volume; if undefined, the usual volume setting of the model is
   * used.
   */
  readonly volumeSetting: string | undefined;
  readonly chime: string | undefined;
  readonly text: string | undefined;
  readonly toneParameters: Parameters;
}

export const invalid = notSent('announce');

/** Returns the name of a tone. */
export const readTone = property(toneIn, localizedPhrase('tone'));

/** Returns the name of a tone, or a Buffer that is not checked yet. */
export const readAudio = property(
  (given) => (Buffer.isBuffer(given) ? given : toneIn(given)),
  localizedPhrase('audio'),
);

export const readAnnounceOperation = choice(['play', 'prepare', 'stop', 'state'], { empty: 'play' });

/**
 * Limited to audio settings, since the journal stores the old value, and other settings can hold passwords.
 */
const audioSetting = /^audio\.[\w.-]{1,100}$/;

const readers = {
  overlap: choice(overlaps, { empty: 'queue' }),
  repeat: number({ least: 1, most: 10, isWhole: true, empty: 1 }),
  interval: seconds({ least: 0, most: 600, empty: 2 }),
  together: seconds({ least: 0, most: 31_536_000, empty: 5 }),
  volume: property(volumeIn, localizedPhrase('volume'), { empty: undefined }),
  volumeSetting: property(
    (given) => (typeof given === 'string' && audioSetting.test(given) ? given : undefined),
    localizedPhrase('audioSetting'),
    { empty: undefined },
  ),
  chime: property(toneIn, localizedPhrase('tone'), { empty: undefined }),
  toneParameters: readToneParameters,
};

const readTextType = choice(['str', 'msg'], { empty: 'str' });

const readWords = text({ most: 10_000, isFree: true, empty: undefined });

const defaultTtlMs = 600_000;

/** @throws DeviceError INVALID_PARAMETER */
export function readSettings(
  { util }: Pick<NodeAPI, 'util'>,
  properties: AnnounceProperties,
  message: object & { readonly ttl?: unknown },
): AnnounceSettings {
  const { interval, together, ...read } = orThrow(readProperties(readers, properties), invalid);
  const options = orThrow(readDeliveryOptions(properties, message.ttl, operation('tone/start')), invalid);
  if (options.endAfterMs !== undefined) throw invalid('an announcement has no endAfter');
  return {
    ...read,
    priority: readPriority(util, properties, message, invalid),
    intervalMs: interval,
    togetherMs: together,
    ttlMs: options.ttlMs ?? defaultTtlMs,
    retryForSeconds: options.retryForMs / 1_000,
    split: options.split,
    text: orThrow(readText(util, properties, message), invalid),
  };
}

function toneIn(value: unknown): string | undefined {
  return typeof value === 'string' && isSegment(value) && value.length <= 255 ? value : undefined;
}

const decibels = /^(-?\d{1,3}) ?db$/i;

/**
 * Returns a volume in decibels, such as `-12dB`. Levels 1 to 10 mean -27dB to 0dB in steps of 3 dB, and level
 * 0 means -45dB.
 */
function volumeIn(volume: unknown): string | undefined {
  const written = typeof volume === 'number' || typeof volume === 'string' ? String(volume).trim() : '';
  const level = Number(written);
  if (/^\d{1,2}$/.test(written) && level <= 10) return level === 0 ? '-45dB' : `${(level - 10) * 3}dB`;
  const db = Number(decibels.exec(written)?.[1] ?? Number.NaN);
  return db >= -45 && db <= 0 && db % 3 === 0 ? `${db === 0 ? 0 : db}dB` : undefined;
}

function readText(
  util: MessageReader,
  { text: written, textType }: AnnounceProperties,
  message: object,
): string | undefined | PropertyFinding {
  if (isEmpty(written)) return undefined;
  const type = readTextType(textType, 'textType');
  if (type instanceof PropertyFinding) return type;
  const words = type === 'msg' ? readMessageProperty(util, message, String(written), 'text') : written;
  return words instanceof PropertyFinding ? words : readWords(words, 'text');
}

const toneParameterNames = ['mcast', 'playback', 'state'];

function readToneParameters(value: unknown, name: string): Parameters | PropertyFinding {
  if (isEmpty(value)) return {};
  const given = parseJson(value);
  if (!isRecord(given) || !Object.keys(given).every((one) => toneParameterNames.includes(one)))
    return wrong(name, localizedPhrase('object', { names: toneParameterNames.join(', ') }), value);
  const checked = checkParameters(operation('tone/start'), { ...given, path: 'tone.wav', loop: false });
  if (!checked.ok)
    return new PropertyFinding(name, `${name}: ${checked.localizedFindings.map(String).join('; ')}`);
  const { path: _, loop: __, ...parameters } = checked.parameters;
  return parameters;
}
