import type { NodeAPI, NodeMessage } from 'node-red';
import { show } from '../../catalogue/describe';
import { joinMessages, type Text } from '../../catalogue/localized-message';
import type { Parameters } from '../../catalogue/operation';
import { operation } from '../../catalogue/operation-name';
import { isSegment } from '../../catalogue/paths';
import { nothingSent } from '../../catalogue/sentence';
import { checkParameters } from '../../catalogue/validate';
import { DeviceError } from '../../client/errors';
import { isRecord } from '../../json';
import { PropertyFinding } from '../../kernel/property';
import { isGiven, type PriorityProperties, readPriority } from '../alert/properties';
import type { TargetProperties } from '../device/targets';
import type { DeliveryProperties } from '../message/options';
import { readDeliveryOptions } from '../message/options';
import { type Overlap, overlaps } from './announcement';

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
  readonly overlap: Overlap;
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

export const announceOperations = ['play', 'prepare', 'stop', 'state'] as const;
export type AnnounceOperation = (typeof announceOperations)[number];

const maxSeconds = 31_536_000;
const defaultTtlMs = 600_000;

/**
 * Returns `play` if no operation is given.
 * @throws DeviceError INVALID_PARAMETER if the operation is unknown
 */
export function readAnnounceOperation(asked: unknown): AnnounceOperation {
  if (!isGiven(asked)) return 'play';
  const found = announceOperations.find((one) => one === asked);
  if (found !== undefined) return found;
  throw invalid(`msg.operation must be one of ${announceOperations.join(', ')}`, `got ${show(asked)}`);
}

/** @throws DeviceError INVALID_PARAMETER */
export function readSettings(
  { util }: Pick<NodeAPI, 'util'>,
  properties: AnnounceProperties,
  message: object & { readonly ttl?: unknown },
): AnnounceSettings {
  const overlap = isGiven(properties.overlap) ? properties.overlap : 'queue';
  if (!overlaps.some((one) => one === overlap))
    throw invalid(`overlap must be one of ${overlaps.join(', ')}`, `got ${show(overlap)}`);
  const repeat = readNumber('repeat', properties.repeat, { fallback: 1, least: 1, most: 10 });
  if (!Number.isInteger(repeat)) throw invalid('repeat must be a whole number', `got ${show(repeat)}`);
  const options = readDeliveryOptions(properties, message.ttl, operation('tone/start'));
  if (options instanceof PropertyFinding) throw invalid(options.sentence);
  if (options.endAfterMs !== undefined) throw invalid('an announcement has no endAfter');
  return {
    priority: readPriority(util, properties, message, invalid),
    overlap: overlap as Overlap,
    repeat,
    intervalMs: readNumber('interval', properties.interval, { fallback: 2, least: 0, most: 600 }) * 1_000,
    togetherMs:
      readNumber('together', properties.together, { fallback: 5, least: 0, most: maxSeconds }) * 1_000,
    ttlMs: options.ttlMs ?? defaultTtlMs,
    retryForSeconds: options.retryForMs / 1_000,
    split: options.split,
    volume: readVolume(properties.volume),
    volumeSetting: readVolumeSetting(properties.volumeSetting),
    chime: isGiven(properties.chime) ? toneName('chime', properties.chime) : undefined,
    text: readText(util, properties, message),
    toneParameters: readToneParameters(properties.toneParameters),
  };
}

/**
 * Returns the name of a tone, or a Buffer that is not checked yet.
 * @throws DeviceError INVALID_PARAMETER if the value is neither a Buffer nor a valid name of a tone
 */
export function audioIn(value: unknown): Buffer | string {
  if (Buffer.isBuffer(value)) return value;
  if (typeof value === 'string') return toneName('audio', value);
  throw invalid(
    'audio must be a Buffer with a WAV or MP3 file, or the name of a tone on the device',
    `got ${show(value)}`,
  );
}

export function toneName(name: string, value: unknown): string {
  if (typeof value === 'string' && isSegment(value) && value.length <= 255) return value;
  throw invalid(`${name} must be the name of a tone on the device`, `got ${show(value)}`);
}

