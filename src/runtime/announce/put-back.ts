import type { Parameters } from '../../catalogue/operation';
import type { OperationName } from '../../catalogue/operation-name';
import type { Turn } from '../../client/client';
import { Reconciler } from '../../kernel/reconciler';
import { Retries } from '../../kernel/time/retries';
import type { Device } from '../device/device';
import { type AnnouncingNode, changesPrefix, keyOf, type NamedDevice, namedOf } from './announcement';
import {
  changesShape,
  type DeviceChanges,
  isOurs,
  isSameValue,
  isSettled,
  volumeOf,
  withVolume,
} from './changes';
import type { Line } from './line';
import { resultOf, type StepResult, sendInTurn, type TurnResult } from './send';
import type { Surroundings } from './teller';

/** Maximum time for which a start that must be heard waits until the volume is put back, in milliseconds. */
export const maxTurnMs = 1_000;
/** Pause between two tries after a start that must be heard, and after the first failure, in milliseconds. */
const pauseMs = 1_000;

/** Some of the changes were not tried to be put back, or could not be. */
class NotYet extends Error {}

/** Sends one request that puts something back; rejects if the device does not answer. */
type Send<R = TurnResult> = (operation: OperationName, parameters: Parameters) => Promise<R>;

interface LineMap {
  of(key: string): Line;
  /** Called when a line might have nothing left. */
  forget(line: Line): void;
}

/** Puts back what announcements have changed: each change is in the journal before it is made. */
export class PutBack {
  readonly #changes: Reconciler<DeviceChanges>;

