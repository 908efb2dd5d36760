import { findUnsupportedAt, Requirements, type Unsupported } from '../../catalogue/compatibility';
import { localized, type Text } from '../../catalogue/localized-message';
import type { Parameters, Products } from '../../catalogue/operation';
import { type OperationName, operation } from '../../catalogue/operation-name';
import { includesModel } from '../../catalogue/product-classes';
import { nothingSent } from '../../catalogue/sentence';
import { DeviceError, type ErrorDetails } from '../../client/errors';
import { isRecord } from '../../json';
import type { Clock } from '../../kernel/time/clock';
import type { Device } from '../device/device';
import type { Identity } from '../device/identity';
import { quotedError, type Receipt, succeeded } from '../message/receipt';
import { namedOf, type Prepared, type PrepareRequest, type RequestCount } from './announcement';
import type { Audio, AudioReader } from './audio';
import { isRefusal, type SendsRequest } from './send';
import type { StoredFiles } from './stored-files';
import type { ToneLengths } from './tone-lengths';

/** Length that is assumed for a tone whose length is not read or cannot be read, in milliseconds. */
const assumedMs = 5_000;

const usualSetting = 'audio.page.vol';
/** The volume setting of the products that do not use `usualSetting`. */
const speakerSetting = {
  name: 'audio.vol.spk',
  products: { models: ['8063'], classes: ['intercoms'] } satisfies Products,
};

export function fileOf(audio: Audio | string): string {
  return typeof audio === 'string' ? audio : audio.file;
}

/** An announcement at one device. */
interface Place {
  readonly device: Device;
  readonly key: string;
  readonly request: PrepareRequest;
  readonly requests: RequestCount;
  /** The notes of the receipt. */
  readonly notes: string[];
}

interface PreparerOptions {
  readonly clock: Clock;
  readonly files: StoredFiles;
  readonly lengths: ToneLengths;
  readonly reader: AudioReader;
  readonly send: SendsRequest;
  /** Whether an announcement that plays or waits at the device uses the file. */
  readonly isNeeded: (key: string, file: string) => boolean;
}

export class Preparer {
  /** The uploads under way by device and file, in their order. */
  readonly #storing = new Map<string, Map<string, Promise<boolean>>>();

  constructor(private readonly options: PreparerOptions) {}

  /** @throws DeviceError NOT_SUPPORTED if the device cannot take part */
  async check(
    device: Device,
    { audio, settings }: PrepareRequest,
  ): Promise<{ plays: boolean; shows: boolean; setting: string }> {
    const identity = await device.identity();
    const unsupported = (name: OperationName, parameters: Parameters) =>
      findUnsupportedAt(device, new Requirements(operation(name), parameters), identity);
    const { text, toneParameters, volumeSetting } = settings;
    const file = fileOf(audio);
    const noSound = unsupported('tone/start', { path: file, loop: false, ...toneParameters });
    const noText =
      text === undefined
        ? noSound
        : unsupported('screen/text-start', { textContent: text, persistent: true });
    const shows = text !== undefined && !noText;
    if (noSound && (!shows || noSound.because === 'firmware')) throw notSupported(device, noSound);
    const content = typeof audio === 'string' ? undefined : audio.content;
    const noFiles = content && unsupported('files/put', { path: `tones/${file}`, content });
    if (noFiles && !noSound) throw notSupported(device, noFiles, 'failed');
    return { plays: !noSound, shows, setting: volumeSetting ?? settingOf(identity) };
  }

  /** @throws DeviceError if the target cannot take part */
  async prepare(place: Place): Promise<Prepared> {
    const { device, request, notes } = place;
    const support = await this.check(device, request);
    const { audio, settings } = request;
    if (!support.plays) {
      const audioMs = typeof audio === 'string' ? assumedMs : audio.ms;
      if (typeof audio === 'string') notes.push(assumed(audio, localized('playsNoSound')));
      return { ...support, audioMs };
    }
    if (typeof audio !== 'string') await this.#store(place, audio);
    const audioMs = typeof audio === 'string' ? await this.#lengthOf(place, audio) : audio.ms;
    const { chime } = settings;
    const chimeMs = chime === undefined ? undefined : await this.#lengthOf(place, chime);
    return { ...support, audioMs, chimeMs };
  }

