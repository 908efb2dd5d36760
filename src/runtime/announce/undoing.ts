import { backoffMs } from '../../time/backoff';
import type { Clock } from '../../time/clock';
import type { Step, StepResult } from './announcement';
import type { Entry } from './entry';
import type { Line, Round } from './line';
import { isOurs, isSameValue, isSettled, type PutBack } from './put-back';

/**
 * Limits of the pause between two rounds of undoing, in milliseconds. The pause doubles with each failed
 * round, and `#conclude` randomly reduces it by up to half.
 */
const backoff = { firstMs: 1_000, maxMs: 30_000 };
/** Age of a `PutBack` at which the engine stops trying to undo its changes, in milliseconds. */
const maxPutBackMs = 24 * 3_600_000;

/** Undoes what announcements have changed at a device. */
export class Undoing {
  readonly #changed = new Set<string>();

  /**
   * @param textHolder returns the name of the alert that holds the text of a device; undefined if no alert does
   * @param onGivenUp called with changes that are no longer tried, since `maxPutBackMs` is over
   */
  constructor(
    private readonly clock: Pick<Clock, 'now' | 'monotonic' | 'random'>,
    private readonly textHolder: (key: string) => string | undefined,
    private readonly onGivenUp: (back: PutBack) => void,
  ) {}

  /** Returns the keys of the lines whose `back` was set since the last call. */
  takeChanged(): string[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  /** Returns what must be undone at the line, or a new record that has no changes yet. */
  backOf(line: Line, { device, announcement }: Entry): PutBack {
    return line.back ?? { device, node: announcement.node, since: this.clock.now() };
  }

  /** Records what must be undone at the line. */
  set(line: Line, back: PutBack | undefined): void {
    const { volume, text, toneUntil, ...rest } = back ?? ({} as Partial<PutBack>);
    line.back =
      back && !isSettled(back)
        ? {
            ...(rest as Pick<PutBack, 'device' | 'node' | 'since'>),
            ...(volume && { volume }),
            ...(text && { text }),
            ...(toneUntil !== undefined && { toneUntil }),
          }
        : undefined;
    this.#changed.add(line.key);
  }

  /** Returns undefined at the end of a round. The next call begins another round. */
  nextStep(line: Line): Step | undefined {
    line.round ??= {};
    const step = line.round.isHopeless ? undefined : this.#nextOf(line, line.round);
    if (step) return step;
    line.round = undefined;
    this.#conclude(line);
    return undefined;
  }

  noteResult(line: Line, step: Step, result: StepResult): void {
    const { back, round } = line;
    if (!back) return;
    // A superseded request does not show that the device is offline.
    const isLost =
      (result.is === 'unknown' && step.kind !== 'stop-tone') ||
      (result.is === 'missed' && result.failed.outcome !== 'superseded');
    if (isLost && round) round.isHopeless = true;
    const isDone = result.is === 'done';
    if (step.kind === 'stop-tone' && (isDone || result.is === 'refused'))
      this.set(line, { ...back, toneUntil: undefined });
    else if (step.kind === 'remove-text' && isDone) this.set(line, { ...back, text: undefined });
    else if (step.kind === 'write-volume' && isDone) this.#undoneVolume(line);
    else if (step.kind === 'read-volume' && round) {
      const value = isDone ? result.value : undefined;
      if (value === undefined || !back.volume) round.volume = true;
      // A volume that no announcement has written stays: a user or another program has set that volume.
      else if (isOurs(back.volume, value) && !isSameValue(value, back.volume.before)) round.isOurs = true;
      else this.#undoneVolume(line);
    }
  }

  #nextOf(line: Line, round: Round): Step | undefined {
    const { toneUntil } = line.back ?? {};
    if (line.back && toneUntil !== undefined && toneUntil <= this.clock.now())
      this.set(line, { ...line.back, toneUntil: undefined });
    const { back } = line;
    if (back?.toneUntil !== undefined && !round.tone) {
      round.tone = true;
      return { kind: 'stop-tone' };
    }
    if (back?.volume && !round.volume) {
      const { setting, before } = back.volume;
      if (round.isOurs === undefined) return { kind: 'read-volume', setting };
      round.volume = true;
      return { kind: 'write-volume', setting, value: before };
    }
    // While an alert holds the text, the engine must not remove the text.
    if (!back?.text || round.text || this.textHolder(line.key) !== undefined) return undefined;
    round.text = true;
    return { kind: 'remove-text' };
  }

  #conclude(line: Line): void {
    const { back } = line;
    if (back && this.clock.now() - back.since >= maxPutBackMs) {
      this.onGivenUp(back);
      this.set(line, undefined);
    }
    if (!line.back) {
      line.failures = 0;
      return;
    }
    line.retryAt = this.clock.monotonic() + backoffMs(line.failures, backoff) * (1 - this.clock.random() / 2);
    line.failures += 1;
  }

  #undoneVolume(line: Line): void {
    if (line.back) this.set(line, { ...line.back, volume: undefined });
  }
}
