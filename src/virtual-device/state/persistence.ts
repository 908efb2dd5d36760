import type { Core } from '../core';
import { isSame, reasonOf, type Store } from './store';

/** A permanent change could not be stored and was undone. The message is for the user. */
export class NotStoredError extends Error {}

/**
 * If a change by a request or a command cannot be stored, undoes this change. Without a store, accepts every
 * change.
 */
export class Persistence {
  readonly #core: Core;
  readonly #store: Store | undefined;
  readonly #failed: (words: string) => void;
  #isOpen = false;

  /** @param failed called with a description if a change by the device itself could not be stored */
  constructor(core: Core, store: Store | undefined, failed: (words: string) => void) {
    this.#core = core;
    this.#store = store;
    this.#failed = failed;
  }

  /**
   * Restores the stored state, if any, and then stores the current state.
   * @throws Error with a message for the user if the stored state cannot be read
   */
  open(): void {
    const kept = this.#store?.load();
    if (kept) {
      this.#core.restoreMemory(kept);
      this.#core.reload();
    }
    this.#isOpen = true;
    this.keep();
  }

  /** Stores the current state. Changes before the next `open` are not stored. */
  close(): void {
    this.keep();
    this.#isOpen = false;
  }

  /**
   * Makes a permanent change.
   * @throws NotStoredError if the change could not be stored and was undone
   */
  change<T>(change: () => T): T {
    if (!this.#store || !this.#isOpen) return change();
    const before = this.#core.memory;
    const outcome = change();
    if (isSame(before, this.#core.memory)) return outcome;
    try {
      this.#store.save(this.#core.memory);
    } catch (error) {
      this.#core.restoreMemory(before);
      this.#core.scheduler.scheduleNext();
      throw new NotStoredError(`the change could not be stored (${reasonOf(error)}), so nothing was changed`);
    }
    return outcome;
  }

  keep(): void {
    if (!this.#isOpen) return;
    try {
      this.#store?.save(this.#core.memory);
    } catch (error) {
      this.#failed(`its state could not be stored (${reasonOf(error)})`);
    }
  }
}
