import type { NodeAPI } from 'node-red';

type WithSettings = Pick<NodeAPI, 'settings'>;

/**
 * One object for each Node-RED, which stays the same after a deploy. The key is the user directory, since
 * tests start several instances of Node-RED in one process. If a test has no user directory, the key is the
 * settings object.
 */
export class PerNodeRed<T, R extends WithSettings = NodeAPI> {
  readonly #ofDirectories = new Map<string, T>();
  readonly #ofSettings = new WeakMap<object, T>();

  constructor(private readonly create: (RED: R) => T) {}

  /** Returns the object of a Node-RED, created on demand. */
  of(RED: R): T {
    const known = this.existing(RED);
    if (known !== undefined) return known;
    const made = this.create(RED);
    const directory = RED.settings?.userDir;
    if (directory) this.#ofDirectories.set(directory, made);
    else this.#ofSettings.set(RED.settings ?? RED, made);
    return made;
  }

  existing(RED: WithSettings): T | undefined {
    const directory = RED.settings?.userDir;
    return directory ? this.#ofDirectories.get(directory) : this.#ofSettings.get(RED.settings ?? RED);
  }
}
