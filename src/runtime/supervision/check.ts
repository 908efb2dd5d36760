import { printable } from '../../catalogue/describe';
import { hasReason } from '../../catalogue/localized-message';
import { type OperationName, operation } from '../../catalogue/operation-name';
import { asDeviceError, DeviceError } from '../../client/errors';
import type { Abort } from '../../client/queue/entry';
import { isRecord } from '../../json';
import type { Device } from '../device/device';
import { compareFirmware, identityIn } from '../device/identity';
import { checkSupport } from '../watch/reader';
import { textOf } from '../watch/reading';
import type { Expectations, ExpectedFile, ExpectedSetting } from './expectations';
import { type CheckName, type CheckResult, type Finding, type FindingWords, wordsFor } from './finding';

export type CheckedDevice = Pick<
  Device,
  'letDeviceDecide' | 'dryRun' | 'knownIdentity' | 'identity' | 'call' | 'record' | 'certificateEndsAt'
>;

/**
 * Reads the status record through the reader that watching nodes share. Rejects with a DeviceError, like
 * `device.call`.
 */
export type ReadStatus = () => Promise<Readonly<Record<string, unknown>>>;

const maxValueLength = 200;

const dayMs = 86_400_000;

/** The first firmware that has the about and the status record. */
const firstWithRecords = '5.4';

class CheckEnd extends Error {
  constructor(readonly result: CheckResult | undefined) {
    super('the check ends');
  }
}

type Answer =
  | { readonly kind: 'answer'; readonly body: unknown }
  /**
   * The device refused the request, or does not support the operation. `statusCode` is undefined if the
   * device was not asked.
   */
  | { readonly kind: 'absent'; readonly statusCode: number | undefined }
  /** The device answered, but the answer cannot be used. */
  | { readonly kind: 'unreadable'; readonly words: FindingWords };

/**
 * Checks a device once, with GET requests only. Never rejects.
 * @param beginRequest returns the abort of the next request
 * @param now returns epoch milliseconds
 * @returns undefined if the check was aborted, for example because a deploy closed the device
 */
export async function checkDevice(
  device: CheckedDevice,
  expectations: Expectations,
  readStatus: ReadStatus,
  beginRequest: () => Abort,
  now: () => number,
): Promise<CheckResult | undefined> {
  const check = new Check(device, expectations, readStatus, beginRequest, now);
  try {
    return await check.run();
  } catch (error) {
    if (error instanceof CheckEnd) return error.result;
    // A fault in a check must stop neither Node-RED nor the checks of other devices.
    return missed(asDeviceError(error), 'PROTOCOL');
  }
}

type Outcome = Finding | string | undefined;

class Check {
  readonly #findings: Finding[] = [];
  readonly #notChecked: string[] = [];
  /** Whether the device has answered a request of this check, so that it is online. */
  #hasAnswered = false;

  constructor(
    private readonly device: CheckedDevice,
    private readonly expectations: Expectations,
    private readonly readStatus: ReadStatus,
    private readonly beginRequest: () => Abort,
    private readonly now: () => number,
  ) {}

  async run(): Promise<CheckResult> {
    const { sip, firmware, settings, files } = this.expectations;
    const status = sip ? await this.#status() : undefined;
    const about = firmware !== undefined || status?.kind !== 'answer' ? await this.#about() : undefined;
    this.#take(this.#clock());
    if (about) this.#take(this.#firmware(about));
    if (status) this.#take(this.#sip(status));
    for (const setting of settings) this.#take(await this.#setting(setting));
    const listings = new Map<string, Answer>();
    for (const file of files) this.#take(await this.#file(file, listings));
    this.#take(this.#certificate());
    this.#take(this.#dryRun());
    return { kind: 'answered', findings: this.#findings, notChecked: this.#notChecked };
  }

  async #status(): Promise<Answer> {
    try {
      const body = await this.readStatus();
      this.#hasAnswered = true;
      return { kind: 'answer', body };
    } catch (error) {
      return this.#answerOf(error);
    }
  }

