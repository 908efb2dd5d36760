import { asDeviceError } from '../../client/errors';
import { alertType } from '../alert/send';
import type { Device } from '../device/device';
import type { SendingEvent, SendingWatch } from '../message/bus';
import { keyOf, type NamedDevice } from './announcement';
import type { DeviceChanges } from './changes';
import { Line } from './line';
import { type End, heldWords, type Part, type Running } from './part';
import { Player } from './player';
import { fileOf, type Preparer } from './preparing';
import { maxTurnMs, PutBack } from './put-back';
import { announceType } from './send';
import type { Surroundings } from './teller';

/** Operations of other node types that end an announcement, unless the operation definitely failed. */
const ending: readonly string[] = ['tone/start', 'tone/stop', 'call/start', 'call/page', 'emergency/start'];
/** Operations that sound, so that the volume is put back before an alert or an emergency sends them. */
const sounding: readonly string[] = ['tone/start', 'call/start', 'emergency/start'];
const screenOperations: readonly string[] = ['screen/start', 'screen/text-start', 'screen/text-stop'];
const busyWords = 'another announcement plays or waits here';

/** The announcements at all devices: one line for each device, in which one announcement plays at a time. */
export class Lines {
  readonly #lines = new Map<string, Line>();
  readonly #putBack: PutBack;

  constructor(
    private readonly surroundings: Surroundings,
    private readonly preparer: Preparer,
  ) {
    this.#putBack = new PutBack(surroundings, this);
  }

  /** Puts back what an earlier process has left. @param find returns the present device */
  run(find: (device: NamedDevice) => Device | undefined): void {
    const isRunning = (device: NamedDevice) => this.#lines.get(keyOf(device))?.isRunning;
    void this.surroundings.journal.batch(() =>
      this.#putBack.run((device) => (isRunning(device) ? undefined : find(device))),
    );
  }

  close(): void {
    this.#putBack.close();
  }

  /** The changes that were not put back yet. */
  get left(): readonly DeviceChanges[] {
    return this.#putBack.all;
  }

  at(key: string): Line['parts'] {
    return this.#lines.get(key)?.parts ?? { playing: undefined, waiting: [] };
  }

