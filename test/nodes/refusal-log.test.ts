import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import { listen } from '../../src/runtime/message/bus';
import { ClientFixture } from '../fixtures/client-fixture';
import { flowOf, loadNodes, stopFlow } from '../fixtures/flow';
import { ownNodes } from '../fixtures/package';
import { ResponseGate } from '../fixtures/response-gate';
import { wording } from '../fixtures/wording';

const messages = 500;
/** More than the device holds and the queue takes. */
const most = 10;
const errorLevel = 20;

describe('a burst that a full queue refuses', () => {
  const bench = new ClientFixture();
  afterEach(async () => {
    await stopFlow();
    await bench.clear();
  });

  /** Sends the burst through a flow, and closes the flow when nearly all messages were refused. */
  async function send(hasCatchNode: boolean): Promise<{ refused: number; caught: number }> {
    const address = await bench.http(new ResponseGate().respond);
    const gate = { id: 'gate', type: 'algo-device', name: 'Gate', address, auth: 'none', queueLimit: '5' };
    const form = { doorid: { type: 'str', value: 'local' }, duration: { type: 'str', value: '5' } };
    const door = { id: 'door', type: 'algo-door', device: 'gate', operation: 'munlock', form };
    const flow = flowOf([gate, door]).filter(({ type }) => hasCatchNode || type !== 'catch');
    await loadNodes(ownNodes(), flow);
    const counts = { refused: 0, caught: 0 };
    let stop = () => {};
    await new Promise<void>((resolve) => {
      const count = (what: keyof typeof counts) => {
        counts[what] += 1;
        if (counts[hasCatchNode ? 'caught' : 'refused'] === messages - most) resolve();
      };
      helper.getNode('caught').on('input', () => count('caught'));
      stop = listen(({ error }) => {
        if (error?.code === 'QUEUE_FULL') count('refused');
      });
      const node = helper.getNode('door');
      for (let index = 0; index < messages; index += 1) node.receive({ _msgid: String(index) });
    });
    await helper.clearFlows();
    stop();
    return counts;
  }

  /** The errors in the log that are about refused messages. */
  function logged(): string[] {
    const entries = helper.log().args.flat() as { level?: number; msg?: unknown }[];
    const lines = entries.flatMap(({ level, msg }) => (level === errorLevel ? [String(msg)] : []));
    return lines.filter(
      (line) => line.includes(wording('reasons:waits', { count: '5' })) || /rejected/.test(line),
    );
  }

  it('writes the first error into the log, and a count of the others', async () => {
    const began = performance.now();
    const { refused } = await send(false);
    const lines = logged();
    const counted = lines.flatMap((line) => / (\d+) more messages were rejected/.exec(line)?.[1] ?? []);
    const errors = lines.length - counted.length;
    assert.ok(lines[0]?.includes(wording('reasons:waits', { count: '5' })), lines[0]);
    assert.equal(
      counted.map(Number).reduce((sum, count) => sum + count, 0),
      refused - errors,
    );
    // A busy machine takes longer than the second in which errors are counted: then another one is written.
    const seconds = (performance.now() - began) / 1000;
    assert.ok(errors <= 1 + seconds && counted.length > 0, lines.join('\n'));
  });

  it('hands each error to a Catch node, and writes none', async () => {
    const { caught } = await send(true);
    assert.ok(caught >= messages - most, String(caught));
    assert.deepEqual(logged(), []);
  });
});
