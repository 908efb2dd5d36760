import type { Parameters } from '../../catalogue/operation';
import type { OperationName } from '../../catalogue/operation-name';
import { asDeviceError } from '../../client/errors';
import { Failure } from '../../client/failure';
import type { Prepared } from './announcement';
import {
  changedVolume,
  type DeviceChanges,
  isSameValue,
  type VolumeChange,
  volumeOf,
  withVolume,
} from './changes';
import type { Line } from './line';
import type { End, Part } from './part';
import { fileOf } from './preparing';
import type { PutBack } from './put-back';
import { dryRunError, resultOf, type StepResult } from './send';
import type { Surroundings } from './teller';

/** Time limit of a request after the first sound, since the announcement no longer expires, in milliseconds. */
const laterTtlMs = 60_000;
const never = Number.POSITIVE_INFINITY;

/** Leaves a procedure whose part has an end. */
class Ended extends Error {}

/** A request of an announcement. `held`: nothing was sent, since the announcement has ended or must wait. */
type Answer = StepResult | { readonly is: 'held' };

export class Player {
  constructor(
    private readonly surroundings: Surroundings,
    private readonly putBack: PutBack,
  ) {}

  /**
   * Plays an announcement at a device, from the first change to the end, and puts back what was changed. Never
   * rejects; then the part has an end.
   */
  async playAt(line: Line, part: Part, prepared: Prepared): Promise<void> {
    const { putBack } = this;
    const { clock } = this.surroundings;
    try {
      await this.#setVolume(line, part, prepared);
      await this.#showText(line, part, prepared);
      await this.#playSounds(line, part, prepared);
      part.endBy({ by: 'finished' }, clock.monotonic());
    } catch (fault) {
      if (!(fault instanceof Ended)) {
        const error = asDeviceError(fault, 'announce');
        part.endBy({ by: 'failure', outcome: 'failed', error }, clock.monotonic());
      }
    } finally {
      const leftMs = part.soundUntil - clock.monotonic();
      if (part.isCut && leftMs > 0) void putBack.change(line, { toneUntil: clock.now() + leftMs }, part);
      await putBack.tryOnce(line);
    }
  }

