import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedJournal } from '../../src/kernel/journal/journal';
import { journalOf } from '../../src/runtime/journal/shared-journal';
import type { FakeDevice } from '../fixtures/fake-device';
import { runningNodeRed } from '../fixtures/flow';
import { act, outcomesOf, receiptLog, Site } from '../fixtures/site';

/** What is started, and what ends it. */
const pairs = [
  ['door/unlock', 'door/lock'],
  ['relay/enable', 'relay/disable'],
  ['relay/24v-enable', '24v/disable'],
  ['tone/start', 'tone/stop'],
  ['tone/test-loop', 'test/stop'],
  ['call/start', 'call/stop'],
  ['call/page', 'call/stop'],
  ['strobe/start', 'strobe/stop'],
  ['screen/start', 'screen/stop'],
  ['screen/text-start', 'screen-text/stop'],
  ['audio/rx-start', 'rx/stop'],
  ['emergency/start', 'emergency-alert/stop'],
] as const;

describe('delivery: endAfter', () => {
  let site: Site;
  let device: FakeDevice;
  let serial = 0;
  const toGate = { device: '' };
  beforeEach(async () => {
    site = new Site();
    device = await site.device('Gate');
    // An end whose answer the end of a test cut off is still pending, and would be sent to the next one's device.
    serial += 1;
    device.id = `gate-${serial}`;
    toGate.device = device.id;
  });
  afterEach(() => site.end());

  /** Nobody knows its model nor its firmware. */
  const unknown = () => device.config({ model: '', firmware: '' });
  const dumb = () => {
    device.behavior = ({ operationName }) => (operationName === 'info/about' ? 404 : 200);
  };
  const count = (operationName: string) =>
    device.operationNames.filter((one) => one === operationName).length;
  const comes = (operationName: string, times = 1) =>
    site.until(`${operationName} comes ${times} times`, () => count(operationName) >= times);
  /** Something else that begins now and ends a little later than what is waited for. */
  const meanwhile = (seconds: number) => act('relay/enable', { ...toGate, endAfter: seconds });

  for (const [name, end] of pairs) {
    it(`lets Node-RED send ${end} after ${name} where the firmware is not known`, async () => {
      dumb();
      await site.start([unknown(), act(name, { ...toGate, endAfter: '1' })]);
      const way = await site.ask(name);
      assert.deepEqual(outcomesOf(way), ['Gate accepted']);
      assert.equal(count(end), 0);
      await comes(end);
      const sent = device.requests.filter(({ operationName }) => operationName !== 'info/about');
      assert.equal(sent.length, 2);
      assert.ok(!('duration' in (sent[0]?.parameters ?? {})));
      assert.ok(!('stopAfter' in (sent[0]?.parameters ?? {})));
    });
  }

  for (const [name, field] of [
    ['tone/start', 'duration'],
    ['strobe/start', 'duration'],
    ['screen/start', 'stopAfter'],
    ['screen/text-start', 'duration'],
  ] as const) {
    it(`lets the device end ${name} by its ${field} where its firmware has it`, async () => {
      const model = name === 'tone/start' ? '8301' : '8410';
      const door = await site.device('Door');
      door.id = `door-${serial}`;
      await site.start([
        device.config({ model }),
        door.config(),
        act(name, { ...toGate, endAfter: '1' }),
        act('relay/enable', { device: door.id, endAfter: 1.2 }),
      ]);
      await site.ask(name);
      assert.equal(device.requests.at(-1)?.parameters[field], 1);
      await site.ask('relay/enable');
      await site.until('the other one is ended', () => door.operationNames.includes('relay/disable'));
      assert.equal(device.operationNames.length, 1, device.operationNames.join());
    });
  }

  it('is Node-RED’s where the firmware is too old for the field', async () => {
    await site.start([
      device.config({ model: '8301', firmware: '5.6' }),
      act('tone/start', { ...toGate, endAfter: 0.4 }),
    ]);
    await site.ask('tone/start');
    assert.ok(!('duration' in (device.requests[0]?.parameters ?? {})));
    await comes('tone/stop');
  });

  it('of a slideshow is its stopAfter, whatever its duration', async () => {
    const slides = { duration: 5, slideNames: 'one,two', overrideStrobe: false };
    await site.start([
      device.config({ model: '8410' }),
      {
        ...act('screen/start', { ...toGate, endAfter: 30 }),
        parametersType: 'json',
        parameters: JSON.stringify(slides),
      },
    ]);
    assert.deepEqual(outcomesOf(await site.ask('screen/start')), ['Gate accepted']);
    assert.deepEqual(device.requests[0]?.parameters, { ...slides, stopAfter: 30 });
  });

  it('ends the door that was opened', async () => {
    const other = act('door/unlock', { ...toGate, given: { doorid: 'netdc1' }, endAfter: 0.3 });
    await site.start([device.config(), other]);
    await site.ask('door/unlock');
    await comes('door/lock');
    assert.deepEqual(device.requests.at(-1)?.parameters, { doorid: 'netdc1' });
  });

  it('holds also after a start of which nobody knows whether it was done', async () => {
    await site.start([
      device.config({ letDeviceDecide: true, firmware: '5.6' }),
      act('tone/start', { ...toGate, endAfter: 0.3 }),
    ]);
    device.behavior = ({ operationName }) => (operationName === 'tone/start' ? 'reset' : 200);
    assert.deepEqual(outcomesOf(await site.ask('tone/start')), ['Gate unknown']);
    await comes('tone/stop');
  });

  it('does not hold after a start that was refused', async () => {
    await site.start([device.config(), act('door/unlock', { ...toGate, endAfter: 0.3 }), meanwhile(0.6)]);
    device.behavior = ({ operationName }) => (operationName === 'door/unlock' ? 404 : 200);
    assert.deepEqual(outcomesOf(await site.ask('door/unlock')), ['Gate failed']);
    await site.ask('relay/enable');
    await comes('relay/disable');
    assert.equal(count('door/lock'), 0);
  });

  for (const [what, endAfter] of [
    ['another end', 4],
    ['none', ''],
  ] as const) {
    it(`is replaced by a later start with ${what}, of any node`, async () => {
      await site.start([
        device.config(),
        act('door/unlock', { ...toGate, endAfter: 1.5 }),
        act('door/unlock', { ...toGate, id: 'later', endAfter }),
        meanwhile(2.2),
      ]);
      await site.ask('door/unlock');
      await site.ask('later');
      await site.ask('relay/enable');
      await comes('relay/disable');
      assert.equal(count('door/lock'), 0, 'the first end does not hold any more');
      if (!endAfter) return;
      await comes('door/lock');
      await site.ask('relay/enable');
      await comes('relay/disable', 2);
      assert.equal(count('door/lock'), 1);
    });
  }

  it('is cancelled by a stop of any node, and not by one at another door', async () => {
    await site.start([
      device.config(),
      act('door/unlock', { ...toGate, endAfter: 2 }),
      act('door/lock', toGate),
      act('door/lock', { ...toGate, id: 'elsewhere', given: { doorid: 'netdc1' } }),
      meanwhile(2.4),
    ]);
    await site.ask('door/unlock');
    await site.ask('door/lock');
    await site.ask('relay/enable');
    await comes('relay/disable');
    assert.equal(count('door/lock'), 1, 'the one of the stop');
    await site.ask('door/unlock');
    await site.ask('elsewhere');
    await comes('door/lock', 3);
    assert.deepEqual(device.requests.at(-1)?.parameters, { doorid: 'local' });
  });

  it('is gone from the disk before the stop that cancels it has its receipt', async () => {
    await site.start([
      device.config(),
      act('door/unlock', { ...toGate, endAfter: 3_600 }),
      act('door/lock', toGate),
      act('info/status', toGate),
    ]);
    await site.ask('door/unlock');
    const journal: Pick<SharedJournal, 'delete'> = journalOf(runningNodeRed());
    const { delete: remove } = journal;
    let written = () => {};
    Object.assign(journal, {
      delete(key: string) {
        void remove.call(journal, key);
        return new Promise<void>((resolve) => {
          written = resolve;
        });
      },
    });
    try {
      const way = site.send('door/lock');
      await comes('door/lock');
      for (let count = 0; count < 2; count += 1) await site.ask('info/status');
      assert.equal(way.isEnded, false);
      written();
      assert.deepEqual(outcomesOf(await site.ended(way)), ['Gate accepted']);
    } finally {
      written();
      Reflect.deleteProperty(journal, 'delete');
    }
  });

  it('is asked for again until a device that was away answers', async () => {
    await site.start([device.config(), ...receiptLog(), act('door/unlock', { ...toGate, endAfter: 0.3 })]);
    await site.ask('door/unlock');
    await device.close();
    // A try at a port that is closed shows nowhere.
    await sleep(1_000);
    await device.open();
    await comes('door/lock');
    assert.equal(count('door/lock'), 1);
  });

  it('is asked for again after a 503', async () => {
    await site.start([device.config(), act('door/unlock', { ...toGate, endAfter: 0.3 })]);
    let refusals = 2;
    device.behavior = ({ operationName }) => {
      if (operationName !== 'door/lock' || refusals === 0) return 200;
      refusals -= 1;
      return 503;
    };
    await site.ask('door/unlock');
    await comes('door/lock', 3);
  });

  it('outlives a deploy of its node, and of everything', async () => {
    const flow = (name: string) => [
      device.config(),
      act('door/unlock', { ...toGate, name, endAfter: 0.8 }),
      meanwhile(1),
    ];
    await site.start(flow('before'));
    for (const [index, type] of (['nodes', 'full'] as const).entries()) {
      await site.ask('door/unlock');
      await site.redeploy(flow(`after ${type}`), type);
      await comes('door/lock', index + 1);
      await site.ask('relay/enable');
      await comes('relay/disable', index + 1);
      assert.equal(count('door/lock'), index + 1);
    }
  });

  it('shows in the receipts, under the node that started', async () => {
    await site.start([
      device.config(),
      ...receiptLog(),
      act('door/unlock', { ...toGate, id: 'opener', name: 'Opener', endAfter: 0.3 }),
    ]);
    await site.ask('opener');
    // What an earlier test still owes is told there too.
    const receipts = () =>
      site.inbox('log').filter(({ payload }) => (payload as { nodeId: string }).nodeId === 'opener');
    await site.until('both receipts are there', () => receipts().length === 2);
    const { payload, topic } = receipts()[1] ?? assert.fail();
    const { device: name, operation, outcome, node, nodeId } = payload as Record<string, unknown>;
    assert.deepEqual(
      { name, operation, outcome, node, nodeId, topic },
      {
        name: 'Gate',
        operation: 'door/lock',
        outcome: 'accepted',
        node: 'Opener',
        nodeId: 'opener',
        topic: 'Gate',
      },
    );
  });
});
