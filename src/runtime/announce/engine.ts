import type { Clock } from '../../time/clock';
import type {
  Announcement,
  AnnounceStep,
  EndEvent,
  EventName,
  Failed,
  NamedDevice,
  Prepared,
  Sound,
  StepResult,
} from './announcement';
import { type Ending, Entry, type EntryReceipt, isBefore, type Note, type TakenOutBy } from './entry';
import { type AnnounceTicket, Line, type Press, partsOf, type Round } from './line';
import {
  changedVolume,
  isSameValue,
  type PutBack,
  type VolumeChange,
  volumeOf,
  withVolume,
} from './put-back';
import { Undoing } from './undoing';

/** Minimum time between the beginnings of two rounds of `Line.press`, in milliseconds. */
const pressMs = 1_000;
const never = Number.POSITIVE_INFINITY;

export type News =
  | {
      readonly kind: 'event';
      readonly entry: Entry;
      readonly event: EventName;
      readonly durationMs: number | null;
      readonly reason: string | null;
    }
  | { readonly kind: 'receipt'; readonly entry: Entry; readonly receipt: EntryReceipt }
  /** Each target has its receipt. */
  | { readonly kind: 'begun'; readonly announcement: Announcement }
  | { readonly kind: 'done'; readonly announcement: Announcement }
  /** The engine no longer tries to undo these changes, since `maxPutBackMs` is over. */
  | { readonly kind: 'given-up'; readonly back: PutBack };

interface Together {
  readonly announcement: Announcement;
  readonly entries: Entry[];
  firstReadyAt: number | undefined;
  isReleased: boolean;
  left: number;
  withoutReceipt: number;
}

/**
 * Returns the time until which ready targets wait for other targets, in milliseconds on the monotonic clock;
 * minus infinity if no target is awaited.
 */
function releaseAt({ announcement, entries }: Together, firstReadyAt: number): number {
  const isAwaited = entries.some(({ phase, isAway }) => phase === 'preparing' && !isAway);
  return isAwaited ? firstReadyAt + announcement.togetherMs : Number.NEGATIVE_INFINITY;
}

interface Holds {
  /**
   * Returns the name of an alert that holds the tone, the call or the emergency alert of a device; undefined
   * if no alert does.
   */
  sound(key: string): string | undefined;
  /**
   * Returns the name of an alert that holds the screen or the text of a device; undefined if no alert does.
   */
  screen(key: string): string | undefined;
  /** Returns the name of the alert that holds the text of a device; undefined if no alert does. */
  text(key: string): string | undefined;
}

export interface Playing {
  readonly id: string;
  readonly node: string;
  readonly priority: number;
}

/**
 * The engine sends nothing: its caller sends the requests of `takeTickets` and reports each result with
 * `answered`.
 */
export class AnnounceEngine {
  readonly #lines = new Map<string, Line>();
  readonly #together = new Map<string, Together>();
  readonly #undoing: Undoing;
  #numbers = 0;
  #tickets: AnnounceTicket[] = [];
  #news: News[] = [];

  /** @param kept changes from before a restart that must be undone */
  constructor(
    private readonly clock: Pick<Clock, 'now' | 'monotonic' | 'random'>,
    private readonly holds: Holds,
    kept: Iterable<readonly [key: string, back: PutBack]> = [],
  ) {
    const giveUp = (back: PutBack) => this.#news.push({ kind: 'given-up', back });
    this.#undoing = new Undoing(clock, (key) => holds.text(key), giveUp);
    for (const [key, back] of kept) this.#line(key).back = back;
  }

  /** The caller must write `takeChanges` to the journal before it sends a `write-volume` or a `show-text`. */
  takeTickets(): AnnounceTicket[] {
    const tickets = this.#tickets;
    this.#tickets = [];
    return tickets;
  }

  takeNews(): News[] {
    const news = this.#news;
    this.#news = [];
    return news;
  }

  /**
   * Returns the keys of the lines whose `back` was set since the last call, each with the present `back`;
   * undefined if nothing is left to undo.
   */
  takeChanges(): [key: string, back: PutBack | undefined][] {
    return this.#undoing.takeChanged().map((key) => [key, this.#lines.get(key)?.back]);
  }

