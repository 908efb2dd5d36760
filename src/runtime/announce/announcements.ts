import type { NodeAPI } from 'node-red';
import { joinMessages } from '../../catalogue/localized-message';
import type { Turn } from '../../client/client';
import { asDeviceError, DeviceError, describeFault, type ErrorCode, errorCodes } from '../../client/errors';
import type { SharedJournal } from '../../kernel/journal/journal';
import { readEntries } from '../../kernel/journal/read-entries';
import { backgroundClock, type Clock } from '../../time/clock';
import { DeadlineTimer } from '../../time/deadline-timer';
import { type Alerts, alertsOf } from '../alert/alerts';
import { alertType } from '../alert/send';
import type { Device } from '../device/device';
import { foundAgain } from '../device/registry';
import type { Target } from '../device/targets';
import { isStoppedForGood, onStopForGood, stopsAll, warnOfUnsent } from '../flows-stopped';
import { journalOf } from '../journal/shared-journal';
import { onSending, publish, type SendingEvent, type SendingWatch } from '../message/bus';
import { ConcurrencyLimiter } from '../message/concurrency-limiter';
import { type Receipt, type ReceiptError, receiptOf } from '../message/receipt';
import { PerNodeRed } from '../per-node-red';
import { type Announcement, lineKeyOf, type NamedDevice } from './announcement';
import { type Audio, AudioReader } from './audio';
import { AnnounceEngine, type News, type Playing } from './engine';
import type { Entry, EntryReceipt } from './entry';
import type { AnnounceTicket } from './line';
import { type KilledNews, OpenAnnouncements } from './open-announcements';
import { fileOf, namedOf, Preparer, type WantedSound } from './preparing';
import type { AnnounceSettings } from './properties';
import { putBackIn, putBackPrefix } from './put-back';
import {
  announceType,
  failedOf,
  notTried,
  type SendRequest,
  type Sent,
  sendInTurn,
  sendRequest,
  stepResultOf,
} from './send';
import { StoredFiles } from './stored-files';
import { ToneLengths } from './tone-lengths';

export interface AnnounceEvent {
  readonly id: string;
  readonly event: string;
  /** Absent for the event `done`. */
  readonly device?: string;
  readonly durationMs: number | null;
  /** The short sentence of the error, or the note; null if neither exists. */
  readonly reason: string | null;
  readonly code: string | null;
}

export interface AnnounceRequest {
  readonly node: { readonly id: string; readonly name: string };
  readonly settings: AnnounceSettings;
  readonly targets: readonly Target[];
  readonly maxParallel: number;
  readonly audio: Audio | string;
  readonly by: string | undefined;
  /** Time of arrival on the monotonic clock, in milliseconds. */
  readonly since: number;
  readonly arrival: number;
  /**
   * `announce` calls this once for each target, for some targets before `announce` returns.
   * @param isStopped whether the operation `stop` of the same node has taken the target out
   */
  onReceipt(index: number, receipt: Receipt, isStopped?: boolean): void;
  /**
   * If it is absent, the announcement is lost if Node-RED is killed. Otherwise, its end is told after the
   * restart.
   */
  onEvent?(event: AnnounceEvent): void;
}

interface AnnouncingNode {
  /** Called whenever the counts of the node might have changed. */
  onChange(): void;
  /** Called with the events of the node's announcements that Node-RED did not end before it was killed. */
  onEvent(event: AnnounceEvent): void;
}

interface Part {
  readonly index: number;
  readonly request: AnnounceRequest;
  readonly device: Device;
  readonly wanted: WantedSound;
  readonly notes: string[];
  attempts: number;
  failure: ReceiptError | undefined;
  /** The error of the receipt; undefined before the receipt, and if the announcement has started. */
  error: DeviceError | undefined;
  wireMs: number | undefined;
  statusCode: number | undefined;
}

const announcements = new PerNodeRed((RED) => new Announcements(RED, journalOf(RED), alertsOf(RED)));

export function announcementsOf(RED: NodeAPI): Announcements {
  return announcements.of(RED);
}

/** Returns undefined before the first call of `announcementsOf` with the same Node-RED. */
export function knownAnnouncements(RED: Pick<NodeAPI, 'settings'>): Announcements | undefined {
  return announcements.existing(RED);
}

