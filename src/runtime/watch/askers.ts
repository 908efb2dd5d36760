import type { DeviceError } from '../../client/errors';
import type { Watcher } from './watcher';

interface Asker {
  readonly watcher: Watcher;
  resolve(): void;
  reject(error: DeviceError): void;
}

/** Who waits for one reading: messages to nodes that watch. */
export class Askers {
  #all: Asker[] = [];

  add(watcher: Watcher): Promise<void> {
    return new Promise((resolve, reject) => this.#all.push({ watcher, resolve, reject }));
  }

  /** Those who have asked, each once. */
  get watchers(): ReadonlySet<Watcher> {
    return new Set(this.#all.map(({ watcher }) => watcher));
  }

  /** Tells everybody that the reading was told to their watchers. */
  answer(): void {
    for (const { resolve } of this.#all) resolve();
  }

  refuse(error: DeviceError): void {
    for (const { reject } of this.#all) reject(error);
  }

  /** A watcher stops watching. */
  refuseOf(watcher: Watcher, error: DeviceError): void {
    for (const asker of this.#all) if (asker.watcher === watcher) asker.reject(error);
    this.#all = this.#all.filter((asker) => asker.watcher !== watcher);
  }
}
