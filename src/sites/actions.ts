import type { Outputs } from './order';
import type { JobCommand, JobMessage, Kind, ResultMessage, StateMessage } from './wire';

export interface SiteOptions extends Pick<StateMessage, 'nodeId' | 'rank'> {
  readonly site: string;
  /** Id of the current run of the node, new at each start. */
  readonly instance: string;
  /** Time at which this run of the node started, in milliseconds on the monotonic clock. */
  readonly startedAt: number;
  isIdempotent(command: JobCommand): boolean;
  /**
   * Returns the device outputs that a job starts or stops (see `Order`). If the function is absent, no job
   * waits for another job.
   */
  outputs?(job: Pick<JobMessage, 'command' | 'devices'>): Outputs;
  /** Whether an alert is on at this instance and not a drill; false if the function is absent. */
  isEarnest?(alert: string): boolean;
  /** Returns the current time in ISO 8601. */
  now(): string;
  /** The results of jobs that earlier runs of this node started, by job id; null if a result is unknown. */
  readonly remembered?: Iterable<readonly [id: string, result: ResultMessage | null]>;
}

/** An action that `Site` returns. The node carries the action out. */
export type SiteAction =
  | Publish
  /**
   * Queue the job at its devices, and call `Site.turn` as soon as one device is ready. `leftMs` is the time
   * until the job expires, and `agoMs` is the age of the request, both in milliseconds.
   */
  | {
      readonly do: 'begin';
      readonly id: string;
      readonly job: JobMessage;
      readonly leftMs: number;
      readonly agoMs: number;
    }
  /**
   * Send the job to its devices. Before sending a job that is not idempotent, store its id, so that no later
   * run repeats the job.
   */
  | { readonly do: 'admit'; readonly id: string; readonly isIdempotent: boolean }
  /**
   * Reject the requests of the job that are not sent yet: the job has expired, or was removed from the
   * broker.
   */
  | { readonly do: 'refuse'; readonly id: string }
  /** Remove the job from the queues of its devices, without a result. */
  | { readonly do: 'drop'; readonly id: string }
  /** Store the result for later runs of this node. */
  | { readonly do: 'remember'; readonly id: string; readonly result: ResultMessage }
  /** Log the rejection of a job that is invalid or has no expiry. */
  | { readonly do: 'refused'; readonly id: string; readonly reason: string }
  /** Clear an alert: another instance carried out this clear while this instance was offline. */
  | {
      readonly do: 'clear';
      readonly id: string;
      readonly alert: string;
      readonly order: RequestAge;
      readonly drill: boolean;
    };

/** The age of a request. Unlike a time, an age does not depend on the clock of the requesting machine. */
export interface RequestAge {
  /** Age in milliseconds; the maximum possible age if the age is uncertain. */
  readonly agoMs: number;
  readonly centre?: string | undefined;
  /** Sequence number, which rises with each request of a centre. */
  readonly seq?: number | undefined;
}

/** A message to publish. Without `message`, the retained message is removed from the broker. */
export interface Publish {
  readonly do: 'publish';
  readonly kind: Kind;
  readonly id: string;
  readonly message?: object;
  /** Expiry of the message in seconds; undefined for no expiry. */
  readonly expiry?: number;
}

/** A message from the broker. An empty payload means that the retained message was removed. */
export interface Incoming {
  readonly kind: Kind;
  readonly id: string;
  readonly payload: Uint8Array | string;
  /** Remaining time in seconds according to the broker; undefined for a message without expiry. */
  readonly expiry?: number | undefined;
}
