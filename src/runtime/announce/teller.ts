import type { NodeAPI } from 'node-red';
import { joinMessages } from '../../catalogue/localized-message';
import type { Answer } from '../../client/call';
import { DeviceError, describeFault } from '../../client/errors';
import type { SharedJournal } from '../../kernel/journal/journal';
import type { Clock } from '../../kernel/time/clock';
import type { Target } from '../device/targets';
import { publish } from '../message/bus';
import { type Receipt, receiptOf } from '../message/receipt';
import type { AnnounceEvent, AnnouncingNode, Asked, Holds, RequestCount } from './announcement';
import type { DeviceChanges } from './changes';
import { type OpenAnnouncement, OpenAnnouncements } from './open-announcements';
import type { Part, Running } from './part';
import { announceType, dryRunError, type SendsRequest } from './send';

/** The world of the room: time, disk, alerts and devices, and the teller. */
export interface Surroundings {
  readonly clock: Clock;
  readonly journal: SharedJournal;
  readonly holds: Holds;
  readonly send: SendsRequest;
  readonly teller: Teller;
}

/** A target in a receipt. */
type ReceiptTarget = Pick<Partial<Target>, 'asked'> & {
  readonly device?: { readonly name: string; readonly address: string } | undefined;
};

interface AttachedNode {
  /** Called whenever the counts of the node might have changed. */
  onChange(): void;
  /** Called with the events of the node's announcements that Node-RED did not end before it was killed. */
  onEvent(event: AnnounceEvent): void;
}

export interface ReceiptDetails {
  readonly operationName?: string;
  readonly outcome?: Receipt['outcome'];
  readonly notes?: readonly string[];
  readonly requests?: RequestCount;
  readonly error?: DeviceError | undefined;
}

const killedWords = 'Node-RED was ended before it began';
const waitedEnd = { event: 'failed', reason: killedWords };
const playedEnd = { event: 'stopped', reason: 'Node-RED was ended' };
/**
 * Pause after something was told of an announcement that was killed, in milliseconds. A flow that ends Node-RED
 * because of it does so before the journal forgets the next.
 */
const killedPauseMs = 50;

/** Tells receipts and events, each end once, also over a kill. */
export class Teller {
  readonly nodes = new Map<string, AttachedNode>();
  readonly running = new Set<Running>();
  readonly open: OpenAnnouncements;
  #isTellingKilled = false;
  #isShowing = false;

  constructor(
    private readonly RED: NodeAPI,
    journal: SharedJournal,
    private readonly clock: Clock,
  ) {
    this.open = new OpenAnnouncements(journal);
  }

  /** Notes an announcement whose ends must be told. */
  begin(running: Running): void {
    this.running.add(running);
    const { id, request, parts } = running;
    if (!request.onEvent) return;
    const { node, by } = request;
    const announcement = { node, at: this.clock.now(), ...(by !== undefined && { by }) };
    const open = parts
      .filter(({ isOver }) => !isOver)
      .map(({ index, device: { name, address } }) => [index, { device: name, address }] as const);
    this.open.begin(id, announcement, open);
  }

  /** Tells that a part waits for another one. */
  queued(part: Part): void {
    this.#event(part, { event: 'queued', durationMs: null, reason: null, code: null });
  }

  started(part: Part, plannedMs: number): void {
    this.#receipt(part, { outcome: 'accepted' });
    const durationMs = Math.round(plannedMs);
    this.#event(part, { event: 'started', durationMs, reason: null, code: null });
  }

  /** Tells the end of a part, once. */
  ended(part: Part): void {
    const { running, index, startedAt, end } = part;
    if (part.isOver || !end) return;
    part.isOver = true;
    const { id, request } = running;
    const forgotten = this.open.ended(id, index);
    const { event, reason, error } = part.toldEnd(end);
    if (startedAt === undefined) this.#receipt(part, { outcome: 'skipped', error }, forgotten);
    const durationMs = startedAt === undefined ? null : Math.round(Math.max(0, end.at - startedAt));
    this.#event(part, { event, durationMs, reason, code: error?.code ?? null }, forgotten);
    running.left -= 1;
    if (running.left > 0) return;
    running.together.clear();
    const done = { id, event: 'done', durationMs: null, reason: null, code: null };
    const tell = () => {
      this.running.delete(running);
      request.onEvent?.(done);
    };
    this.tell(running, tell, this.open.ended(id));
  }

