import type * as Undici from 'undici';
import { type Clock, realClock } from '../kernel/time/clock';
import { createNonce, type Signatory } from './authentication';

/** The part of undici that the client uses, the same in undici 7 and 8. */
export type UndiciModule = Pick<typeof Undici, 'Client'>;

export interface Environment extends Clock, Signatory {
  /**
   * Receives one line for each sent request except polls, with the result and either the signed text or the
   * authentication method. The line contains neither the password nor the digest. Absent if tracing is off.
   */
  readonly trace?: ((line: string) => void) | undefined;
  warn(line: string): void;
  loadUndici(): UndiciModule;
}

export const realEnvironment: Environment = {
  ...realClock,
  nonce: createNonce,
  warn: () => {},
  loadUndici,
};

/**
 * Loads only undici's Client, on demand: all of undici (fetch, caches, WebSocket) takes twice the time and 15
 * MB more memory. If the file of the Client is missing, loads undici as a whole.
 */
function loadUndici(): UndiciModule {
  try {
    return { Client: require('undici/lib/dispatcher/client.js') as UndiciModule['Client'] };
  } catch {
    return require('undici') as UndiciModule;
  }
}

let isPrepared = false;

/**
 * Loads undici after the current work of the event loop, so that the first request does not wait. Loading
 * takes 30 ms and 4 MB, so call this function only if a device exists.
 */
export function prepareToSend(): void {
  if (isPrepared) return;
  isPrepared = true;
  setImmediate(() => {
    try {
      loadUndici();
    } catch {
      // The first request loads undici again and reports the error.
    }
  }).unref();
}
