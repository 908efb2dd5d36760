import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import type { TestMessage } from '../fixtures/flow';
import { eachWithLimiterClock } from '../fixtures/limiter-clock';
import { Site } from '../fixtures/site';

const onTab = { z: 'tab', x: 100, y: 100 };

describe('delivery: watching a group', () => {
  let site: Site;
  let devices: FakeDevice[];
  const clock = eachWithLimiterClock();
  beforeEach(async () => {
    site = new Site();
    devices = await site.devices('A', 'B', 'Row');
    for (const device of devices) device.model = '8301';
  });
  afterEach(() => site.end());

  /** Two devices, one of them twice in the group, and a row. */
  async function start(more: Record<string, unknown> = {}): Promise<void> {
    const [a, b, row] = devices as [FakeDevice, FakeDevice, FakeDevice];
    // A busy machine may answer later than a second.
    const group = { devices: ['b', 'a'], rows: [row.row()], tags: 'yard', timeout: 50, auth: 'none' };
    await site.start([
      a.config({ tags: 'yard', timeout: 50 }),
      b.config({ timeout: 50 }),
      { id: 'hall', type: 'algo-group', name: 'Hall', ...group },
      {
        ...onTab,
        id: 'watch',
        type: 'algo-status',
        initial: true,
        target: 'group',
        group: 'hall',
        interval: 3600,
        misses: 1,
        wires: [['changes'], ['connection']],
        ...more,
      },
      { ...onTab, id: 'changes', type: 'helper' },
      { ...onTab, id: 'connection', type: 'helper' },
    ]);
  }
  const changes = () => site.inbox('changes');
  const connection = () => site.inbox('connection');
  const names = (messages: readonly TestMessage[]) => messages.map(({ device }) => device).sort();
  const come = (count: number) => site.until(`${count} changes come`, () => changes().length >= count);
  const everyone = ['A', 'B', 'Row'];

  it('reads each member once, and says whose reading it is', async () => {
    await start();
    await come(3);
    assert.deepEqual(names(changes()), everyone);
    for (const { device, topic, initial, payload } of changes()) {
      assert.equal(topic, device);
      assert.equal(initial, true);
      assert.equal((payload as Record<string, unknown>)['Device Name'], device);
    }
    for (const { name, operationNames } of devices)
      assert.deepEqual([name, operationNames], [name, ['info/status']]);
  });

  it('tells of each member’s change alone', async () => {
    await start({ interval: 0.2 });
    await come(3);
    const [, b] = devices as [FakeDevice, FakeDevice];
    b.status = 'Ringing';
    await come(4);
    const { device, changes: changed } = changes()[3] ?? assert.fail();
    assert.equal(device, 'B');
    assert.deepEqual(changed, { 'Call Status': { from: 'Idle', to: 'Ringing' } });
  });

  it('answers `read` with a message for each member', async () => {
    await start();
    await come(3);
    site.send('watch', { operation: 'read', keep: 'this' });
    await come(6);
    const answers = changes().slice(3);
    assert.deepEqual(names(answers), everyone);
    for (const { keep } of answers) assert.equal(keep, 'this');
    for (const { operationNames } of devices) assert.equal(operationNames.length, 2);
  });

  it('answers `read` by so many at once as the group says, each of them for a second at most', async () => {
    const [a, b, row] = devices as [FakeDevice, FakeDevice, FakeDevice];
    const slow = { timeout: 50 };
    const group = { devices: ['b', 'a'], rows: [row.row()], maxParallel: 1, auth: 'none', ...slow };
    await site.start([
      ...[a, b].map((device) => device.config(slow)),
      { id: 'hall', type: 'algo-group', name: 'Hall', ...group },
      {
        ...onTab,
        ...{
          id: 'watch',
          type: 'algo-status',
          initial: true,
          target: 'group',
          group: 'hall',
          interval: 3600,
        },
        wires: [['changes'], []],
      },
      { ...onTab, id: 'changes', type: 'helper' },
    ]);
    await come(3);
    // The row is still asked who it is, which is no reading.
    for (const device of devices)
      device.behavior = ({ operationName }) => (operationName === 'info/status' ? 'hold' : 200);
    const held = () => devices.filter((device) => device.held.length > 0);
    site.send('watch', { operation: 'read' });
    for (const count of [1, 2, 3]) {
      await site.until(`${count} are asked`, () => held().length >= count);
      clock().advance(999);
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(held().length, count);
      clock().advance(1);
    }
    for (const device of devices) device.release();
    await come(6);
    assert.deepEqual(names(changes().slice(3)), everyone);
  });

  it('reports the connection of each device, with how many of them answer', async () => {
    await start({ interval: 0.2 });
    await come(3);
    const [a, b] = devices as [FakeDevice, FakeDevice];
    await b.close();
    await site.until('B is lost', () => connection().length === 1);
    await a.close();
    await site.until('A is lost', () => connection().length === 2);
    await b.open();
    await site.until('B is back', () => connection().length === 3);
    assert.deepEqual(
      connection().map(({ device, topic, payload }) => {
        const { reachable, total } = payload as Record<string, unknown>;
        return { device, topic, reachable, total };
      }),
      [
        { device: 'B', topic: 'B', reachable: 2, total: 3 },
        { device: 'A', topic: 'A', reachable: 1, total: 3 },
        { device: 'B', topic: 'B', reachable: 2, total: 3 },
      ],
    );
  });

  for (const [what, model, more] of [
    ['a relay input', '8301', { type: 'algo-relay-input' }],
    ['the events of consoles', '8450', { type: 'algo-console-events' }],
  ] as const) {
    it(`is there for ${what} too`, async () => {
      for (const device of devices) device.model = model;
      await start(more);
      await site.until('each was asked', () =>
        devices.every(({ operationNames }) => operationNames.length > 0),
      );
      for (const { operationNames } of devices)
        assert.equal(new Set(operationNames).size, 1, operationNames.join());
    });
  }
});
