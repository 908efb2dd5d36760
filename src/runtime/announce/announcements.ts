import type { NodeAPI } from 'node-red';
import { asDeviceError } from '../../client/errors';
import type { SharedJournal } from '../../kernel/journal/journal';
import { backgroundClock, type Clock } from '../../kernel/time/clock';
import { DeadlineTimer } from '../../kernel/time/deadline-timer';
import { type Alerts, alertsOf } from '../alert/alerts';
import type { Device } from '../device/device';
import { foundAgain } from '../device/registry';
import type { Target } from '../device/targets';
import { isStoppedForGood, onStopForGood, stopsAll, warnOfUnsent } from '../flows-stopped';
import { journalOf } from '../journal/shared-journal';
import { onSending, type SendingEvent, type SendingWatch } from '../message/bus';
import type { Receipt } from '../message/receipt';
import { PerNodeRed } from '../per-node-red';
import { type AnnounceRequest, type Asked, keyOf, type PrepareRequest, RequestCount } from './announcement';
import { AudioReader } from './audio';
import { Lines } from './lines';
import { Part, type Running } from './part';
import { Preparer } from './preparing';
import { type SendsRequest, sendRequest } from './send';
import { StoredFiles } from './stored-files';
import { type ReceiptDetails, Teller } from './teller';
import { ToneLengths } from './tone-lengths';

export interface Playing {
  readonly id: string;
  readonly node: string;
  readonly priority: number;
}

const announcements = new PerNodeRed((RED) => new Announcements(RED, journalOf(RED), alertsOf(RED)));

export function announcementsOf(RED: NodeAPI): Announcements {
  return announcements.of(RED);
}

/** Returns undefined before the first call of `announcementsOf` with the same Node-RED. */
export function knownAnnouncements(RED: Pick<NodeAPI, 'settings'>): Announcements | undefined {
  return announcements.existing(RED);
}

const soundOutputs = ['tone', 'call', 'emergency'] as const;
const screenOutputs = ['screen', 'text'] as const;

/** The announcements of a Node-RED: the door of this room. */
export class Announcements {
  readonly reader = new AudioReader();
  readonly #lines: Lines;
  readonly #preparer: Preparer;
  readonly #lengths: ToneLengths;
  readonly #teller: Teller;
  #isRunning = false;
  #arrivals = 0;

