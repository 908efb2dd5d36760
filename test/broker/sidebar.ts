import { once } from 'node:events';

interface Socket extends NodeJS.EventEmitter {
  send(text: string): void;
  close(): void;
}

const WebSocket: new (url: string) => Socket = require('ws');

interface Line {
  readonly topic: string;
  readonly data: { readonly name?: string; readonly msg?: string; readonly text?: string };
}

/** What the editor of a Node-RED hears of it: the debug sidebar, and what stands under the nodes. */
export class Sidebar {
  readonly #lines: { name: string; value: unknown }[] = [];
  readonly #statuses = new Map<string, string>();
  #deploys = 0;

  /** @param address of the editor */
  static async open(address: string): Promise<Sidebar> {
    const socket = new WebSocket(`${address.replace('http:', 'ws:')}/comms`);
    await once(socket, 'open');
    const sidebar = new Sidebar(socket);
    for (const topic of ['debug', 'status/#', 'notification/#'])
      socket.send(JSON.stringify({ subscribe: topic }));
    return sidebar;
  }

  private constructor(private readonly socket: Socket) {
    socket.on('message', (text: Buffer) => {
      for (const { topic, data } of [JSON.parse(text.toString())].flat() as Line[]) {
        if (topic.startsWith('status/')) this.#statuses.set(topic.slice('status/'.length), data?.text ?? '');
        if (topic === 'debug' && data.name) this.#lines.push({ name: data.name, value: plain(data.msg) });
        if (topic === 'notification/runtime-deploy') this.#deploys += 1;
        socket.emit('line');
      }
    });
  }

  /** The next thing that a debug node of this name shows. */
  async next(name: string): Promise<unknown> {
    for (let from = this.#lines.length; ; await once(this.socket, 'line')) {
      for (; from < this.#lines.length; from += 1) {
        if (this.#lines[from]?.name === name) return this.#lines[from]?.value;
      }
    }
  }

  /** Deploys, and resolves when the nodes are there: Node-RED answers before it has started them. */
  async afterDeploy(deploy: () => Promise<void>): Promise<void> {
    const before = this.#deploys;
    await deploy();
    while (this.#deploys === before) await once(this.socket, 'line');
  }

  /** Resolves when this stands under a node, whether it is signed or not. */
  async shows(id: string, text: string): Promise<void> {
    while (this.#statuses.get(id)?.replace(/\W*unsigned\W*$/, '') !== text) await once(this.socket, 'line');
  }

  close(): void {
    this.socket.close();
  }
}

/** Lists come with words around them. */
function plain(text = 'null'): unknown {
  const undressed = (_key: string, value: { __enc__?: boolean; data?: unknown } | unknown) =>
    typeof value === 'object' && value !== null && '__enc__' in value
      ? (value as { data?: unknown }).data
      : value;
  try {
    return JSON.parse(text, undressed);
  } catch {
    return text;
  }
}
