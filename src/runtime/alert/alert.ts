import type { Json } from '../journal/lines';

/** An operation that an alert starts, as it is sent: plain data without secrets, because the journal keeps it. */
export interface AlertAction {
  /** For example `strobe/start`. */
  readonly operation: string;
  readonly parameters: { readonly [name: string]: Json };
  /**
   * The operation that ends the action. Absent if the action ends by itself: the alert then neither ends nor
   * repeats the action.
   */
  readonly end?: { readonly operation: string; readonly parameters: { readonly [name: string]: Json } };
  /** Whether the action is idempotent. */
  readonly repeatable: boolean;
  /**
   * Whether the action lasts until it is ended. A steady action may be started again after its end, even if
   * an earlier start might have happened.
   */
  readonly steady?: true;
  /** The time after which the device ends the action, in milliseconds. */
  readonly lastsMs?: number;
  /** Whether a failed start is retried: always, or only for alerts that retry all actions; absent: never. */
  readonly retry?: 'always' | 'all';
}

/** The actions that an alert retries; `all` includes relays, which can drive door strikes. */
export type RetryAlert = false | true | 'all';

/** An action of an alert that failed and has no device output to hold its state. */
export interface FailedAction {
  /** The device, as far as it is known. */
  readonly device: Named;
  /** The device output, for example `door 1`, or the operation if nothing could be sent. */
  readonly what: string;
}

/** A device under the name of one of its nodes or rows. Requests to the device use that name. */
export interface Named {
  readonly id: string;
  readonly name: string;
  /** Equal for all names of one device; absent if the location is unknown. */
  readonly where?: string;
}

/** An action at an output of a device. */
export interface DeviceAction {
  readonly device: Named;
  /** The device output, for example `door 1`. Each output can have a single action at a time. */
  readonly deviceOutput: string;
  readonly action: AlertAction;
  /** Whether the action is not sent, although everything else is done (dry run). */
  readonly dryRun?: boolean;
}

/** An alert that is on, or that is cleared but still has something to end. */
export interface Alert {
  readonly id: string;
  readonly name: string;
  /** Number from 0 to 10. */
  readonly priority: number;
  readonly drill: boolean;
  /** The time of the first start as in ISO 8601; a further start does not change it. */
  readonly since: string;
  /** The request of the latest start; absent in entries of older versions. */
  readonly asked?: Asked;
  /** The order of the starts: a later start has a higher number. */
  readonly order: number;
  /** All targets since the alert was first started: ids of devices, and names that were not found. */
  readonly targets: readonly string[];
  /**
   * The time at which Node-RED clears the alert, in epoch milliseconds, and the time from the last start
   * until then, in milliseconds.
   */
  readonly ends?: { readonly at: number; readonly afterMs: number };
  /** Whether Node-RED clears the alert when Node-RED restarts. */
  readonly clearsAtRestart: boolean;
  readonly isOn: boolean;
  /**
   * The maximum number of the alert's devices that are addressed in parallel; absent in entries of older
   * versions.
   */
  readonly maxParallel?: number;
  /** Absent: false. */
  readonly retryAlert?: RetryAlert;
  readonly failures?: readonly FailedAction[];
}

/** Returns a placeholder for an alert that no longer exists. */
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

/** The time of a request, in epoch milliseconds. Requests of one centre also have ascending numbers. */
export interface Asked {
  readonly at: number;
  readonly centre?: string | undefined;
  readonly seq?: number | undefined;
}

/** The time of a request in this process, on the monotonic clock. */
export type AskedAt = Asked;

/** The parameters of a start: the properties of the alert, and the time of the request. */
export type StartRequest = Omit<
  Alert,
  'since' | 'asked' | 'order' | 'isOn' | 'ends' | 'maxParallel' | 'failures'
> & {
  readonly maxParallel: number;
  /** The time of the request; default: now. */
  readonly asked?: AskedAt | undefined;
  /** The time until Node-RED clears the alert, in milliseconds; absent if only a clear ends the alert. */
  readonly endAfterMs?: number;
};

/** A summary of an alert (docs/contract.md 2.6). */
export interface AlertState {
  readonly name: string;
  readonly state: 'idle' | 'active' | 'clearing';
  readonly priority: number;
  readonly drill: boolean;
  /** The time of the start as in ISO 8601; null while the alert is idle. */
  readonly since: string | null;
  /** Names of the devices where all supported actions of the alert are on. */
  readonly active: readonly string[];
  /** Names of the devices where the last receipt of an action is `unknown`. */
  readonly unknown: readonly string[];
  /** Names of the devices where the last receipt of an action is `failed` or `expired`. */
  readonly failed: readonly string[];
  /** Names of the devices that have not been cleared yet. */
  readonly pending: readonly string[];
}

/** The result of a request. */
export type SendResult =
  /** The device accepted the request. */
  | 'taken'
  /** The request might have been done. */
  | 'unknown'
  /** The device rejected the request. */
  | 'refused'
  /** The request was definitely not done, but a retry might succeed. */
  | 'missed'
  /** The request was definitely not done, and a retry cannot succeed. */
  | 'impossible'
  /**
   * The model does not support the operation, or another call replaced the request. The request was not done, which is
   * no failure.
   */
  | 'skipped';
