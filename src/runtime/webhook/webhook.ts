import type { WebhookSettings } from './settings';

export type Refusal =
  | 'signature'
  | 'clock'
  | 'replay'
  | 'password'
  | 'token'
  | 'address'
  | 'body'
  | 'size'
  | 'rate';

export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly address: string;
  /**
   * The clock of the sender minus the clock of this machine, in milliseconds; undefined if the request has no
   * valid `Date`.
   */
  readonly clockOffsetMs: number | undefined;
}

export interface Accepted extends RequestFacts {
  /** The part of the decoded path below the path of the webhook. */
  readonly rest: string;
  readonly body: Buffer;
}

/** A node that receives requests. */
export interface Webhook {
  readonly nodeId: string;
  readonly settings: WebhookSettings;
  /** Whether a deploy has closed the node. The node keeps its path until the end of the deploy. */
  isClosed: boolean;
  /** Called at the end of each deploy. Resolves when the host names of callers are looked up. */
  settled(): Promise<void>;
  /**
   * Looks up the host names of callers if they are out of date.
   * @returns a promise if the address is not yet known to be that of a caller
   */
  lookUp(address: string): Promise<void> | undefined;
  mayCall(address: string): boolean;
  /** Sends a request to the flow, in the same turn of the event loop. */
  accept(request: Accepted): void;
  refuse(reason: Refusal, facts: RequestFacts): void;
  warnOfEditor(path: string): void;
}
