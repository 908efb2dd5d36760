import { ConnectionPool } from './http/pool';
import type { QueueUser } from './queue/entry';
import type { Queue } from './queue/queue';

/** The way to what is at one address, for all names that it has: one order of calls, two connections. */
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

  /** Resolves for the last one when no socket is left; others may use those of a name that is gone. */
  async leave(user: QueueUser): Promise<void> {
    this.#users.delete(user);
    if (!this.isUsed) await this.lanes.close();
  }
}