/** Operations of other node types that end an announcement, unless the operation definitely failed. */
const ending: readonly string[] = ['tone/start', 'tone/stop', 'call/start', 'call/page', 'emergency/start'];
/** Operations that sound, so that the volume is put back before an alert or an emergency sends them. */
const sounding: readonly string[] = ['tone/start', 'call/start', 'emergency/start'];
const soundOutputs = ['tone', 'call', 'emergency'] as const;
const screenOutputs = ['screen', 'text'] as const;
const screenOperations: readonly string[] = ['screen/start', 'screen/text-start', 'screen/text-stop'];
/**
 * Maximum time for which another node's operation waits in its turn until the volume is put back, in
 * milliseconds.
 */
const maxTurnMs = 1_000;

/** The turn of a start that waits until the volume is put back. */
interface FirstTurn {
  readonly turn: Turn;
  /** End of the wait, in milliseconds on the monotonic clock. */
  readonly until: number;
  /** The last request in the turn that puts back a volume; never rejects. */
  last: Promise<unknown>;
}
const playName = 'announce/play';
const ends: readonly string[] = ['finished', 'stopped', 'skipped', 'failed'];
/**
 * Pause after something was told of an announcement that was killed, in milliseconds. A flow that ends Node-RED
 * because of it does so before the journal forgets the next.
 */
const killedPauseMs = 50;

export class Announcements {
  readonly reader = new AudioReader();
  readonly #engine: AnnounceEngine;
  readonly #preparer: Preparer;
  readonly #lengths: ToneLengths;
  readonly #parts = new WeakMap<Entry, Part>();
  readonly #requests = new Map<string, AnnounceRequest>();
  readonly #nodes = new Map<string, AnnouncingNode>();
  readonly #open: OpenAnnouncements;
  /** The last news of each announcement that wait for the journal. */
  readonly #tellings = new Map<string, Promise<void>>();
  #isTellingKilled = false;
  readonly #timer: DeadlineTimer;
  readonly #sending = new Set<Promise<void>>();
  /** The operations of other nodes that wait until the volume is put back, by the key of the line. */
  readonly #waits = new Map<string, Set<{ readonly isOver: () => boolean; readonly end: () => void }>>();
  /** By the key of the line. */
  readonly #firstTurns = new Map<string, FirstTurn>();
  #isRunning = false;
  #lastWrite: Promise<unknown> = Promise.resolve();
  #arrivals = 0;

