import { said, type Text } from '../catalogue/saying';
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
  /**
   * Asked before each request that does more than look is written, when all else is ready: resolves when it may be.
   * Rejects with the Failure that ends the call where it may not.
   */
  admission: (() => Promise<void>) | undefined;
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

  /**
   * Waits until the call may be written. Never rejects.
   * @returns why it may not
   */
  admitted(): Promise<unknown> {
    return new Promise((resolve) => {
      if (this.#reason) return resolve(this.#reason);
      this.tell(resolve);
      this.admission?.().then(() => resolve(undefined), resolve);
    }).finally(() => this.tell(undefined));
  }
}

/** Why a caller's signal ended its call: in its own words, where it gave any. */
export function whyAborted(signal: AbortSignal): Text {
  const reason: unknown = signal.reason;
  return reason instanceof Error && reason.name === 'Error' ? reason.message : said('canceled');
}