interface Range {
  readonly fallback: number;
  readonly least: number;
  readonly most: number;
}

function readNumber(name: string, value: unknown, { fallback, least, most }: Range): number {
  if (!isGiven(value)) return fallback;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && number >= least && number <= most) return number;
  throw invalid(`${name} must be a number from ${least} to ${most}`, `got ${show(value)}`);
}

const decibels = /^(-?\d{1,3}) ?db$/i;

/**
 * Returns a volume in decibels, such as `-12dB`. Levels 1 to 10 mean -27dB to 0dB in steps of 3 dB, and level
 * 0 means -45dB.
 */
function readVolume(volume: unknown): string | undefined {
  if (!isGiven(volume)) return undefined;
  const text = typeof volume === 'number' || typeof volume === 'string' ? String(volume).trim() : '';
  const level = Number(text);
  if (/^\d{1,2}$/.test(text) && level <= 10) return level === 0 ? '-45dB' : `${(level - 10) * 3}dB`;
  const db = Number(decibels.exec(text)?.[1] ?? Number.NaN);
  if (db >= -45 && db <= 0 && db % 3 === 0) return `${db === 0 ? 0 : db}dB`;
  throw invalid(
    'volume must be a level from 0 to 10, or a multiple of 3 from -45dB to 0dB',
    `got ${show(volume)}`,
  );
}

/**
 * Limited to audio settings, since the journal stores the old value, and other settings can hold passwords.
 */
const audioSetting = /^audio\.[\w.-]{1,100}$/;

function readVolumeSetting(setting: unknown): string | undefined {
  if (!isGiven(setting)) return undefined;
  if (typeof setting === 'string' && audioSetting.test(setting)) return setting;
  throw invalid('volumeSetting must be the name of a setting such as audio.page.vol', `got ${show(setting)}`);
}

const maxTextLength = 10_000;

function readText(
  util: Pick<NodeAPI['util'], 'getMessageProperty'>,
  { text, textType }: AnnounceProperties,
  message: object,
): string | undefined {
  if (!isGiven(text)) return undefined;
  if (isGiven(textType) && textType !== 'str' && textType !== 'msg')
    throw invalid('textType must be str or msg', `got ${show(textType)}`);
  const value = textType === 'msg' ? readMessage(util, String(text), message) : text;
  if (!isGiven(value)) return undefined;
  const words = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
  if (words.length > 0 && words.length <= maxTextLength) return words;
  throw invalid(`text must be a text of at most ${maxTextLength} characters`, `got ${show(value)}`);
}

function readMessage(
  util: Pick<NodeAPI['util'], 'getMessageProperty'>,
  name: string,
  message: object,
): unknown {
  try {
    return util.getMessageProperty(message as NodeMessage, name);
  } catch (error) {
    // Reading `msg.a.b` throws a TypeError if `msg.a` is undefined; the announcement then has no text.
    if (error instanceof TypeError) return undefined;
    throw invalid('text must be the name of a message property, since textType is msg', `got ${show(name)}`);
  }
}

const toneParameterNames = ['mcast', 'playback', 'state'];

function readToneParameters(value: unknown): Parameters {
  if (!isGiven(value)) return {};
  const given = typeof value === 'string' ? parsed(value) : value;
  if (!isRecord(given)) throw invalid('toneParameters must be an object', `got ${show(value)}`);
  const odd = Object.keys(given).find((name) => !toneParameterNames.includes(name));
  if (odd !== undefined)
    throw invalid(`toneParameters may have ${toneParameterNames.join(', ')}`, `got ${show(odd)}`);
  const checked = checkParameters(operation('tone/start'), { ...given, path: 'tone.wav', loop: false });
  if (!checked.ok) throw invalid(`toneParameters: ${checked.localizedFindings.map(String).join('; ')}`);
  const { path: _, loop: __, ...parameters } = checked.parameters;
  return parameters;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function invalid(...words: readonly [reason: Text, ...details: Text[]]): DeviceError {
  return new DeviceError('INVALID_PARAMETER', nothingSent(joinMessages(words)), { place: 'announce' });
}
