import type { Clock } from '../../time/clock';
import { Retries } from '../../time/retries';
import type { Step, StepResult } from './announcement';
import type { Entry } from './entry';
import type { Line, Round, Ticket } from './line';
import { isOurs, isSameValue, isSettled, type PutBack, volumeOf, withVolume } from './put-back';

/** Undoes what announcements have changed at a device. */
export class Undoing {
  readonly #changed = new Set<string>();

  /**
   * @param textHolder returns the name of the alert that holds the text of a device; undefined if no alert does
   * @param onGivenUp called with changes that are no longer tried, since all tries of a day have failed
   */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic' | 'now' | 'random'>,
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
    return line.back ?? { device, node: announcement.node };
  }

  /** Records what must be undone at the line. */
  set(line: Line, back: PutBack | undefined): void {
    line.back = back && !isSettled(back) ? withoutUndefined(back) : undefined;
    if (!line.back) {
      line.retries = new Retries();
      line.isFailing = false;
    }
    this.#changed.add(line.key);
  }

  /** @returns whether this is the first failure to undo the present changes of the line */
  noteFailure(line: Line): boolean {
    if (!line.back || line.back.isTold) return false;
    this.set(line, { ...line.back, isTold: true });
    return true;
  }

  /** Returns undefined at the end of a round. The next call begins another round. */
  nextStep(line: Line): Step | undefined {
    line.round ??= { volumes: new Set() };
    const step = line.round.isHopeless ? undefined : this.#nextOf(line, line.round);
    if (step) return step;
    line.round = undefined;
    this.#conclude(line);
    return undefined;
  }

  /** Returns the next request of the round that puts back a volume; undefined if there is none. */
  nextVolumeStep({ back }: Line, round: Round): Step | undefined {
    const change = back?.volumes?.find(({ setting }) => !round.volumes.has(setting));
    if (!change || round.isHopeless) return undefined;
    const { setting, before } = change;
    if (round.ours !== setting) return { kind: 'read-volume', setting };
    round.volumes.add(setting);
    return { kind: 'write-volume', setting, value: before };
  }

  noteResult(line: Line, { step, round }: Ticket, result: StepResult): void {
    const { back } = line;
    if (!back) return;
    const isDone = result.is === 'done';
    this.#noteLost(line, round, step, result);
    if (step.kind === 'stop-tone' && (isDone || result.is === 'refused'))
      this.set(line, { ...back, toneUntil: undefined });
    else if (step.kind === 'remove-text' && isDone) this.set(line, { ...back, text: undefined });
    else if (step.kind === 'write-volume' && isDone) this.#undoneVolume(line, round, step.setting);
    else if (step.kind === 'read-volume') {
      const change = volumeOf(back, step.setting);
      const value = isDone ? result.value : undefined;
      if (value === undefined || !change) round?.volumes.add(step.setting);
      // A volume that no announcement has written stays: a user or another program has set that volume.
      else if (round && isOurs(change, value) && !isSameValue(value, change.before))
        round.ours = step.setting;
      else this.#undoneVolume(line, round, step.setting);
    }
  }

  #noteLost(line: Line, round: Round | undefined, step: Step, result: StepResult): void {
    // A superseded request does not show that the device is offline.
    if (result.is === 'done' || (result.is === 'missed' && result.failed.outcome === 'superseded')) return;
    line.isFailing = true;
    if (round && (result.is === 'missed' || (result.is === 'unknown' && step.kind !== 'stop-tone')))
      round.isHopeless = true;
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
    const volume = line.press ? undefined : this.nextVolumeStep(line, round);
    if (volume) return volume;
    // While an alert holds the text, the engine must not remove the text.
    if (!back?.text || round.text || this.textHolder(line.key) !== undefined) return undefined;
    round.text = true;
    return { kind: 'remove-text' };
  }

  #conclude(line: Line): void {
    const { back, retries, isFailing } = line;
    if (!back) return;
    if (isFailing && retries.isHopeless(this.clock)) {
      this.onGivenUp(back);
      this.set(line, undefined);
    } else line.retryAt = retries.fail(this.clock);
  }

  #undoneVolume(line: Line, round: Round | undefined, setting: string): void {
    round?.volumes.add(setting);
    // A write of an announcement that the device has not answered yet can still take effect.
    if (!line.back || line.isWriting(setting)) return;
    this.set(line, withVolume(line.back, setting, undefined));
    line.current?.setVolumeAgain(setting);
  }
}

function withoutUndefined(back: PutBack): PutBack {
  return Object.fromEntries(
    Object.entries(back).filter(([, value]) => value !== undefined),
  ) as unknown as PutBack;
}
