/** What an open editor gets, and how far behind it is, while messages come at full rate. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'undici';
import { actionFlow } from '../contestants/flow.mjs';
import { tone } from '../contestants/jobs.mjs';
import { chainsToEach } from './messages.mjs';
import { cpuMetric, failuresMetric } from './metrics.mjs';

const clockId = 'clock';

/** An editor as far as its websocket goes: it hears of every status. */
class Editor {
  statuses = 0;
  bytes = 0;
  /** Epoch milliseconds that the flow's clock showed last, and how old that ever was when it came. */
  clock = 0;
  behind = 0;

  constructor(port) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/comms`);
    this.opened = new Promise((resolve, reject) => {
      this.socket.addEventListener('open', resolve);
      this.socket.addEventListener('error', () => reject(new Error('the editor got no connection')));
    });
    this.socket.addEventListener('message', ({ data }) => this.#hear(data));
  }

  async open() {
    await this.opened;
    this.socket.send(JSON.stringify({ subscribe: 'status/#' }));
  }

  #hear(data) {
    const now = Date.now();
    for (const one of JSON.parse(data)) {
      if (one.topic === `status/${clockId}`) {
        this.clock = Number(one.data.text);
        this.behind = Math.max(this.behind, now - this.clock);
      } else if (one.topic.startsWith('status/')) {
        this.statuses += 1;
        this.bytes += JSON.stringify(one).length;
      }
    }
  }

  /** Resolves when all that was shown until now has come. */
  async caughtUp() {
    const now = Date.now();
    while (this.clock < now) await sleep(50);
  }

  forget() {
    this.statuses = 0;
    this.bytes = 0;
    this.behind = 0;
  }
}

export const openEditor = {
  name: 'editor',
  title: 'A message, 32 devices in flight, an editor open',
  base: 'bare',
  contestants: ['stock', 'bare', 'ours'],
  rounds: { full: 3, quick: 1 },
  metrics: [
    cpuMetric,
    { key: 'statuses', title: 'statuses for each message', unit: '' },
    { key: 'bytes', title: 'bytes for each message', unit: '' },
    { key: 'behind', title: 'editor behind, at most', unit: 'ms' },
    failuresMetric,
  ],

  async start(bench, contestant) {
    const chains = chainsToEach(32, tone);
    const clock = { id: clockId, type: 'bench-clock' };
    const flow = actionFlow(contestant.kind, bench.addresses.slice(0, 32), chains, [clock]);
    const subject = await bench.nodeRed(contestant, { ...flow, editor: true });
    const editor = new Editor(subject.started.port);
    await editor.open();
    return {
      editor,
      ask: subject.ask,
      stop() {
        editor.socket.close();
        return subject.stop();
      },
    };
  },

  async sample(bench, { editor, ask }) {
    await editor.caughtUp();
    editor.forget();
    const count = bench.size(3000, 1500);
    const { cpu, failures } = await ask('drive', { count, lanes: 32, over: 32 });
    await editor.caughtUp();
    const { statuses, bytes, behind } = editor;
    return {
      cpu: cpu / count,
      statuses: statuses / count,
      bytes: bytes / count,
      behind,
      failures,
    };
  },
};
