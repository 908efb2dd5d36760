import { ConnectionPool } from './http/pool';
import type { QueueUser } from './queue/entry';
import type { Queue } from './queue/queue';

/** The access to one address, shared by all names of the device: one queue and two connections. */
export class Access {
  readonly lanes = new ConnectionPool();
  readonly #users = new Set<QueueUser>();

  constructor(readonly queue: Queue) {}

  get isUsed(): boolean {
    return this.#users.size > 0;
  }

  enter(user: QueueUser): void {
    this.#users.add(user);
  }

  /**
   * Resolves when no socket is left, if this user is the last one. Other users can keep using the connections
   * that a removed name opened.
   */
  async leave(user: QueueUser): Promise<void> {
    this.#users.delete(user);
    if (!this.isUsed) await this.lanes.close();
  }
}
