import type { Outputs } from './order';
import type { JobCommand, JobMessage, Kind, ResultMessage, StateMessage } from './wire';

/** The identity of an instance and its access to its surroundings. */
export interface SiteOptions extends Pick<StateMessage, 'nodeId' | 'rank'> {
  readonly site: string;
  /** New at each start. */
  readonly instance: string;
  /** Milliseconds on the monotonic clock. */
  readonly startedAt: number;
  /** Returns whether a job is idempotent. */
  isSafe(command: JobCommand): boolean;
  /** Returns the outputs that a job starts or stops, see `Order`. If absent, each job has its own output. */
  outputs?(job: Pick<JobMessage, 'command' | 'devices'>): Outputs;
  /** Returns the time in ISO 8601. */
  now(): string;
  /** Jobs that earlier runs of this node started, by id, with their results if known. */
  readonly remembered?: Iterable<readonly [id: string, result: ResultMessage | null]>;
}

/** An action that follows from an event. */
export type SiteAction =
  | Publish
  /** Queue the job at its devices and call `turn` when the first device is ready. */
  | {
      readonly do: 'begin';
      readonly id: string;
      readonly job: JobMessage;
      readonly leftMs: number;
      readonly agoMs: number;
    }
  /** Send the job to its devices. A job that is not idempotent must be remembered first. */
  | { readonly do: 'admit'; readonly id: string; readonly isSafe: boolean }
  /** Reject the unsent parts of an expired job. */
  | { readonly do: 'refuse'; readonly id: string }
  /** Withdraw a started job without a report, since another instance does it. */
  | { readonly do: 'drop'; readonly id: string }
  /** Store the result until the job expires. */
  | { readonly do: 'remember'; readonly id: string; readonly result: ResultMessage }
  /** Log a job that came without an expiry or is invalid. */
  | { readonly do: 'refused'; readonly id: string; readonly reason: string }
  /** Clear an alert that was cleared while this instance was offline. */
  | {
      readonly do: 'clear';
      readonly id: string;
      readonly alert: string;
      readonly order: AskedFor;
      readonly drill: boolean;
    };

/** The time of a request, to find the later of two requests although clocks differ. */
export interface AskedFor {
  /** Age in milliseconds; if uncertain, the maximum. */
  readonly agoMs: number;
  readonly centre?: string | undefined;
  /** Sequence number: of two requests of one centre, the later one has the higher number. */
  readonly seq?: number | undefined;
}

/** A message to publish. Without `message`, the retained message is removed from the broker. */
export interface Publish {
  readonly do: 'publish';
  readonly kind: Kind;
  readonly id: string;
  readonly message?: object;
  /** Seconds. */
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