  constructor(
    private readonly surroundings: Surroundings,
    private readonly lines: LineMap,
  ) {
    const { clock, journal } = surroundings;
    this.#changes = new Reconciler({
      ...{ prefix: changesPrefix, journal, clock, shape: changesShape },
      attempt: async ({ device }) => {
        const line = lines.of(keyOf(device));
        const error = await this.#share(line);
        if (error && !line.press) throw error;
      },
      // Told by the try itself, since it knows the receipt.
      failedFirst: () => {},
      gaveUp: (changes) => surroundings.teller.gaveUp(changes),
      isNoFailure: (error) => error instanceof NotYet,
    });
  }

  of(key: string): DeviceChanges | undefined {
    return this.#changes.get(key);
  }

  get all(): readonly DeviceChanges[] {
    return [...this.#changes.entries()].map(({ record }) => record);
  }

  /**
   * Records a change.
   * @param made the device and the node of the change, if nothing is recorded yet
   * @returns a promise that resolves when this is on disk, or when the journal does not wait any longer
   */
  change(
    line: Line,
    change: Partial<DeviceChanges>,
    made?: { readonly named: NamedDevice; readonly request: { readonly node: AnnouncingNode } },
  ): Promise<void> | undefined {
    const { key } = line;
    const known = this.of(key) ?? (made && { device: made.named, node: made.request.node, volumes: [] });
    if (!known) return undefined;
    const changes = { ...known, ...change };
    if (changes.volumes.length === 0) line.press = undefined;
    const written = this.#changes.set(key, isSettled(changes) ? undefined : withoutUndefined(changes));
    line.nudge();
    return written;
  }

  /** Keeps all attempts away from a line. Returns a function that permits them again. */
  hold(key: string): () => void {
    const hold = this.#changes.hold(key);
    return () => void hold.release(false);
  }

  /** Begins the attempts, also of changes from before a restart. @param find returns the present device */
  run(find: (device: NamedDevice) => Device | undefined): void {
    this.#changes.move((record) => {
      const found = find(record.device);
      if (!found || this.of(keyOf(found))) return undefined;
      return { key: keyOf(found), record: { ...record, device: namedOf(found) } };
    });
    for (const { device } of this.all)
      if (this.surroundings.holds.sound(keyOf(device)) !== undefined)
        this.press(this.lines.of(keyOf(device)));
    this.#changes.run();
  }

  close(): void {
    this.#changes.close();
  }

  /** Tries once to put all back: the sound, the volumes, the text. Never rejects. */
  async tryOnce(line: Line): Promise<void> {
    const error = await this.#share(line);
    const left = this.of(line.key);
    if (error && left && !line.press) void this.#changes.set(line.key, left, pauseMs);
  }

  /** Callers at the same time share one try. Resolves with the error, if something is left. */
  #share(line: Line): Promise<Error | undefined> {
    if (line.trying) return line.trying;
    const release = this.hold(line.key);
    const nextAt = this.surroundings.clock.monotonic() + pauseMs;
    line.trying = this.#try(line)
      .then(
        () => undefined,
        (error: unknown) => error as Error,
      )
      .finally(() => {
        line.trying = undefined;
        if (line.press) this.#pressOn(line, line.press, nextAt);
        release();
        line.nudge();
        this.lines.forget(line);
      });
    return line.trying;
  }

  /** @throws Error if something is left */
  async #try(line: Line): Promise<void> {
    const { key } = line;
    let isFailing = false;
    const sendOne = this.#sendOf(key);
    const send: Send = async (operation, parameters) => {
      const result = await sendOne(operation, parameters);
      isFailing ||= isFailure(result);
      // Without an answer, the rest would have none either.
      if (hasNoAnswer(result) && !(operation === 'tone/stop' && result.is === 'unknown'))
        throw new Error('no answer');
      return result;
    };
    const { toneUntil } = this.of(key) ?? {};
    if (toneUntil !== undefined) {
      const isSilent = toneUntil <= this.surroundings.clock.now() || isAnswer(await send('tone/stop', {}));
      if (isSilent) void this.change(line, { toneUntil: undefined });
    }
    do {
      await line.first;
      await this.#volumes(line, send, () => !line.first);
    } while (line.first);
    if (!this.#isWriting(line)) line.press = undefined;
    await this.removeText(line, send);
    if (this.of(key)) throw isFailing ? new Error('not put back') : new NotYet();
  }

  /** Removes the text of an announcement, unless an alert holds the text. */
  async removeText(line: Line, send: Send = this.#sendOf(line.key)): Promise<void> {
    const { key } = line;
    if (!this.of(key)?.text || this.surroundings.holds.text(key) !== undefined) return;
    if ((await send('screen/text-stop', {})).is === 'done') void this.change(line, { text: undefined });
  }

  /** @param isOwn whether nothing else puts the volumes back */
  async #volumes(line: Line, send: Send, isOwn = () => true): Promise<void> {
    for (const { setting } of this.of(line.key)?.volumes ?? []) {
      if (!isOwn()) return;
      if (!volumeOf(this.of(line.key), setting)) continue;
      const read = await send('settings/get', { name: setting });
      const change = volumeOf(this.of(line.key), setting);
      if (read.value === undefined || !change) continue;
      // A volume that no announcement has written stays: a user or another program has set that volume.
      if (isOurs(change, read.value) && !isSameValue(read.value, change.before)) {
        if (!isOwn()) return;
        const written = await send('settings/put', { [setting]: change.before });
        if (written.is !== 'done') continue;
      }
      // A write of an announcement that the device has not answered yet can still take effect.
      if (!line.play?.isWriting(setting))
        void this.change(line, { volumes: withVolume(this.of(line.key), setting, undefined) });
    }
  }

  /**
   * Puts the volumes back in the turn of a start that must be heard.
   * @returns a promise that resolves when this is done or has failed, at the latest after `maxTurnMs`; undefined
   * if no volume is changed
   */
  first(line: Line, turn: Turn): Promise<void> | undefined {
    if (!line.first && this.hasVolumes(line.key))
      line.first = this.#first(line, turn)
        .catch(() => {})
        .finally(() => {
          line.first = undefined;
          line.nudge();
        });
    return line.first;
  }

  async #first(line: Line, turn: Turn): Promise<void> {
    const { clock } = this.surroundings;
    const until = clock.monotonic() + maxTurnMs;
    // The device might carry out a write under way after the start.
    while (this.#isWriting(line) && clock.monotonic() < until) await line.until(until);
    await this.#volumes(line, (operation, parameters) =>
      sendInTurn(turn, operation, parameters, until - clock.monotonic()),
    );
  }

  /**
   * Tries once a second to put all back, until the device has answered for the volumes. Call after a start that must be
   * heard. Does not wait for the player, whose request might hang.
   */
  press(line: Line): void {
    const left = this.of(line.key);
    if (line.press || !left || !this.hasVolumes(line.key)) return;
    line.press = new Retries();
    line.play?.release();
    void this.#changes.set(line.key, left);
  }

  #pressOn({ key }: Line, press: Retries, nextAt: number): void {
    const { clock, teller } = this.surroundings;
    const left = this.of(key);
    if (!left) return;
    press.fail(clock);
    const isHopeless = press.isHopeless(clock);
    void this.#changes.set(key, isHopeless ? undefined : left, Math.max(0, nextAt - clock.monotonic()));
    if (isHopeless) teller.gaveUp(left);
  }

  /** Whether a write of a volume that must be put back might still take effect. */
  #isWriting({ key, play }: Line): boolean {
    return this.of(key)?.volumes.some(({ setting }) => play?.isWriting(setting)) === true;
  }

  hasVolumes(key: string): boolean {
    return (this.of(key)?.volumes.length ?? 0) > 0;
  }

  /** Sends a request in front of what waits at the device. Tells the first failure. */
  #sendOf(key: string): Send<StepResult> {
    return async (operation, parameters) => {
      const { device, node } = this.of(key) ?? {};
      if (!device || !node) throw new NotYet();
      const request = { device, node, operation, parameters, isUrgent: true, yields: true };
      const sent = await this.surroundings.send(request);
      const result = resultOf(sent, parameters);
      const changes = this.of(key);
      // A deploy has closed the device; the next attempt is at the device that it has created.
      const isTold = !isFailure(result) || result.receipt.error?.code === 'ABORTED' || changes?.isTold;
      if (changes && !isTold) {
        void this.#changes.set(key, { ...changes, isTold: true }, pauseMs);
        this.surroundings.teller.putBackFailed(changes, result.receipt);
      }
      return result;
    };
  }
}

/** A request that another one has superseded says nothing about the device. */
function isFailure({ is, receipt }: StepResult): boolean {
  return is !== 'done' && receipt.outcome !== 'superseded';
}

function hasNoAnswer(result: StepResult): boolean {
  return isFailure(result) && result.is !== 'refused';
}

function isAnswer({ is }: TurnResult): boolean {
  return is === 'done' || is === 'refused';
}

function withoutUndefined(changes: DeviceChanges): DeviceChanges {
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as unknown as DeviceChanges;
}