  constructor(
    private readonly RED: NodeAPI,
    private readonly journal: SharedJournal,
    alerts: Alerts,
    private readonly clock: Clock = backgroundClock,
  ) {
    const holderOf = (key: string, outputs: readonly string[]) => {
      for (const output of outputs) {
        const alert = alerts.holderOf({ id: key, where: key }, output);
        if (alert) return alert.name || alert.id;
      }
      return undefined;
    };
    const holds = {
      sound: (key: string) => holderOf(key, soundOutputs),
      screen: (key: string) => holderOf(key, screenOutputs),
      text: (key: string) => holderOf(key, ['text']),
    };
    const kept = readEntries(journal, putBackPrefix, putBackIn);
    this.#engine = new AnnounceEngine(
      clock,
      holds,
      kept.map(([key, back]) => [key.slice(putBackPrefix.length), back] as const),
    );
    this.#open = new OpenAnnouncements(journal);
    this.#lengths = new ToneLengths(clock);
    alerts.lengthOfTone = (key, tone) => this.#lengths.get(key, tone);
    const files = new StoredFiles(journal);
    const isNeeded = (key: string, file: string) =>
      this.#engine.entriesAt(key).some((entry) => {
        const part = this.#parts.get(entry);
        return part !== undefined && fileOf(part.wanted.audio) === file;
      });
    this.#preparer = new Preparer(clock, files, this.#lengths, this.reader, isNeeded);
    this.#timer = new DeadlineTimer(() => this.#guard(() => this.#tick()), clock);
    RED.events.on('flows:started', () => this.#guard(() => this.#run()));
    onStopForGood(RED, () => this.#leave());
    RED.events.on('flows:stopped', (stop) => {
      if (!stopsAll(stop)) return;
      this.#isRunning = false;
      this.#timer.clear();
      if (isStoppedForGood(RED)) this.#warnOfUnsent();
    });
    onSending((sending) => this.#noteSending(sending));
  }

  /** Needed if this object was created after the event `flows:started`. */
  start(): void {
    if (!this.#isRunning) this.#run();
  }

  /**
   * Each call returns a higher number. Call before the audio is read, so that the number reflects the order
   * of arrival.
   */
  nextArrival(): number {
    this.#arrivals += 1;
    return this.#arrivals;
  }

  /**
   * @returns a function that disconnects the node and ends the announcements of the node. It returns a promise
   * that resolves when their ends are told
   */
  attach(nodeId: string, node: AnnouncingNode): () => Promise<unknown> {
    this.#nodes.set(nodeId, node);
    return () => {
      this.#nodes.delete(nodeId);
      this.#engine.stop(nodeId, undefined, 'ABORTED');
      this.#settle();
      return Promise.all(this.#tellings.values());
    };
  }

  /** Returns the id of the announcement. */
  announce(request: AnnounceRequest): string {
    const { settings, targets, maxParallel, node } = request;
    const id = this.RED.util.generateId();
    const limiter = targets.length > maxParallel ? new ConcurrencyLimiter(maxParallel) : undefined;
    const wanted = wantedOf(request, limiter);
    const parts = targets.flatMap((target, index): Part[] => {
      if (target.device) return [{ ...newPart, notes: [], index, request, device: target.device, wanted }];
      request.onReceipt(
        index,
        this.#receiptOf(request, { name: target.asked, address: '' }, {}, target.error),
      );
      return [];
    });
    const isDryRun = ({ device, index }: Part) => device.dryRun || targets[index]?.dryRun === true;
    for (const part of parts.filter(isDryRun)) this.#track(this.#check(part));
    const playing = parts.filter((part) => !isDryRun(part));
    if (playing.length === 0) return id;
    this.#requests.set(id, request);
    const { priority, overlap, repeat, intervalMs, togetherMs, ttlMs, volume, text } = settings;
    const announcement: Announcement = {
      ...{ id, node, arrival: request.arrival, priority, overlap, repeat, intervalMs, togetherMs, ttlMs },
      ...{ volume, hasText: text !== undefined },
    };
    const lines = playing.map(({ device }) => ({
      key: keyOf(device),
      device: namedOf(device),
      isAway: device.record.reachable === false,
    }));
    const entries = this.#engine.add(announcement, lines);
    for (const [index, part] of playing.entries()) {
      const entry = entries[index];
      if (entry) this.#parts.set(entry, part);
    }
    if (request.onEvent) this.#keepOpen(id, request, entries);
    this.#settle();
    for (const entry of entries) if (entry.phase === 'preparing') this.#track(this.#prepare(entry));
    return id;
  }

  #keepOpen(id: string, { node, by }: AnnounceRequest, entries: readonly Entry[]): void {
    const targets = entries.flatMap((entry) => {
      const part = this.#parts.get(entry);
      if (!part || entry.phase === 'over') return [];
      const { index, device } = part;
      return [[index, { device: device.name, address: device.address }] as const];
    });
    const announcement = { node, at: this.clock.now(), ...(by !== undefined && { by }) };
    this.#open.begin(id, announcement, new Map(targets));
  }

  /** Returns one receipt for each target, in the order of the targets. */
  prepareOnly(request: AnnounceRequest): Promise<Receipt[]> {
    const { targets, maxParallel } = request;
    const limiter = targets.length > maxParallel ? new ConcurrencyLimiter(maxParallel) : undefined;
    const wanted = { ...wantedOf(request, limiter), text: undefined };
    return Promise.all(targets.map((target) => this.#prepareOnlyAt(target, request, wanted)));
  }

  /**
   * Ends the announcements of a node at these devices.
   * @returns the devices where an announcement was ended; resolves when no request or preparation of any
   * announcement is under way
   */
  async stop(nodeId: string, devices: readonly Device[]): Promise<ReadonlySet<Device>> {
    const stopped = new Set(this.#engine.stop(nodeId, new Set(devices.map(keyOf))));
    this.#settle();
    await this.#idle();
    return new Set(devices.filter((device) => stopped.has(keyOf(device))));
  }

  playing(device: Device): { readonly playing: Playing | null; readonly waiting: readonly Playing[] } {
    return this.#engine.playing(keyOf(device));
  }

  /** An announcement counts once for each target. */
  counts(nodeId: string): { readonly playing: number; readonly waiting: number } {
    return this.#engine.counts(nodeId);
  }

  async #prepareOnlyAt(target: Target, request: AnnounceRequest, wanted: WantedSound): Promise<Receipt> {
    const name = 'announce/prepare';
    if (!target.device) {
      const nothing = { name: target.asked, address: '' };
      return this.#receiptOf(request, nothing, { operationName: name }, target.error);
    }
    const { device } = target;
    try {
      await this.#preparer.check(device, wanted);
      const isDryRun = device.dryRun || target.dryRun === true;
      if (isDryRun) return this.#receiptOf(request, device, { operationName: name, outcome: 'dry-run' });
      const { wasThere, attempts } = await this.#preparer.storeOrFind(device, keyOf(device), wanted);
      const outcome = wasThere ? 'confirmed' : 'accepted';
      return this.#receiptOf(request, device, { operationName: name, outcome, attempts });
    } catch (fault) {
      const { code, fault: words, place, attempts } = asDeviceError(fault);
      const error = new DeviceError(code, words, { place, attempts });
      return this.#receiptOf(request, device, { operationName: name }, error);
    }
  }

  async #check({ device, index, request, wanted }: Part): Promise<void> {
    let receipt: Receipt;
    try {
      await this.#preparer.check(device, wanted);
      receipt = this.#receiptOf(request, device, { outcome: 'dry-run' });
    } catch (fault) {
      receipt = this.#receiptOf(request, device, {}, asDeviceError(fault));
    }
    request.onReceipt(index, receipt);
  }

  async #prepare(entry: Entry): Promise<void> {
    const part = this.#parts.get(entry);
    if (!part) return;
    try {
      const { prepared, notes, attempts } = await this.#preparer.prepare(part.device, entry.key, part.wanted);
      part.notes.push(...notes);
      part.attempts += attempts;
      this.#engine.prepared(entry, prepared);
    } catch (fault) {
      const error = asDeviceError(fault);
      part.failure = error;
      this.#engine.unprepared(entry, { outcome: error.outcome, code: error.code });
    }
    this.#settle();
  }

  /** The journal writes start before the requests, since `#send` awaits `#lastWrite` before some requests. */
  #settle(): void {
    const changes = this.#engine.takeChanges();
    if (changes.length > 0) {
      const written = changes.map(([key, back]) =>
        back
          ? this.journal.put(putBackPrefix + key, { ...back } as unknown as Parameters<
              SharedJournal['put']
            >[1])
          : this.journal.delete(putBackPrefix + key),
      );
      this.#lastWrite = Promise.all(written);
    }
    for (const news of this.#engine.takeNews()) this.#guard(() => this.#tellInOrder(news));
    for (const ticket of this.#engine.takeTickets()) this.#track(this.#send(ticket));
    for (const node of this.#nodes.values()) this.#guard(() => node.onChange());
    this.#timer.clear();
    if (this.#isRunning) this.#timer.set(this.#engine.nextAt);
  }

  #track(task: Promise<void>): void {
    const tracked = task
      .catch((fault: unknown) => this.#fault(fault))
      .finally(() => this.#sending.delete(tracked));
    this.#sending.add(tracked);
  }

  async #idle(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  async #send(ticket: AnnounceTicket): Promise<void> {
    const { step, entry, isPutBack, isFirst } = ticket;
    const part = entry && this.#parts.get(entry);
    const { receipt, body, isHeld } = await this.#request(ticket, part);
    const value = step.kind === 'read-volume' ? textIn(body, step.setting) : undefined;
    const result = isHeld ? ({ is: 'held' } as const) : stepResultOf(receipt, value);
    if (part && !isPutBack && !isHeld) noteRequest(part, receipt);
    const isLate = !isPutBack && entry?.hasReceipt === true;
    const isFailure = result.is !== 'done' && result.is !== 'held';
    this.#guard(() => {
      // A request for which a start has waited is followed by another one.
      if (isFailure && isPutBack && !isFirst) this.#tellPutBackFailed(ticket, receipt);
    });
    this.#engine.answered(ticket, result);
    this.#guard(() => {
      if (isFailure && isLate) this.#publish(receipt, ticket.node);
    });
    this.#settle();
    this.#endWaits(ticket.key);
  }

  /** @returns `isHeld`: whether nothing was sent, since the engine did not permit it any more */
  async #request(
    ticket: AnnounceTicket,
    part: Part | undefined,
  ): Promise<Sent & { readonly isHeld: boolean }> {
    const { step, isPutBack } = ticket;
    const request = this.#requestOf(ticket, part);
    if (ticket.isFirst) return { ...(await this.#sendFirst(ticket.key, request)), isHeld: false };
    if (isPutBack) {
      const sent = await sendRequest({ ...request, isUrgent: true, yields: true });
      return { ...sent, isHeld: false };
    }
    // The journal must hold the change before the device changes, so that a restart after a crash can undo
    // the change.
    if (step.kind === 'write-volume' || step.kind === 'show-text') await this.#lastWrite;
    let isHeld = false;
    const maySend = () => {
      isHeld = !this.#engine.maySend(ticket);
      return !isHeld;
    };
    const sent = await sendRequest({
      ...{ ...request, by: part?.request.by, limiter: part?.wanted.limiter },
      ...(step.kind !== 'read-volume' && { maySend }),
      ...(part && isBeginning(ticket) && { beforeSending: () => this.#writeBeginning(ticket, part) }),
    });
    return { ...sent, isHeld };
  }

  /** Sends the request in the turn of the start that waits for it, as long as the start waits. */
  #sendFirst(key: string, request: SendRequest): Promise<Sent> {
    const first = this.#firstTurns.get(key);
    const leftMs = (first?.until ?? Number.NEGATIVE_INFINITY) - this.clock.monotonic();
    if (!first || leftMs <= 0) return Promise.resolve(notTried(request));
    const sent = sendInTurn(first.turn, request, leftMs);
    first.last = sent;
    return sent;
  }

  #requestOf({ device, node, step, entry, isPutBack }: AnnounceTicket, part: Part | undefined): SendRequest {
    const common = { device, node };
    const leftMs = (entry?.expiresAt ?? Number.POSITIVE_INFINITY) - this.clock.monotonic();
    const first = { ttlMs: leftMs, retryForSeconds: part?.wanted.retryForSeconds ?? 0 };
    // Requests that undo a change get neither `ttlMs` nor retries, since the engine itself repeats a failed
    // undo.
    const before = isPutBack ? {} : first;
    if (step.kind === 'read-volume')
      return { ...common, operation: 'settings/get', parameters: { name: step.setting }, ...before };
    if (step.kind === 'write-volume')
      return { ...common, operation: 'settings/put', parameters: { [step.setting]: step.value }, ...before };
    if (step.kind === 'show-text') {
      const parameters = { textContent: part?.wanted.text ?? '', persistent: true };
      return { ...common, operation: 'screen/text-start', parameters, ...first };
    }
    if (step.kind === 'start-tone') {
      const { wanted } = part ?? {};
      const path = (step.sound === 'chime' ? wanted?.chime : wanted && fileOf(wanted.audio)) ?? '';
      const parameters = { ...wanted?.toneParameters, path, loop: false };
      // After its first sound an announcement no longer expires, so each later sound gets its own limit of 60
      // s.
      const options = step.isFirst ? first : { ttlMs: 60_000 };
      return { ...common, operation: 'tone/start', parameters, ...options };
    }
    const operation = step.kind === 'stop-tone' ? 'tone/stop' : 'screen/text-stop';
    return { ...common, operation, parameters: {} };
  }

  #writeBeginning({ entry }: AnnounceTicket, { index }: Part): Promise<void> | undefined {
    return entry && this.#open.plays(entry.announcement.id, index);
  }

  /**
   * Tells the end of an announcement after the journal has forgotten the announcement, so that the end is told
   * once if Node-RED is killed.
   */
  #tellInOrder(news: News): void {
    const id = announcementIn(news)?.id ?? '';
    const [before, forgotten] = [this.#tellings.get(id), this.#forgetEnded(news)];
    if (!before && !forgotten) {
      this.#tell(news);
      return;
    }
    const telling = Promise.all([before, forgotten])
      .then(() => this.#guard(() => this.#tell(news)))
      .finally(() => {
        if (this.#tellings.get(id) === telling) this.#tellings.delete(id);
      });
    this.#tellings.set(id, telling);
    this.#track(telling);
  }

  #forgetEnded(news: News): Promise<void> | undefined {
    if (news.kind === 'done') return this.#open.done(news.announcement.id);
    const isEnd =
      (news.kind === 'receipt' && news.receipt.outcome !== 'accepted') ||
      (news.kind === 'event' && ends.includes(news.event));
    const part = isEnd && this.#parts.get(news.entry);
    return part ? this.#open.ended(news.entry.announcement.id, part.index) : undefined;
  }

  /** Tells, one by one, what has become of the announcements that played or waited when Node-RED was killed. */
  async #tellKilled(): Promise<void> {
    if (this.#isTellingKilled) return;
    this.#isTellingKilled = true;
    try {
      for await (const news of this.#open.killed()) {
        this.#guard(() => this.#tellOfKilled(news));
        await new Promise<void>((resolve) => this.clock.after(killedPauseMs, resolve));
        if (!this.#isRunning) return;
      }
    } finally {
      this.#isTellingKilled = false;
    }
  }

  #tellOfKilled(news: KilledNews): void {
    const { id, announcement, kind } = news;
    const { node, at, by } = announcement;
    if (kind === 'receipt') {
      const since = performance.now() - Math.max(0, this.clock.now() - at);
      const { device: name, address } = news.target;
      const words = joinMessages([causeWords.killed, 'nothing was played']);
      const error = new DeviceError('ABORTED', words, { place: `"${name}"` });
      this.#receiptOf({ since, by, node }, { name, address }, {}, error);
      return;
    }
    const event =
      kind === 'done'
        ? { reason: null, code: null }
        : {
            device: news.target.device,
            reason: kind === 'stopped' ? 'Node-RED was ended' : causeWords.killed,
            code: 'ABORTED',
          };
    this.#nodes.get(node.id)?.onEvent({ id, event: kind, durationMs: null, ...event });
  }

  #tell(news: News): void {
    if (news.kind === 'given-up') {
      const { device, node } = news.back;
      const sentence = `the volume or the text at ${device.name} could not be put back for a day; Node-RED stopped trying`;
      this.RED.log.error(`[${announceType}:${node.name || node.id}] ${sentence}`);
      return;
    }
    if (news.kind === 'begun') return;
    if (news.kind === 'done') {
      const { id } = news.announcement;
      this.#requests.get(id)?.onEvent?.({ id, event: 'done', durationMs: null, reason: null, code: null });
      this.#requests.delete(id);
      return;
    }
    const { entry } = news;
    const request = this.#requests.get(entry.announcement.id);
    if (!request) return;
    if (news.kind === 'receipt') {
      const { index, receipt } = this.#receiptOfEntry(entry, news.receipt);
      request.onReceipt(index, receipt, news.receipt.takenOutBy === 'stop');
      return;
    }
    const { event, durationMs, reason } = news;
    request.onEvent?.({
      id: entry.announcement.id,
      event,
      device: entry.device.name,
      durationMs: durationMs === null ? null : Math.round(durationMs),
      ...this.#explain(entry, reason),
    });
  }

  /** Returns the words for the reason of an event: those of a note, or of the error with this code. */
  #explain(entry: Entry, reason: string | null): Pick<AnnounceEvent, 'reason' | 'code'> {
    if (reason === null) return { reason, code: null };
    const note = entry.notes.findLast((one) => one.note === reason);
    if (note) return { reason: noteWords(note), code: null };
    const code = errorCodes.find((one) => one === reason);
    const { failure, error } = this.#parts.get(entry) ?? {};
    const known = [failure, error].find((one) => one !== undefined && one.code === code);
    return { reason: known?.reason ?? causeWordsOf(reason), code: code ?? null };
  }

  #receiptOfEntry(
    entry: Entry,
    { outcome, code, takenOutBy }: EntryReceipt,
  ): { index: number; receipt: Receipt } {
    const part = this.#parts.get(entry);
    const request = part?.request ?? this.#requests.get(entry.announcement.id);
    if (!request) throw new Error('a receipt of an unknown announcement');
    const index =
      part?.index ?? request.targets.findIndex(({ device }) => device && keyOf(device) === entry.key);
    const device = part?.device ?? entry.device;
    const notes = [...(part?.notes ?? []), ...entry.notes.map(noteWords)];
    const { attempts = 0, wireMs, statusCode, failure } = part ?? {};
    const error =
      code === undefined
        ? undefined
        : new DeviceError(
            codeOf(code),
            failure?.code === code
              ? { reason: failure.reason, sentence: failure.message }
              : joinMessages([causeWordsOf(takenOutBy ?? code), 'nothing was played']),
            {
              ...{ outcome: outcome === 'accepted' ? 'failed' : outcome, attempts, wireMs },
              ...(statusCode !== undefined && { statusCode }),
            },
          );
    if (part) part.error = error;
    const address = 'address' in device ? device.address : '';
    const details = { outcome, notes, attempts, wireMs, statusCode };
    return { index, receipt: this.#receiptOf(request, { name: device.name, address }, details, error) };
  }

  #receiptOf(
    { since, by, node }: Pick<AnnounceRequest, 'since' | 'by' | 'node'>,
    { name, address }: { readonly name: string; readonly address: string },
    details: {
      readonly operationName?: string;
      readonly outcome?: Receipt['outcome'];
      readonly notes?: readonly string[];
      readonly attempts?: number | undefined;
      readonly wireMs?: number | undefined;
      readonly statusCode?: number | undefined;
    },
    error?: DeviceError,
  ): Receipt {
    const {
      operationName = playName,
      outcome = 'accepted',
      notes,
      attempts = 0,
      wireMs,
      statusCode,
    } = details;
    const answer =
      attempts > 0 && statusCode !== undefined
        ? { statusCode, body: undefined, attempts, wireMs }
        : undefined;
    const receipt = receiptOf({
      ...{ device: name, address, operationName, latencyMs: performance.now() - since, outcome, answer },
      ...{ notes, error, by },
    });
    this.#publish(receipt, node);
    return receipt;
  }

  #publish(receipt: Receipt, { id, name }: AnnounceRequest['node']): void {
    publish(receipt, { node: name || id, nodeId: id }, (fault) => this.#fault(fault));
  }

  #tellPutBackFailed(ticket: AnnounceTicket, receipt: Receipt): void {
    if (failedOf(receipt).outcome === 'superseded') return;
    // A deploy has closed the device; the next attempt is at the device that it has created.
    if (receipt.error?.code === 'ABORTED') return;
    if (!this.#engine.mustTellFailure(ticket)) return;
    const { node } = ticket;
    this.#publish(receipt, node);
    const words = receipt.error?.message ?? 'dry run is on for the device';
    const sentence = `${receipt.operation} at ${receipt.device}, which puts back what an announcement has changed, has not succeeded; Node-RED retries it for a day: ${words}`;
    this.RED.log.warn(`[${announceType}:${node.name || node.id}] ${sentence}`);
  }

  #noteSending({
    device,
    operation,
    operationName,
    parameters,
    sender,
    turn,
  }: SendingEvent): SendingWatch | undefined {
    const key = keyOf(device);
    if (operationName === 'files/put' || operationName === 'files/delete') {
      const path = String(parameters.path ?? '').replace(/^\//, '');
      if (path.startsWith('tones/')) this.#lengths.forget(key, path.slice('tones/'.length));
      return undefined;
    }
    if (sender.type === announceType) return undefined;
    const alert = sender.type === alertType ? sender.name || sender.id : undefined;
    if (screenOperations.includes(operationName)) {
      const end = (happened: boolean) => {
        this.#guard(() => {
          if (happened && operationName !== 'screen/start') this.#engine.textReplaced(key);
          if (happened && operationName !== 'screen/text-stop' && alert !== undefined)
            this.#engine.screenTaken(key, alert);
          this.#settle();
        });
        return undefined;
      };
      return { end };
    }
    if (!ending.includes(operationName)) return undefined;
    const isEmergency = alert !== undefined || operationName === 'emergency/start';
    if (isEmergency && sounding.includes(operationName)) return this.#noteSound(key, alert, turn);
    this.#engine.otherBegins(key);
    const end = (happened: boolean) => {
      this.#guard(() => {
        if (this.#engine.otherEnds(key, happened, alert)) this.#settle();
      });
      return operation.urgent ? undefined : this.#whenOver(key, () => !this.#engine.isVolumeGoingBack(key));
    };
    return { end };
  }

  /** The volume is put back before a start of an alert or of an emergency that sounds. */
  #noteSound(key: string, alert: string | undefined, turn: Turn): SendingWatch {
    this.#engine.soundBegins(key);
    const ready = this.#engine.isPuttingBackFirst(key) ? this.#putBackFirst(key, turn) : undefined;
    const end = (happened: boolean) => {
      this.#guard(() => {
        if (this.#engine.soundEnds(key, happened, alert)) this.#settle();
        this.#endWaits(key);
      });
      return undefined;
    };
    return { ready, end };
  }

  /** Resolves when the volumes are put back or their requests have failed, at the latest after `maxTurnMs`. */
  async #putBackFirst(key: string, turn: Turn): Promise<void> {
    const until = this.clock.monotonic() + maxTurnMs;
    const first: FirstTurn = { turn, until, last: Promise.resolve() };
    const isFirst = !this.#firstTurns.has(key);
    if (isFirst) this.#firstTurns.set(key, first);
    this.#guard(() => this.#settle());
    await this.#whenOver(key, () => !this.#engine.isPuttingBackFirst(key));
    if (isFirst) this.#firstTurns.delete(key);
    // The start must not use the connection of its turn together with the last request.
    await first.last;
  }

  /** Resolves when the condition is true, at the latest after `maxTurnMs`; undefined if it is true now. */
  #whenOver(key: string, isOver: () => boolean): Promise<void> | undefined {
    if (isOver()) return undefined;
    const waits = this.#waits.get(key) ?? new Set();
    this.#waits.set(key, waits);
    return new Promise((resolve) => {
      const wait = { isOver, end: () => {} };
      const cancel = this.clock.after(maxTurnMs, () => wait.end());
      wait.end = () => {
        cancel();
        waits.delete(wait);
        if (waits.size === 0 && this.#waits.get(key) === waits) this.#waits.delete(key);
        resolve();
      };
      waits.add(wait);
    });
  }

  #endWaits(key: string): void {
    for (const wait of [...(this.#waits.get(key) ?? [])]) if (wait.isOver()) wait.end();
  }

  #run(): void {
    this.#isRunning = true;
    void this.journal.batch(() => {
      this.#engine.relocate((device) => {
        const found = foundAgain(device);
        return found && keyOf(found);
      });
      this.#engine.run();
      this.#settle();
    });
    this.#tellKilled().catch((fault: unknown) => this.#fault(fault));
  }

  #tick(): void {
    this.#engine.tick();
    this.#settle();
  }

  #leave(): Promise<unknown> | undefined {
    // An announcement from a dialog can have no node in `#nodes`, so the loop uses the nodes of the requests.
    for (const { node } of this.#requests.values()) this.#engine.stop(node.id, undefined, 'ABORTED');
    this.#settle();
    return this.#sending.size > 0 ? this.#idle() : undefined;
  }

  #warnOfUnsent(): void {
    const left = [...this.#engine.backs()].map(
      ([, { device }]) => `the volume or the text at ${device.name}`,
    );
    warnOfUnsent(this.RED, left);
  }

  /** Logs an error of the task instead of throwing, since an uncaught error in a timer would end Node-RED. */
  #guard(task: () => void): void {
    try {
      task();
    } catch (fault) {
      this.#fault(fault);
    }
  }

  #fault(fault: unknown): void {
    this.RED.log.error(`[${announceType}] ${describeFault(fault)}`);
  }
}

