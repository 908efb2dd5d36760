import type * as Undici from 'undici';
import { type Clock, realClock } from '../time/clock';
import { createNonce } from './authentication';

/** The part of undici that is used, the same in its versions 7 and 8. */
export type UndiciModule = Pick<typeof Undici, 'Client'>;

/** What the client needs from the world, so that tests can replace it. */
export interface Environment extends Clock {
  /** A random string without a colon, new for every request. */
  nonce(): string;
  /** One line for every request that was sent: what was signed and what came back, never a secret. Absent: nobody reads them. */
  readonly trace?: ((line: string) => void) | undefined;
  /** Something a person should know, said once. */
  warn(line: string): void;
  /** Called at the first request, if not before (`prepareToSend`). */
  loadUndici(): UndiciModule;
}

export const realEnvironment: Environment = {
  ...realClock,
  nonce: createNonce,
  warn: () => {},
  loadUndici,
};

/**
 * Only undici's Client: all of undici (fetch, caches, WebSocket) takes twice the time and 15 MB more of memory.
 * A version that keeps it elsewhere is loaded whole.
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
 * Loads what the first request needs as soon as nothing else is to be done: an alarm that is the first message after
 * a start does not wait for that. Only where there is a device: it takes 30 ms and 4 MB.
 */
export function prepareToSend(): void {
  if (isPrepared) return;
  isPrepared = true;
  setImmediate(() => {
    try {
      loadUndici();
    } catch {
      // The first request says what is wrong with it.
    }
  }).unref();
}
