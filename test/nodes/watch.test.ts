import assert from 'node:assert/strict';
import { once } from 'node:events';
import helper from 'node-red-node-test-helper';
import { statusesOf } from '../fixtures/flow';
import { redeploy } from '../fixtures/redeploy';
import { wording } from '../fixtures/wording';
import { flowOf, Inbox, send, startVirtual, startWatchFlow, statusOf, stopAll } from './watch-flow';

const config = (device: { readonly address: string }) => ({
  id: 'device',
  type: 'algo-device',
  name: 'Hall',
  address: device.address,
  auth: 'none',
});

const often = { device: 'device', interval: 0.2, initial: true };
const relay = { id: 'relay', type: 'algo-relay-input', ...often };
const status = { id: 'status', type: 'algo-status', ...often };

describe('the watching nodes', () => {
  afterEach(stopAll);

  it('report a first reading that is wanted as such, and then each edge', async () => {
    const device = await startVirtual();
    const { changes, connection } = await startWatchFlow([config(device), relay]);
    const first = await changes.next();
    assert.equal(first.initial, true);
    assert.equal(first.topic, 'Hall');
    assert.equal(first.device, 'Hall');
    assert.equal(first.payload.state, 'idle');
    assert.equal(first.payload.raw, 'idle');
    assert.ok(!('previousMs' in first.payload));
    while (device.log.length < 3) await once(device, 'request');
    device.setInput('relay', 'active (Normally Open)');
    const rising = await changes.next();
    assert.ok(!('initial' in rising));
    assert.equal(rising.payload.state, 'active');
    assert.equal(rising.payload.description, 'Normally Open');
    assert.equal(rising.payload.raw, 'active (Normally Open)');
    assert.ok(Number(rising.payload.previousMs) > 0);
    assert.ok(!Number.isNaN(Date.parse(String(rising.payload.since))));
    assert.deepEqual(connection.messages, []);
    assert.deepEqual(statusOf('relay'), { fill: 'red', shape: 'dot', text: 'state.active' });
    const shown = statusesOf('relay').map(({ text }) => text);
    assert.deepEqual(
      shown,
      ['state.idle', 'state.active'],
      'a status is shown again although nothing changed',
    );
  });

  it('answer a message with the record, changed or not, while paused too', async () => {
    const device = await startVirtual({ model: '8301' });
    const { changes, completed } = await startWatchFlow([config(device), { ...status, interval: 3600 }]);
    send('status', { operation: 'read', payload: 'mine', keep: 1 });
    const first = await changes.next();
    assert.equal(first.initial, true);
    assert.equal(first.keep, 1);
    send('status', { operation: 'pause' });
    await completed.next();
    await completed.next();
    assert.equal(statusOf('status').text, 'state.paused');
    send('status', { payload: 'again' });
    const second = await changes.next();
    assert.equal(second.payload['Call Status'], 'Idle');
    assert.deepEqual(second.changes, {});
    assert.equal(second.topic, 'Hall');
    send('status', { initial: true });
    assert.ok(!('initial' in (await changes.next())));
  });

  it('refuse what they do not know', async () => {
    const device = await startVirtual();
    const { caught } = await startWatchFlow([config(device), relay]);
    send('relay', { operation: 'stop' });
    assert.equal((await caught.next()).error?.code, 'INVALID_PARAMETER');
    send('relay', { operation: Object.create(null) });
    assert.equal((await caught.next()).error?.code, 'INVALID_PARAMETER');
    send('relay', { operation: 'read', interval: Object.create(null) });
    assert.equal((await caught.next()).error?.code, 'INVALID_PARAMETER');
    send('relay', { operation: 'read', interval: 0.1 });
    assert.equal((await caught.next()).error?.code, 'INVALID_PARAMETER');
  });

  it('say lost once and restored once, with what changed meanwhile on the first output', async () => {
    const device = await startVirtual();
    const { changes, connection } = await startWatchFlow([config(device), relay]);
    await changes.next();
    const { address } = device;
    await device.stop();
    const lost = await connection.next();
    assert.deepEqual(
      { ...lost.payload, lastSeen: typeof lost.payload.lastSeen, reason: typeof lost.payload.reason },
      { connection: 'lost', device: 'Hall', lastSeen: 'string', reason: 'string', missed: 3 },
    );
    assert.equal(lost.topic, 'Hall');
    assert.equal(statusOf('relay').fill, 'red');
    const back = await startVirtual({ port: Number(new URL(address).port) });
    back.setInput('relay', 'active');
    assert.equal((await changes.next()).payload.state, 'active');
    const restored = await connection.next();
    assert.equal(restored.payload.connection, 'restored');
    assert.ok(Number(restored.payload.missed) >= 3);
    assert.ok(!('reason' in restored.payload));
    assert.equal(connection.messages.length, 2);
    assert.equal(changes.messages.length, 2);
  });

  it('say when they are not set up', async () => {
    const { caught } = await startWatchFlow([{ ...relay, device: '' }]);
    assert.equal(statusOf('relay').text, wording('reasons:noDeviceChosen'));
    send('relay', {});
    assert.equal((await caught.next()).error?.code, 'NOT_CONFIGURED');
  });

  it('go on through a deploy of something else, and of their own device', async () => {
    const virtualConfig = {
      id: 'virtual',
      type: 'algo-virtual-device',
      model: '8301',
      auth: 'none',
      port: 0,
    };
    const configs = [virtualConfig, { ...config({ address: '' }), virtual: 'virtual' }, relay];
    const { changes } = await startWatchFlow(configs);
    await changes.next();
    const flow = flowOf(configs);
    const deploy = (next: Record<string, unknown>[]) => redeploy(next);
    const another = { id: 'another', type: 'algo-status', z: 'tab', x: 1, y: 1, device: 'device', wires: [] };
    await deploy([...flow, { ...another, interval: 0.2 }]);
    send('relay', { operation: 'read' });
    assert.ok(!('initial' in (await changes.next())));
    await deploy(flow.map((node) => (node.id === 'virtual' ? { ...node, model: '8180' } : node)));
    const again = new Inbox();
    helper.getNode('changes').on('input', (message) => again.put(message));
    send('relay', { operation: 'read' });
    assert.ok(!('initial' in (await again.next())));
  });
});
