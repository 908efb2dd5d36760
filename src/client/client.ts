import type { Operation } from '../catalogue/operation';
import { type Environment, realEnvironment } from './environment';
import { DeviceError } from './errors';
import type { DeviceSettings } from './settings';

export type { Environment } from './environment';
export type { DeviceSettings } from './settings';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Instead of the device's limit, in milliseconds. */
  readonly timeoutMs?: number;
  /** What is being done, for the sentences of errors, for example `door/unlock`. */
  readonly deed?: string;
}

export interface Answer {
  readonly statusCode: number;
  /** Nothing (undefined), parsed JSON, text or a Buffer: by content type and the operation's `answer`. */
  readonly body: unknown;
  /** How many requests were sent. */
  readonly attempts: number;
  /** From leaving the queue to the end of the answer, in milliseconds. */
  readonly latencyMs: number;
}

/** One device. Keeps its connections, its clock's offset and what it learned about its signatures. */
export class DeviceClient {
  /** The normalized URL, without a trailing slash. */
  readonly address: string;
  /** The device's clock minus ours in milliseconds, known after a clock recovery. */
  clockOffsetMs: number | undefined;
  /** Milliseconds from the last request's sending to the head of its answer. */
  roundTripMs: number | undefined;
  protected readonly environment: Environment;

  constructor(settings: DeviceSettings, environment: Partial<Environment> = {}) {
    this.address = settings.address;
    this.environment = { ...realEnvironment, ...environment };
  }

  async call(
    operation: Operation,
    _parameters: Readonly<Record<string, unknown>> = {},
    _options: CallOptions = {},
  ): Promise<Answer> {
    throw new DeviceError('ABORTED', `${operation.route}: not yet`);
  }

  async close(): Promise<void> {}
}
