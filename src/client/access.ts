import { ConnectionPool } from './http/pool';
import type { QueueUser } from './queue/entry';
import type { Queue } from './queue/queue';

/**
 * The queue and the connections to one address, shared by all devices that are configured with this address.
 */
export class Access {
  readonly pool = new ConnectionPool();
  readonly #users = new Set<QueueUser>();

  constructor(readonly queue: Queue) {}

  get isUsed(): boolean {
    return this.#users.size > 0;
  }

  enter(user: QueueUser): void {
    this.#users.add(user);
  }

  /**
   * Removes a user. After the last user has left, closes the connections, and resolves when no socket is
   * left.
   */
  async leave(user: QueueUser): Promise<void> {
    this.#users.delete(user);
    if (!this.isUsed) await this.pool.close();
  }
}
