import assert from 'node:assert/strict';
import type { Receipt } from '../../src/runtime/message/receipt';
import { action, alertNode, states } from '../fixtures/alert-node';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, given, outcomesOf, receiptLog, receiptsOf, Site } from '../fixtures/site';

/** Operations of every resource that acts on a device, and what they need. */
const operations = [
  ...Object.keys(given),
  'settings/get',
  'scheduler/get',
  'files/list',
  'system/reload',
  'info/about',
];
const more: Record<string, Record<string, string>> = {
  'settings/get': { name: 'audio.page.vol' },
  'files/list': { path: 'tones' },
};

describe('delivery: the person who asked, in receipts', () => {
  let site: Site;
  let gate: FakeDevice;
  const toGate = { device: '' };
  let serial = 0;
  beforeEach(async () => {
    site = new Site();
    gate = await site.device('Gate');
    // An earlier test can have left an output of another device on.
    serial += 1;
    gate.id = `gate-${serial}`;
    toGate.device = gate.id;
  });
  afterEach(() => site.end());

  const by = (receipts: readonly unknown[]) => receipts.map((receipt) => (receipt as Receipt).by);
  const logged = () => site.inbox('log').map(({ payload }) => payload as Receipt);

  it('is on every receipt of a message of every action node, and on that of `algo-receipts`', async () => {
    const nodes = operations.map((name) =>
      act(name, { ...toGate, ...(more[name] && { given: more[name] }) }),
    );
    await site.start([gate.config({ letDeviceDecide: true }), ...receiptLog(), ...nodes]);
    for (const name of operations) {
      const way = await site.ask(name, { by: 'Ms Lee' });
      assert.deepEqual(by(receiptsOf(way)), ['Ms Lee'], name);
    }
    assert.deepEqual(
      logged().map(({ operation, outcome, by: person }) => [operation, outcome, person]),
      operations.map((name) => [name, 'accepted', 'Ms Lee']),
    );
  });

  it('is on the receipts of what failed, was refused, or is no device, and of split messages', async () => {
    const lock = act('door/lock', { target: 'msg', split: true });
    const wrong = act('tone/start', { ...toGate, given: { loop: 'perhaps' } });
    const dry = act('strobe/start', { device: 'dry' });
    await site.start([
      gate.config(),
      gate.config({ id: 'dry', name: 'Dry', dryRun: true }),
      lock,
      wrong,
      dry,
    ]);
    const way = await site.ask('door/lock', { by: 'Ms Lee', device: ['Gate', 'Nobody'] });
    assert.deepEqual(outcomesOf(way), ['Gate accepted', 'Nobody failed']);
    assert.deepEqual(by(receiptsOf(way)), ['Ms Lee', 'Ms Lee']);
    assert.deepEqual(by(way.sent[0]?.receipts ?? []), ['Ms Lee']);
    const refused = await site.ask('tone/start', { by: 'Ms Lee' });
    assert.deepEqual([outcomesOf(refused), by(receiptsOf(refused))], [['Gate failed'], ['Ms Lee']]);
    const planned = await site.ask('strobe/start', { by: 'Ms Lee' });
    assert.deepEqual([outcomesOf(planned), by(receiptsOf(planned))], [['Dry skipped'], ['Ms Lee']]);
  });

  const ignored = [undefined, null, '', 7, true, {}, { name: 'Ms Lee' }, ['Ms Lee'], 'x'.repeat(201)];
  for (const odd of ignored) {
    it(`is left out where \`msg.by\` is ${JSON.stringify(odd)?.slice(0, 20)}`, async () => {
      await site.start([gate.config(), act('door/lock', toGate)]);
      const way = await site.ask('door/lock', { by: odd });
      assert.deepEqual(outcomesOf(way), ['Gate accepted']);
      assert.ok(!('by' in (receiptsOf(way)[0] as Receipt)));
    });
  }

  for (const odd of ['x', 'x'.repeat(200), '__proto__', '<b>"Ms" & Lee</b>', '\u202eeeL \u0000']) {
    it(`is copied as it is: ${JSON.stringify(odd).slice(0, 20)}`, async () => {
      await site.start([gate.config(), act('door/lock', toGate)]);
      const way = await site.ask('door/lock', { by: odd });
      assert.deepEqual(by(receiptsOf(way)), [odd]);
    });
  }

  it('is not on the receipt of an auto-stop', async () => {
    const unlock = act('door/unlock', { ...toGate, endAfter: 1 });
    await site.start([gate.config(), ...receiptLog(), unlock]);
    await site.ask('door/unlock', { by: 'Ms Lee' });
    await site.until('the door is locked again', () => logged().length === 2);
    assert.deepEqual(
      logged().map(({ operation, by: person }) => [operation, person]),
      [
        ['door/unlock', 'Ms Lee'],
        ['door/lock', undefined],
      ],
    );
  });

  describe('of an alert', () => {
    const all = { device: ['Gate', 'Nobody'] };

    it('is on the receipts of a start, of what another alert holds back, and of a clear', async () => {
      const high = alertNode([action('strobe/start')], { priority: 9 });
      const low = alertNode([action('strobe/start'), action('door/unlock')], { priority: 1 });
      const config = gate.config({ letDeviceDecide: true });
      await site.start([config, states, ...receiptLog(), high, low]);
      assert.deepEqual(by(receiptsOf(await site.ask(high.id, { ...all, by: 'Ms Lee' }))), [
        'Ms Lee',
        'Ms Lee',
      ]);
      const held = await site.ask(low.id, { device: 'Gate', by: 'Mr Rao' });
      assert.deepEqual(outcomesOf(held), ['Gate skipped', 'Gate accepted']);
      assert.deepEqual(by(receiptsOf(held)), ['Mr Rao', 'Mr Rao']);
      const cleared = await site.ask(low.id, { operation: 'clear', by: 'Ms Ito' });
      assert.deepEqual([outcomesOf(cleared), by(receiptsOf(cleared))], [['Gate accepted'], ['Ms Ito']]);
      assert.deepEqual(by(logged()), ['Ms Lee', 'Ms Lee', 'Mr Rao', 'Mr Rao', 'Ms Ito']);
      await site.ask(high.id, { operation: 'clear' });
    });

    it('is on the receipts of a drill, also at a device with a dry run', async () => {
      const alert = alertNode([action('strobe/start')], { drill: true });
      await site.start([
        gate.config({ letDeviceDecide: true, dryRun: true }),
        states,
        ...receiptLog(),
        alert,
      ]);
      await site.ask(alert.id, { device: 'Gate', by: 'Ms Lee' });
      await site.ask(alert.id, { operation: 'clear', by: 'Mr Rao' });
      assert.deepEqual(
        logged().map(({ operation, outcome, by: person }) => [operation, outcome, person]),
        [
          ['strobe/start', 'dry-run', 'Ms Lee'],
          ['strobe/stop', 'dry-run', 'Mr Rao'],
        ],
      );
    });

    it('is not on the receipts of retries, nor on those of the clear by `endAfter`', async () => {
      const alert = alertNode([action('strobe/start')], { retryAlert: true, endAfter: 2 });
      await site.start([gate.config({ letDeviceDecide: true }), states, ...receiptLog(), alert]);
      gate.behavior = ({ parameters }) => (parameters === undefined ? 200 : 503);
      await site.ask(alert.id, { device: 'Gate', by: 'Ms Lee' });
      gate.behavior = () => 200;
      await site.until('it was ended', () => logged().some(({ operation }) => operation === 'strobe/stop'));
      assert.deepEqual(
        logged().map(({ operation, outcome, by: person }) => [operation, outcome, person]),
        [
          ['strobe/start', 'failed', 'Ms Lee'],
          ['strobe/start', 'accepted', undefined],
          ['strobe/stop', 'accepted', undefined],
        ],
      );
    });
  });
});
