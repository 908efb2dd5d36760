import type { Outputs } from './order';
import type { JobCommand, JobMessage, Kind, ResultMessage, StateMessage } from './wire';

/** Who an instance of a site is, and what it has to be told. */
export interface SiteOptions extends Pick<StateMessage, 'place' | 'rank'> {
  readonly site: string;
  /** New at each start. */
  readonly instance: string;
  /** Milliseconds, on the clock that never jumps. */
  readonly startedAt: number;
  /** Whether it may be done twice. */
  isSafe(work: JobCommand): boolean;
  /** What it starts or ends: see `Order`. Without it each job is about something of its own. */
  outputs?(job: Pick<JobMessage, 'work' | 'devices'>): Outputs;
  /** ISO 8601. */
  now(): string;
  /** What earlier lives have begun, by id: with their answer, where there was one. */
  readonly remembered?: Iterable<readonly [id: string, result: ResultMessage | null]>;
}

/** What is to be done about something that happened. */
export type SiteAction =
  | Publish
  /** Give it to its devices, and tell when the first one's turn comes. */
  | {
      readonly do: 'begin';
      readonly id: string;
      readonly job: JobMessage;
      readonly leftMs: number;
      readonly agoMs: number;
    }
  /** It may be written. What may not be done twice has to be remembered before. */
  | { readonly do: 'admit'; readonly id: string; readonly isSafe: boolean }
  /** Its time is over: what of it was not written yet is not to be. */
  | { readonly do: 'refuse'; readonly id: string }
  /** Take back what was begun: it is not for this instance, and nobody is told. */
  | { readonly do: 'drop'; readonly id: string }
  /** To be kept until the job's time is over. */
  | { readonly do: 'remember'; readonly id: string; readonly result: ResultMessage }
  /** A job that came without an expiry, or that cannot be read: for the log. */
  | { readonly do: 'refused'; readonly id: string; readonly reason: string }
  /** An alert was cleared while this instance was away. */
  | {
      readonly do: 'clear';
      readonly id: string;
      readonly alert: string;
      readonly order: AskedFor;
      readonly drill: boolean;
    };

/** Which of two was asked for later, where clocks differ. */
export interface AskedFor {
  /** How long ago, in milliseconds, where that is not known for sure the longest that it may be. */
  readonly agoMs: number;
  readonly centre?: string | undefined;
  /** Of the same centre, what was asked later has a higher number. */
  readonly seq?: number | undefined;
}

/** Without a message: take what is there off the broker. */
export interface Publish {
  readonly do: 'publish';
  readonly kind: Kind;
  readonly id: string;
  readonly message?: object;
  /** Seconds. */
  readonly expiry?: number;
}

/** What came over the broker. An empty payload: the message was taken off. */
export interface Incoming {
  readonly kind: Kind;
  readonly id: string;
  readonly payload: Uint8Array | string;
  /** Seconds left, as the broker counts them; undefined where the message never expires. */
  readonly expiry?: number | undefined;
}