const newPart = {
  attempts: 0,
  failure: undefined,
  error: undefined,
  wireMs: undefined,
  statusCode: undefined,
};

function keyOf({ id, where }: { readonly id: string; readonly where?: string | undefined }): string {
  return lineKeyOf({ id, ...(where !== undefined && { where }) });
}

function announcementIn(news: News): Announcement | undefined {
  if (news.kind === 'given-up') return undefined;
  return 'entry' in news ? news.entry.announcement : news.announcement;
}

/** Whether the request begins the announcement at its target. */
function isBeginning({ step, entry }: AnnounceTicket): boolean {
  return step.kind === 'start-tone' ? step.isFirst : step.kind === 'show-text' && !entry?.prepared?.plays;
}

function wantedOf(
  { node, settings, audio, by }: AnnounceRequest,
  limiter: ConcurrencyLimiter | undefined,
): WantedSound {
  const { chime, text, toneParameters, volumeSetting, retryForSeconds } = settings;
  return { node, audio, by, limiter, chime, text, toneParameters, volumeSetting, retryForSeconds };
}

function noteRequest(part: Part, receipt: Receipt): void {
  part.attempts += receipt.attempts;
  part.wireMs = receipt.wireMs ?? part.wireMs;
  part.statusCode = receipt.statusCode ?? part.statusCode;
  const { error } = receipt;
  if (error) part.failure = error;
}

