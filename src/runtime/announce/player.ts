import type { Parameters } from '../../catalogue/operation';
import type { OperationName } from '../../catalogue/operation-name';
import { asDeviceError } from '../../client/errors';
import { Failure } from '../../client/failure';
import { quotedError } from '../message/receipt';
import type { Prepared } from './announcement';
import {
  changedVolume,
  type DeviceChanges,
  isSameValue,
  type VolumeChange,
  volumeOf,
  withVolume,
} from './changes';
import type { CurrentPlay, Line } from './line';
import { type End, heldWords, type Part } from './part';
import { fileOf } from './preparing';
import type { PutBack } from './put-back';
import { dryRunError, resultOf, type StepResult } from './send';
import type { Surroundings } from './teller';

/** Time limit of a request after the first sound, since the announcement no longer expires, in milliseconds. */
const laterTtlMs = 60_000;
const never = Number.POSITIVE_INFINITY;

/** Leaves a procedure whose part has an end. */
class Ended extends Error {}

/** Leaves a step that has sent nothing, since the announcement has ended or must wait. The step is then repeated. */
class Held extends Error {}

/**
 * Plays one announcement at a device: from the first change to the end, and until it was tried once to put
 * back what was changed.
 */
export class Player implements CurrentPlay {
  readonly done: Promise<void>;
  readonly release: () => void;
  underWay:
    | { readonly operation: OperationName; readonly parameters: Parameters; isSent: boolean }
    | undefined;
  /** Whether a sound that plays or might play must be stopped. */
  #isCut = false;
  /** Time until which a sound plays, or might play, in milliseconds on the monotonic clock. */
  #soundUntil = Number.NEGATIVE_INFINITY;
  /** Whether an alert has taken the screen, so that the text is over. */
  #isTextOver = false;
  /** Whether a volume was recorded; it was put back meanwhile if its record is gone. */
  #hasVolume = false;

  constructor(
    private readonly surroundings: Surroundings,
    private readonly putBack: PutBack,
    private readonly line: Line,
    readonly part: Part,
    private readonly prepared: Prepared,
  ) {
    this.release = putBack.hold(line.key);
    this.done = this.#run();
  }

  isWriting(setting: string): boolean {
    const { operation, parameters, isSent } = this.underWay ?? {};
    return operation === 'settings/put' && isSent === true && Object.hasOwn(parameters ?? {}, setting);
  }

  cut(end: End): void {
    this.#isCut = true;
    this.part.endBy(end, this.#now);
    this.line.nudge();
  }

  endByOther(alert: string | undefined): void {
    this.#soundUntil = Number.NEGATIVE_INFINITY;
    this.part.endBy(
      alert === undefined ? { by: 'other' } : { by: 'note', words: heldWords(alert) },
      this.#now,
    );
  }

  endTextBy(alert: string): void {
    // Over the screen, the text of the announcement would cover what the alert shows.
    if (this.prepared.plays) this.#isTextOver = true;
    else this.endByOther(alert);
  }

  get #now(): number {
    return this.surroundings.clock.monotonic();
  }

