import { DeviceError } from '../../client/errors';
import type { Receipt } from '../message/receipt';
import type { AlertState, AskedAt } from './alert';
import type { AlertMessage, AlertProperties } from './properties';

/** What became of an alert that was started or cleared from elsewhere than its node's input. */
export interface AlertResult {
  readonly receipts: readonly Receipt[];
  readonly alert: AlertState;
  /** As a Catch node would get it. */
  readonly error?: Error;
}

/** An `algo-alert` node, for whoever wants to start and clear it by its name. None of these rejects. */
interface NamedAlert {
  readonly name: string;
  readonly properties: AlertProperties;
  /**
   * @param admission asked before anything is written: resolves when it may be
   * @param asked when, on the clock that never jumps; now, where nobody says
   */
  start(
    message?: AlertMessage & {
      readonly device?: unknown;
      readonly ttl?: unknown;
      readonly payload?: unknown;
    },
    admission?: () => Promise<void>,
    asked?: AskedAt,
  ): Promise<AlertResult>;
  /**
   * @param message with `drill`, an alert that is on in earnest stays on
   * @param asked what was started since stays on
   */
  clear(message?: Pick<AlertMessage, 'drill'>, asked?: AskedAt): Promise<AlertResult>;
  state(): AlertState;
}

const nodes = new Set<NamedAlert>();

/** @returns what takes it out */
export function registerAlert(alert: NamedAlert): () => void {
  nodes.add(alert);
  return () => nodes.delete(alert);
}

/**
 * The alert of this name.
 * @throws DeviceError NOT_CONFIGURED when there is none, or more than one
 */
export function alertNamed(name: string): NamedAlert {
  const found = [...nodes].filter((alert) => alert.name === name);
  const [only] = found;
  if (only && found.length === 1) return only;
  const count = found.length === 0 ? 'There is no alert' : `${found.length} alerts are`;
  throw new DeviceError('NOT_CONFIGURED', `${count} named "${name.slice(0, 80)}"; nothing was sent`);
}