  /** Time of the next `tick`, in milliseconds on the monotonic clock; infinity if none is needed. */
  get nextAt(): number {
    let next = never;
    for (const line of this.#lines.values()) next = Math.min(next, this.#nextAtOf(line));
    for (const together of this.#together.values())
      if (!together.isReleased && together.firstReadyAt !== undefined)
        next = Math.min(next, releaseAt(together, together.firstReadyAt));
    return next;
  }

  run(): void {
    for (const line of [...this.#lines.values()]) {
      line.retryAt = Number.NEGATIVE_INFINITY;
      if (line.back?.volumes && this.holds.sound(line.key) !== undefined) this.#beginPress(line, false);
      this.#advance(line);
    }
  }

  tick(): void {
    const now = this.clock.monotonic();
    for (const together of [...this.#together.values()]) this.#release(together, now);
    for (const line of [...this.#lines.values()]) this.#advance(line);
  }

  /** @returns one entry for each target; the caller must prepare the entries in the phase `preparing` */
  add(
    announcement: Announcement,
    targets: readonly {
      readonly key: string;
      readonly device: NamedDevice;
      readonly isAway?: boolean;
    }[],
  ): Entry[] {
    const now = this.clock.monotonic();
    const entries = targets.map(({ key, device, isAway = false }) => {
      this.#numbers += 1;
      const expiresAt = now + announcement.ttlMs;
      return new Entry(this.#numbers, announcement, key, device, expiresAt, isAway);
    });
    const { length } = entries;
    const together = { announcement, entries, firstReadyAt: undefined, isReleased: false };
    this.#together.set(announcement.id, { ...together, left: length, withoutReceipt: length });
    for (const entry of entries) this.#enter(entry);
    return entries;
  }

  prepared(entry: Entry, prepared: Prepared): void {
    if (entry.phase !== 'preparing') return;
    entry.prepared = prepared;
    entry.phase = 'ready';
    this.#noteReady(entry);
  }

  unprepared(entry: Entry, failed: Failed): void {
    if (entry.phase !== 'preparing') return;
    this.#leave(entry, {
      event: failed.outcome === 'skipped' ? 'skipped' : 'failed',
      reason: failed.code,
      receipt: failed,
    });
    this.#noteReady(entry);
    this.#advance(this.#line(entry.key));
  }

  answered(ticket: AnnounceTicket, result: StepResult): void {
    const line = this.#line(ticket.key);
    line.underWay.delete(ticket);
    line.pressing.delete(ticket);
    if (ticket.isPutBack) this.#undoing.noteResult(line, ticket, result);
    else if (ticket.entry) this.#noteStep(line, ticket.entry, ticket, result);
    this.#advance(line);
  }

  /**
   * Whether a `write-volume`, `show-text` or `start-tone` may be sent. Called when the request has its turn
   * in the queue, since an alert or another node might have used the device in the meantime.
   */
  maySend(ticket: AnnounceTicket): boolean {
    const { entry, key, step } = ticket;
    const line = this.#lines.get(key);
    if (!entry || line?.current !== entry || entry.ending || line.others > 0) return false;
    if (step.kind === 'show-text' && this.holds.screen(key) !== undefined) return false;
    if (this.holds.sound(key) !== undefined) return false;
    // The old volume might have been put back since this write was asked for; then nothing would undo it.
    if (step.kind === 'write-volume' && volumeOf(line.back, step.setting)?.written !== step.value)
      return false;
    ticket.isSent = true;
    return true;
  }

  /**
   * Notes a failed request that undoes a change.
   * @returns whether the failure must be told: it is the first one of the present changes
   */
  mustTellFailure({ key }: AnnounceTicket): boolean {
    return this.#undoing.noteFailure(this.#line(key));
  }

  /** Holds back the changes and sounds of announcements at the device until `otherEnds`. */
  otherBegins(key: string): void {
    this.#line(key).others += 1;
  }

  /**
   * Does the same as `otherBegins` for a start of an alert or of an emergency that sounds. Begins to put back
   * the volumes that announcements have changed.
   */
  soundBegins(key: string): void {
    const line = this.#line(key);
    this.otherBegins(key);
    line.sounding += 1;
    if (line.back?.volumes && !isFirstUnderWay(line.press)) this.#beginPress(line, true);
    this.#advance(line);
  }

  /** Whether a start that sounds must wait, since the volumes are being put back. */
  isPuttingBackFirst(key: string): boolean {
    return isFirstUnderWay(this.#lines.get(key)?.press);
  }

  /** Does the same as `otherEnds`. Volumes that are still changed are put back without pauses. */
  soundEnds(key: string, happened: boolean, alert: string | undefined): boolean {
    const line = this.#line(key);
    line.sounding -= 1;
    // The announcement goes on, with the volume that it has set.
    if (!happened && line.current && !line.current.ending) line.press = undefined;
    if (line.press) line.press.nextAt = this.clock.monotonic();
    return this.otherEnds(key, happened, alert);
  }

  /**
   * @param happened whether the request took effect or might have
   * @param alert the name of the alert that has sent the request; undefined for another node
   * @returns whether an announcement plays or waits at the device, or something must be put back
   */
  otherEnds(key: string, happened: boolean, alert: string | undefined): boolean {
    const line = this.#line(key);
    line.others -= 1;
    if (line.isEmpty) {
      this.#forget(line);
      return false;
    }
    if (happened) {
      // The other request has replaced or ended the sound of the announcement, so the engine must not stop a
      // sound.
      if (line.back?.toneUntil !== undefined) this.#undoing.set(line, { ...line.back, toneUntil: undefined });
      if (line.current) this.#endByOther(line.current, alert);
    }
    this.#advance(line);
    return true;
  }

  textReplaced(key: string): void {
    const line = this.#lines.get(key);
    // A `show-text` under way takes effect after the other text, so its text must still be removed.
    if ([...(line?.underWay ?? [])].some(({ step }) => step.kind === 'show-text')) return;
    if (line?.back?.text) this.#undoing.set(line, { ...line.back, text: undefined });
  }

  /** Ends the text of an announcement: over the screen, it would cover what the alert shows. */
  screenTaken(key: string, alert: string): void {
    const line = this.#lines.get(key);
    const { current } = line ?? {};
    if (!line || !current?.isTextDone) return;
    if (current.prepared?.plays) current.isTextOver = true;
    else this.#endByOther(current, alert);
    this.#advance(line);
  }

  /**
   * Ends the announcements of a node.
   * @param keys keys of the lines; undefined for all lines
   * @param code error code for targets that have not started
   * @returns the keys of the lines where an announcement was ended
   */
  stop(nodeId: string, keys?: ReadonlySet<string>, code: 'SUPERSEDED' | 'ABORTED' = 'SUPERSEDED'): string[] {
    const stopped: string[] = [];
    for (const line of [...this.#lines.values()]) {
      if (keys && !keys.has(line.key)) continue;
      const isOwn = ({ announcement }: Entry) => announcement.node.id === nodeId;
      const waiting = line.waiting.filter(isOwn);
      const current = line.current && isOwn(line.current) ? line.current : undefined;
      if (waiting.length === 0 && !current) continue;
      stopped.push(line.key);
      for (const entry of waiting) this.#leave(entry, unstarted(code));
      // Only now, since another entry of the node could otherwise become the current one.
      for (const entry of waiting) this.#noteReady(entry);
      if (current) this.#end(line, current, null, code);
      this.#advance(line);
    }
    return stopped;
  }

  /** `waiting` lists the next announcement first. */
  playing(key: string): { readonly playing: Playing | null; readonly waiting: readonly Playing[] } {
    const { playing, waiting } = partsOf(this.#lines.get(key));
    return { playing: playing ? shown(playing) : null, waiting: waiting.map(shown) };
  }

  /** An announcement counts once for each target. */
  counts(nodeId: string): { readonly playing: number; readonly waiting: number } {
    const isOwn = (entry: Entry | undefined) => entry?.announcement.node.id === nodeId;
    const counts = { playing: 0, waiting: 0 };
    for (const line of this.#lines.values()) {
      const { playing, waiting } = partsOf(line);
      if (isOwn(playing)) counts.playing += 1;
      counts.waiting += waiting.filter(isOwn).length;
    }
    return counts;
  }

  entriesAt(key: string): Entry[] {
    const line = this.#lines.get(key);
    return line ? [...(line.current ? [line.current] : []), ...line.waiting] : [];
  }

  /** Whether a request that puts back the volume is under way. */
  isVolumeGoingBack(key: string): boolean {
    const isOfVolume = ({ isPutBack, step }: AnnounceTicket) =>
      isPutBack && (step.kind === 'read-volume' || step.kind === 'write-volume');
    const { underWay = [], pressing = [] } = this.#lines.get(key) ?? {};
    return [...underWay, ...pressing].some(isOfVolume);
  }

  *backs(): Generator<[key: string, back: PutBack]> {
    for (const { key, back } of this.#lines.values()) if (back) yield [key, back];
  }

  /** @param keyOf returns the present key of a device; undefined if the device is unknown */
  relocate(keyOf: (device: NamedDevice) => string | undefined): void {
    for (const line of [...this.#lines.values()]) {
      const { back } = line;
      if (!back || line.current || line.underWay.size > 0 || line.pressing.size > 0) continue;
      const key = keyOf(back.device) ?? line.key;
      if (key === line.key || this.#lines.get(key)?.back) continue;
      this.#undoing.set(line, undefined);
      this.#undoing.set(this.#line(key), back);
      this.#forget(line);
    }
  }

  #line(key: string): Line {
    const line = this.#lines.get(key) ?? new Line(key);
    this.#lines.set(key, line);
    return line;
  }

  #forget(line: Line): void {
    if (line.isEmpty && this.#lines.get(line.key) === line) this.#lines.delete(line.key);
  }

  #enter(entry: Entry): void {
    const line = this.#line(entry.key);
    const { overlap, priority } = entry.announcement;
    const alert = this.holds.sound(entry.key);
    const isBusy = line.current !== undefined || line.waiting.length > 0;
    if (alert !== undefined || (overlap === 'skip' && isBusy)) {
      this.#skip(entry, alert === undefined ? 'busy' : 'held', alert);
      return;
    }
    const { current } = line;
    if (overlap === 'replace' && current && current.announcement.priority <= priority) {
      entry.takesPlace = true;
      this.#end(line, current, 'replaced', 'SUPERSEDED');
    }
    const index = line.waiting.findIndex((other) => isBefore(entry, other));
    line.waiting.splice(index < 0 ? line.waiting.length : index, 0, entry);
    this.#tellQueued(line);
    this.#advance(line);
  }

  #skip(entry: Entry, note: Note, detail?: string): void {
    entry.notes.push(detail === undefined ? { note } : { note, detail });
    this.#leave(entry, { event: 'skipped', reason: note, receipt: { outcome: 'skipped' } });
    this.#noteReady(entry);
  }

  #tellQueued(line: Line): void {
    for (const [index, entry] of line.waiting.entries()) {
      if (entry.isQueued || (index === 0 && (!line.current || entry.takesPlace))) continue;
      entry.isQueued = true;
      this.#tell(entry, 'queued', null, null);
    }
  }

  #noteReady({ announcement, phase, key }: Entry): void {
    const together = this.#together.get(announcement.id);
    if (!together) return;
    const now = this.clock.monotonic();
    if (phase === 'ready') together.firstReadyAt ??= now;
    if (together.isReleased) this.#advance(this.#line(key));
    else this.#release(together, now);
  }

  #release(together: Together, now: number): void {
    if (together.isReleased) return;
    if (now < releaseAt(together, together.firstReadyAt ?? now)) return;
    together.isReleased = true;
    for (const { key } of together.entries) this.#advance(this.#line(key));
  }

  #nextAtOf(line: Line): number {
    const { current, waiting, back, round, underWay, retryAt, press, sounding } = line;
    let next = press?.isOver && sounding === 0 ? press.nextAt : never;
    for (const { expiresAt } of waiting) next = Math.min(next, expiresAt);
    if (underWay.size > 0) return next;
    if (current) {
      if (current.ending) return Math.min(next, current.nextAt);
      return line.isInUse ? next : Math.min(next, current.nextAt);
    }
    return back && !round ? Math.min(next, retryAt) : next;
  }

  #advance(line: Line): void {
    const now = this.clock.monotonic();
    this.#expire(line, now);
    this.#pressOn(line, now);
    while (line.underWay.size === 0 && this.#step(line, now));
    this.#forget(line);
  }

  #beginPress(line: Line, isFirst: boolean): void {
    const nextAt = this.clock.monotonic() + pressMs;
    line.press = { round: { volumes: new Set() }, isFirst, isOver: false, nextAt };
  }

  /** Goes on with putting back the volumes, next to the other requests at the line. */
  #pressOn(line: Line, now: number): void {
    if (line.press?.isOver && line.sounding === 0 && now >= line.press.nextAt) this.#beginPress(line, false);
    const { press, sounding } = line;
    if (!press || press.isOver || [...line.pressing].some(({ round }) => round === press.round)) return;
    // Before the start, the round waits for the answer to a write that the device might carry out after it.
    if (sounding > 0 && line.back?.volumes?.some(({ setting }) => line.isWriting(setting))) return;
    const step = this.#undoing.nextVolumeStep(line, press.round);
    if (step) this.#ask(line, step, line.current, press.round, press.isFirst && sounding > 0);
    else if (press.round.isHopeless && line.back?.volumes) press.isOver = true;
    // All volumes are put back, or the device has answered that it does not do so.
    else line.press = undefined;
  }

  #expire(line: Line, now: number): void {
    for (const entry of line.waiting.filter(({ expiresAt }) => expiresAt <= now)) {
      this.#leave(entry, expired);
      this.#noteReady(entry);
    }
  }

  /** Returns whether the next step can follow immediately. */
  #step(line: Line, now: number): boolean {
    const { current } = line;
    if (current?.ending) return this.#stepToEnd(line, current, now);
    if (current) return this.#stepOn(line, current, now);
    const next = this.#next(line);
    if (line.round || (line.back && (line.retryAt <= now || next?.hasUndoneEarlier === false))) {
      if (next) next.hasUndoneEarlier = true;
      return this.#undo(line, undefined) === 'over';
    }
    if (!next || line.isInUse) return false;
    line.press = undefined;
    line.waiting.splice(line.waiting.indexOf(next), 1);
    next.phase = 'current';
    line.current = next;
    this.#tellQueued(line);
    return true;
  }

  #next({ waiting: [first] }: Line): Entry | undefined {
    if (first?.phase !== 'ready') return undefined;
    return this.#together.get(first.announcement.id)?.isReleased ? first : undefined;
  }

