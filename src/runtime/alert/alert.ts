import type { Json } from '../journal/lines';

/** An operation that an alert starts, as it is sent; plain data without secrets, since the journal keeps it. */
export interface AlertAction {
  /** For example `strobe/start`. */
  readonly operation: string;
  readonly parameters: { readonly [name: string]: Json };
  /** What ends it; absent where it ends by itself: then it is neither ended nor started again. */
  readonly end?: { readonly operation: string; readonly parameters: { readonly [name: string]: Json } };
  /** Doing it twice is the same as doing it once. */
  readonly repeatable: boolean;
  /** It lasts until it is ended: once that is done it may be begun anew, also where it may have been begun before. */
  readonly steady?: true;
  /** The device itself ends it after so many milliseconds. */
  readonly lastsMs?: number;
  /** Whether it is tried again where it was not started: always, or only for alerts that say so; absent: never. */
  readonly retry?: 'always' | 'all';
}

/** What an alert tries again: `all`: also relays, which drive door strikes too. */
export type RetryAlert = false | true | 'all';

/** An action of an alert that failed and leaves nothing at any place. */
export interface FailedAction {
  /** The device, as far as it is known. */
  readonly device: Named;
  /** Its subject, for example `door 1`; of what could not be sent its operation. */
  readonly what: string;
}

/** A device as one of its nodes or rows names it; what is sent to it is sent by that name. */
export interface Named {
  readonly id: string;
  readonly name: string;
  /** The same for all that name this device; absent where nobody can tell. */
  readonly where?: string;
}

/** An action at an output of a device. */
export interface DeviceAction {
  readonly device: Named;
  /** What it starts there, for example `door 1`: one thing at a time has it. */
  readonly subject: string;
  readonly action: AlertAction;
  /** All but the sending is done there. */
  readonly dryRun?: boolean;
}

/** An alert that is on, or was and has still something to end. */
export interface Alert {
  readonly id: string;
  readonly name: string;
  /** 0 to 10. */
  readonly priority: number;
  readonly drill: boolean;
  /** ISO 8601: when it was started; kept when it is started again. */
  readonly since: string;
  /** When its latest start was asked for; absent where an older version has kept it. */
  readonly asked?: Asked;
  /** Later starts have a higher one. */
  readonly order: number;
  /** All it was to reach since it is on: ids of devices, and names that led to none. */
  readonly targets: readonly string[];
  /** When Node-RED clears it by itself, in epoch milliseconds, and how long after its last start that is. */
  readonly ends?: { readonly at: number; readonly afterMs: number };
  /** Cleared when Node-RED starts. */
  readonly clearsAtRestart: boolean;
  readonly isOn: boolean;
  /** So many of its devices are spoken to at once; absent where an older version has kept it. */
  readonly maxParallel?: number;
  /** Absent: false. */
  readonly retryAlert?: RetryAlert;
  readonly failures?: readonly FailedAction[];
}

/** An alert that has been forgotten meanwhile. */
export function unnamed(id: string): Alert {
  const since = new Date(0).toISOString();
  return {
    id,
    name: '',
    priority: 0,
    drill: false,
    since,
    order: 0,
    targets: [],
    clearsAtRestart: false,
    isOn: false,
  };
}

/** When something was asked for, in epoch milliseconds; the jobs of one centre have numbers in their order. */
export interface Asked {
  readonly at: number;
  readonly centre?: string | undefined;
  readonly seq?: number | undefined;
}

/** The same, on the clock that never jumps. */
export type AskedAt = Asked;

/** What a start says of its alert. */
export type StartRequest = Omit<
  Alert,
  'since' | 'asked' | 'order' | 'isOn' | 'ends' | 'maxParallel' | 'failures'
> & {
  readonly maxParallel: number;
  /** Now, unless it was asked for from elsewhere. */
  readonly asked?: AskedAt | undefined;
  /** Milliseconds. */
  readonly endAfterMs?: number;
};

/** What an alert is in a few words (docs/contract.md 2.6). */
export interface AlertState {
  readonly name: string;
  readonly state: 'idle' | 'active' | 'clearing';
  readonly priority: number;
  readonly drill: boolean;
  /** ISO 8601; null while it is idle. */
  readonly since: string | null;
  /** Names of the devices where all that they support of it is on. */
  readonly devices: readonly string[];
  /** Names of the devices where the last receipt of an action is `unknown`. */
  readonly unknown: readonly string[];
  /** Names of the devices where the last receipt of an action is `failed` or `expired`. */
  readonly failed: readonly string[];
  /** Names of the devices that have not been cleared yet. */
  readonly waiting: readonly string[];
}

/** What came of a request. */
export type SendResult =
  /** The device said yes. */
  | 'taken'
  /** It may have been done. */
  | 'unknown'
  /** The device said no. */
  | 'refused'
  /** Surely not done: this time. */
  | 'missed'
  /** Surely not done, and it cannot be. */
  | 'impossible'
  /** The model lacks it, or somebody took it out: not done, and no failure. */
  | 'skipped';
