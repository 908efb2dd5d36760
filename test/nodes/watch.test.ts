import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import { VirtualDevice, type VirtualDeviceOptions } from '../../src/virtual-device/device';
import { stopFlow } from '../fixtures/flow';
import { ownHost } from '../fixtures/listening';
import { redeploy } from '../fixtures/redeploy';
import { wording } from '../fixtures/wording';
import { flowOf, Inbox, send, startWatchFlow, statusOf } from './watch-flow';

const devices: VirtualDevice[] = [];

async function virtual(options: VirtualDeviceOptions = {}): Promise<VirtualDevice> {
  const device = new VirtualDevice({ auth: 'none', ...options });
  devices.push(device);
  await device.start();
  return device;
}

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
const consoleEvents = { id: 'console', type: 'algo-console-events', ...often };

describe('the watching nodes', () => {
  afterEach(async () => {
    await stopFlow();
    await Promise.all(devices.splice(0).map((device) => device.stop()));
  });

  it('report a first reading that is wanted as such, and then each edge', async () => {
    const device = await virtual();
    const { changes, connection } = await startWatchFlow([config(device), relay]);
    const first = await changes.next();
    assert.equal(first.initial, true);
    assert.equal(first.topic, 'Hall');
    assert.equal(first.device, 'Hall');
    assert.equal(first.payload.state, 'idle');
    assert.equal(first.payload.raw, 'idle');
    assert.ok(!('previousMs' in first.payload));
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
  });

  it('report what changed in the status', async () => {
    const device = await virtual({ model: '8301' });
    const { changes } = await startWatchFlow([config(device), status]);
    const first = await changes.next();
    assert.deepEqual(first.changes, {});
    assert.equal(first.initial, true);
    const [idle, active] = ['idle', 'active'].map(
      (state) => `${state}, Mode: Normally Open, Action: None, Tamper: No`,
    );
    assert.equal(first.payload['Relay Input Status'], idle);
    device.setInput('relay', 'active');
    const second = await changes.next();
    assert.deepEqual(second.changes, { 'Relay Input Status': { from: idle, to: active } });
    assert.equal(second.payload['Relay Input Status'], active);
    assert.equal(second.payload['Call Status'], 'Idle');
    assert.ok(!('initial' in second));
  });

  it('answer a message with the record, changed or not, while paused too', async () => {
    const device = await virtual({ model: '8301' });
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
    const device = await virtual();
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

  it('share one reading', async () => {
    const device = await virtual();
    const ten = Array.from({ length: 10 }, (_, index) => ({ ...relay, id: `relay${index}`, interval: 1 }));
    const { changes } = await startWatchFlow([config(device), ...ten]);
    for (let count = 0; count < 10; count++) assert.equal((await changes.next()).initial, true);
    assert.equal(device.log.filter(({ path }) => path === '/api/info/input.relay.status').length, 1);
  });

  it('say lost once and restored once, with what changed meanwhile on the first output', async () => {
    const device = await virtual({ host: ownHost });
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
    const back = new VirtualDevice({ auth: 'none', host: ownHost, port: Number(new URL(address).port) });
    devices.push(back);
    back.setInput('relay', 'active');
    await back.start();
    assert.equal((await changes.next()).payload.state, 'active');
    const restored = await connection.next();
    assert.equal(restored.payload.connection, 'restored');
    assert.ok(Number(restored.payload.missed) >= 3);
    assert.ok(!('reason' in restored.payload));
    assert.equal(connection.messages.length, 2);
    assert.equal(changes.messages.length, 2);
  });

  it('say once what a known model lacks, and do not read it', async () => {
    const device = await virtual({ model: '8301' });
    const { caught, connection } = await startWatchFlow([config(device), consoleEvents]);
    assert.match(
      String((await caught.next()).error?.message),
      /not supported by the 8301: console\/status at "Hall"; /,
    );
    send('console', { operation: 'read' });
    const refused = await caught.next();
    assert.equal(refused.error?.code, 'NOT_SUPPORTED');
    assert.ok(device.log.every(({ path }) => path === '/api/info/about'));
    assert.deepEqual(connection.messages, []);
  });

  it('say when they are not set up', async () => {
    const { caught } = await startWatchFlow([{ ...relay, device: '' }]);
    assert.equal(statusOf('relay').text, wording('reasons:noDeviceChosen'));
    send('relay', {});
    assert.equal((await caught.next()).error?.code, 'NOT_CONFIGURED');
  });

  it('tell started from stopped events of a console', async () => {
    const device = await virtual({ model: '8450', buttons: { red: 'emergency', call: 'call' } });
    const { changes } = await startWatchFlow([config(device), consoleEvents]);
    const press = (id: string) =>
      fetch(`${device.address}/api/controls/console/button/activate`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ id }),
      });
    send('console', { operation: 'read' });
    assert.deepEqual((await changes.next()).payload, { active: [] });
    await press('red');
    const started = await changes.next();
    assert.deepEqual(started.payload, { type: 'emergency', state: 'started', active: ['emergency'] });
    assert.equal(started.topic, 'Hall');
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
