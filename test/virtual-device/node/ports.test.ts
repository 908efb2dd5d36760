import assert from 'node:assert/strict';
import type { Node } from 'node-red';
import helper from 'node-red-node-test-helper';
import virtualDeviceNode from '../../../nodes/virtual-device';
import type { Access } from '../../../src/virtual-device/node/node-options';
import { eachWithServer, loadNodes, type NodeConfig } from '../../fixtures/flow';
import { busyPort } from '../../fixtures/listening';
import { redeploy } from '../../fixtures/redeploy';
import { sendJson } from '../../fixtures/signer';

type VirtualNode = Node & { endpoint(): Promise<Access> };

const config = (id: string, port: number, more: object = {}) => ({
  id,
  type: 'algo-virtual-device',
  auth: 'none',
  port: String(port),
  ...more,
});
const endpoint = (id: string) => (helper.getNode(id) as VirtualNode).endpoint();
const tab = (label: string) => ({ id: 'tab', type: 'tab', label });

/** The errors that Node-RED's log has of these nodes. */
function errors(): string[] {
  const entries = helper.log().args as { level: number; msg: unknown }[][];
  return entries.flat().flatMap((entry) => (entry?.level === 20 ? String(entry.msg) : []));
}

describe('virtual devices and ports that others have', () => {
  eachWithServer();

  async function start(flow: readonly object[]): Promise<void> {
    await loadNodes([virtualDeviceNode], flow as readonly NodeConfig[]);
  }
  async function freePort(): Promise<number> {
    const { port, free } = await busyPort();
    await free();
    return port;
  }
  async function isAt(id: string, port: number): Promise<void> {
    const { address } = await endpoint(id);
    assert.equal(address, `http://127.0.0.1:${port}`);
    assert.equal((await sendJson(address, 'GET /api/info/about')).status, 200);
  }
  const inUse = (port: number) =>
    `The virtual device did not start: port ${port} on 127.0.0.1 is in use already`;

  it('says once that one of two has the port that both want, and lets the other run', async () => {
    const port = await freePort();
    await start([config('one', port), config('two', port)]);
    const found = await Promise.allSettled([endpoint('one'), endpoint('two')]);
    assert.deepEqual(found.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.deepEqual(errors(), [inUse(port)]);
  });

  for (const type of ['nodes', 'full'] as const) {
    it(`starts at the next deploy of what is not its own, once the port is free (${type})`, async () => {
      const { port, free } = await busyPort();
      await start([config('one', port), tab('a')]);
      await assert.rejects(endpoint('one'), { code: 'EADDRINUSE' });
      await redeploy([config('one', port), tab('b')], type);
      await assert.rejects(endpoint('one'), { code: 'EADDRINUSE' });
      await free();
      await redeploy([config('one', port), tab('c')], type);
      await isAt('one', port);
    });
  }

  it('says once that it has no port, however many deploys there are', async () => {
    const { port, free } = await busyPort();
    await start([config('one', port), tab('a')]);
    await assert.rejects(endpoint('one'));
    for (const label of ['b', 'c', 'd']) {
      await redeploy([config('one', port), tab(label)]);
      await assert.rejects(endpoint('one'));
    }
    assert.deepEqual(errors(), [inUse(port)]);
    await free();
  });

  for (const type of ['nodes', 'full'] as const) {
    it(`lets two swap their ports in one deploy (${type})`, async () => {
      const [first, second] = [await freePort(), await freePort()];
      await start([config('one', first), config('two', second)]);
      await Promise.all([isAt('one', first), isAt('two', second)]);
      await redeploy([config('one', second), config('two', first)], type);
      await Promise.all([isAt('one', second), isAt('two', first)]);
      assert.deepEqual(errors(), []);
    });
  }
});
