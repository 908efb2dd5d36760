import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import type { FakeDevice } from '../fixtures/fake-device';
import { flowOf, type NodeConfig } from '../fixtures/flow';
import { redeploy } from '../fixtures/redeploy';
import { act, caughtOf, outcomesOf, Site, type Way } from '../fixtures/site';
import { wordingIn } from '../fixtures/wording';
import { SlowToClose } from './slow-to-close';

const lag: NodeConfig = { id: 'lag', type: 'slow-to-close', operation: 'none', n: 0 };
const byName = { target: 'msg' };
const lock = act('door/lock', byName);

describe('a deploy that replaces devices', () => {
  let slow: SlowToClose;
  let site: Site;
  let gate: FakeDevice;
  let deploying: Promise<unknown> | undefined;

  beforeEach(async () => {
    slow = new SlowToClose();
    site = new Site();
    gate = await site.device('Gate');
  });

  afterEach(async () => {
    slow.letGo();
    // It would go on in the middle of the next test.
    await deploying;
    await site.end();
  });

  /** Starts a deploy of the device. Resolves when it is closed, and not yet there again. */
  async function deploy(changed: NodeConfig, ...nodes: NodeConfig[]): Promise<void> {
    await site.start([gate.config({ tags: 'front' }), ...nodes, lag], {}, [slow.register]);
    const closing = slow.closing();
    deploying = redeploy(flowOf([changed, ...nodes, { ...lag, n: 1 }]));
    await closing;
  }

  const errorOf = (way: Way) => String(way.caught[0]?.error?.message);

  for (const device of ['tag:front', 'Gate', 'gate']) {
    it(`keeps its place: a message for ${device} waits for its successor`, async () => {
      await deploy(gate.config({ tags: 'front', timeout: '9' }), lock);
      const way = site.send('door/lock', { device });
      await new Promise(setImmediate);
      assert.deepEqual(gate.operationNames, []);
      slow.letGo();
      assert.deepEqual(outcomesOf(await site.ended(way)), ['Gate accepted']);
      assert.deepEqual(gate.operationNames, ['door/lock']);
    });
  }

  it('keeps the order of those that wait for its successor, though the parameters of the first take longer', async () => {
    const later = { ...byName, parametersType: 'jsonata', parameters: '{"doorid": "local"}' };
    await deploy(gate.config({ timeout: '9' }), act('door/lock', later), act('door/unlock', byName));
    const ways = ['door/lock', 'door/unlock'].map((id) => site.send(id, { device: 'Gate' }));
    slow.letGo();
    for (const way of ways) await site.ended(way);
    assert.deepEqual(gate.operationNames, ['door/lock', 'door/unlock']);
  });

  it('sends nothing to a successor that is not meant any more', async () => {
    await deploy(gate.config({ tags: 'back' }), lock);
    const way = site.send('door/lock', { device: 'tag:front' });
    slow.letGo();
    assert.deepEqual(caughtOf(await site.ended(way)), ['ABORTED']);
    assert.match(errorOf(way), wordingIn('reasons:takenOut', { device: 'Gate' }));
    assert.deepEqual(gate.operationNames, []);
  });

  it('tells at once when the device is deleted', async () => {
    await deploy(gate.config({ id: 'other', name: 'Other' }), lock);
    assert.deepEqual(caughtOf(await site.ask('door/lock', { device: 'Gate' })), ['NOT_CONFIGURED']);
  });

  it('says once how many messages it ended, each with its receipt', async () => {
    gate.behavior = () => 'hold';
    await site.start([gate.config(), act('door/unlock', byName)]);
    const ways = Array.from({ length: 30 }, () => site.send('door/unlock', { device: 'Gate' }));
    await site.until('one is under way', () => gate.held.length > 0);
    deploying = redeploy(flowOf([gate.config(), act('door/unlock', { ...byName, name: 'renamed' })]));
    for (const way of ways) assert.equal((await site.ended(way)).caught[0]?.receipts?.length, 1);
    const logged = helper.log().args.map(([entry]) => String((entry as { msg?: unknown }).msg));
    const lines = logged.filter((line) => line.includes('messages were aborted'));
    assert.equal(lines.length, 1);
    assert.match(
      String(lines[0]),
      /^\[algo-door:door\/unlock\] 30 messages were aborted; the first: .*: door\/unlock/,
    );
  });
});