function textIn(body: unknown, name: string): string | undefined {
  const value: unknown = Object(body)[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function codeOf(code: string): ErrorCode {
  return errorCodes.find((one) => one === code) ?? 'PROTOCOL';
}

const causeWords = {
  EXPIRED: 'waited longer than its time limit (ttl)',
  stop: 'stopped before it began',
  replaced: 'another announcement has replaced it',
  other: 'another node has used the device',
  killed: 'Node-RED was ended before it began',
  ABORTED: 'its node was closed before it began',
  NOT_SUPPORTED: 'the device has nothing that it can play or show',
} as const;

function causeWordsOf(cause: string): string {
  return Object.hasOwn(causeWords, cause) ? causeWords[cause as keyof typeof causeWords] : 'not played';
}

function noteWords({ note, detail = '' }: Entry['notes'][number]): string {
  return {
    noVolume: `played with the volume as it is: the device did not accept the volume${detail && ` (${detail})`}`,
    noText: `played without the text: the device did not accept the text${detail && ` (${detail})`}`,
    noChime: `played without the chime: the device did not accept the chime${detail && ` (${detail})`}`,
    noTextSupport: 'played without the text: a text needs a screen and firmware 5.7',
    held: `the alert "${detail}" is on here and goes first`,
    textHeld: `the text is not shown: the alert "${detail}" has the screen`,
    busy: 'another announcement plays or waits here',
  }[note];
}

export type { NamedDevice as Named };
