import { findUnsupportedAt, Requirements, type Unsupported } from '../../catalogue/compatibility';
import { localized, type Text } from '../../catalogue/localized-message';
import type { Parameters, Products } from '../../catalogue/operation';
import { type OperationName, operation } from '../../catalogue/operation-name';
import { includesModel } from '../../catalogue/product-classes';
import { nothingSent } from '../../catalogue/sentence';
import { DeviceError, type ErrorDetails } from '../../client/errors';
import { isRecord } from '../../json';
import type { Clock } from '../../time/clock';
import type { Device } from '../device/device';
import type { Identity } from '../device/identity';
import type { ConcurrencyLimiter } from '../message/concurrency-limiter';
import { quotedError, type Receipt, succeeded } from '../message/receipt';
import type { NamedDevice, Prepared } from './announcement';
import type { Audio, AudioReader } from './audio';
import { isRefusal, sendRequest } from './send';
import type { SoundLength } from './sound-length';
import type { StoredFiles } from './stored-files';
import type { ToneLengths } from './tone-lengths';

export interface WantedSound {
  readonly node: { readonly id: string; readonly name: string };
  /** Audio of the message, or the name of a tone on the device. */
  readonly audio: Audio | string;
  readonly chime: string | undefined;
  readonly text: string | undefined;
  readonly toneParameters: Parameters;
  readonly volumeSetting: string | undefined;
  readonly retryForSeconds: number;
  readonly by: string | undefined;
  readonly limiter: ConcurrencyLimiter | undefined;
}

export interface Preparation {
  readonly prepared: Prepared;
  readonly notes: readonly string[];
  readonly attempts: number;
}

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

export class Preparer {
  /** The tasks under way by name. A caller of `#share` with the name of such a task gets the same promise. */
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #storing = new Map<string, Promise<void>>();

  /** @param isNeeded whether an announcement that plays or waits at the device uses the file */
  constructor(
    private readonly clock: Clock,
    private readonly files: StoredFiles,
    private readonly lengths: ToneLengths,
    private readonly reader: AudioReader,
    private readonly isNeeded: (key: string, file: string) => boolean,
  ) {}

  /** @throws DeviceError NOT_SUPPORTED if the device cannot take part */
  async check(
    device: Device,
    wanted: WantedSound,
  ): Promise<{ plays: boolean; shows: boolean; setting: string }> {
    const identity = await device.identity();
    const unsupported = (name: OperationName, parameters: Parameters) =>
      findUnsupportedAt(device, new Requirements(operation(name), parameters), identity);
    const file = fileOf(wanted.audio);
    const noSound = unsupported('tone/start', { path: file, loop: false, ...wanted.toneParameters });
    const noText =
      wanted.text === undefined
        ? noSound
        : unsupported('screen/text-start', { textContent: wanted.text, persistent: true });
    const shows = wanted.text !== undefined && !noText;
    if (noSound && (!shows || noSound.because === 'firmware')) throw notSupported(device, noSound);
    const content = typeof wanted.audio === 'string' ? undefined : wanted.audio.content;
    const noFiles = content && unsupported('files/put', { path: `tones/${file}`, content });
    if (noFiles && !noSound) throw notSupported(device, noFiles, 'failed');
    return { plays: !noSound, shows, setting: wanted.volumeSetting ?? settingOf(identity) };
  }

  /** @throws DeviceError if the target cannot take part */
  async prepare(device: Device, key: string, wanted: WantedSound): Promise<Preparation> {
    const support = await this.check(device, wanted);
    const work = new Work(device, key, wanted);
    const { audio, chime } = wanted;
    if (!support.plays) {
      const audioMs = typeof audio === 'string' ? assumedMs : audio.ms;
      if (typeof audio === 'string') work.notes.push(assumed(audio, localized('playsNoSound')));
      return { prepared: { ...support, audioMs }, notes: work.notes, attempts: 0 };
    }
    if (typeof audio !== 'string') await this.#store(work, audio);
    const audioMs = typeof audio === 'string' ? await this.#lengthOf(work, audio) : audio.ms;
    const chimeMs = chime === undefined ? undefined : await this.#lengthOf(work, chime);
    return { prepared: { ...support, audioMs, chimeMs }, notes: work.notes, attempts: work.attempts };
  }

