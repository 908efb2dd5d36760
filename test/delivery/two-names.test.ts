import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { act, codesOf, outcomesOf, Site } from '../fixtures/site';

describe('delivery: one device by two names', () => {
  let site: Site;
  let device: FakeDevice;
  beforeEach(async () => {
    site = new Site();
    device = await site.device('Gate');
    device.id = 'two-names-gate';
  });
  afterEach(() => site.end());

  const twin = (more = {}) => device.config({ id: 'two-names-twin', name: 'Twin', ...more });
  const group = (id: string, name: string): NodeConfig => ({
    ...{ id: `two-names-${id}`, type: 'algo-group', name: id, auth: 'none' },
    rows: [{ name, address: device.address.replace('http', 'HTTP'), tags: '' }],
  });
  const acts = ['relay/enable', 'door/unlock', 'door/lock'].map((name) => act(name, { target: 'msg' }));

  const pairs: Record<string, () => readonly [NodeConfig[], string, string]> = {
    'two nodes': () => [[device.config(), twin()], 'Gate', 'Twin'],
    'a node and a row': () => [[device.config(), group('rows', 'Row')], 'Row', 'Gate'],
    'rows of two groups': () => [[group('rows', 'Row'), group('others', 'Other')], 'Row', 'Other'],
  };
  for (const [names, pair] of Object.entries(pairs)) {
    it(`keeps one order for ${names}: an unlock that waits is superseded by the lock of the other`, async () => {
      const [configs, one, other] = pair();
      await site.start([...configs, ...acts]);
      device.behavior = ({ operationName }) => (operationName === 'relay/enable' ? 'hold' : 200);
      const busy = site.send('relay/enable', { device: one });
      await site.until('it is busy', () => device.held.length === 1);
      const unlock = site.send('door/unlock', { device: one });
      const lock = await site.ask('door/lock', { device: other });
      device.release();
      await Promise.all([site.ended(busy), site.ended(unlock)]);
      assert.deepEqual(codesOf(unlock), ['SUPERSEDED']);
      assert.match(outcomesOf(lock).join(), /^\w+ accepted$/);
      assert.deepEqual(device.operationNames, ['relay/enable', 'door/lock']);
    });
  }

  it('never has more than two connections, and one for what is ordinary', async () => {
    await site.start([device.config(), twin(), group('rows', 'Row'), ...acts]);
    device.behavior = ({ operationName }) => (operationName === 'relay/enable' ? 'hold' : 200);
    const ways = ['Gate', 'Twin', 'Gate', 'Twin'].map((name) => site.send('relay/enable', { device: name }));
    for (const [index, way] of ways.entries()) {
      await site.until('the next one comes', () => device.held.length === 1);
      await site.ask('door/lock', { device: index % 2 ? 'Gate' : 'Twin' });
      device.release();
      await site.ended(way);
    }
    assert.equal(device.maxUnderWay, 2);
    assert.equal(device.maxConnections, 2);
  });

  it('counts all that waits at the address, by the limit of the name that is addressed', async () => {
    await site.start([device.config({ queueLimit: 1 }), twin({ queueLimit: 3 }), ...acts]);
    device.behavior = () => 'hold';
    const send = (name: string) => site.send('relay/enable', { device: name });
    const accepted = [send('Twin'), send('Twin')];
    await site.until('it is busy', () => device.held.length === 1);
    const refused = await site.ended(send('Gate'));
    accepted.push(send('Twin'));
    device.releaseAll();
    assert.deepEqual(codesOf(refused), ['QUEUE_FULL']);
    for (const way of accepted) assert.deepEqual(outcomesOf(await site.ended(way)), ['Twin accepted']);
  });

  it('ends with one name only the messages of that name', async () => {
    const rest = [device.config(), ...acts];
    await site.start([...rest, twin()]);
    device.behavior = ({ operationName }) => (operationName === 'relay/enable' ? 'hold' : 200);
    const busy = site.send('relay/enable', { device: 'Gate' });
    await site.until('it is busy', () => device.held.length === 1);
    const [gone, stays] = ['Twin', 'Gate'].map((name) => site.send('door/unlock', { device: name })) as [
      ReturnType<Site['send']>,
      ReturnType<Site['send']>,
    ];
    await site.redeploy([...rest]);
    await site.ended(gone);
    device.release();
    assert.deepEqual(codesOf(gone), ['ABORTED']);
    assert.deepEqual(outcomesOf(await site.ended(busy)), ['Gate accepted']);
    assert.deepEqual(outcomesOf(await site.ended(stays)), ['Gate accepted']);
    assert.deepEqual(device.operationNames, ['relay/enable', 'door/unlock']);
  });

  it('cancels the end that one name owes by a start, and by a stop, of the other', async () => {
    const toGate = { target: 'msg', endAfter: 1 };
    const short = ['relay/24v-enable', 'relay/enable'].map((name) => act(name, toGate));
    const [stop, start] = [
      act('relay/24v-disable', { target: 'msg' }),
      act('relay/enable', { target: 'msg' }),
    ];
    const later = act('door/unlock', { target: 'msg', endAfter: 2 });
    await site.start([device.config(), twin(), ...short, stop, { ...start, id: 'lasting' }, later]);
    for (const { id } of short) await site.ask(id, { device: 'Gate' });
    await site.ask('relay/24v-disable', { device: 'Twin' });
    await site.ask('lasting', { device: 'Twin' });
    await site.ask('door/unlock', { device: 'Gate' });
    await site.until('the last end comes', () => device.operationNames.includes('door/lock'));
    assert.deepEqual(
      device.operationNames.filter((operationName) => operationName.includes('disable')),
      ['24v/disable'],
    );
  });
});