  get #changes(): DeviceChanges | undefined {
    return this.putBack.of(this.line.key);
  }

  async #run(): Promise<void> {
    const { putBack, line, part } = this;
    // An alert has taken the screen while the text of an earlier announcement could not be removed.
    this.#isTextOver = this.#changes?.text === true && this.surroundings.holds.screen(line.key) !== undefined;
    try {
      await this.#repeat(() => this.#setVolume());
      await this.#repeat(() => this.#showText());
      await this.#playSounds();
      part.endBy({ by: 'finished' }, this.#now);
    } catch (fault) {
      if (!(fault instanceof Ended)) {
        const error = asDeviceError(fault, 'announce');
        part.endBy({ by: 'failure', error }, this.#now);
      }
    } finally {
      const leftMs = this.#soundUntil - this.#now;
      if (this.#isCut && leftMs > 0)
        void putBack.change(line, { toneUntil: this.surroundings.clock.now() + leftMs }, part);
      await putBack.tryOnce(line);
      this.release();
    }
  }

  /** Does a step again as long as it has sent nothing. */
  async #repeat<T>(step: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await step();
      } catch (fault) {
        if (!(fault instanceof Held)) throw fault;
      }
    }
  }

  async #setVolume(): Promise<void> {
    const { putBack, line } = this;
    const { plays, setting } = this.prepared;
    const { volume } = this.part.request.settings;
    this.#hasVolume = volumeOf(this.#changes, setting) !== undefined;
    if (!plays || volume === undefined) return;
    const read = await this.#ask('settings/get', { name: setting });
    if (read.is !== 'done' || read.value === undefined) return this.#withoutVolume(read);
    if (isSameValue(read.value, volume)) return;
    const before = volumeOf(this.#changes, setting);
    const change = changedVolume(before, setting, read.value, volume);
    const volumes = (one: VolumeChange | undefined) => ({
      volumes: withVolume(this.#changes, setting, one),
    });
    const written = await this.#change({
      ...{ operation: 'settings/put', parameters: { [setting]: volume } },
      ...{ change: () => volumes(change), undo: () => volumes(before) },
    });
    if (written.is !== 'done') return this.#withoutVolume(written);
    this.#hasVolume = true;
    if (volumeOf(this.#changes, setting))
      void putBack.change(line, volumes({ ...change, earlier: undefined }));
  }

  #withoutVolume(result: StepResult): void {
    if (result.is === 'refused' || result.is === 'done')
      this.part.notes.push(`played with the volume as it is: ${notAccepted('volume', result)}`);
    else this.#failBefore(result);
  }

  async #showText(): Promise<void> {
    const { part } = this;
    const { text } = part.request.settings;
    if (text === undefined) return;
    const { plays, shows } = this.prepared;
    if (!shows) {
      part.notes.push('played without the text: a text needs a screen and firmware 5.7');
      return;
    }
    const alert = this.surroundings.holds.screen(this.line.key);
    if (alert !== undefined) {
      const words = `the text is not shown: the alert "${alert}" has the screen`;
      if (!plays) this.#leave({ by: 'note', words });
      part.notes.push(words);
      return;
    }
    const before = this.#changes?.text;
    const shown = await this.#change({
      ...{ operation: 'screen/text-start', parameters: { textContent: text, persistent: true } },
      ...{ change: () => ({ text: true }), undo: () => ({ text: before }), isBeginning: !plays },
    });
    if (shown.is === 'done') {
      if (plays) return;
      const plannedMs = lengthOf(part, this.prepared);
      return this.#rest(this.#start(plannedMs) + plannedMs);
    }
    if (shown.is !== 'refused' || !plays) this.#failBefore(shown);
    part.notes.push(`played without the text: ${notAccepted('text', shown)}`);
  }

  /** Records a change, then makes it. The record stays, unless the device has certainly not made the change. */
  async #change(request: {
    readonly operation: OperationName;
    readonly parameters: Parameters;
    readonly isBeginning?: boolean;
    readonly change: () => Partial<DeviceChanges>;
    readonly undo: () => Partial<DeviceChanges>;
  }): Promise<StepResult> {
    const { putBack, line, part } = this;
    const { operation, parameters, isBeginning, change, undo } = request;
    let isMade = false;
    try {
      await putBack.change(line, change(), part);
      const answer = await this.#ask(operation, parameters, isBeginning);
      isMade = answer.is === 'done' || answer.is === 'unknown';
      return answer;
    } finally {
      if (!isMade && this.#isRecorded(operation, parameters)) void putBack.change(line, undo());
    }
  }

  async #playSounds(): Promise<void> {
    const { part } = this;
    const { chimeMs, audioMs, plays } = this.prepared;
    if (!plays) return;
    const { chime = '', repeat, intervalMs } = part.request.settings;
    let plannedMs = lengthOf(part, { audioMs });
    if (chimeMs !== undefined) {
      const refused = await this.#startSound(chime, chimeMs);
      if (refused) part.notes.push(`played without the chime: ${notAccepted('chime', refused)}`);
      else {
        plannedMs += chimeMs;
        await this.#rest(this.#start(plannedMs) + chimeMs);
      }
    }
    for (let count = 1; count <= repeat; count += 1) {
      const refused = await this.#startSound(fileOf(part.request.audio), audioMs);
      if (refused) this.#fail(refused);
      const pauseMs = count < repeat ? intervalMs : 0;
      await this.#rest(this.#start(plannedMs) + audioMs + pauseMs);
    }
  }

  /** @returns the refusal of the device; undefined if the sound plays */
  async #startSound(path: string, ms: number): Promise<StepResult | undefined> {
    const { part, line } = this;
    const parameters = { ...part.request.settings.toneParameters, path, loop: false };
    const answer = await this.#repeat(() => this.#ask('tone/start', parameters));
    if (answer.is === 'refused') return answer;
    if (answer.is === 'missed') this.#fail(answer);
    this.#soundUntil = this.#now + ms;
    if (answer.is === 'done') return undefined;
    // A sound that might play occupies the device for its length. An end that came meanwhile counts only if the
    // announcement has started.
    if (!part.end || part.startedAt === undefined) {
      part.end = { ...failureOf(answer), at: this.#now };
      this.surroundings.teller.ended(part);
    }
    while (!this.#isCut && this.#now < this.#soundUntil) await line.until(this.#soundUntil);
    throw new Ended();
  }

  /** The first sound has begun, or the text without a sound. Returns the present time. */
  #start(plannedMs: number): number {
    const { part } = this;
    const now = this.#now;
    if (part.startedAt === undefined) {
      part.startedAt = now;
      this.surroundings.teller.started(part, plannedMs);
    }
    return now;
  }

  /**
   * Waits for a moment, and until no other node sends anything. Meanwhile, sets a volume again that was put back,
   * and removes a text that an alert has ended.
   * @throws Ended
   */
  async #rest(moment = Number.NEGATIVE_INFINITY): Promise<void> {
    const { putBack, line, part } = this;
    for (;;) {
      const now = this.#now;
      const alert = this.surroundings.holds.sound(line.key);
      const expiresAt = part.startedAt === undefined ? part.expiresAt : never;
      if (alert !== undefined) this.endByOther(alert);
      if (now >= expiresAt) part.endBy({ by: 'expired' }, now);
      if (part.end) throw new Ended();
      if (this.#isTextOver) {
        this.#isTextOver = false;
        await putBack.removeText(line);
      } else if (line.others > 0) await line.until(expiresAt);
      else if (this.#hasVolume && !volumeOf(this.#changes, this.prepared.setting))
        await this.#repeat(() => this.#setVolume());
      else if (now >= moment) return;
      else await line.until(Math.min(moment, expiresAt));
    }
  }

  /** @throws Held */
  async #ask(
    operation: OperationName,
    parameters: Parameters,
    isBeginning = operation === 'tone/start' && this.part.startedAt === undefined,
  ): Promise<StepResult> {
    await this.#rest();
    const { line, part } = this;
    const { clock, send, teller } = this.surroundings;
    const { request } = part;
    const underWay = { operation, parameters, isSent: false };
    let isHeld = false;
    const checkTurn = () => {
      underWay.isSent = this.#maySend(operation, parameters);
      isHeld = !underWay.isSent;
      if (isHeld) throw Failure.own('SUPERSEDED', 'the announcement has ended, or must wait');
    };
    const admission = async () => {
      checkTurn();
      const written = isBeginning ? teller.open.plays(part.running.id, part.index) : undefined;
      if (!written) return;
      await written;
      checkTurn();
    };
    const hasStarted = part.startedAt !== undefined;
    this.underWay = underWay;
    try {
      const sent = await send({
        ...{ device: part.named, node: part.request.node, operation, parameters },
        ...{ by: request.by, limiter: request.limiter },
        ttlMs: hasStarted ? laterTtlMs : part.expiresAt - clock.monotonic(),
        retryForSeconds: hasStarted ? 0 : request.settings.retryForSeconds,
        ...(operation !== 'settings/get' && { admission }),
      });
      if (isHeld) throw new Held();
      const result = resultOf(sent, parameters);
      part.requests.note(sent.receipt);
      if (result.is !== 'done' && (hasStarted || part.isOver))
        teller.publish(sent.receipt, part.request.node);
      return result;
    } finally {
      this.underWay = undefined;
      line.nudge();
    }
  }

  /** Asked when the request has its turn, since an alert or another node might have used the device meanwhile. */
  #maySend(operation: OperationName, parameters: Parameters): boolean {
    const { holds } = this.surroundings;
    const { key, others } = this.line;
    if (this.part.end || others > 0 || holds.sound(key) !== undefined) return false;
    if (operation === 'screen/text-start' && holds.screen(key) !== undefined) return false;
    return this.#isRecorded(operation, parameters);
  }

  /** A change might have been put back or replaced since it was recorded; then nothing would undo it. */
  #isRecorded(operation: OperationName, parameters: Parameters): boolean {
    if (operation === 'screen/text-start') return this.#changes?.text === true;
    if (operation !== 'settings/put') return true;
    const isWritten = ([setting, value]: [string, unknown]) =>
      volumeOf(this.#changes, setting)?.written === value;
    return Object.entries(parameters).every(isWritten);
  }

  /** At a part with sound, a failure without an answer becomes `failed`: the sound was definitely not played. */
  #failBefore(result: StepResult): never {
    const isUnknown = result.receipt.outcome === 'unknown';
    return this.#leave(isUnknown && this.prepared.plays ? failureOf(result, 'failed') : failureOf(result));
  }

  #fail(result: StepResult): never {
    return this.#leave(failureOf(result));
  }

  #leave(end: End): never {
    this.part.endBy(end, this.#now);
    throw new Ended();
  }
}

/** Returns the length of an announcement at one device, in milliseconds. */
function lengthOf(part: Part, { chimeMs = 0, audioMs }: Pick<Prepared, 'chimeMs' | 'audioMs'>): number {
  const { repeat, intervalMs } = part.request.settings;
  return chimeMs + repeat * audioMs + (repeat - 1) * intervalMs;
}

function notAccepted(what: string, { receipt }: StepResult): string {
  return `the device did not accept the ${what}${receipt.error ? ` (${receipt.error.code})` : ''}`;
}

function failureOf(
  { receipt }: StepResult,
  outcome = failedOutcomes.find((one) => one === receipt.outcome) ?? 'failed',
): End {
  return { by: 'failure', error: quotedError(receipt.error ?? dryRunError, '', { outcome }) };
}

const failedOutcomes = ['failed', 'unknown', 'expired', 'superseded', 'skipped'] as const;
