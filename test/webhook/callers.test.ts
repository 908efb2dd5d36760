import assert from 'node:assert/strict';
import dns from 'node:dns/promises';
import { mock } from 'node:test';
import { HostAddresses, normalAddress } from '../../src/runtime/webhook/callers';
import type { NodeConfig } from '../fixtures/flow';
import { VirtualClock } from '../fixtures/virtual-clock';
import { Hooks, hook } from './hooks';

const device = (id: string, address: string, more: Readonly<Record<string, unknown>> = {}): NodeConfig => ({
  id,
  type: 'algo-device',
  name: `Device ${id}`,
  address,
  auth: 'none',
  ...more,
});

describe('webhook: callers', () => {
  let hooks: Hooks;
  beforeEach(() => {
    hooks = new Hooks();
  });
  afterEach(() => hooks.stop());

  before(() => {
    process.env.ALGO_TEST_BLANK = ' ';
    process.env.ALGO_TEST_EMPTY = '';
  });
  after(() => {
    delete process.env.ALGO_TEST_BLANK;
    delete process.env.ALGO_TEST_EMPTY;
  });

  const bell = (from: readonly string[] | string) => hook('bell', { auth: 'none', path: '/bell', from });

  /** The status of a request, and the device that it is said to be of. */
  const ask = async () => {
    const { length } = hooks.first;
    const { status } = await hooks.send('GET', '/bell');
    if (status === 200) await hooks.until('the request reached the flow', () => hooks.first.length > length);
    const { topic, webhook } = (hooks.first.at(-1) ?? {}) as {
      topic?: string;
      webhook?: { device: unknown };
    };
    if (status === 200) assert.equal(webhook?.device, topic);
    return status === 200 ? topic : status;
  };

  it('have the name of the device at their address, whatever its port', async () => {
    await hooks.start([device('a', 'https://127.0.0.1:8443/base'), device('b', '127.0.0.2'), bell([])]);
    assert.equal(await ask(), 'Device a');
  });

  it('have the first name of several, among those that may call, else of all', async () => {
    const devices = [device('c', '127.0.0.1:3'), device('a', '127.0.0.1:1'), device('b', '127.0.0.1:2')];
    await hooks.start([...devices, bell([])]);
    assert.equal(await ask(), 'Device a');
    await hooks.redeploy([...devices, bell(['c', 'b'])]);
    assert.equal(await ask(), 'Device b');
  });

  it('may be devices, groups and tags', async () => {
    const group = {
      id: 'g',
      type: 'algo-group',
      name: 'North',
      devices: ['b'],
      auth: 'none',
      rows: [{ name: 'Row', address: '127.0.0.1:9' }],
    };
    const devices = [device('a', '127.0.0.1:1', { tags: 'hall' }), device('b', '127.0.0.3'), group];
    await hooks.start([...devices, bell(['group:g'])]);
    assert.equal(await ask(), 'Row');
    await hooks.redeploy([...devices, bell(['b', 'tag:hall'])]);
    assert.equal(await ask(), 'Device a');
  });

  for (const [what, from] of Object.entries({
    'other devices': ['b'],
    'a device that is gone': ['gone'],
    'an empty group': ['group:none'],
    'a tag that nothing has': ['tag:none'],
    'a variable that is not set': ['${NOT_SET_ANYWHERE}'],
    'the name of a device': ['Device a'],
    'nothing that was selected': [''],
    'a variable that is blank': ['${ALGO_TEST_BLANK}'],
    'a variable that is blank, as text': '${ALGO_TEST_BLANK}',
    'a variable that is empty': ['${ALGO_TEST_EMPTY}'],
    'a variable that is empty, as text': '${ALGO_TEST_EMPTY}',
  })) {
    it(`may not be at another address than ${what}`, async () => {
      await hooks.start([device('a', '127.0.0.1'), device('b', '127.0.0.2'), bell(from)]);
      assert.equal(await ask(), 403);
      const [refusal] = await hooks.refusals(1);
      assert.deepEqual([refusal?.reason, refusal?.address], ['address', '127.0.0.1']);
    });
  }

  it('are none if a list has only blank entries, and the status shows it', async () => {
    await hooks.start([device('a', '127.0.0.1'), bell([''])]);
    assert.deepEqual(hooks.status('bell'), { fill: 'red', shape: 'ring', text: 'status.noCallers' });
    await hooks.redeploy([device('a', '127.0.0.1'), bell(['', 'a'])]);
    assert.equal(await ask(), 'Device a');
  });

  it('are all without a list', async () => {
    for (const from of [[], null, undefined]) {
      await hooks.start([hook('bell', { auth: 'none', path: '/bell', from })]);
      assert.equal(await ask(), '127.0.0.1');
      assert.equal(hooks.status('bell')?.text, 'status.open');
      await hooks.stop();
    }
    await hooks.start([]);
  });

  it('may be a host name, which counts by its addresses', async () => {
    await hooks.start([device('a', 'http://LOCALHOST:81'), bell(['a'])]);
    assert.equal(await ask(), 'Device a');
  });

  it('may be a host name that has an address only later, or another one', async () => {
    const found = new Map<string, string>();
    const lookup = mock.method(dns, 'lookup', async (host: string) => {
      const address = found.get(host);
      if (address === undefined) throw new Error('ENOTFOUND');
      return [{ address, family: 4 }];
    });
    const { now } = performance;
    let aheadMs = 0;
    const ahead = mock.method(performance, 'now', () => now.call(performance) + aheadMs);
    try {
      await hooks.start([device('a', 'http://door.example'), bell(['a'])]);
      assert.equal(await ask(), 403);
      found.set('door.example', '127.0.0.1');
      aheadMs = 61_000;
      assert.equal(await ask(), 'Device a');
    } finally {
      lookup.mock.restore();
      ahead.mock.restore();
    }
  });

  it('may be a host name, while the names of other devices have no answer', async () => {
    let giveUp = (_found: readonly never[]) => {};
    const lookup = mock.method(dns, 'lookup', async (host: string) => {
      if (host === 'gate.example') return [{ address: '127.0.0.1', family: 4 }];
      return await new Promise((resolve) => {
        giveUp = resolve;
      });
    });
    try {
      const devices = [device('a', 'http://dead.example'), device('b', 'http://gate.example')];
      await hooks.start([...devices, hook('all', { auth: 'none', path: '/all' }), bell(['b'])]);
      assert.equal(await ask(), 'Device b');
    } finally {
      giveUp([]);
      lookup.mock.restore();
    }
  });

  it('may be a virtual device, which is on this computer', async () => {
    const virtual = { id: 'v', type: 'algo-virtual-device', name: 'Panel', auth: 'none', port: 0 };
    await hooks.start([virtual, device('a', '', { virtual: 'v' }), bell(['a'])]);
    assert.equal(await ask(), 'Device a');
  });

  it('are known as soon as a deploy has ended', async () => {
    await hooks.start([device('a', '127.0.0.2'), bell(['a'])]);
    assert.equal(await ask(), 403);
    await hooks.redeploy([device('a', '127.0.0.1'), bell(['a'])]);
    assert.equal(await ask(), 'Device a');
  });
});

