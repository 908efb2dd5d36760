import { nothingSent } from '../../catalogue/sentence';
import { DeviceError } from '../../client/errors';
import type { Receipt } from '../message/receipt';
import type { AlertState, MonotonicRequestTime } from './alert';
import type { AlertMessage, AlertProperties } from './properties';

export interface AlertResult {
  readonly receipts: readonly Receipt[];
  readonly alert: AlertState;
  readonly payload?: unknown;
  readonly error?: DeviceError;
}

export interface StartOptions {
  readonly priority?: number | undefined;
  /** Called before the first request of a command. Resolves if the request may be sent, otherwise rejects. */
  readonly admission?: (() => Promise<void>) | undefined;
  readonly asked?: MonotonicRequestTime | undefined;
}

/**
 * An `algo-alert` node that other code can start and clear by name. No promise of the methods rejects: the
 * result contains the error.
 */
interface NamedAlert {
  readonly name: string;
  readonly properties: AlertProperties;
  start(
    message?: AlertMessage & {
      readonly device?: unknown;
      readonly ttl?: unknown;
      readonly payload?: unknown;
    },
    options?: StartOptions,
  ): Promise<AlertResult>;
  /**
   * @param message with `drill: true`, a real alert stays on
   * @param asked time of the request for this clear; an alert whose start was requested later stays on
   */
  clear(message?: AlertMessage, asked?: MonotonicRequestTime): Promise<AlertResult>;
  acknowledge(message: AlertMessage): Promise<AlertResult>;
  state(): AlertState;
}

const nodes = new Set<NamedAlert>();

export function registerAlert(alert: NamedAlert): () => void {
  nodes.add(alert);
  return () => nodes.delete(alert);
}

/** @throws DeviceError NOT_CONFIGURED if no alert or several alerts have the name */
export function alertNamed(name: string): NamedAlert {
  const found = [...nodes].filter((alert) => alert.name === name);
  const [only] = found;
  if (only && found.length === 1) return only;
  const reason = found.length === 0 ? 'no alert has this name' : `${found.length} alerts have this name`;
  throw new DeviceError('NOT_CONFIGURED', nothingSent(reason), { place: `"${name.slice(0, 80)}"` });
}
