import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import helper from 'node-red-node-test-helper';
import type { FakeDevice } from '../fixtures/fake-device';
import { outcomesOf, Site } from '../fixtures/site';
import { ample, broker, coreMqtt, flash, inbox, remote, site } from './flow';
import { Listener } from './listener';
import { Mosquitto } from './mosquitto';
import { endOf, ready, unsafe } from './sites';

const count = Number(process.env.ALGO_FLOOD || 5_000);

describe('many sites, when somebody floods the broker', () => {
  let mosquitto: Mosquitto;
  let listener: Listener;
  let world: Site;
  let device: FakeDevice;

  beforeEach(async () => {
    mosquitto = await Mosquitto.start();
    listener = await Listener.open(mosquitto.port);
    world = new Site();
    device = await world.device('A');
    const nodes = ['jobs', 'states', 'late'].map(inbox);
    const brokers = [broker('centre broker', mosquitto.port), broker('site broker', mosquitto.port)];
    const all = [...brokers, device.config({ letDeviceDecide: true }), ...nodes, site('n'), unsafe];
    await world.start([...all, remote('safe', flash)], {}, [coreMqtt()]);
    await ready(listener, 1);
  });
  afterEach(async () => {
    await world.end();
    await listener.end();
    await mosquitto.end();
  });

  const loggedBy = (type: string) =>
    helper
      .log()
      .args.map(([entry]) => String((entry as { msg?: unknown }).msg))
      .filter((line) => line.includes(type));

  const receipt = {
    device: 'A',
    address: '',
    operation: 'x',
    outcome: 'accepted',
    attempts: 1,
    latencyMs: 0,
  };
  const at = new Date(0).toISOString();
  const state = { v: 2, nodeId: 'p', rank: 0, seq: 1, ready: true };
  const job = { v: 2, at, site: 'north', devices: ['A'], command: { operation: 'tone/start' } };
  const command = { operation: 'nothing/start', parameters: {} };
  const deep = '['.repeat(60_000);
  /** What is no message of ours, or one that nobody should have sent, by its topic. */
  const hostile: ((id: string) => [topic: string, payload: string])[] = [
    (id) => [`north/job/${id}`, '{'],
    (id) => [`north/job/${id}`, JSON.stringify({ ...job, id })],
    (id) => [`north/job/${id}`, JSON.stringify({ ...job, id, command })],
    (id) => [`north/job/${id}`, JSON.stringify({ ...job, id, command, maybeClaimedBy: [id], more: 1 })],
    (id) => [`north/claim/${id}`, JSON.stringify({ v: 2, instance: id, nodeId: id, seq: 1 })],
    (id) => [`north/claim/${id}`, '{"__proto__":{"v":1}}'],
    (id) => [
      `north/result/${id}`,
      JSON.stringify({ v: 2, instance: id, at, receipts: [{ ...receipt, at }] }),
    ],
    (id) => [`north/result/${id}`, JSON.stringify({ v: 2, instance: id, at, receipts: [null] })],
    (id) => [`north/state/${id}`, JSON.stringify({ ...state, instance: id })],
    (id) => [`${id}/state/${id}`, JSON.stringify({ ...state, instance: id })],
    (id) => [`north/state/${id}`, 'null'],
    (id) => [`north/result/${id}`, deep],
  ];

  it('does what it is asked meanwhile, and says little of the flood', async () => {
    const messages = Array.from({ length: count }, (_, index) => {
      const [topic, payload] = hostile[index % hostile.length]?.(randomUUID()) ?? [];
      return listener.publish(`algo/v2/${topic}`, String(payload), index % 3 === 0 ? 60 : undefined);
    });
    for (let size = 255; size <= 257; size += 1) {
      messages.push(listener.publish(`algo/v2/north/result/${size}`, 'x'.repeat(size * 1024)));
    }
    const ways = [
      world.send('safe', { ttl: ample }),
      world.send('r', { payload: { path: 'a.wav', loop: false }, ttl: ample }),
    ];
    await Promise.all(messages);
    for (const way of ways) assert.deepEqual(outcomesOf(await endOf(world, way)), ['A accepted']);
    assert.deepEqual(device.operationNames.toSorted(), ['strobe/stop', 'tone/start']);
    const after = await endOf(
      world,
      world.send('r', { payload: { path: 'b.wav', loop: false }, ttl: ample }),
    );
    assert.deepEqual(outcomesOf(after), ['A accepted']);
    const lines = loggedBy('algo-site:');
    // One in ten at most, also where a busy machine takes its time over them.
    assert.ok(lines.length > 0 && lines.length < count / 10, `${lines.length} lines`);
    assert.deepEqual(loggedBy('a fault in this package'), []);
    assert.ok(loggedBy('algo-remote').length < 20);
  });
});