  /**
   * @returns `confirmed` if the audio was on the device before the call
   * @throws DeviceError if the audio cannot be stored, or if the device does not list the tone
   */
  async storeOrFind(place: Place): Promise<'confirmed' | 'accepted'> {
    const { device, request } = place;
    const { audio } = request;
    if (typeof audio !== 'string') return (await this.#store(place, audio)) ? 'confirmed' : 'accepted';
    const body = await this.#send(place, 'info/tonelist', {});
    const names = isRecord(body) && Array.isArray(body.tonelist) ? body.tonelist : [];
    if (names.includes(audio)) return 'confirmed';
    const fault = {
      reason: 'the device has no such tone',
      details: [`the tone is ${JSON.stringify(audio)}`],
    };
    throw new DeviceError('REFUSED', fault, { place: `"${device.name}"` });
  }

  /**
   * Returns whether the device had the audio before. Callers with the same audio share one upload. Each device gets one
   * upload at a time, since `surplus` must count the files of the earlier uploads.
   */
  #store(place: Place, audio: Audio): Promise<boolean> {
    const { key } = place;
    const uploads = this.#storing.get(key) ?? new Map<string, Promise<boolean>>();
    const known = uploads.get(audio.file);
    if (known) return known;
    const store = () => this.#storeOnce(place, audio);
    const before = [...uploads.values()].at(-1) ?? Promise.resolve();
    const upload = before.then(store, store).finally(() => {
      uploads.delete(audio.file);
      if (uploads.size === 0) this.#storing.delete(key);
    });
    uploads.set(audio.file, upload);
    this.#storing.set(key, uploads);
    return upload;
  }

  async #storeOnce(place: Place, { file, content }: Audio): Promise<boolean> {
    const { key } = place;
    const { clock, files, lengths, isNeeded } = this.options;
    const now = clock.now();
    if (files.has(key, file) && (await this.#isListed(place, file))) {
      void files.note(key, file, content.length, now);
      return true;
    }
    await files.forget(key, file);
    const surplus = files.surplus(key, content.length, (name) => isNeeded(key, name));
    if (!surplus) throw new DeviceError('QUEUE_FULL', 'too many files of announcements play or wait here');
    for (const name of surplus) {
      await this.#send(
        place,
        'files/delete',
        { path: `tones/${name}` },
        ({ statusCode }) => statusCode === 404,
      );
      await files.forget(key, name);
      lengths.forget(key, name);
    }
    await this.#send(place, 'files/put', { path: `tones/${file}`, content });
    await files.note(key, file, content.length, now);
    return false;
  }

  /**
   * Returns the length of a tone in milliseconds; `assumedMs` if the device rejects the read, or if the file
   * is no audio.
   */
  async #lengthOf(place: Place, tone: string): Promise<number> {
    const length = await this.options.lengths.read(place.key, tone, async () => {
      const content = await this.#send(place, 'files/get', { path: `tones/${tone}` }, isRejected);
      return Buffer.isBuffer(content)
        ? this.options.reader.lengthOf(content)
        : { reason: localized('fileRefused') };
    });
    if ('ms' in length) return length.ms;
    place.notes.push(assumed(tone, length.reason));
    return assumedMs;
  }

  async #isListed(place: Place, file: string): Promise<boolean> {
    const body = await this.#send(place, 'files/list', { path: 'tones' }, isRefusal);
    return isRecord(body) && Array.isArray(body.filelist) && body.filelist.includes(file);
  }

  /**
   * Returns the body of the answer.
   * @param isFine whether a failure is no error
   * @throws DeviceError for any other failure
   */
  async #send(
    { device, request, requests }: Place,
    name: OperationName,
    parameters: Parameters,
    isFine: (receipt: Receipt) => boolean = () => false,
  ): Promise<unknown> {
    const { node, settings, by, limiter } = request;
    const { receipt, body } = await this.options.send({
      ...{ device: namedOf(device), node, operation: name, parameters, by, limiter },
      ...{ retryForSeconds: settings.retryForSeconds, confirmWrite: name === 'files/put' },
    });
    requests.note(receipt);
    if (!succeeded(receipt) && !isFine(receipt)) throw errorOf(receipt);
    return body;
  }
}

/** Whether the device has rejected a read: then its content counts as unknown. */
function isRejected(receipt: Receipt): boolean {
  const { statusCode = 0 } = receipt;
  return isRefusal(receipt) || (statusCode >= 400 && statusCode < 500);
}

function settingOf({ model }: Identity): string {
  const isOther = model !== undefined && includesModel(speakerSetting.products, model) === true;
  return isOther ? speakerSetting.name : usualSetting;
}

function assumed(tone: string, reason: Text): string {
  return String(localized('lengthAssumed', { tone, reason, seconds: String(assumedMs / 1_000) }));
}

function notSupported(
  { name }: Device,
  { because, sentence }: Unsupported,
  outcome = because === 'model' ? ('skipped' as const) : ('failed' as const),
): DeviceError {
  return new DeviceError('NOT_SUPPORTED', nothingSent(sentence), { place: `"${name}"`, outcome });
}

function errorOf({ error, outcome }: Receipt): DeviceError {
  const details: ErrorDetails = {
    // The outcome is never `unknown`: after a failed preparation the announcement was definitely not played.
    outcome: outcome === 'expired' || outcome === 'superseded' ? outcome : 'failed',
  };
  return error ? quotedError(error, '', details) : new DeviceError('ABORTED', 'not sent', details);
}
