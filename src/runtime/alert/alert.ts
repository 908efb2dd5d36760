import type { Json } from '../../kernel/journal/lines';

/** An operation that an alert starts. The action is plain data, since the journal stores the action. */
export interface AlertAction {
  readonly operation: string;
  readonly parameters: { readonly [name: string]: Json };
  /**
   * The operation that ends the action. Absent for an action without a stop, such as a tone that plays once;
   * the alert then neither ends nor retries the action.
   */
  readonly end?: { readonly operation: string; readonly parameters: { readonly [name: string]: Json } };
  readonly repeatable: boolean;
  /** Set for a looping tone (`lastsWith` in `alertActions`), which is not started twice without a stop. */
  readonly steady?: true;
  readonly lastsMs?: number;
  /**
   * Condition for retrying a failed start: `always` if `retryAlert` is not false, `all` only if `retryAlert`
   * is `all`. Absent for a start that is never retried.
   */
  readonly retry?: 'always' | 'all';
}

/**
 * The failed starts that an alert retries: none (`false`), starts with `retry: 'always'` (`true`), or also
 * starts with `retry: 'all'` (`all`).
 */
export type RetryAlert = false | true | 'all';

/** A failed action for which the alert has no claim to a device output. */
export interface FailedAction {
  readonly device: Named;
  /** The device output, for example `door 1`; the name of the operation if the device output is unknown. */
  readonly what: string;
}

/** A device under one of its names. Requests to the device use the login of this name. */
export interface Named {
  readonly id: string;
  readonly name: string;
  /** Location of the device, equal for all names of the device; absent if the location is unknown. */
  readonly where?: string;
  /** Set for a row of a group with a password of its own. */
  readonly ownPassword?: true;
}

export interface DeviceAction {
  readonly device: Named;
  readonly deviceOutput: string;
  readonly action: AlertAction;
  readonly dryRun?: boolean;
  /** Position of the action in the alert's list of actions, from 0; absent: 0. */
  readonly index?: number;
}

export interface Alert {
  readonly id: string;
  readonly name: string;
  /** From 0 to 10. The alert with the higher number has precedence, but any real alert precedes a drill. */
  readonly priority: number;
  readonly drill: boolean;
  /** Time of the start that turned the alert on, in ISO 8601. */
  readonly since: string;
  /** Name of the run. A run of an alert lasts from its first start to the end of its clear. */
  readonly run: string;
  readonly by?: string;
  readonly clearedBy?: string;
  /** Time of the clear in ISO 8601; absent while the alert is on. */
  readonly clearedAt?: string;
  readonly acknowledged?: readonly Acknowledgement[];
  /**
   * `at`: time by which a person must acknowledge the alert, in epoch milliseconds. `afterMs`: time from the
   * first start to `at`, in milliseconds. Absent if no acknowledgement is awaited.
   */
  readonly acknowledgeBy?: { readonly at: number; readonly afterMs: number };
  /** Number of starts after the first, while the alert was on; absent: 0. */
  readonly updates?: number;
  /** Time of the request for the start that was requested last. */
  readonly asked: RequestTime;
  /** Number of the latest start. The number rises with each start, across all alerts. */
  readonly order: number;
  /**
   * All targets since the first start: ids of found devices, and requested names of targets that were not
   * found.
   */
  readonly targets: readonly string[];
  /**
   * `at`: time at which Node-RED clears the alert, in epoch milliseconds. `afterMs`: time from the last start
   * to `at`, in milliseconds. Absent if Node-RED does not clear the alert by itself.
   */
  readonly ends?: { readonly at: number; readonly afterMs: number };
  readonly clearsAtRestart: boolean;
  readonly isOn: boolean;
  /** Maximum number of the alert's devices that are addressed in parallel. */
  readonly maxParallel: number;
  readonly retryAlert?: RetryAlert;
  readonly failures?: readonly FailedAction[];
}

export type AlertsById = Pick<ReadonlyMap<string, Alert>, 'get'>;

export interface Acknowledgement {
  readonly by: string;
  readonly at: string;
  readonly answer?: string;
}

export type AcknowledgementProblem = 'idle' | 'clearing' | 'full';

/**
 * The time of a request, in epoch milliseconds. A request of a centre also has `centre`, which identifies the
 * centre, and `seq`, which rises with each request of this centre.
 */
export interface RequestTime {
  readonly at: number;
  readonly centre?: string | undefined;
  readonly seq?: number | undefined;
}

/** A `RequestTime` whose `at` is in milliseconds on the monotonic clock of this process. */
export type MonotonicRequestTime = RequestTime;

export type StartRequest = Omit<
  Alert,
  | 'since'
  | 'asked'
  | 'order'
  | 'isOn'
  | 'ends'
  | 'maxParallel'
  | 'failures'
  | 'run'
  | 'by'
  | 'clearedBy'
  | 'clearedAt'
  | 'acknowledged'
  | 'acknowledgeBy'
  | 'updates'
> & {
  readonly by?: string | undefined;
  readonly acknowledgeWithinMs?: number | undefined;
  readonly maxParallel: number;
  readonly asked?: MonotonicRequestTime | undefined;
  readonly endAfterMs?: number | undefined;
};

export interface AlertState {
  readonly name: string;
  readonly state: 'idle' | 'active' | 'clearing';
  readonly priority: number;
  readonly drill: boolean;
  /** Time of the start that turned the alert on, in ISO 8601; null while the alert is idle. */
  readonly since: string | null;
  /** Names of the devices where all supported actions of the alert are on. */
  readonly active: readonly string[];
  /** Names of the devices where the result of an action's last start is unknown. */
  readonly unknown: readonly string[];
  /** Names of the devices where an action's last start failed, and of targets that were not found. */
  readonly failed: readonly string[];
  /**
   * Names of the devices where an output might still be on after the alert has lost its claim to the output.
   */
  readonly pending: readonly string[];
  /** Number of the devices where an action of a dry run is on: nothing was sent to these devices. */
  readonly dryRun: number;
  /**
   * The person who has started the alert; while the alert is idle, the person of the last run. Null if
   * unknown.
   */
  readonly by: string | null;
  /**
   * The person who has cleared the alert; while the alert is idle, the person of the last run. Null while the
   * alert is on, or if unknown.
   */
  readonly clearedBy: string | null;
  readonly acknowledged: readonly Acknowledgement[];
}

export type SendResult =
  | 'taken'
  /** The device might have carried out the start. */
  | 'unknown'
  | 'refused'
  /** A retry might succeed: the start was not carried out, or the stop failed or has an unknown result. */
  | 'missed'
  /** The device did not carry out the start, and a retry cannot succeed. */
  | 'impossible'
  /**
   * Nothing was done, which is not a failure: for example, the model does not support the operation, or
   * another call replaced the request.
   */
  | 'skipped';