  get all(): Line['parts'][] {
    return [...this.#lines.values()].map(({ parts }) => parts);
  }

  /** Whether an announcement that plays or waits at a device uses a file. */
  needs(key: string, file: string): boolean {
    const { play, waiting = [] } = this.#lines.get(key) ?? {};
    return [play?.part, ...waiting].some((part) => part && fileOf(part.request.audio) === file);
  }

  /** @returns promises of the targets that played; each resolves when it was tried once to put back */
  stop(by: 'stop' | 'deploy', isMeant: (part: Part) => boolean): Promise<void>[] {
    const plays: Promise<void>[] = [];
    for (const line of [...this.#lines.values()]) {
      const { play } = line;
      for (const part of line.waiting.filter(isMeant)) this.#takeOut(part, { by });
      if (!play || !isMeant(play.part)) continue;
      play.cut({ by });
      plays.push(play.done);
    }
    return plays;
  }

  /** Adds a part to the line of its device. */
  enter(part: Part): void {
    const line = this.of(part.key);
    const { play } = line;
    const { overlap, priority } = part.request.settings;
    const alert = this.surroundings.holds.sound(part.key);
    const isBusy = play !== undefined || line.waiting.length > 0;
    if (alert !== undefined || (overlap === 'skip' && isBusy)) {
      this.#takeOut(part, { by: 'note', words: alert === undefined ? busyWords : heldWords(alert) });
      return;
    }
    if (overlap === 'replace' && play && play.part.request.settings.priority <= priority) {
      part.takesPlace = true;
      play.cut({ by: 'replaced' });
    }
    line.enter(part);
    this.#tellQueued(line);
  }

  #expire(line: Line): void {
    const { clock, teller } = this.surroundings;
    for (const part of [...line.waiting]) {
      if (clock.monotonic() < part.expiresAt) line.expiry.set(part.expiresAt);
      // Its turn might have come with the end of an earlier one.
      else if (line.waiting.includes(part)) teller.guard(() => this.#takeOut(part, { by: 'expired' }));
    }
  }

  /** Ends a part that has not had its turn. */
  #takeOut(part: Part, end: End): void {
    const line = this.of(part.key);
    line.leave(part);
    part.endBy(end, this.surroundings.clock.monotonic());
    this.surroundings.teller.ended(part);
    this.#noteReady(part);
    this.#advance(line);
  }

  /** Prepares the device of a part, which then waits for its turn. */
  async prepare(part: Part): Promise<void> {
    let end: End | undefined;
    try {
      part.prepared = await this.preparer.prepare(part);
    } catch (fault) {
      end = { by: 'failure', error: asDeviceError(fault) };
    }
    if (part.isOver) return;
    this.surroundings.teller.guard(() => (end ? this.#takeOut(part, end) : this.#noteReady(part)));
  }

  /** Releases the targets of an announcement together, when none is awaited any longer. */
  #noteReady({ running, prepared, isOver, key }: Part): void {
    const { togetherMs } = running.request.settings;
    if (running.isReleased) this.#advance(this.of(key));
    else if (togetherMs === 0 || !running.parts.some(({ isAwaited }) => isAwaited)) this.release(running);
    else if (prepared && !isOver) running.together.set(this.surroundings.clock.monotonic() + togetherMs);
  }

  /** Lets each target of an announcement begin when its turn comes. */
  release(running: Running): void {
    running.together.clear();
    running.isReleased = true;
    for (const part of running.parts) this.#advance(this.of(part.key));
  }

  /** Begins with the next part of a line, unless another one has its turn. */
  #advance(line: Line): void {
    line.nudge();
    if (!line.isRunning && line.next) {
      line.isRunning = true;
      void this.#playAll(line).catch((fault: unknown) => this.surroundings.teller.fault(fault));
    }
    this.forget(line);
  }

  /** Plays the announcements at a device, one after the other, as long as one is ready. */
  async #playAll(line: Line): Promise<void> {
    try {
      while (line.next) {
        line.press = undefined;
        // The changes that an earlier announcement has left are put back before the next one reads the volume.
        if (this.#putBack.of(line.key)) await this.#putBack.tryOnce(line);
        const { next } = line;
        if (!next?.prepared) continue;
        line.leave(next);
        const play = new Player(this.surroundings, this.#putBack, line, next, next.prepared);
        line.play = play;
        this.#tellQueued(line);
        await play.done;
        this.surroundings.teller.ended(next);
        line.play = undefined;
        line.nudge();
      }
    } finally {
      line.play = undefined;
      line.isRunning = false;
      this.forget(line);
    }
  }

  /** Tells that a part waits for another one. */
  #tellQueued(line: Line): void {
    for (const [index, part] of line.waiting.entries()) {
      if (part.isQueued || (index === 0 && (!line.play || part.takesPlace))) continue;
      part.isQueued = true;
      this.surroundings.teller.queued(part);
    }
  }

  /** Called in the turn of each operation that is about to be sent to a device. */
  noteSending(sending: SendingEvent): SendingWatch | undefined {
    const { device, operation, operationName, sender, turn } = sending;
    const key = keyOf(device);
    if (sender.type === announceType) return undefined;
    const alert = sender.type === alertType ? sender.name || sender.id : undefined;
    if (screenOperations.includes(operationName))
      return { end: (happened) => this.#noteScreen(key, operationName, happened, alert) };
    if (!ending.includes(operationName)) return undefined;
    const line = this.of(key);
    line.others += 1;
    const isHeard =
      (alert !== undefined || operationName === 'emergency/start') && sounding.includes(operationName);
    return {
      ready: isHeard ? this.#putBack.first(line, turn) : undefined,
      end: (happened) => {
        this.surroundings.teller.guard(() => this.#noteOther(line, happened, alert, isHeard));
        return isHeard || operation.urgent ? undefined : this.#whenVolumeIsBack(line);
      },
    };
  }

  #noteScreen(key: string, operationName: string, happened: boolean, alert: string | undefined): undefined {
    if (!happened || !this.#putBack.of(key)?.text) return;
    const line = this.of(key);
    const { underWay } = line.play ?? {};
    if (operationName !== 'screen/text-stop' && alert !== undefined) line.play?.endTextBy(alert);
    // A text of an announcement that is under way takes effect after the other text, and must still be removed.
    const isUnderWay = underWay?.operation === 'screen/text-start' && underWay.isSent;
    if (operationName !== 'screen/start' && !isUnderWay) void this.#putBack.change(line, { text: undefined });
    this.#advance(line);
  }

  /** @param happened whether the request took effect or might have */
  #noteOther(line: Line, happened: boolean, alert: string | undefined, isHeard: boolean): void {
    line.others -= 1;
    if (happened) {
      // The other request has replaced or ended the sound of the announcement.
      if (this.#putBack.of(line.key)?.toneUntil !== undefined)
        void this.#putBack.change(line, { toneUntil: undefined });
      line.play?.endByOther(alert);
    }
    // If the start has failed, the announcement goes on with the volume that it has set.
    if (isHeard && line.play && !line.play.part.end) line.press = undefined;
    else if (isHeard) this.#putBack.press(line);
    this.#advance(line);
  }

  /**
   * Resolves when it was tried once to put the volume back, at the latest after `maxTurnMs`; undefined if that is
   * not under way.
   */
  #whenVolumeIsBack(line: Line): Promise<void> | undefined {
    const isGoingBack = () =>
      this.#putBack.hasVolumes(line.key) && (line.play?.part.end !== undefined || line.trying !== undefined);
    if (line.play?.underWay || !isGoingBack()) return undefined;
    const until = this.surroundings.clock.monotonic() + maxTurnMs;
    const wait = async () => {
      while (isGoingBack() && this.surroundings.clock.monotonic() < until) await line.until(until);
    };
    return wait();
  }

  of(key: string): Line {
    const line = this.#lines.get(key) ?? new Line(key, this.surroundings.clock, (one) => this.#expire(one));
    this.#lines.set(key, line);
    return line;
  }

  forget(line: Line): void {
    if (!line.isEmpty || this.#lines.get(line.key) !== line) return;
    line.expiry.clear();
    this.#lines.delete(line.key);
  }
}
