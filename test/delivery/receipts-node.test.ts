import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, receiptLog, receiptsOf, Site } from '../fixtures/site';

describe('delivery: every receipt of every node', () => {
  let site: Site;
  let a: FakeDevice;
  let b: FakeDevice;
  beforeEach(async () => {
    site = new Site();
    [a, b] = (await site.devices('A', 'B')) as [FakeDevice, FakeDevice];
  });
  afterEach(() => site.end());

  const log = () => site.inbox('log');
  const logged = () => log().map(({ payload }) => payload as Record<string, unknown>);
  const has = (count: number) => site.until(`${count} receipts are there`, () => log().length >= count);
  const short = () => logged().map(({ device, operation, outcome }) => `${device} ${operation} ${outcome}`);

  it('comes as it is, with the node that it is of and the device as topic', async () => {
    await site.start([
      a.config(),
      b.config(),
      ...receiptLog(),
      act('door/lock', { device: 'a', name: 'Locker' }),
      act('info/tonelist', { device: 'b' }),
    ]);
    const lock = await site.ask('door/lock');
    await has(1);
    const tones = await site.ask('info/tonelist');
    await has(2);
    assert.deepEqual(logged(), [
      { ...receiptsOf(lock)[0], node: 'Locker', nodeId: 'door/lock' },
      { ...receiptsOf(tones)[0], node: 'info/tonelist', nodeId: 'info/tonelist' },
    ]);
    assert.deepEqual(
      log().map(({ topic }) => topic),
      ['A', 'B'],
    );
  });

  it('is its own, whatever a flow makes of the message', async () => {
    await site.start([a.config(), ...receiptLog(), act('info/tonelist', { device: 'a' })]);
    const way = await site.ask('info/tonelist');
    await has(1);
    const [receipt] = receiptsOf(way);
    const [own] = logged();
    assert.ok(receipt?.response && own);
    assert.deepEqual(own.response, receipt.response);
    assert.notEqual(own.response, receipt.response);
    assert.notEqual(way.sent[0]?.payload, receipt.response);
  });

  it('comes as soon as its target has ended, not with its message', async () => {
    await site.start([a.config(), b.config(), ...receiptLog(), act('door/lock', { target: 'msg' })]);
    a.behavior = () => 'hold';
    const way = site.send('door/lock', { device: ['A', 'B'] });
    await has(1);
    assert.equal(way.isEnded, false);
    assert.deepEqual(short(), ['B door/lock accepted']);
    a.releaseAll();
    await site.ended(way);
    await has(2);
    assert.deepEqual(short(), ['B door/lock accepted', 'A door/lock accepted']);
  });

  it('comes also for what was refused before it was sent', async () => {
    await site.start([
      a.config(),
      ...receiptLog(),
      act('door/lock', { device: 'a', given: { doorid: 'nowhere' } }),
      act('door/unlock', { target: 'msg' }),
    ]);
    await site.ask('door/lock');
    await has(1);
    await site.ask('door/unlock', { device: 'Nobody' });
    await has(2);
    assert.deepEqual(
      logged().map(({ outcome, attempts, error }) => [outcome, attempts, (error as { code: string }).code]),
      [
        ['failed', 0, 'INVALID_PARAMETER'],
        ['failed', 0, 'NOT_CONFIGURED'],
      ],
    );
  });

  it('is one for each target, also of a split message, of a group and of a dry run', async () => {
    await site.start([
      a.config(),
      b.config({ dryRun: true }),
      { id: 'hall', type: 'algo-group', name: 'Hall', devices: ['a', 'b'] },
      ...receiptLog(),
      act('door/lock', { target: 'group', group: 'hall', split: true }),
    ]);
    await site.ask('door/lock');
    await has(2);
    assert.deepEqual(short().sort(), ['A door/lock accepted', 'B door/lock dry-run']);
  });

  it('is a problem only where that is asked for: failed, unknown, expired, superseded', async () => {
    await site.start([
      a.config({ letDeviceDecide: true }),
      b.config(),
      ...receiptLog({ show: 'problems' }),
      act('tone/start', { device: 'a' }),
      act('tone/stop', { device: 'a' }),
      act('info/status', { device: 'a' }),
      act('strobe/start', { device: 'b' }),
      act('door/unlock', { device: 'a', ttl: 0.2 }),
    ]);
    await site.ask('tone/stop');
    await site.ask('strobe/start');
    a.behavior = () => 404;
    await site.ask('tone/start');
    a.behavior = () => 'reset';
    await site.ask('tone/start');
    a.behavior = () => 'hold';
    const occupant = site.send('info/status');
    await site.until('it is busy', () => a.held.length === 1);
    const unlock = site.send('door/unlock');
    const tone = site.send('tone/start');
    const stop = site.send('tone/stop');
    await site.ended(tone);
    await site.until('it has expired', () => short().includes('A door/unlock expired'));
    a.releaseAll();
    for (const way of [occupant, unlock, stop]) await site.ended(way);
    await has(4);
    assert.deepEqual(short().sort(), [
      'A door/unlock expired',
      'A tone/start failed',
      'A tone/start superseded',
      'A tone/start unknown',
    ]);
  });

  it('comes to each such node, and changing one copy changes no other', async () => {
    const onTab = { z: 'tab', x: 100, y: 100 };
    await site.start([
      a.config(),
      ...receiptLog(),
      { ...onTab, id: 'second', type: 'algo-receipts', wires: [['log 2']] },
      { ...onTab, id: 'log 2', type: 'helper' },
      act('door/lock', { device: 'a' }),
    ]);
    const way = await site.ask('door/lock');
    await has(1);
    await site.until('the second has it', () => site.inbox('log 2').length === 1);
    const [first] = logged();
    assert.ok(first);
    first.outcome = 'changed';
    const second = site.inbox('log 2')[0]?.payload as Record<string, unknown>;
    assert.equal(second.outcome, 'accepted');
    assert.equal(receiptsOf(way)[0]?.outcome, 'accepted');
  });

  it('does not come from a node that was taken out', async () => {
    await site.start([a.config(), ...receiptLog(), act('door/lock', { device: 'a' })]);
    await site.ask('door/lock');
    await has(1);
    await site.redeploy([a.config(), act('door/lock', { device: 'a' })]);
    await site.ask('door/lock');
    assert.equal(log().length, 1);
  });
});
