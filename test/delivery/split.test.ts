import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { FakeDevice } from '../fixtures/fake-device';
import type { TestMessage } from '../fixtures/flow';
import { act, Site } from '../fixtures/site';

interface Part {
  readonly id: string;
  readonly type: string;
  readonly index: number;
  readonly count: number;
}
const partOf = (message: TestMessage | undefined) => message?.parts as Part;

/** Node-RED's own join node. */
function joinNode(): unknown {
  const host = require.resolve(process.env.ALGO_NODE_RED || 'node-red');
  const load = createRequire(createRequire(host).resolve('@node-red/nodes/package.json'));
  return load('./core/sequence/17-split.js');
}

describe('delivery: a split message', () => {
  let site: Site;
  let devices: FakeDevice[];
  let a: FakeDevice;
  let b: FakeDevice;
  let c: FakeDevice;
  beforeEach(async () => {
    site = new Site();
    devices = await site.devices('A', 'B', 'C');
    [a, b, c] = devices as [FakeDevice, FakeDevice, FakeDevice];
    for (const device of devices) device.behavior = () => 'hold';
  });
  afterEach(() => site.end());

  const group = { id: 'hall', type: 'algo-group', name: 'Hall', devices: ['a', 'b', 'c'] };
  const read = act('info/tonelist', { target: 'group', group: 'hall', split: true });
  const configs = () => [...devices.map((device) => device.config()), group];
  const allHold = () => site.until('all have it', () => devices.every(({ held }) => held.length === 1));

  it('is a message per target as soon as it ended, each a copy with its own receipt and payload', async () => {
    await site.start([...configs(), read]);
    const way = site.send('info/tonelist', { payload: 'mine', topic: 'kept', nested: { deep: 1 } });
    await allHold();
    c.release();
    await site.until('one has come', () => way.sent.length === 1);
    b.release();
    await site.until('two have come', () => way.sent.length === 2);
    assert.equal(way.isEnded, false);
    a.release();
    await site.ended(way);
    assert.deepEqual(
      way.sent.map(({ payload }) => payload),
      [{ tonelist: ['C.wav'] }, { tonelist: ['B.wav'] }, { tonelist: ['A.wav'] }],
    );
    assert.deepEqual(
      way.sent.map(({ receipts }) => receipts?.map(({ device }) => device)),
      [['C'], ['B'], ['A']],
    );
    for (const { topic } of way.sent) assert.equal(topic, 'kept');
    assert.notEqual(way.sent[0]?.nested, way.sent[1]?.nested, 'they are copies');
    assert.deepEqual(way.sent[0]?.nested, { deep: 1 });
    assert.deepEqual(way.caught, []);
  });

  it('has parts: one id, an array, the place among the targets, and how many these are', async () => {
    await site.start([...configs(), read]);
    const way = site.send('info/tonelist');
    await allHold();
    for (const [index, device] of [c, a, b].entries()) {
      device.release();
      await site.until('the next has come', () => way.sent.length === index + 1);
    }
    await site.ended(way);
    const [first] = way.sent;
    const { id } = partOf(first);
    assert.ok(id);
    assert.deepEqual(
      way.sent.map((message) => partOf(message)),
      [2, 0, 1].map((index) => ({ id, type: 'array', index, count: 3 })),
    );
    const again = site.send('info/tonelist');
    await allHold();
    for (const device of devices) device.release();
    await site.ended(again);
    assert.notEqual(partOf(again.sent[0]).id, id, 'each message has parts of its own');
  });

  it('leaves out who did not end well, and ends with one error that has all receipts', async () => {
    await site.start([...configs(), read]);
    const way = site.send('info/tonelist');
    await allHold();
    b.release(undefined, 404);
    c.release();
    await site.until('one has come', () => way.sent.length === 1);
    assert.equal(way.caught.length, 0);
    a.release();
    await site.ended(way);
    assert.deepEqual(
      way.sent.map((message) => [partOf(message).index, partOf(message).count]),
      [
        [2, 3],
        [0, 3],
      ],
    );
    assert.equal(way.caught.length, 1);
    assert.equal(way.caught[0]?.error?.code, 'REFUSED');
    assert.deepEqual(
      way.caught[0]?.receipts?.map(({ device, outcome }) => `${device} ${outcome}`),
      ['A accepted', 'B failed', 'C accepted'],
    );
  });

  it('sends nothing on and one error when all failed', async () => {
    await site.start([...configs(), read]);
    const way = site.send('info/tonelist');
    await allHold();
    for (const device of devices) device.release(undefined, 404);
    await site.ended(way);
    assert.deepEqual(way.sent, []);
    assert.equal(way.caught.length, 1);
    assert.equal(way.caught[0]?.receipts?.length, 3);
  });

  it('leaves the payload alone where the operation has no answer', async () => {
    const lock = act('door/lock', { target: 'group', group: 'hall', split: true });
    await site.start([...configs(), lock]);
    const way = site.send('door/lock', { payload: 'mine' });
    await allHold();
    for (const device of devices) device.release();
    await site.ended(way);
    assert.deepEqual(
      way.sent.map(({ payload }) => payload),
      ['mine', 'mine', 'mine'],
    );
  });

  it('counts lists and one device too', async () => {
    await site.start([...configs(), { ...read, target: 'msg' }]);
    const list = site.send('info/tonelist', { device: ['B', 'A'] });
    await site.until('both have it', () => a.held.length + b.held.length === 2);
    a.release();
    b.release();
    await site.ended(list);
    const found = list.sent.map((message) => [partOf(message).index, message.receipts?.[0]?.device]);
    assert.deepEqual(found.sort(), [
      [0, 'B'],
      [1, 'A'],
    ]);
    const one = site.send('info/tonelist', { device: 'A' });
    await site.until('it has it', () => a.held.length === 1);
    a.release();
    await site.ended(one);
    const { index, count } = partOf(one.sent[0]);
    assert.deepEqual({ index, count }, { index: 0, count: 1 });
  });

  it('is put together by a join node when all ended well', async () => {
    const onTab = { z: 'tab', x: 100, y: 100 };
    await site.start(
      [
        ...configs(),
        { ...read, wires: [['join']] },
        { ...onTab, id: 'join', type: 'join', mode: 'auto', build: 'array', wires: [['joined']] },
        { ...onTab, id: 'joined', type: 'helper' },
      ],
      {},
      [joinNode()],
    );
    const way = site.send('info/tonelist');
    await allHold();
    for (const device of [b, c, a]) device.release();
    await site.ended(way);
    await site.until('it is joined', () => site.inbox('joined').length > 0);
    const tones = ['A', 'B', 'C'].map((name) => ({ tonelist: [`${name}.wav`] }));
    assert.deepEqual(
      site.inbox('joined').map(({ payload }) => payload),
      [tones],
    );
  });
});