  /**
   * @returns `wasThere`: whether the audio was on the device before the call
   * @throws DeviceError if the audio cannot be stored, or if the device does not list the tone
   */
  async storeOrFind(
    device: Device,
    key: string,
    wanted: WantedSound,
  ): Promise<{ wasThere: boolean; attempts: number }> {
    const { audio } = wanted;
    const work = new Work(device, key, wanted);
    if (typeof audio !== 'string')
      return { wasThere: await this.#store(work, audio), attempts: work.attempts };
    const { body } = await work.send('info/tonelist', {});
    const names = isRecord(body) && Array.isArray(body.tonelist) ? body.tonelist : [];
    if (names.includes(audio)) return { wasThere: true, attempts: work.attempts };
    const fault = {
      reason: 'the device has no such tone',
      details: [`the tone is ${JSON.stringify(audio)}`],
    };
    throw new DeviceError('REFUSED', fault, { place: `"${device.name}"` });
  }

  /** Returns whether the device had the audio before. */
  async #store(work: Work, audio: Audio): Promise<boolean> {
    const { key } = work;
    return this.#share(`put ${key}\n${audio.file}`, () =>
      this.#inTurn(key, () => this.#storeOnce(work, audio)),
    );
  }

  async #storeOnce(work: Work, { file, content }: Audio): Promise<boolean> {
    const { key } = work;
    const now = this.clock.now();
    if (this.files.has(key, file) && (await isListed(work, file))) {
      void this.files.note(key, file, content.length, now);
      return true;
    }
    await this.files.forget(key, file);
    const surplus = this.files.surplus(key, content.length, (name) => this.isNeeded(key, name));
    if (!surplus) throw new DeviceError('QUEUE_FULL', 'too many files of announcements play or wait here');
    for (const name of surplus) {
      await work.delete(`tones/${name}`);
      await this.files.forget(key, name);
      this.lengths.forget(key, name);
    }
    await work.send('files/put', { path: `tones/${file}`, content });
    await this.files.note(key, file, content.length, now);
    return false;
  }

  /**
   * Returns the length of a tone in milliseconds; `assumedMs` if the device rejects the read, or if the file
   * is no audio.
   */
  #lengthOf(work: Work, tone: string): Promise<number> {
    const { key } = work;
    const known = this.lengths.get(key, tone);
    if (known !== undefined) return Promise.resolve(known);
    return this.#share(`get ${key}\n${tone}`, () => this.#readLength(work, tone)).then((length) => {
      if ('ms' in length) return length.ms;
      work.notes.push(assumed(tone, length.reason));
      return assumedMs;
    });
  }

  #readLength(work: Work, tone: string): Promise<SoundLength> {
    return this.lengths.read(work.key, tone, async () => {
      const content = await work.read(`tones/${tone}`);
      return Buffer.isBuffer(content) ? this.reader.lengthOf(content) : { reason: localized('fileRefused') };
    });
  }

  /**
   * Runs one upload at a time for each device, since `surplus` must count the files of the earlier uploads.
   */
  async #inTurn<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#storing.get(key) ?? Promise.resolve();
    const storing = before.then(task);
    const settled = storing.then(
      () => {},
      () => {},
    );
    this.#storing.set(key, settled);
    try {
      return await storing;
    } finally {
      if (this.#storing.get(key) === settled) this.#storing.delete(key);
    }
  }

  #share<T>(name: string, task: () => Promise<T>): Promise<T> {
    const known = this.#underWay.get(name);
    if (known) return known as Promise<T>;
    const sharing = task().finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, sharing);
    return sharing;
  }
}

class Work {
  readonly notes: string[] = [];
  attempts = 0;

  constructor(
    private readonly device: Device,
    readonly key: string,
    private readonly wanted: WantedSound,
  ) {}

  /** @throws DeviceError if the request does not succeed */
  async send(name: OperationName, parameters: Parameters): Promise<{ receipt: Receipt; body: unknown }> {
    const sent = await this.#try(name, parameters);
    if (!succeeded(sent.receipt)) throw errorOf(sent.receipt);
    return sent;
  }

  /** Returns undefined after a refusal (see `isRefusal`), or any other status from 400 to 499. */
  async read(path: string): Promise<unknown> {
    const { receipt, body } = await this.#try('files/get', { path });
    const { statusCode = 0 } = receipt;
    if (isRefusal(receipt) || (statusCode >= 400 && statusCode < 500)) return undefined;
    if (!succeeded(receipt)) throw errorOf(receipt);
    return body;
  }

  /** A missing file (status 404) is no error. */
  async delete(path: string): Promise<void> {
    const { receipt } = await this.#try('files/delete', { path });
    if (!succeeded(receipt) && receipt.statusCode !== 404) throw errorOf(receipt);
  }

  async list(): Promise<unknown> {
    const { receipt, body } = await this.#try('files/list', { path: 'tones' });
    if (!succeeded(receipt) && !isRefusal(receipt)) throw errorOf(receipt);
    return body;
  }

  async #try(name: OperationName, parameters: Parameters): ReturnType<typeof sendRequest> {
    const { node, retryForSeconds, by, limiter } = this.wanted;
    const sent = await sendRequest({
      ...{ device: namedOf(this.device), node, operation: name, parameters, retryForSeconds, by, limiter },
      confirmWrite: name === 'files/put',
    });
    this.attempts += sent.receipt.attempts;
    return sent;
  }
}

async function isListed(work: Work, file: string): Promise<boolean> {
  const body = await work.list();
  return isRecord(body) && Array.isArray(body.filelist) && body.filelist.includes(file);
}

export function namedOf({ id, name, where }: Pick<Device, 'id' | 'name' | 'where'>): NamedDevice {
  return { id, name, ...(where !== undefined && { where }) };
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

function errorOf({ error, outcome, attempts, statusCode, wireMs }: Receipt): DeviceError {
  const details: ErrorDetails = {
    // The outcome is never `unknown`: after a failed preparation the announcement was definitely not played.
    outcome: outcome === 'expired' || outcome === 'superseded' ? outcome : 'failed',
    attempts,
    wireMs,
    ...(statusCode !== undefined && { statusCode }),
  };
  return error ? quotedError(error, '', details) : new DeviceError('ABORTED', 'not sent', details);
}
