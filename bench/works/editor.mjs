/** What an open editor gets, and how far behind it is, while messages come. */
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

/**
 * A work that drives a flow in each round, with an editor open.
 * @param {object} work as for `messageWork`; of what an editor gets, `metrics` of `takenBy` are shown
 */
function editorWork({ devices, chains, order, per = 1, ...work }) {
  return {
    base: 'bare',
    contestants: ['stock', 'bare', 'ours'],
    rounds: { full: 3, quick: 1 },
    ...work,

    async start(bench, contestant) {
      const clock = { id: clockId, type: 'bench-clock' };
      const flow = actionFlow(contestant.kind, bench.addresses.slice(0, devices), chains, [clock]);
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

    async sample(bench, { editor, ask }, contestant) {
      await editor.caughtUp();
      editor.forget();
      const asked = order(bench.size, contestant);
      const { cpu, ms, failures } = await ask('drive', asked);
      await editor.caughtUp();
      return { failures, cpu: cpu / asked.count / per, ...takenBy(editor, asked.count, ms / 1000) };
    },
  };
}

function takenBy({ statuses, bytes, behind }, count, seconds) {
  return {
    behind,
    statuses: statuses / count,
    bytes: bytes / count,
    rate: count / seconds,
    statusRate: statuses / seconds,
    byteRate: bytes / seconds / 1000,
  };
}

const behind = { key: 'behind', title: 'editor behind, at most', unit: 'ms' };
const perMessage = [
  cpuMetric,
  { key: 'statuses', title: 'statuses for each message', unit: '' },
  { key: 'bytes', title: 'bytes for each message', unit: '' },
  behind,
  failuresMetric,
];
const perSecond = [
  cpuMetric,
  { key: 'rate', title: 'messages a second', unit: '' },
  { key: 'statusRate', title: 'statuses a second', unit: '' },
  { key: 'byteRate', title: 'to the editor, a second', unit: 'kB' },
  behind,
  failuresMetric,
];
const wanted = 5_000;

export const withEditor = [
  editorWork({
    name: 'editor',
    title: 'A message, 32 devices in flight, an editor open',
    metrics: perMessage,
    devices: 32,
    chains: chainsToEach(32, tone),
    order: (size) => ({ count: size(3000, 1500), lanes: 32, over: 32 }),
  }),
  editorWork({
    name: 'editor-rate',
    title: '5,000 messages a second to 32 devices, an editor open',
    metrics: perSecond,
    devices: 32,
    chains: chainsToEach(32, tone),
    order: (size) => ({ count: size(20_000, 10_000), perSecond: wanted, over: 32 }),
  }),
  editorWork({
    name: 'editor-all',
    title: '500 devices with one message, for each device, an editor open',
    metrics: perMessage,
    devices: 500,
    chains: [{ job: tone, targets: Array.from({ length: 500 }, (_, index) => index) }],
    per: 500,
    order: (size, { kind }) => ({
      count: size(3, 2),
      answers: kind.splits ? 500 : 1,
      message: kind.toAll,
    }),
  }),
  editorWork({
    name: 'editor-burst',
    title: 'A burst of 5,000 to one device, for each message, an editor open',
    metrics: perMessage,
    rounds: { full: 3, quick: 0 },
    devices: 1,
    chains: chainsToEach(1, tone),
    order: () => ({ count: 5_000, lanes: 5_000 }),
  }),
];