  /** @param send sends a request, as if a message had come */
  constructor(
    private readonly RED: NodeAPI,
    journal: SharedJournal,
    alerts: Pick<Alerts, 'holderOf' | 'lengthOfTone'>,
    private readonly clock: Clock = backgroundClock,
    send: SendsRequest = sendRequest,
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
    const lengths = new ToneLengths(clock);
    alerts.lengthOfTone = (key, tone) => lengths.get(key, tone);
    this.#lengths = lengths;
    const teller = new Teller(RED, journal, clock);
    this.#teller = teller;
    const preparer = new Preparer({
      ...{ clock, files: new StoredFiles(journal), lengths, reader: this.reader, send },
      isNeeded: (key, file) => this.#lines.needs(key, file),
    });
    this.#preparer = preparer;
    this.#lines = new Lines({ clock, journal, holds, send, teller }, preparer);
    RED.events.on('flows:started', () => teller.guard(() => this.#run()));
    onStopForGood(RED, () => this.#leave());
    RED.events.on('flows:stopped', (stop) => {
      if (!stopsAll(stop)) return;
      this.#isRunning = false;
      this.#lines.close();
      const left = this.#lines.left.map(({ device }) => `the volume or the text at ${device.name}`);
      if (isStoppedForGood(RED)) warnOfUnsent(RED, left);
    });
    onSending((sending) => this.noteSending(sending));
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
   * that resolves when the ends of those that waited are told
   */
  attach(nodeId: string, node: Parameters<Teller['nodes']['set']>[1]): () => Promise<unknown> {
    const { nodes, running } = this.#teller;
    nodes.set(nodeId, node);
    return () => {
      nodes.delete(nodeId);
      this.#lines.stop('deploy', ({ request }) => request.node.id === nodeId);
      return Promise.all([...running].map(({ told }) => told));
    };
  }

  /** Returns the id of the announcement. */
  announce(request: AnnounceRequest): string {
    const id = this.RED.util.generateId();
    const release = () => this.#teller.guard(() => this.#lines.release(running));
    const together = new DeadlineTimer(release, this.clock);
    const told = Promise.resolve();
    const running: Running = { id, request, parts: [], together, isReleased: false, left: 0, told };
    const expiresAt = this.clock.monotonic() + request.settings.ttlMs;
    for (const [index, target] of request.targets.entries()) {
      const { device } = target;
      if (device && !isDryRun(target)) running.parts.push(new Part(running, index, device, expiresAt));
      else void this.#withoutPlaying(index, target, request);
    }
    running.left = running.parts.length;
    for (const part of running.parts) this.#lines.enter(part);
    if (running.left > 0) this.#teller.begin(running);
    for (const part of running.parts) if (!part.isOver) void this.#lines.prepare(part);
    return id;
  }

  /** Gives the receipt of a target that only a dry run is for, or that is unknown. */
  async #withoutPlaying(index: number, target: Target, request: AnnounceRequest): Promise<void> {
    const receipt = await this.#receiptAt(request, target, 'announce/play', async (device) => {
      await this.#preparer.check(device, request);
      return { outcome: 'dry-run' };
    });
    this.#teller.guard(() => request.onReceipt(index, receipt));
  }

  /** Returns one receipt for each target, in the order of the targets. */
  prepareOnly(asked: PrepareRequest): Promise<Receipt[]> {
    const request = { ...asked, settings: { ...asked.settings, text: undefined } };
    const prepareAt = async (target: Target, device: Device): Promise<ReceiptDetails> => {
      await this.#preparer.check(device, request);
      if (isDryRun(target)) return { outcome: 'dry-run' };
      const requests = new RequestCount();
      const place = { device, key: keyOf(device), request, requests, notes: [] };
      try {
        return { outcome: await this.#preparer.storeOrFind(place), requests };
      } catch (fault) {
        return { error: asDeviceError(fault), requests };
      }
    };
    return Promise.all(
      request.targets.map((target) =>
        this.#receiptAt(request, target, 'announce/prepare', (device) => prepareAt(target, device)),
      ),
    );
  }

  /** @param work does the work at a known device; its error is that of the receipt */
  async #receiptAt(
    asked: Asked,
    target: Target,
    operationName: string,
    work: (device: Device) => Promise<ReceiptDetails>,
  ): Promise<Receipt> {
    const { device, error } = target;
    const details = device
      ? await work(device).catch((fault: unknown) => ({ error: asDeviceError(fault) }))
      : { error };
    return this.#teller.receiptOf(asked, target, { operationName, ...details });
  }

  /** Makes and publishes a receipt that needs nothing of a device. */
  receiptOf(...receipt: Parameters<Teller['receiptOf']>): Receipt {
    return this.#teller.receiptOf(...receipt);
  }

  /**
   * Ends the announcements of a node at these devices. Resolves when it was tried once to put back what they have
   * changed.
   */
  async stop(nodeId: string, devices: readonly Device[]): Promise<void> {
    const keys = new Set(devices.map(keyOf));
    await Promise.all(
      this.#lines.stop('stop', ({ key, request }) => keys.has(key) && request.node.id === nodeId),
    );
  }

  /** `waiting` lists the next announcement first. */
  playing(device: Device): { readonly playing: Playing | null; readonly waiting: readonly Playing[] } {
    const { playing, waiting } = this.#lines.at(keyOf(device));
    return { playing: playing ? shown(playing) : null, waiting: waiting.map(shown) };
  }

  /** An announcement counts once for each target. */
  counts(nodeId: string): { readonly playing: number; readonly waiting: number } {
    const isOwn = (part: Part | undefined) => part?.request.node.id === nodeId;
    const counts = { playing: 0, waiting: 0 };
    for (const { playing, waiting } of this.#lines.all) {
      if (isOwn(playing)) counts.playing += 1;
      counts.waiting += waiting.filter(isOwn).length;
    }
    return counts;
  }

  /** Called in the turn of each operation that is about to be sent to a device. */
  noteSending(sending: SendingEvent): SendingWatch | undefined {
    const { device, operationName, parameters } = sending;
    if (operationName !== 'files/put' && operationName !== 'files/delete')
      return this.#lines.noteSending(sending);
    const path = String(parameters.path ?? '').replace(/^\//, '');
    if (path.startsWith('tones/')) this.#lengths.forget(keyOf(device), path.slice('tones/'.length));
    return undefined;
  }

  #run(): void {
    this.#isRunning = true;
    this.#lines.run(foundAgain);
    void this.#teller.killed(() => this.#isRunning);
  }

  #leave(): Promise<unknown> | undefined {
    const running = [...this.#teller.running];
    const plays = this.#lines.stop('deploy', () => true);
    if (plays.length === 0) return undefined;
    // The journal forgets the ends as well, so that the next start does not tell them.
    return Promise.all(plays).then(() => Promise.all(running.map(({ told }) => told)));
  }
}

function isDryRun({ device, dryRun }: Target): boolean {
  return device?.dryRun === true || dryRun === true;
}

function shown({ running: { id, request } }: Part): Playing {
  const { node, settings } = request;
  return { id, node: node.name || node.id, priority: settings.priority };
}
