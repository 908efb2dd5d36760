import type { Operation } from '../catalogue/operation';
import type { Answer } from '../client/client';
import type { Device } from './device';
import type { Options } from './options';

/** One operation on its way to one device: what every step after the first needs to know. */
export interface Work {
  readonly device: Device;
  /** For example `settings/put`. */
  readonly deed: string;
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly options: Options;
  readonly signal: AbortSignal;
  /** Says in the node's status how far it is, for example `put 40 %`. */
  progress(text: string): void;
}

/** What became of it. */
export interface Done {
  readonly answer: Answer;
  readonly outcome: 'accepted' | 'confirmed';
  readonly note?: string;
}
