import type { Core } from '../core';
import { isSame, reasonOf, type Store } from './store';

/** A change could not be kept, and was taken back; the message is a sentence for a person. */
export class NotKeptError extends Error {}

/** Lets only what could be written to the disk be true of a device; without a store, everything is. */
export class Persistence {
  readonly #core: Core;
  readonly #store: Store | undefined;
  readonly #failed: (words: string) => void;
  /** Before it is opened it does not know yet what was kept. */
  #isOpen = false;

  /** `failed` is told, in words, when the device has changed by itself and that could not be kept. */
  constructor(core: Core, store: Store | undefined, failed: (words: string) => void) {
    this.#core = core;
    this.#store = store;
    this.#failed = failed;
  }

  /** Gives the device back what was kept, if anything was. Throws a sentence for a person when it cannot. */
  open(): void {
    const kept = this.#store?.load();
    if (kept) {
      this.#core.recall(kept);
      this.#core.reload();
    }
    this.#isOpen = true;
    this.keep();
  }

  /** Keeps the last of it; nothing is kept from then on, until it is opened again. */
  close(): void {
    this.keep();
    this.#isOpen = false;
  }

  /** Does what changes the device for good, or takes it back when it cannot be kept, with a NotKeptError. */
  change<T>(change: () => T): T {
    if (!this.#store || !this.#isOpen) return change();
    const before = this.#core.memory;
    const outcome = change();
    if (isSame(before, this.#core.memory)) return outcome;
    try {
      this.#store.save(this.#core.memory);
    } catch (error) {
      this.#core.recall(before);
      this.#core.scheduler.wind();
      throw new NotKeptError(`this could not be kept (${reasonOf(error)}), so nothing was changed`);
    }
    return outcome;
  }

  /** Keeps what the device has changed by itself. */
  keep(): void {
    if (!this.#isOpen) return;
    try {
      this.#store?.save(this.#core.memory);
    } catch (error) {
      this.#failed(`its state could not be kept (${reasonOf(error)})`);
    }
  }
}