  #stepOn(line: Line, entry: Entry, now: number): boolean {
    const alert = this.holds.sound(line.key);
    if (alert !== undefined) {
      this.#endByOther(entry, alert);
      return true;
    }
    if (entry.startedAt === undefined && now >= entry.expiresAt) {
      entry.ending = expired;
      return true;
    }
    if (entry.isTextOver) {
      entry.isTextOver = false;
      if (line.back?.text && this.holds.text(line.key) === undefined)
        return this.#send(line, entry, { kind: 'remove-text' }, { volumes: new Set() });
    }
    const { prepared, announcement, sounds } = entry;
    if (!prepared || line.isInUse) return false;
    if (prepared.plays && announcement.volume !== undefined && !entry.hasReadVolume) {
      entry.hasReadVolume = true;
      return this.#send(line, entry, { kind: 'read-volume', setting: prepared.setting });
    }
    if (entry.volumeToWrite !== undefined) {
      const value = entry.volumeToWrite;
      entry.volumeToWrite = undefined;
      return this.#send(line, entry, { kind: 'write-volume', setting: prepared.setting, value });
    }
    if (announcement.hasText && !entry.isTextDone) {
      entry.isTextDone = true;
      return this.#showText(line, entry, prepared);
    }
    if (now < entry.nextAt) return false;
    const sound = sounds[entry.nextSound];
    if (sound)
      return this.#send(line, entry, { kind: 'start-tone', sound, isFirst: entry.startedAt === undefined });
    const finished = { event: 'finished', reason: null } as const;
    entry.ending = entry.startedAt === undefined ? unstarted('NOT_SUPPORTED') : finished;
    return true;
  }

  #showText(line: Line, entry: Entry, { shows, plays }: Prepared): boolean {
    if (!shows) {
      entry.notes.push({ note: 'noTextSupport' });
      return true;
    }
    const alert = this.holds.screen(line.key);
    if (alert !== undefined) {
      entry.notes.push({ note: 'textHeld', detail: alert });
      if (!plays) entry.ending = { event: 'skipped', reason: 'textHeld', receipt: { outcome: 'skipped' } };
      return true;
    }
    entry.earlierText = line.back?.text;
    this.#undoing.set(line, { ...this.#undoing.backOf(line, entry), text: true });
    return this.#send(line, entry, { kind: 'show-text' });
  }

  #send(line: Line, entry: Entry, step: AnnounceStep, round?: Round): false {
    this.#ask(line, step, entry, round);
    return false;
  }

  /** @param round the round of undoing to which the request belongs; undefined for a step of the entry */
  #ask(line: Line, step: AnnounceStep, entry: Entry | undefined, round?: Round, isFirst = false): void {
    const { device, node } = entry
      ? { device: entry.device, node: entry.announcement.node }
      : (line.back ?? {});
    if (!device || !node) return;
    this.#numbers += 1;
    const ticket: AnnounceTicket = {
      ...{ number: this.#numbers, key: line.key, device, step, entry, node },
      ...{ isPutBack: round !== undefined, round, isFirst, isSent: false },
    };
    (round && round === line.press?.round ? line.pressing : line.underWay).add(ticket);
    this.#tickets.push(ticket);
  }

  #noteStep(line: Line, entry: Entry, { step }: AnnounceTicket, result: StepResult): void {
    if (step.kind === 'read-volume') this.#noteVolumeRead(line, entry, step.setting, result);
    else if (step.kind === 'write-volume') this.#noteVolumeWritten(line, entry, step.setting, result);
    else if (step.kind === 'show-text') this.#noteTextShown(line, entry, result);
    else if (step.kind === 'start-tone') {
      const isHeard = result.is === 'done' || result.is === 'unknown';
      // If the sound of the announcement does not play, a stop would end the sound of another node.
      if (!isHeard && entry.ending && line.back?.toneUntil !== undefined)
        this.#undoing.set(line, { ...line.back, toneUntil: entry.earlierToneUntil });
      this.#noteSound(entry, step.sound, result);
    }
  }

  #noteVolumeRead(line: Line, entry: Entry, setting: string, result: StepResult): void {
    const { volume } = entry.announcement;
    if (result.is === 'done' && result.value !== undefined && volume !== undefined) {
      if (isSameValue(result.value, volume)) return;
      const back = this.#undoing.backOf(line, entry);
      entry.earlierVolume = volumeOf(back, setting);
      const change = changedVolume(entry.earlierVolume, setting, result.value, volume);
      this.#undoing.set(line, withVolume(back, setting, change));
      entry.volumeToWrite = volume;
    } else if (result.is === 'refused') entry.notes.push({ note: 'noVolume', detail: result.failed.code });
    else if (result.is === 'done') entry.notes.push({ note: 'noVolume' });
    else if (result.is !== 'held') this.#failBefore(entry, result.failed);
  }

  #noteVolumeWritten(line: Line, entry: Entry, setting: string, result: StepResult): void {
    if (result.is === 'done') {
      const { earlier: _, ...change } = volumeOf(line.back, setting) ?? {};
      if (line.back && 'setting' in change)
        this.#undoing.set(line, withVolume(line.back, setting, change as VolumeChange));
      return;
    }
    // After an unknown result the change stays in `back`: the engine reads the volume before it writes the
    // old value.
    if (result.is === 'held') entry.hasReadVolume = false;
    if (result.is !== 'unknown' && line.back)
      this.#undoing.set(line, withVolume(line.back, setting, entry.earlierVolume));
    if (result.is === 'refused') entry.notes.push({ note: 'noVolume', detail: result.failed.code });
    else if (result.is !== 'held') this.#failBefore(entry, result.failed);
  }

  #noteTextShown(line: Line, entry: Entry, result: StepResult): void {
    const { plays } = entry.prepared ?? {};
    if (result.is === 'done') {
      if (!plays) this.#begin(entry, entry.plannedMs ?? 0);
      return;
    }
    if (result.is !== 'unknown' && line.back)
      this.#undoing.set(line, { ...line.back, text: entry.earlierText });
    if (result.is === 'held') entry.isTextDone = false;
    else if (result.is === 'refused' && plays)
      entry.notes.push({ note: 'noText', detail: result.failed.code });
    else this.#failBefore(entry, result.failed);
  }

  #noteSound(entry: Entry, sound: Sound, result: StepResult): void {
    if (result.is === 'held') return;
    const { chimeMs = 0, audioMs = 0 } = entry.prepared ?? {};
    const ms = sound === 'chime' ? chimeMs : audioMs;
    const now = this.clock.monotonic();
    if (result.is === 'done' || result.is === 'unknown') entry.soundUntil = now + ms;
    if (result.is === 'done') {
      entry.nextSound += 1;
      const hasPause = sound === 'audio' && entry.nextSound < entry.sounds.length;
      this.#begin(entry, ms + (hasPause ? entry.announcement.intervalMs : 0));
      return;
    }
    const { failed } = result;
    const ending: Ending = { event: 'failed', reason: failed.code, receipt: failed };
    if (result.is === 'unknown' && !(entry.ending && entry.startedAt !== undefined)) {
      // A sound that might play keeps the line busy for its length, unless the entry was already ended.
      if (!entry.ending) entry.nextAt = entry.soundUntil;
      entry.ending = ending;
      this.#conclude(entry, ending, now);
      return;
    }
    if (entry.ending) return;
    if (sound === 'chime' && result.is === 'refused') {
      entry.nextSound += 1;
      entry.isWithoutChime = true;
      entry.notes.push({ note: 'noChime', detail: failed.code });
      return;
    }
    entry.nextAt = Number.NEGATIVE_INFINITY;
    entry.ending = ending;
  }

  #begin(entry: Entry, ms: number): void {
    const now = this.clock.monotonic();
    if (!entry.ending) entry.nextAt = now + ms;
    if (entry.startedAt !== undefined) return;
    entry.startedAt = now;
    this.#giveReceipt(entry, { outcome: 'accepted' });
    this.#tell(entry, 'started', entry.plannedMs, null);
  }

  /** The outcome `unknown` becomes `failed` at a target with sound: the sound was definitely not played. */
  #failBefore(entry: Entry, failed: Failed): void {
    const isUnknown = failed.outcome === 'unknown' && entry.prepared?.plays === true;
    const receipt = isUnknown ? { ...failed, outcome: 'failed' as const } : failed;
    entry.ending ??= { event: 'failed', reason: failed.code, receipt };
  }

  #endByOther(entry: Entry, alert: string | undefined): void {
    entry.nextAt = Number.NEGATIVE_INFINITY;
    entry.soundUntil = Number.NEGATIVE_INFINITY;
    if (entry.ending) return;
    entry.endedAt = this.clock.monotonic();
    if (alert === undefined) {
      entry.ending = { event: 'stopped', reason: 'other', unstarted: unstarted('SUPERSEDED', 'other') };
      return;
    }
    entry.notes.push({ note: 'held', detail: alert });
    const skipped = { event: 'skipped', reason: 'held', receipt: { outcome: 'skipped' } } as const;
    entry.ending = { event: 'stopped', reason: 'held', unstarted: skipped };
  }

  #end(line: Line, entry: Entry, reason: 'replaced' | null, code: UnstartedCode): void {
    const now = this.clock.monotonic();
    entry.nextAt = Number.NEGATIVE_INFINITY;
    if (!entry.ending) {
      entry.endedAt = now;
      entry.ending = { event: 'stopped', reason, unstarted: unstarted(code, reason ?? 'stop') };
      entry.earlierToneUntil = line.back?.toneUntil;
    }
    // A sound that is being started is stopped after the device has answered the start, since an earlier stop
    // would also supersede the waiting starts of other nodes.
    const isStarting = [...line.underWay].some(({ step }) => step.kind === 'start-tone');
    if (isStarting) this.#setToneUntil(line, entry, entry.plannedMs ?? 0);
    else if (entry.soundUntil > now) this.#setToneUntil(line, entry, entry.soundUntil - now);
  }

  #setToneUntil(line: Line, entry: Entry, ms: number): void {
    this.#undoing.set(line, { ...this.#undoing.backOf(line, entry), toneUntil: this.clock.now() + ms });
  }

  #stepToEnd(line: Line, entry: Entry, now: number): boolean {
    // A sound with an unknown result might play until `nextAt`.
    if (now < entry.nextAt) return false;
    if (!entry.hasUndoneOwn) {
      if (this.#undo(line, entry) === 'asked') return false;
      entry.hasUndoneOwn = true;
    }
    const { startedAt } = entry;
    const ending = startedAt === undefined ? (entry.ending?.unstarted ?? entry.ending) : entry.ending;
    if (!ending) return false;
    line.current = undefined;
    this.#conclude(entry, ending, now);
    return true;
  }

  #conclude(entry: Entry, ending: Ending, now: number): void {
    const { startedAt } = entry;
    this.#giveReceipt(entry, ending.receipt ?? { outcome: 'accepted' });
    const durationMs = startedAt === undefined ? null : Math.max(0, (entry.endedAt ?? now) - startedAt);
    this.#over(entry, ending.event, durationMs, ending.reason);
  }

  /** Returns `over` if the round has no further request. */
  #undo(line: Line, entry: Entry | undefined): 'asked' | 'over' {
    const step = this.#undoing.nextStep(line);
    if (!step) return 'over';
    this.#ask(line, step, entry, line.round);
    return 'asked';
  }

  #leave(entry: Entry, { event, reason, receipt }: Ending): void {
    const { waiting } = this.#line(entry.key);
    const index = waiting.indexOf(entry);
    if (index >= 0) waiting.splice(index, 1);
    if (receipt) this.#giveReceipt(entry, receipt);
    this.#over(entry, event, null, reason);
  }

  #over(entry: Entry, event: EndEvent, durationMs: number | null, reason: string | null): void {
    entry.phase = 'over';
    if (entry.isOver) return;
    entry.isOver = true;
    this.#tell(entry, event, durationMs, reason);
    const together = this.#together.get(entry.announcement.id);
    if (!together) return;
    together.left -= 1;
    if (together.left > 0) return;
    this.#together.delete(entry.announcement.id);
    this.#news.push({ kind: 'done', announcement: entry.announcement });
  }

  #giveReceipt(entry: Entry, receipt: EntryReceipt): void {
    if (entry.hasReceipt) return;
    entry.hasReceipt = true;
    this.#news.push({ kind: 'receipt', entry, receipt });
    const together = this.#together.get(entry.announcement.id);
    if (!together) return;
    together.withoutReceipt -= 1;
    if (together.withoutReceipt === 0) this.#news.push({ kind: 'begun', announcement: entry.announcement });
  }

  #tell(entry: Entry, event: EventName, durationMs: number | null, reason: string | null): void {
    this.#news.push({ kind: 'event', entry, event, durationMs, reason });
  }
}

function isFirstUnderWay(press: Press | undefined): boolean {
  return press?.isFirst === true && !press.isOver;
}

function shown({ announcement: { id, node, priority } }: Entry): Playing {
  return { id, node: node.name || node.id, priority };
}

const expired: Ending = {
  event: 'failed',
  reason: 'EXPIRED',
  receipt: { outcome: 'expired', code: 'EXPIRED' },
};

type UnstartedCode = 'SUPERSEDED' | 'ABORTED' | 'NOT_SUPPORTED';

/** @param takenOutBy the cause of SUPERSEDED */
function unstarted(code: UnstartedCode, takenOutBy: TakenOutBy = 'stop'): Ending {
  const receipt =
    code === 'SUPERSEDED'
      ? ({ outcome: 'superseded', code, takenOutBy } as const)
      : ({ outcome: 'failed', code } as const);
  return { event: 'failed', reason: code, receipt };
}
