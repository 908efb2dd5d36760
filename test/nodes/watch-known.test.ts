import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import type { VirtualDevice } from '../../src/virtual-device/device';
import type { NodeConfig } from '../fixtures/flow';
import { redeploy } from '../fixtures/redeploy';
import { flowOf, Inbox, send, startVirtual, startWatchFlow, stopAll } from './watch-flow';

function config({ address }: VirtualDevice, more: object = {}): NodeConfig {
  return { id: 'device', type: 'algo-device', name: 'Hall', address, auth: 'none', ...more };
}

function consoleAt(device: VirtualDevice): NodeConfig {
  return config(device, { id: 'desk', name: 'Desk' });
}

function group(rows: readonly object[]): NodeConfig {
  return { id: 'all', type: 'algo-group', name: 'All', auth: 'none', rows };
}

const relay = { id: 'relay', type: 'algo-relay-input', device: 'device', interval: 0.2 };
const status = { id: 'status', type: 'algo-status', device: 'device', interval: 0.2 };
const consoleEvents = { id: 'console', type: 'algo-console-events', device: 'desk', interval: 0.2 };
const ofGroup = { target: 'group', group: 'all' };

async function press({ address }: VirtualDevice): Promise<void> {
  const route = `${address}/api/controls/console/button/activate`;
  const { ok } = await fetch(route, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id: 'red' }),
  });
  assert.ok(ok);
}

/** Deploys everything, also what is as it was, and hands on what leaves the nodes afterwards. */
async function deployAll(configs: readonly NodeConfig[]): Promise<Inbox> {
  await redeploy(flowOf(configs), 'full');
  const changes = new Inbox();
  helper.getNode('changes').on('input', (message) => changes.put(message));
  return changes;
}

/** The answer to a message: what the reading found that nobody was told of came before it. */
async function answer(changes: Inbox, id = 'relay') {
  send(id, { payload: 'mine', asked: true });
  for (;;) {
    const message = await changes.next();
    if (message.asked) return message;
  }
}

describe('a first reading', () => {
  afterEach(stopAll);

  it('sets nothing off, unless the node is set to report it', async () => {
    const [device, desk] = [
      await startVirtual(),
      await startVirtual({ model: '8450', buttons: { red: 'emergency' } }),
    ];
    device.setInput('relay', 'active');
    await press(desk);
    const { changes } = await startWatchFlow([config(device), consoleAt(desk), relay, status, consoleEvents]);
    for (const { id } of [relay, status, consoleEvents]) await answer(changes, id);
    assert.ok(changes.messages.every(({ asked }) => asked));
  });

  it('after a deploy of everything is no change where the state is the known one', async () => {
    const [device, desk] = [
      await startVirtual(),
      await startVirtual({ model: '8450', buttons: { red: 'emergency' } }),
    ];
    device.setInput('relay', 'active');
    await press(desk);
    const wanted = [relay, status, consoleEvents].map((node) => ({ ...node, initial: true }));
    const configs = [config(device), consoleAt(desk), ...wanted];
    const { changes: before } = await startWatchFlow(configs);
    for (const _ of wanted) assert.equal((await before.next()).initial, true);
    const changes = await deployAll(configs);
    for (const { id } of wanted) assert.ok(!('initial' in (await answer(changes, id))));
    assert.equal(changes.messages.length, 3);
  });

  it('after a deploy is the change that it is where the state is another', async () => {
    const [device, desk] = [
      await startVirtual(),
      await startVirtual({ model: '8450', buttons: { red: 'emergency' } }),
    ];
    const configs = [config(device), consoleAt(desk), { ...relay, edge: 'rising' }, status, consoleEvents];
    // What happens before the deploy must be for the nodes to find that come with the deploy.
    const seldom = configs.map((node) => ('interval' in node ? { ...node, interval: 3600 } : node));
    const { changes: before } = await startWatchFlow(seldom);
    for (const { id } of [relay, status, consoleEvents]) await answer(before, id);
    device.setInput('relay', 'active');
    await press(desk);
    const changes = await deployAll(configs);
    const messages = [await changes.next(), await changes.next(), await changes.next()];
    assert.ok(messages.every((message) => !('initial' in message)));
    const [edge, event, field] = ['previousMs', 'type', 'Relay Input Status'].map(
      (name) => messages.find(({ payload }) => name in payload) ?? assert.fail(`nothing has ${name}`),
    );
    assert.equal(edge?.payload.state, 'active');
    assert.deepEqual([event?.payload.type, event?.payload.state], ['emergency', 'started']);
    const { from, to } = field?.changes?.['Relay Input Status'] ?? {};
    assert.match(String(from), /^idle,/);
    assert.match(String(to), /^active,/);
  });

  it('is a first one where the node has another device or input, or was away for a deploy', async () => {
    const [hall, yard] = [await startVirtual({ model: '8063' }), await startVirtual({ model: '8063' })];
    const both = [config(hall), config(yard, { id: 'other', name: 'Yard' })];
    const first = { ...relay, initial: true };
    const { changes: before } = await startWatchFlow([...both, first]);
    assert.equal((await before.next()).initial, true);
    const other = { ...first, device: 'other' };
    assert.equal((await (await deployAll([...both, other])).next()).initial, true);
    const input = { ...other, input: 'relay1' };
    assert.equal((await (await deployAll([...both, input])).next()).initial, true);
    assert.ok(!('initial' in (await answer(await deployAll([...both, input])))));
    await deployAll(both);
    assert.equal((await (await deployAll([...both, input])).next()).initial, true);
  });

  it('goes by the device, however its address is written and its node is set up', async () => {
    const device = await startVirtual();
    const { changes: before } = await startWatchFlow([config(device), relay]);
    await answer(before);
    const again = config(device, { address: `${device.address}/`, timeout: 9, name: 'Aula' });
    assert.ok(!('initial' in (await answer(await deployAll([again, relay])))));
    const successor = { ...again, id: 'successor' };
    const changes = await deployAll([successor, { ...relay, device: 'successor' }]);
    assert.ok(!('initial' in (await answer(changes))));
  });

  it('of a member goes by the device too, whether a row or a node names it', async () => {
    const [hall, yard] = [await startVirtual(), await startVirtual()];
    const rows = [hall, yard].map(({ address }, index) => ({ name: `row ${index}`, address }));
    const watching = { ...relay, ...ofGroup, initial: true };
    const { changes: before } = await startWatchFlow([group(rows), watching]);
    assert.deepEqual([(await before.next()).initial, (await before.next()).initial], [true, true]);
    yard.setInput('relay', 'active');
    assert.equal((await before.next()).device, 'row 1');
    const renamed = [{ name: 'Yard', address: yard.address }];
    const next = [config(hall), { ...group(renamed), devices: ['device'] }, watching];
    const changes = await deployAll(next);
    hall.setInput('relay', 'active');
    const change = await changes.next();
    assert.deepEqual([change.device, change.payload.state, change.initial], ['Hall', 'active', undefined]);
    send('relay', { operation: 'read' });
    for (const answered of [await changes.next(), await changes.next()]) assert.ok(!('initial' in answered));
    assert.equal(changes.messages.length, 3);
  });
});