describe('webhook: addresses', () => {
  it('have one form', () => {
    const forms: Record<string, string> = {
      '::ffff:10.0.0.5': '10.0.0.5',
      '10.0.0.5': '10.0.0.5',
      '[fe80::1]': 'fe80::1',
      'fe80::1%eth0': 'fe80::1',
    };
    for (const [address, normal] of Object.entries(forms)) assert.equal(normalAddress(address), normal);
  });

  it('of host names are looked up once a minute, one at a time, and waited for 2 s at most', async () => {
    const clock = new VirtualClock();
    const asked: string[] = [];
    let answer: (addresses: readonly string[] | Error) => void = () => {};
    const hosts = new HostAddresses((host) => {
      asked.push(host);
      return new Promise((resolve, reject) => {
        answer = (found) => (found instanceof Error ? reject(found) : resolve(found));
      });
    }, clock);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const waiting = hosts.refresh(['a', 'b', '10.0.0.1']);
    await turn();
    assert.deepEqual(asked, ['a']);
    clock.advance(2_000);
    await waiting;
    assert.deepEqual([hosts.of('a'), hosts.of('10.0.0.1')], [[], ['10.0.0.1']]);
    answer(['10.0.0.5']);
    await turn();
    assert.deepEqual([asked, hosts.of('a')], [['a', 'b'], ['10.0.0.5']]);
    answer(['10.0.0.6']);
    await turn();
    clock.advance(59_999);
    await hosts.refresh(['a']);
    assert.equal(asked.length, 2);
    clock.advance(1);
    const again = hosts.refresh(['a']);
    await turn();
    // The known addresses count until the name was looked up again, and stay known if no lookup succeeds.
    assert.deepEqual([asked[2], hosts.of('a')], ['a', ['10.0.0.5']]);
    const { revision } = hosts;
    answer(new Error('ENOTFOUND'));
    await again;
    assert.deepEqual([hosts.of('a'), hosts.revision], [['10.0.0.5'], revision]);
  });
});
