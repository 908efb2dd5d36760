import { joinMessages } from '../../catalogue/localized-message';
import { DeviceError, type ErrorCode, type FailedOutcome } from '../../client/errors';
import type { DeadlineTimer } from '../../kernel/time/deadline-timer';
import type { Device } from '../device/device';
import {
  type AnnounceRequest,
  keyOf,
  type NamedDevice,
  namedOf,
  type Prepared,
  RequestCount,
} from './announcement';

/** The causes that take a part out, or end it early. */
const causes = {
  /** The operation `stop` of the same node. */
  stop: { code: 'SUPERSEDED', outcome: 'superseded', words: 'stopped before it began' },
  replaced: { code: 'SUPERSEDED', outcome: 'superseded', words: 'another announcement has replaced it' },
  other: { code: 'SUPERSEDED', outcome: 'superseded', words: 'another node has used the device' },
  expired: { code: 'EXPIRED', outcome: 'expired', words: 'waited longer than its time limit (ttl)' },
  deploy: { code: 'ABORTED', outcome: 'failed', words: 'its node was closed before it began' },
  finished: {
    code: 'NOT_SUPPORTED',
    outcome: 'failed',
    words: 'the device has nothing that it can play or show',
  },
} as const satisfies Record<string, { code: ErrorCode; outcome: FailedOutcome; words: string }>;

export type End =
  | { readonly by: keyof typeof causes }
  /** The part gives way. The words are also a note on its receipt. */
  | { readonly by: 'note'; readonly words: string }
  | { readonly by: 'failure'; readonly error: DeviceError };

/** The end of a part, as its event and its receipt tell it. */
export interface ToldEnd {
  readonly event: 'finished' | 'stopped' | 'skipped' | 'failed';
  readonly reason: string | null;
  readonly error?: DeviceError;
}

/** An announcement at all its devices. */
export interface Running {
  readonly id: string;
  readonly request: AnnounceRequest;
  readonly parts: Part[];
  /** Releases the targets some time after the first one is ready. */
  readonly together: DeadlineTimer;
  /** Whether the targets no longer wait for each other. */
  isReleased: boolean;
  /** Number of targets whose end was not told. */
  left: number;
  /** All that was told so far; never rejects. */
  told: Promise<void>;
}

/** An announcement at one device. */
export class Part {
  readonly key: string;
  readonly named: NamedDevice;
  readonly #isAway: boolean;
  readonly notes: string[] = [];
  prepared: Prepared | undefined;
  isQueued = false;
  /** Whether the part has ended the current one (overlap `replace`), and therefore goes first in the line. */
  takesPlace = false;
  startedAt: number | undefined;
  /** `at`: on the monotonic clock, in milliseconds. */
  end: (End & { readonly at: number }) | undefined;
  /** Whether the end was told. The part can stay the current one after that. */
  isOver = false;
  readonly requests = new RequestCount();

  constructor(
    readonly running: Running,
    readonly index: number,
    readonly device: Device,
    readonly expiresAt: number,
  ) {
    this.key = keyOf(device);
    this.named = namedOf(device);
    this.#isAway = device.record.reachable === false;
  }

  get request(): AnnounceRequest {
    return this.running.request;
  }

  /** Whether the part may begin when its turn comes. */
  get isReady(): boolean {
    return this.prepared !== undefined && this.running.isReleased;
  }

  /** Whether other targets wait for this one. A device that is known to be offline is not waited for. */
  get isAwaited(): boolean {
    return !this.isOver && !this.prepared && !this.#isAway;
  }

  /** Notes why the part ends; a later reason does not count. */
  endBy(end: End, now: number): void {
    if (this.end) return;
    this.end = { ...end, at: now };
    if (end.by === 'note') this.notes.push(end.words);
  }

  toldEnd(end: End): ToldEnd {
    const hasStarted = this.startedAt !== undefined;
    if (end.by === 'note') return { event: hasStarted ? 'stopped' : 'skipped', reason: end.words };
    if (end.by === 'failure') return failed(end.error);
    const cause = causes[end.by];
    if (!hasStarted) {
      const words = joinMessages([cause.words, 'nothing was played']);
      return failed(new DeviceError(cause.code, words, { outcome: cause.outcome }));
    }
    if (end.by === 'finished') return { event: 'finished', reason: null };
    const hasReason = end.by === 'replaced' || end.by === 'other';
    return { event: 'stopped', reason: hasReason ? cause.words : null };
  }
}

function failed(error: DeviceError): ToldEnd {
  return { event: error.outcome === 'skipped' ? 'skipped' : 'failed', reason: error.reason, error };
}

export function heldWords(alert: string): string {
  return `the alert "${alert}" is on here and goes first`;
}

/** Whether a part is earlier in the line of a device than another one. */
export function isBefore(one: Part, other: Part): boolean {
  if (one.takesPlace !== other.takesPlace) return one.takesPlace;
  const [mine, others] = [one.request, other.request];
  if (mine.settings.priority !== others.settings.priority)
    return mine.settings.priority > others.settings.priority;
  return mine.arrival < others.arrival;
}
