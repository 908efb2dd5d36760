import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'undici';
import type { OverviewChange, OverviewNews, OverviewRow } from '../../../src/runtime/answers';

/** One thing that Node-RED tells an editor. */
interface CommsMessage {
  readonly topic: string;
  readonly data: unknown;
}

/** The line between an editor and Node-RED, as the editor's own, and what a sidebar makes of what comes on it. */
export class EditorLine {
  readonly rows = new Map<string, OverviewRow>();
  /** What was told of the overview, as text. */
  readonly news: string[] = [];
  /** Everything else, by its topics. */
  readonly others: string[] = [];
  readonly #arrived = new EventTarget();
  #isClosed = false;

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data))));
    socket.addEventListener('close', () => {
      this.#isClosed = true;
      this.#arrived.dispatchEvent(new Event('arrived'));
    });
  }

  /** @param token of a person who is logged in */
  static async open(url: string, token: string): Promise<EditorLine> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}comms`);
    const line = new EditorLine(socket);
    // What does not open says so, and then closes.
    const settled = ['open', 'close'].map((event) => once(socket as unknown as EventTarget, event));
    await Promise.race(settled);
    if (line.#isClosed) throw new Error('The line to the editor did not open');
    socket.send(JSON.stringify({ auth: token }));
    await line.until(() => line.others.includes('auth'));
    return line;
  }

  send(data: object): void {
    this.socket.send(JSON.stringify({ topic: 'algo/overview', data }));
  }

  /**
   * Resolves as soon as something holds, looked at whenever something has come.
   * @throws when the socket closes before that, as a rejection
   */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#isClosed) throw new Error('The line to the editor was closed');
      await once(this.#arrived, 'arrived');
    }
  }

  /** Resolves with a row as soon as it is as wanted. */
  async row(id: string, isWanted: (row: OverviewRow) => boolean = () => true): Promise<OverviewRow> {
    const find = () => {
      const row = this.rows.get(id);
      return row && isWanted(row) ? row : undefined;
    };
    await this.until(() => find() !== undefined);
    return find() ?? assert.fail();
  }

  async close(): Promise<void> {
    this.socket.close();
    while (!this.#isClosed) await once(this.#arrived, 'arrived');
  }

  #take(message: readonly CommsMessage[] | { readonly auth: string }): void {
    if ('auth' in message) this.others.push('auth');
    else for (const entry of message) this.#note(entry);
    this.#arrived.dispatchEvent(new Event('arrived'));
  }

  #note({ topic, data }: CommsMessage): void {
    if (topic !== 'algo/overview') {
      this.others.push(topic);
      return;
    }
    this.news.push(JSON.stringify(data));
    const { begins, changes, removed } = data as OverviewNews;
    if (begins) this.rows.clear();
    for (const change of changes) this.rows.set(change.id, this.#merged(change));
    for (const id of removed) this.rows.delete(id);
  }

  #merged(change: OverviewChange): OverviewRow {
    const entries = Object.entries({ ...this.rows.get(change.id), ...change });
    return Object.fromEntries(entries.filter(([, value]) => value !== null)) as unknown as OverviewRow;
  }
}