  /**
   * Reads the about record even if the firmware is old: a refusal by old firmware shows that the device is
   * online.
   */
  async #about(): Promise<Answer> {
    const about = await this.#send('info/about', {});
    if (about.kind === 'unreadable') throw new CheckEnd(missed(about.words, 'PROTOCOL'));
    if (about.kind === 'absent' && this.#hasRecords) {
      const details = [
        `it answers status ${about.statusCode}, although its firmware has this request`,
        'its RESTful API is disabled, or the device is starting',
      ];
      throw new CheckEnd(missed(wordsFor({ reason: 'rejected by the device', details }), 'REFUSED'));
    }
    if (about.kind === 'answer' && !isRecord(about.body))
      throw new CheckEnd(missed(wordsFor('the about record of the device cannot be read'), 'PROTOCOL'));
    return about;
  }

  get #hasRecords(): boolean {
    const { firmware } = this.device.knownIdentity;
    return firmware !== undefined && compareFirmware(firmware, firstWithRecords) >= 0;
  }

  #dryRun(): Outcome {
    if (!this.device.dryRun) return undefined;
    const words = wordsFor({ reason: 'dry run is on for the device', details: ['commands are not sent'] });
    return { check: 'dry-run', ...words, expected: 'off', actual: 'on' };
  }

  #clock(): Outcome {
    const { clock } = this.expectations;
    const { clockOffsetMs } = this.device.record;
    if (clock === undefined) return undefined;
    if (clockOffsetMs === undefined) return skipped('clock');
    if (Math.abs(clockOffsetMs) <= clock * 1000) return undefined;
    const seconds = Math.round(clockOffsetMs / 1000);
    const direction = seconds < 0 ? 'behind' : 'ahead';
    const words = wordsFor(`the clock of the device is ${Math.abs(seconds)} s ${direction}`);
    return { check: 'clock', ...words, expected: clock, actual: seconds };
  }

  #firmware(about: Answer): Outcome {
    const { firmware } = this.expectations;
    if (firmware === undefined) return undefined;
    const reported = about.kind === 'answer' ? identityIn(about.body).firmware : undefined;
    const actual = reported ?? this.device.knownIdentity.firmware;
    if (actual === undefined) return skipped('firmware');
    if (compareFirmware(actual, firmware) >= 0) return undefined;
    const words = wordsFor({
      reason: `the firmware is older than ${firmware}`,
      details: [`it is ${actual}`],
    });
    return { check: 'firmware', ...words, expected: firmware, actual };
  }

  #sip(status: Answer): Outcome {
    if (status.kind === 'absent') return skipped('sip');
    const expected = 'Successful';
    if (status.kind === 'unreadable') {
      return { check: 'sip', ...status.words, expected, actual: null };
    }
    const field = 'SIP Registration';
    const record = Object(status.body) as Readonly<Record<string, unknown>>;
    if (!Object.hasOwn(record, field)) return skipped('sip');
    const text = textOf(record[field]);
    if (isRegistered(text)) return undefined;
    const actual = shortened(text);
    const words = wordsFor({
      reason: 'the SIP registration is not successful',
      details: [`it is "${actual}"`],
    });
    return { check: 'sip', ...words, expected, actual };
  }

  async #setting({ name, value, isSecret }: ExpectedSetting): Promise<Outcome> {
    const answer = await this.#ask('settings/get', { name });
    const subject = name;
    if (answer.kind === 'absent') return skipped('settings', name);
    const expected = isSecret ? '***' : value;
    const held = answer.kind === 'answer' && isRecord(answer.body) ? answer.body : {};
    const actual = Object.hasOwn(held, name) ? held[name] : undefined;
    if (actual === undefined || (typeof actual === 'object' && actual !== null)) {
      const details = ['the answer of the device is invalid'];
      const words = wordsFor({ reason: `the setting ${name} cannot be read`, details });
      return { check: 'settings', subject, ...words, expected, actual: null };
    }
    if (String(actual) === value) return undefined;
    const shown = isSecret ? '***' : shortened(String(actual));
    const reason = `the setting ${name} has another value than expected`;
    const words = wordsFor({
      reason,
      details: isSecret ? [] : [`it is "${shown}"`, `"${value}" is expected`],
    });
    return { check: 'settings', subject, ...words, expected, actual: shown };
  }

  /**
   * Checks a file by the listing of its folder, which is read only once. Uses the checksum instead if a
   * checksum is expected, the file has no folder, or the device does not support listings.
   */
  async #file(file: ExpectedFile, listings: Map<string, Answer>): Promise<Outcome> {
    const slash = file.path.lastIndexOf('/');
    const folder = file.path.slice(0, Math.max(slash, 0));
    if (file.md5 !== undefined || folder === '' || (await this.#lacks('files/list'))) return this.#sum(file);
    const listing = listings.get(folder) ?? (await this.#ask('files/list', { path: folder }));
    listings.set(folder, listing);
    if (listing.kind === 'absent') return this.#lackedFile(file, listing.statusCode);
    const body = listing.kind === 'answer' && isRecord(listing.body) ? listing.body : {};
    if (!Array.isArray(body.filelist)) return unreadableFile(file);
    return body.filelist.includes(file.path.slice(slash + 1)) ? undefined : missingFile(file);
  }

  async #sum(file: ExpectedFile): Promise<Outcome> {
    const { path, md5 } = file;
    const answer = await this.#ask('files/md5sum', { path });
    if (answer.kind === 'absent') return this.#lackedFile(file, answer.statusCode);
    const body = answer.kind === 'answer' && isRecord(answer.body) ? answer.body : {};
    const { md5sum } = body;
    if (typeof md5sum !== 'string' || !/^[\da-f]{32}$/i.test(md5sum)) return unreadableFile(file);
    const actual = md5sum.toLowerCase();
    if (md5 === undefined || actual === md5) return undefined;
    const words = wordsFor(`the file ${path} has another content than expected`);
    return { check: 'files', subject: path, ...words, expected: md5, actual };
  }

  /**
   * Status 404 of a device with known firmware means that the file is missing. Any other device might not
   * support the request.
   */
  #lackedFile(file: ExpectedFile, statusCode: number | undefined): Outcome {
    const isKnown = this.device.knownIdentity.firmware !== undefined;
    return statusCode === 404 && isKnown ? missingFile(file) : skipped('files', file.path);
  }

  #certificate(): Outcome {
    const { certificateDays } = this.expectations;
    const { certificateEndsAt } = this.device;
    if (certificateDays === undefined) return undefined;
    if (certificateEndsAt === undefined) return skipped('certificate');
    const leftMs = certificateEndsAt - this.now();
    if (leftMs >= certificateDays * dayMs) return undefined;
    const days = Math.floor(leftMs / dayMs);
    const date = new Date(certificateEndsAt).toISOString().slice(0, 10);
    const words = wordsFor(`the certificate ${leftMs < 0 ? 'has expired' : 'expires'} on ${date}`);
    return { check: 'certificate', ...words, expected: certificateDays, actual: days };
  }

  #take(outcome: Outcome): void {
    if (typeof outcome === 'string') this.#notChecked.push(outcome);
    else if (outcome) this.#findings.push(outcome);
  }

  async #lacks(name: OperationName): Promise<boolean> {
    return (await checkSupport(this.device, operation(name))) !== undefined;
  }

  async #ask(name: OperationName, parameters: Readonly<Record<string, unknown>>): Promise<Answer> {
    if (await this.#lacks(name)) return { kind: 'absent', statusCode: undefined };
    return this.#send(name, parameters);
  }

  async #send(name: OperationName, parameters: Readonly<Record<string, unknown>>): Promise<Answer> {
    const of = operation(name);
    // A check must never sound, open or change anything.
    if (!of.route.startsWith('GET ')) throw new Error(`${name} is no GET request`);
    try {
      const options = { operationName: name, reading: true };
      const { body } = await this.device.call(of, parameters, options, this.beginRequest());
      this.#hasAnswered = true;
      return { kind: 'answer', body };
    } catch (error) {
      return this.#answerOf(error);
    }
  }

  #answerOf(error: unknown): Answer {
    if (!(error instanceof DeviceError)) throw error;
    const { code, statusCode } = error;
    switch (code) {
      case 'ABORTED':
        throw new CheckEnd(undefined);
      case 'AUTHENTICATION':
        throw this.#fault('login', error);
      case 'TLS_UNTRUSTED':
        throw this.#fault('trust', error);
      case 'NOT_CONFIGURED':
        if (
          hasReason(error.localizedMessage, 'noPassword') ||
          hasReason(error.localizedMessage, 'rowPassword')
        )
          throw this.#fault('login', error);
        throw new CheckEnd({ ...missed(error, code), isCertain: true });
      case 'NOT_SUPPORTED':
        return { kind: 'absent', statusCode };
      case 'REFUSED':
        // A device that is starting answers with status 503.
        if (statusCode === 503) break;
        return { kind: 'absent', statusCode };
      case 'PROTOCOL':
        if (isGarbage(error)) return { kind: 'unreadable', words: error };
        break;
    }
    if (this.#hasAnswered && statusCode !== undefined) return { kind: 'unreadable', words: error };
    throw new CheckEnd(missed(error, code));
  }

  /**
   * Ends a check with one finding, which replaces the findings so far. For a login problem, also reports a
   * wrong clock, which is often the cause.
   */
  #fault(check: 'login' | 'trust', { code, reason, message }: DeviceError): CheckEnd {
    const finding = { check, reason, message, expected: null, actual: code };
    this.#findings.splice(0, this.#findings.length, finding);
    this.#notChecked.length = 0;
    if (check === 'login' && this.device.record.clockOffsetMs !== undefined) this.#take(this.#clock());
    return new CheckEnd({ kind: 'answered', findings: this.#findings, notChecked: [] });
  }
}