  #receipt(
    part: Part,
    { outcome, error }: { readonly outcome: Receipt['outcome']; readonly error?: DeviceError | undefined },
    forgotten?: Promise<void>,
  ): void {
    const { running, index, notes, requests, end } = part;
    const tell = () => {
      const receipt = this.receiptOf(running.request, part, { outcome, notes, requests, error });
      running.request.onReceipt(index, receipt, error !== undefined && end?.by === 'stop');
    };
    this.tell(running, tell, forgotten);
  }

  #event(
    { running, named }: Part,
    event: Omit<AnnounceEvent, 'id' | 'device'>,
    forgotten?: Promise<void>,
  ): void {
    const { id, request } = running;
    this.tell(running, () => request.onEvent?.({ id, device: named.name, ...event }), forgotten);
  }

  /**
   * Tells something of an announcement, later in this turn, after all that came before.
   * @param forgotten resolves when the journal has forgotten what is told, so that it is told once if Node-RED is
   * killed
   */
  tell(running: Pick<Running, 'told'>, tell: () => void, forgotten?: Promise<void>): void {
    running.told = Promise.all([running.told, forgotten])
      .catch((fault: unknown) => this.fault(fault))
      .then(() => this.guard(tell));
    this.show();
  }

  /** Shows the counts of all nodes, once for all changes of a turn of the event loop. */
  show(): void {
    if (this.#isShowing) return;
    this.#isShowing = true;
    setImmediate(() => {
      this.#isShowing = false;
      for (const node of this.nodes.values()) this.guard(() => node.onChange());
    });
  }

  /** Makes the receipt of a target, and publishes it. */
  receiptOf(
    { since, by, node }: Asked,
    { device, asked = '' }: ReceiptTarget,
    { operationName = 'announce/play', outcome = 'accepted', notes, requests, error }: ReceiptDetails,
  ): Receipt {
    const { name, address } = device ?? { name: asked, address: '' };
    // The status code is absent if no request was answered.
    const answer = requests && ({ ...requests, body: undefined } as Answer);
    const receipt = receiptOf({
      ...{ device: name, address, operationName, latencyMs: performance.now() - since, outcome, answer },
      ...{ notes, error, by },
    });
    this.publish(receipt, node);
    return receipt;
  }

  publish(receipt: Receipt, { id, name }: AnnouncingNode): void {
    publish(receipt, { node: name || id, nodeId: id }, (fault) => this.fault(fault));
  }

  putBackFailed({ node }: DeviceChanges, receipt: Receipt): void {
    const words = (receipt.error ?? dryRunError).message;
    const sentence = `${receipt.operation} at ${receipt.device}, which puts back what an announcement has changed, has not succeeded; Node-RED retries it for a day: ${words}`;
    this.guard(() => {
      this.publish(receipt, node);
      this.RED.log.warn(`[${announceType}:${node.name || node.id}] ${sentence}`);
    });
  }

  gaveUp({ device, node }: DeviceChanges): void {
    const sentence = `the volume or the text at ${device.name} could not be put back for a day; Node-RED stopped trying`;
    this.guard(() => this.RED.log.error(`[${announceType}:${node.name || node.id}] ${sentence}`));
  }

  /** Tells, one by one, what has become of the announcements that played or waited when Node-RED was killed. */
  async killed(isRunning: () => boolean): Promise<void> {
    if (this.#isTellingKilled) return;
    this.#isTellingKilled = true;
    try {
      for await (const open of this.open.killed()) {
        this.guard(() => this.#killed(open));
        await new Promise<void>((resolve) => this.clock.after(killedPauseMs, resolve));
        if (!isRunning()) return;
      }
    } catch (fault) {
      this.fault(fault);
    } finally {
      this.#isTellingKilled = false;
    }
  }

  #killed(open: OpenAnnouncement & { readonly id: string }): void {
    const { id, node, at, by, device, address = '', plays } = open;
    if (device !== undefined && !plays) {
      const since = performance.now() - Math.max(0, this.clock.now() - at);
      const words = joinMessages([killedWords, 'nothing was played']);
      const error = new DeviceError('ABORTED', words, { place: `"${device}"` });
      this.receiptOf({ since, by, node }, { device: { name: device, address } }, { error });
    }
    const end =
      device === undefined
        ? { event: 'done', reason: null, code: null }
        : { ...(plays ? playedEnd : waitedEnd), code: 'ABORTED', device };
    this.nodes.get(node.id)?.onEvent({ id, durationMs: null, ...end });
  }

  /** Logs an error of the task instead of throwing, since an uncaught error in a timer would end Node-RED. */
  guard(task: () => unknown): void {
    try {
      task();
    } catch (fault) {
      this.fault(fault);
    }
  }

  fault(fault: unknown): void {
    this.RED.log.error(`[${announceType}] ${describeFault(fault)}`);
  }
}
