import assert from 'node:assert/strict';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';
import { ample, broker, remote } from './flow';
import { Listener } from './listener';
import { Mosquitto } from './mosquitto';

const count = 500;

/** Sends many requests in one turn, to two centres in turns. */
const many = {
  id: 'many',
  type: 'function',
  operation: '',
  outputs: 2,
  func: `for (let n = 0; n < ${count}; n += 1) node.send(n % 2 === 0 ? [{ n }, null] : [null, { n }]);`,
  wires: [['start'], ['stop']],
} as unknown as NodeConfig;

interface Job {
  readonly seq: number;
  readonly command: { readonly operation: string };
}

describe('a centre whose disk hangs', () => {
  let mosquitto: Mosquitto;
  let listener: Listener;
  let red: RedProcess;
  const flow = () => [
    broker('centre broker', mosquitto.port),
    many,
    ...['start', 'stop'].map((name) =>
      remote(
        name,
        {
          operation: `tone/${name}`,
          parametersType: 'json',
          parameters: name === 'start' ? '{"path":"0.wav","loop":true}' : '{}',
        },
        { operation: '', ttl: ample, wires: [[], []] },
      ),
    ),
  ];

  beforeEach(async () => {
    mosquitto = await Mosquitto.start();
    listener = await Listener.open(mosquitto.port);
    red = await RedProcess.prepare(flow());
    await red.start('hang-disk');
    red.signal('SIGWINCH');
    await red.waitForOutput(/the disk hangs/);
  });

  afterEach(async () => {
    await red.clear();
    await listener.end();
    await mosquitto.end();
  });

  /** Each once: the centre publishes a job again that no site claims. */
  const jobs = (): Job[] => {
    const seen = listener.seen.filter(({ topic, payload }) => topic.includes('/job/') && payload !== '');
    return [...new Map(seen.map(({ topic, payload }) => [topic, JSON.parse(payload)])).values()];
  };
  const ask = () => void red.ask('many').catch(() => undefined);

  it(`publishes ${count} requests in the order of their arrival`, async () => {
    ask();
    await listener.until(() => jobs().length >= count);
    const inOrder = jobs().sort((a, b) => a.seq - b.seq);
    assert.equal(new Set(inOrder.map(({ seq }) => seq)).size, count);
    const wanted = inOrder.map((_, n) => (n % 2 === 0 ? 'tone/start' : 'tone/stop'));
    assert.deepEqual(inOrder.map(({ command }) => command.operation).join(' '), wanted.join(' '));
  });
});