  async #setVolume(line: Line, part: Part, { plays, setting }: Prepared): Promise<void> {
    const { putBack } = this;
    const { volume } = part.request.settings;
    if (!plays || volume === undefined) return;
    for (;;) {
      const read = await this.#ask(line, part, 'settings/get', { name: setting });
      if (read.is !== 'done' || read.value === undefined) return this.#withoutVolume(part, read);
      if (isSameValue(read.value, volume)) return;
      const before = volumeOf(putBack.of(line.key), setting);
      const change = changedVolume(before, setting, read.value, volume);
      const volumes = (one: VolumeChange | undefined) => ({
        volumes: withVolume(putBack.of(line.key), setting, one),
      });
      const written = await this.#change(line, part, {
        ...{ operation: 'settings/put', parameters: { [setting]: volume } },
        ...{ change: () => volumes(change), undo: () => volumes(before) },
      });
      if (written.is === 'done') {
        if (volumeOf(putBack.of(line.key), setting))
          void putBack.change(line, volumes({ ...change, earlier: undefined }));
        return;
      }
      if (written.is !== 'held') return this.#withoutVolume(part, written);
    }
  }

  #withoutVolume(part: Part, result: Answer): void {
    if (result.is === 'refused' || result.is === 'done')
      part.notes.push(`played with the volume as it is: ${notAccepted('volume', result)}`);
    else if (result.is !== 'held') this.#failBefore(part, result);
  }

  async #showText(line: Line, part: Part, prepared: Prepared): Promise<void> {
    const { putBack } = this;
    const { holds } = this.surroundings;
    const { text } = part.request.settings;
    if (text === undefined) return;
    const { plays, shows } = prepared;
    if (!shows) {
      part.notes.push('played without the text: a text needs a screen and firmware 5.7');
      return;
    }
    for (;;) {
      const alert = holds.screen(line.key);
      if (alert !== undefined) {
        const words = `the text is not shown: the alert "${alert}" has the screen`;
        part.notes.push(words);
        if (!plays) this.#leave(part, { by: 'note', words });
        return;
      }
      const before = putBack.of(line.key)?.text;
      const shown = await this.#change(line, part, {
        ...{ operation: 'screen/text-start', parameters: { textContent: text, persistent: true } },
        ...{ change: () => ({ text: true }), undo: () => ({ text: before }), isBeginning: !plays },
      });
      if (shown.is === 'done') {
        if (plays) return;
        const plannedMs = lengthOf(part, prepared);
        return this.#rest(line, part, this.#start(part, plannedMs) + plannedMs);
      }
      if (shown.is === 'held') continue;
      if (shown.is !== 'refused' || !plays) this.#failBefore(part, shown);
      part.notes.push(`played without the text: ${notAccepted('text', shown)}`);
      return;
    }
  }

  /** Records a change, then makes it. The record stays, unless the device has certainly not made the change. */
  async #change(
    line: Line,
    part: Part,
    request: {
      readonly operation: OperationName;
      readonly parameters: Parameters;
      readonly isBeginning?: boolean;
      readonly change: () => Partial<DeviceChanges>;
      readonly undo: () => Partial<DeviceChanges>;
    },
  ): Promise<Answer> {
    const { putBack } = this;
    const { operation, parameters, isBeginning, change, undo } = request;
    let isMade = false;
    try {
      await putBack.change(line, change(), part);
      const answer = await this.#ask(line, part, operation, parameters, isBeginning);
      isMade = answer.is === 'done' || answer.is === 'unknown';
      return answer;
    } finally {
      if (!isMade && this.#isRecorded(line, operation, parameters)) void putBack.change(line, undo());
    }
  }

  async #playSounds(line: Line, part: Part, { chimeMs, audioMs, plays }: Prepared): Promise<void> {
    if (!plays) return;
    const { chime = '', repeat, intervalMs } = part.request.settings;
    let plannedMs = lengthOf(part, { audioMs });
    if (chimeMs !== undefined) {
      const refused = await this.#startSound(line, part, chime, chimeMs);
      if (refused) part.notes.push(`played without the chime: ${notAccepted('chime', refused)}`);
      else {
        plannedMs += chimeMs;
        await this.#rest(line, part, this.#start(part, plannedMs) + chimeMs);
      }
    }
    for (let count = 1; count <= repeat; count += 1) {
      const refused = await this.#startSound(line, part, fileOf(part.request.audio), audioMs);
      if (refused) this.#fail(part, refused);
      const pauseMs = count < repeat ? intervalMs : 0;
      await this.#rest(line, part, this.#start(part, plannedMs) + audioMs + pauseMs);
    }
  }

  /** @returns the refusal of the device; undefined if the sound plays */
  async #startSound(line: Line, part: Part, path: string, ms: number): Promise<StepResult | undefined> {
    const { clock } = this.surroundings;
    const parameters = { ...part.request.settings.toneParameters, path, loop: false };
    let answer: Answer;
    do answer = await this.#ask(line, part, 'tone/start', parameters);
    while (answer.is === 'held');
    if (answer.is === 'refused') return answer;
    if (answer.is === 'missed') this.#fail(part, answer);
    part.soundUntil = clock.monotonic() + ms;
    if (answer.is === 'done') return undefined;
    // A sound that might play occupies the device for its length. An end that came meanwhile counts only if the
    // announcement has started.
    if (!part.end || part.startedAt === undefined) {
      part.end = failureOf(answer);
      part.endedAt = clock.monotonic();
      this.surroundings.teller.ended(part);
    }
    while (!part.isCut && clock.monotonic() < part.soundUntil) await line.until(part.soundUntil);
    throw new Ended();
  }

  /** The first sound has begun, or the text without a sound. Returns the present time. */
  #start(part: Part, plannedMs: number): number {
    const now = this.surroundings.clock.monotonic();
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
  async #rest(line: Line, part: Part, moment = Number.NEGATIVE_INFINITY): Promise<void> {
    const { putBack } = this;
    const { clock, holds } = this.surroundings;
    for (;;) {
      const now = clock.monotonic();
      const alert = holds.sound(line.key);
      const expiresAt = part.startedAt === undefined ? part.expiresAt : never;
      if (alert !== undefined) part.endByOther(alert, now);
      if (now >= expiresAt) part.endBy({ by: 'expired' }, now);
      if (part.end) throw new Ended();
      if (part.isTextOver) {
        part.isTextOver = false;
        await putBack.removeText(line);
      } else if (line.others > 0) await line.until(expiresAt);
      else if (part.isVolumeGone && part.prepared) {
        part.isVolumeGone = false;
        await this.#setVolume(line, part, part.prepared);
      } else if (now >= moment) return;
      else await line.until(Math.min(moment, expiresAt));
    }
  }

  async #ask(
    line: Line,
    part: Part,
    operation: OperationName,
    parameters: Parameters,
    isBeginning = operation === 'tone/start' && part.startedAt === undefined,
  ): Promise<Answer> {
    await this.#rest(line, part);
    const { clock, send, teller } = this.surroundings;
    const { request } = part;
    const underWay = { operation, parameters, isSent: false };
    let isHeld = false;
    const checkTurn = () => {
      underWay.isSent = this.#maySend(line, part, operation, parameters);
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
    line.underWay = underWay;
    try {
      const sent = await send({
        ...{ device: part.named, node: part.request.node, operation, parameters },
        ...{ by: request.by, limiter: request.limiter },
        ttlMs: hasStarted ? laterTtlMs : part.expiresAt - clock.monotonic(),
        retryForSeconds: hasStarted ? 0 : request.settings.retryForSeconds,
        ...(operation !== 'settings/get' && { admission }),
      });
      if (isHeld) return { is: 'held' };
      const result = resultOf(sent, parameters);
      part.noteRequest(sent.receipt);
      if (result.is !== 'done' && (hasStarted || part.isOver))
        teller.publish(sent.receipt, part.request.node);
      return result;
    } finally {
      line.underWay = undefined;
      line.nudge();
    }
  }

  /** Asked when the request has its turn, since an alert or another node might have used the device meanwhile. */
  #maySend(line: Line, part: Part, operation: OperationName, parameters: Parameters): boolean {
    const { holds } = this.surroundings;
    if (part.end || line.others > 0 || holds.sound(line.key) !== undefined) return false;
    if (operation === 'screen/text-start' && holds.screen(line.key) !== undefined) return false;
    return this.#isRecorded(line, operation, parameters);
  }

  /** A change might have been put back or replaced since it was recorded; then nothing would undo it. */
  #isRecorded({ key }: Line, operation: OperationName, parameters: Parameters): boolean {
    const changes = this.putBack.of(key);
    if (operation === 'screen/text-start') return changes?.text === true;
    if (operation !== 'settings/put') return true;
    const isWritten = ([setting, value]: [string, unknown]) => volumeOf(changes, setting)?.written === value;
    return Object.entries(parameters).every(isWritten);
  }

  /** At a part with sound, a failure without an answer becomes `failed`: the sound was definitely not played. */
  #failBefore(part: Part, result: StepResult): never {
    const failure = failureOf(result);
    const isPlayed = failure.outcome === 'unknown' && part.prepared?.plays === true;
    return this.#leave(part, isPlayed ? { ...failure, outcome: 'failed' } : failure);
  }

  #fail(part: Part, result: StepResult): never {
    return this.#leave(part, failureOf(result));
  }

  #leave(part: Part, end: End): never {
    part.endBy(end, this.surroundings.clock.monotonic());
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

function failureOf({ receipt }: StepResult): Extract<End, { by: 'failure' }> {
  const outcome = failedOutcomes.find((one) => one === receipt.outcome) ?? 'failed';
  return { by: 'failure', outcome, error: receipt.error ?? dryRunError };
}

const failedOutcomes = ['unknown', 'expired', 'superseded', 'skipped'] as const;