function skipped(check: CheckName, subject?: string): string {
  return subject === undefined ? check : `${check} ${subject}`;
}

function missingFile({ path, md5 }: ExpectedFile): Finding {
  const words = wordsFor(`the file ${path} does not exist`);
  return { check: 'files', subject: path, ...words, expected: md5 ?? path, actual: null };
}

function unreadableFile({ path, md5 }: ExpectedFile): Finding {
  const details = ['the answer of the device is invalid'];
  const words = wordsFor({ reason: `the file ${path} cannot be checked`, details });
  return { check: 'files', subject: path, ...words, expected: md5 ?? path, actual: null };
}

const noHttp = ['notHttp', 'notHttpPlain', 'headTooLarge'] as const;

/**
 * Whether the device has answered, but the answer cannot be read. False if the connection broke after
 * sending, or if the status was 500 or higher.
 */
function isGarbage({ statusCode, sent, localizedMessage }: DeviceError): boolean {
  if (statusCode !== undefined) return statusCode < 500;
  // `sent` is false if the shared reader rejected a body, since checking a body sends nothing.
  return !sent || noHttp.some((reason) => hasReason(localizedMessage, reason));
}

function missed({ reason, message }: FindingWords, code: string): CheckResult & { kind: 'missed' } {
  const finding = { check: 'contact', reason, message, expected: null, actual: code } as const;
  return { kind: 'missed', finding };
}

/**
 * Whether each part of the text of SIP registrations is Successful or No Account. Semicolons separate the
 * parts. A part is the state alone, or account, state and extension (docs/field-notes.md, section 3).
 */
function isRegistered(text: string): boolean {
  return text
    .slice(0, 10_000)
    .split(';')
    .filter((part) => part.trim() !== '')
    .every((part) => {
      const [first = '', second = first] = part.split(',');
      return /^(?:successful|no account)$/i.test(second.trim());
    });
}

function shortened(text: string): string {
  const shown = printable(text.slice(0, maxValueLength));
  return text.length > maxValueLength ? `${shown}…` : shown;
}
