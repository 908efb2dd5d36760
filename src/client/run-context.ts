import type { Endpoint } from './address';
import type { Authentication } from './authentication';
import type { Connector } from './connector';
import type { Environment } from './environment';
import type { Lanes } from './lane';
import type { Queue } from './queue';

/** What the runs of a client share. */
export interface RunContext {
  /** Name and address, for sentences. */
  readonly place: string;
  readonly endpoint: Endpoint;
  /** The device's limit, in milliseconds. */
  readonly timeoutMs: number;
  readonly environment: Environment;
  readonly authentication: Authentication;
  /** Milliseconds from the last request's sending to the head of its answer. */
  roundTripMs: number | undefined;
  /** The `Date` of the last answer, and when it came, epoch milliseconds. */
  date: string | undefined;
  dateAt: number;
  readonly connector: Connector;
  readonly lanes: Lanes;
  readonly queue: Pick<Queue, 'rest'>;
}
