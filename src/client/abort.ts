import type { Failure } from './failure';

/**
 * Ends one call from outside. A call waits for one thing at a time (its turn, a connection, an answer), so one
 * listener is enough; an AbortController with its events would cost every reading more than signing it does.
 */
export class Abort {
  /** A request of this call was handed to the socket and has not been answered: the device may have it. */
  onWire = false;
  /** That was so at least once. */
  wasOnWire = false;
  #reason: Failure | undefined;
  #listener: ((reason: Failure) => void) | undefined;

  /** Why the call is to end; undefined while it may go on. */
  get reason(): Failure | undefined {
    return this.#reason;
  }

  /** Ends the call. The first reason counts. */
  abort(reason: Failure): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#listener?.(reason);
  }

  /** Tells this listener and no other when the call is to end; nobody, when it is undefined. */
  tell(listener: ((reason: Failure) => void) | undefined): void {
    this.#listener = listener;
  }
}

/** Why a caller's signal ended its call: in its own words, where it gave any. */
export function whyAborted(signal: AbortSignal): string {
  const reason: unknown = signal.reason;
  return reason instanceof Error && reason.name === 'Error' ? reason.message : 'it was canceled';
}
