import assert from 'node:assert/strict';
import type { NodeAPI } from 'node-red';
import helper from 'node-red-node-test-helper';
import { realClock } from '../../src/kernel/time/clock';
import { listen } from '../../src/runtime/message/bus';
import { ConcurrencyLimiter } from '../../src/runtime/message/concurrency-limiter';
import type { Receipt } from '../../src/runtime/message/receipt';
import { pendingRollings } from '../../src/runtime/message/rolling';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, outcomesOf, receiptLog, receiptsOf, Site, type Way } from '../fixtures/site';
import { Leap } from './leap';

const names = ['A', 'B', 'C', 'D', 'E'];

describe('delivery: some devices after the others', () => {
  let site: Site;
  let devices: FakeDevice[];

  beforeEach(async () => {
    site = new Site();
    devices = await site.devices(...names);
  });
  afterEach(() => site.end());

  const start = (more: Record<string, unknown>, operation = 'door/munlock') =>
    site.start([
      ...devices.map((device) => device.config()),
      act(operation, { target: 'msg', ...more }),
      act('door/lock', { target: 'msg' }),
    ]);

  const send = (more: Record<string, unknown> = {}): Way =>
    site.send('door/munlock', { device: names, ...more });

  /** The names of the devices that hold a request. */
  const asked = () => devices.filter(({ held }) => held.length > 0).map(({ name }) => name);

  const hold = () => {
    for (const device of devices) device.behavior = () => 'hold';
  };

  const release = (name: string, status = 200) => devices[names.indexOf(name)]?.release(undefined, status);

  for (const [rolling, first, second] of [
    [2, ['A', 'B'], ['B', 'C']],
    ['40%', ['A', 'B'], ['B', 'C']],
    ['21%', ['A', 'B'], ['B', 'C']],
    [' 1 ', ['A'], ['B']],
  ] as const)
    it(`serves so many targets at a time, in their order: ${rolling}`, async () => {
      await start({ rolling });
      hold();
      const way = send();
      await site.until('the first ones are asked', () => asked().length === first.length);
      assert.deepEqual(asked(), first);
      release('A');
      await site.until(
        'the next one is asked',
        () => asked().length === second.length && !asked().includes('A'),
      );
      assert.deepEqual(asked(), second);
      for (const device of devices) device.releaseAll();
      assert.deepEqual(
        outcomesOf(await site.ended(way)),
        names.map((name) => `${name} accepted`),
      );
    });

  it('begins no further target after a failure, and says which one failed', async () => {
    await start({ rolling: 1 });
    (devices[1] as FakeDevice).behavior = () => 400;
    const way = await site.ended(send());
    assert.deepEqual(outcomesOf(way), ['A accepted', 'B failed', 'C skipped', 'D skipped', 'E skipped']);
    const { code, reason } = receiptsOf(way)[2]?.error ?? {};
    assert.deepEqual([code, reason], ['ABORTED', 'not tried: B failed']);
    assert.match(String(way.caught[0]?.error?.message), /B/);
    assert.deepEqual(devices[2]?.operationNames, []);
  });

  it('begins further targets up to the number of failures that is allowed', async () => {
    await start({ rolling: 1, maxFailures: 1 });
    for (const index of [0, 2]) (devices[index] as FakeDevice).behavior = () => 400;
    assert.deepEqual(outcomesOf(await site.ended(send())), [
      ...['A failed', 'B accepted', 'C failed'],
      ...['D skipped', 'E skipped'],
    ]);
  });

  it('counts a device without the operation as no failure', async () => {
    (devices[0] as FakeDevice).model = '8410';
    await start({ rolling: 1 });
    const way = await site.ended(send());
    assert.deepEqual(outcomesOf(way), ['A skipped', ...names.slice(1).map((name) => `${name} accepted`)]);
  });

  it('counts a target whose time was over before its turn as a failure', async () => {
    await start({ rolling: 1, ttl: '0.2' });
    hold();
    const other = site.send('door/lock', { device: 'A' });
    await site.until('A is asked', () => asked().length === 1);
    const way = await site.ended(send({ device: ['A', 'B'] }));
    release('A');
    await site.ended(other);
    assert.deepEqual(outcomesOf(way), ['A expired', 'B skipped']);
  });

  it('counts an unknown name as a failure', async () => {
    await start({ rolling: 1 });
    const way = await site.ended(send({ device: ['nobody', 'A'] }));
    assert.deepEqual(outcomesOf(way), ['nobody failed', 'A skipped']);
  });

  it('holds up no other message at a device that waits, and a later stop takes its start out', async () => {
    await start({ rolling: 1 });
    hold();
    const way = send();
    await site.until('A is asked', () => asked().length === 1);
    (devices[2] as FakeDevice).behavior = () => 200;
    await site.ask('door/lock', { device: 'C' });
    for (const device of devices) device.releaseAll();
    assert.deepEqual(outcomesOf(await site.ended(way)), [
      ...['A accepted', 'B accepted', 'C superseded'],
      ...['D accepted', 'E accepted'],
    ]);
    assert.deepEqual(devices[2]?.operationNames, ['door/lock']);
  });

  it('counts the time to live of each target from its own turn', async () => {
    await start({ rolling: 1, ttl: '100' });
    hold();
    const leap = new Leap();
    const way = send({ device: ['A', 'B'] });
    try {
      await site.until('A is asked', () => asked().length === 1);
      leap.seconds(200);
      release('A');
      await site.until('B is asked', () => asked().length === 1);
      release('B');
      await site.ended(way);
    } finally {
      leap.end();
    }
    assert.deepEqual(outcomesOf(way), ['A accepted', 'B accepted']);
  });

  it('ends at msg.reset: what is under way is finished, the others are aborted', async () => {
    await start({ rolling: 1 });
    hold();
    const way = send();
    await site.until('A is asked', () => asked().length === 1);
    const reset = await site.ask('door/munlock', { reset: true });
    assert.deepEqual([reset.sent, reset.caught], [[], []]);
    release('A');
    await site.ended(way);
    assert.deepEqual(outcomesOf(way), ['A accepted', ...names.slice(1).map((name) => `${name} failed`)]);
    assert.deepEqual(receiptsOf(way)[1]?.error?.code, 'ABORTED');
  });

  it('starts nothing for a message with msg.reset while nothing is rolling, and says so', async () => {
    await start({ rolling: 1 });
    const texts = statusesOf('door/munlock');
    const reset = await site.ask('door/munlock', { device: 'A', reset: true });
    assert.deepEqual([reset.sent, reset.caught, devices[0]?.operationNames], [[], [], []]);
    assert.equal(texts.at(-1), 'status.nothingToEnd');
  });

  it('handles a message with msg.reset as any other at a node without rolling', async () => {
    await start({});
    const way = await site.ask('door/munlock', { device: 'A', reset: true });
    assert.deepEqual(outcomesOf(way), ['A accepted']);
  });

  it('goes on with the successor of a device that a deploy has replaced', async () => {
    const door = act('door/munlock', { target: 'msg', rolling: 1 });
    const flow = (more = {}) => [
      ...devices.map((device) => device.config(device.name === 'B' ? more : {})),
      door,
    ];
    await site.start(flow());
    hold();
    const way = send({ device: ['A', 'B'] });
    await site.until('A is asked', () => asked().length === 1);
    await site.redeploy(flow({ timeout: '9' }));
    release('A');
    await site.until('B is asked', () => asked().length === 1);
    release('B');
    assert.deepEqual(outcomesOf(await site.ended(way)), ['A accepted', 'B accepted']);
  });

  it('aborts the targets that wait if a deploy removes the node', async () => {
    await start({ rolling: 1 });
    hold();
    const way = send();
    await site.until('A is asked', () => asked().length === 1);
    const node = helper.getNode('door/munlock');
    node.on('close', () => release('A'));
    await site.redeploy(devices.map((device) => device.config()));
    assert.deepEqual(
      outcomesOf(await site.ended(way)).slice(1),
      names.slice(1).map((name) => `${name} failed`),
    );
    for (const device of devices.slice(1)) assert.deepEqual(device.operationNames, []);
  });

  /** The texts of a node's status, in order. */
  const statusesOf = (id: string): string[] => {
    const texts: string[] = [];
    const node = helper.getNode(id);
    node.status = (status) => {
      texts.push(String(Object(status).text));
      site.look();
    };
    return texts;
  };

  it('counts the targets in the status', async () => {
    await start({ rolling: 1 });
    hold();
    const texts = statusesOf('door/munlock');
    const way = send();
    for (const [index, name] of names.entries()) {
      await site.until(`${index} of 5`, () => texts.at(-1) === `${index}/5` && asked().includes(name));
      release(name);
    }
    await site.ended(way);
  });

  it('begins no further target before the device is back, and keeps the count meanwhile', async () => {
    await site.start([
      ...devices.map((device) => device.config()),
      act('system/reboot', { target: 'msg', rolling: 1, waitUntilBack: true }),
    ]);
    const texts = statusesOf('system/reboot');
    site.send('system/reboot', { device: ['A', 'B'] });
    await site.until('the node waits for A', () => /^0\/2: reboot \d+ s$/.test(texts.at(-1) ?? ''));
    assert.deepEqual(devices[1]?.operationNames, []);
  });

  it('shows for the sidebar what each device waits for', async () => {
    await start({ rolling: 1 });
    hold();
    const way = send({ device: ['A', 'B'] });
    await site.until('A is asked', () => asked().length === 1);
    const RED = { settings: helper.settings(undefined as never) } as unknown as NodeAPI;
    const pending = { operation: 'door/munlock', by: 'door/munlock' };
    assert.deepEqual(pendingRollings(RED), [
      { deviceId: 'a', pending: { ...pending, waitsFor: 'end' } },
      { deviceId: 'b', pending: { ...pending, waitsFor: 'turn' } },
    ]);
    release('A');
    await site.until('B is asked', () => asked().includes('B'));
    release('B');
    await site.ended(way);
    assert.deepEqual(pendingRollings(RED), []);
  });

  it('has at most `maxParallel` targets of a group on the wire', async () => {
    ConcurrencyLimiter.clock = { monotonic: () => 0, after: () => () => {} };
    try {
      const group = { id: 'all', type: 'algo-group', name: 'All', maxParallel: 2 };
      await site.start([
        ...devices.map((device) => device.config()),
        { ...group, devices: devices.map(({ id }) => id) },
        act('door/munlock', { target: 'group', group: 'all', rolling: 4 }),
        act('door/lock', { target: 'msg' }),
      ]);
      hold();
      const way = site.send('door/munlock');
      await site.until('two are asked', () => asked().length === 2);
      (devices[4] as FakeDevice).behavior = () => 200;
      await site.ask('door/lock', { device: 'E' });
      assert.deepEqual(asked(), ['A', 'B']);
      for (const device of devices) device.releaseAll();
      await site.ended(way);
    } finally {
      ConcurrencyLimiter.clock = realClock;
    }
  });

  it('sends each message of a split one when its target is done', async () => {
    await start({ rolling: 1, split: true });
    hold();
    const way = send();
    await site.until('A is asked', () => asked().length === 1);
    release('A');
    await site.until('B is asked', () => asked().includes('B'));
    assert.deepEqual(
      way.sent.map(({ receipts, parts }) => [receipts?.[0]?.device, Object(parts).index]),
      [['A', 0]],
    );
    for (const device of devices) device.releaseAll();
    await site.ended(way);
  });

  it('names the target that failed first in its error, not the first one in their order', async () => {
    await start({ rolling: 2 });
    hold();
    const texts = statusesOf('door/munlock');
    const way = send();
    await site.until('two are asked', () => asked().length === 2);
    release('B', 400);
    await site.until('only A is under way', () => texts.at(-1) === '4/5');
    release('A', 400);
    await site.ended(way);
    assert.match(String(way.caught[0]?.error?.message), /"B"/);
    assert.equal(receiptsOf(way)[3]?.error?.reason, 'not tried: B failed');
  });

  it('has an unknown result at the device under way if a deploy removes the node', async () => {
    await site.start([
      ...devices.map((device) => device.config()),
      act('door/munlock', { target: 'msg', rolling: 1 }),
      ...receiptLog(),
    ]);
    hold();
    send();
    await site.until('A is asked', () => asked().length === 1);
    await site.redeploy([...devices.map((device) => device.config()), ...receiptLog()]);
    const log = () => site.inbox('log').map(({ payload }) => payload as Receipt);
    await site.until('all receipts are there', () => log().length === names.length);
    assert.deepEqual(
      log().map(({ device, outcome, error }) => [device, outcome, error?.code]),
      names.map((name) => [name, name === 'A' ? 'unknown' : 'failed', 'ABORTED']),
    );
  });

  for (const type of ['nodes', 'full'] as const)
    it(`keeps the result of the device under way if it answers while a deploy (${type}) closes the node`, async () => {
      await start({ rolling: 1 });
      hold();
      const heard: Receipt[] = [];
      const end = listen((receipt) => {
        heard.push(receipt);
        site.look();
      });
      try {
        send();
        await site.until('A is asked', () => asked().length === 1);
        helper.getNode('door/munlock').on('close', () => release('A'));
        const configs = devices.map((device) => device.config());
        await site.redeploy(configs, type);
        await site.until('all receipts are there', () => heard.length === names.length);
      } finally {
        end();
      }
      assert.deepEqual(
        heard.map(({ device, outcome, error }) => [device, outcome, error?.code]),
        names.map((name) => [name, ...(name === 'A' ? ['accepted', undefined] : ['failed', 'ABORTED'])]),
      );
    });

  /** One target after the other; B has further properties. */
  const flow = (more = {}) => [
    ...devices.map((device) => device.config(device.name === 'B' ? more : {})),
    act('door/munlock', { target: 'msg', rolling: 1 }),
    act('door/lock', { target: 'msg' }),
  ];

  it('keeps a start superseded that a stop has superseded before a deploy', async () => {
    await site.start(flow());
    hold();
    const way = send({ device: ['A', 'B'] });
    await site.until('A is asked', () => asked().length === 1);
    (devices[1] as FakeDevice).behavior = () => 200;
    await site.ask('door/lock', { device: 'B' });
    await site.redeploy(flow({ timeout: '9' }));
    release('A');
    assert.deepEqual(outcomesOf(await site.ended(way)), ['A accepted', 'B superseded']);
    assert.deepEqual(devices[1]?.operationNames, ['door/lock']);
  });

  it('has a start superseded by a stop that came during the deploy that moved its device', async () => {
    const moved = await site.device('Moved');
    await site.start(flow());
    hold();
    const way = send({ device: ['A', 'B'] });
    await site.until('A is asked', () => asked().length === 1);
    let stop: Way | undefined;
    helper.getNode('b').on('close', () => {
      stop = site.send('door/lock', { device: 'B' });
    });
    await site.redeploy(flow({ address: moved.address }));
    assert.ok(stop);
    assert.deepEqual(outcomesOf(await site.ended(stop)), ['B accepted']);
    release('A');
    assert.deepEqual(outcomesOf(await site.ended(way)), ['A accepted', 'B superseded']);
    assert.deepEqual(moved.operationNames, ['door/lock']);
  });

  for (const rolling of ['0', '0%', '101%', 'some', '1.5', '-1', {}])
    it(`refuses a size that is none: ${JSON.stringify(rolling)}`, async () => {
      await start({ rolling });
      const way = await site.ended(send());
      assert.match(String(way.caught[0]?.error?.message), /rolling must be a whole number from 1/);
    });
});
