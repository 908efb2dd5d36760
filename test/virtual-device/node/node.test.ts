import assert from 'node:assert/strict';
import type { Node } from 'node-red';
import helper from 'node-red-node-test-helper';
import virtualDeviceNode from '../../../nodes/virtual-device';
import type { Endpoint } from '../../../src/virtual-device/node/node-options';
import { busyPort } from '../../listening';
import { send, tell } from '../signer';

helper.init(require.resolve(process.env.ALGO_NODE_RED || 'node-red'));

type VirtualNode = Node & { endpoint(): Promise<Endpoint> };

async function start(config: object, credentials: Record<string, string> = {}): Promise<VirtualNode> {
  const flow = [{ id: 'virtual', type: 'algo-virtual-device', ...config }];
  await helper.load(virtualDeviceNode, flow as Parameters<typeof helper.load>[1], { virtual: credentials });
  return helper.getNode('virtual') as VirtualNode;
}

/** What the node has said in Node-RED's log, level 10 being errors. */
function said(): { level: number; msg: string }[] {
  const entries = helper.log().args as { level: number; msg: string; id?: string }[][];
  return entries.flat().filter((entry) => entry?.id === 'virtual');
}

describe('algo-virtual-device, the node', () => {
  beforeEach((done) => void helper.startServer(done));
  afterEach(async () => {
    await helper.unload();
    await new Promise<void>((resolve) => void helper.stopServer(resolve));
  });

  it('offers an address and how to sign, and logs what it was asked', async () => {
    const node = await start({ model: '8063', port: '' }, { password: 'pw' });
    const { address, auth, password } = await node.endpoint();
    assert.deepEqual([auth, password], ['standard', 'pw']);
    await tell(address, 'POST /api/controls/door/lock', { doorid: 'local' }, { password });
    await tell(address, 'POST /api/controls/door/lock', { doorid: 'front' }, { password });
    const lines = said().map(({ msg }) => msg);
    assert.deepEqual(lines.slice(0, 2), [
      `virtual 8063 (firmware 5.7) listens on ${address}`,
      'POST /api/controls/door/lock (lock the door) {"doorid":"local"} -> 200',
    ]);
    assert.match(lines[2] ?? '', /-> 400: doorid must be "netdc1" or "local"/);
    assert.ok(!lines.join().includes('pw'));
  });

  it('has the factory password without one of its own', async () => {
    const node = await start({});
    const { address, password } = await node.endpoint();
    assert.equal(password, 'algo');
    assert.equal((await tell(address, 'GET /api/info/about')).status, 200);
  });

  it('is gone, with all of its connections, once its flow is', async () => {
    const node = await start({ auth: 'none' });
    const { address } = await node.endpoint();
    assert.equal((await send(address, 'GET', '/api/info/about', {})).status, 200);
    await helper.unload();
    await assert.rejects(send(address, 'GET', '/api/info/about', {}), { code: 'ECONNREFUSED' });
  });

  it('reports a busy port in one sentence, to the log and to who asks', async () => {
    const { port, free } = await busyPort();
    const node = await start({ port: String(port) });
    await assert.rejects(node.endpoint(), { code: 'EADDRINUSE' });
    await free();
    const errors = said().filter(({ level }) => level === 20);
    assert.deepEqual(
      errors.map(({ msg }) => String(msg)),
      [`The virtual device did not start: port ${port} on 127.0.0.1 is in use already`],
    );
  });

  it('reports a model that does not exist', async () => {
    const node = await start({ model: '1234' });
    await assert.rejects(node.endpoint(), /there is no model 1234/);
    assert.match(String(said()[0]?.msg), /there is no model 1234/);
  });
});
