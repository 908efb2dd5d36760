import assert from 'node:assert/strict';
import { once } from 'node:events';
import helper from 'node-red-node-test-helper';
import { VirtualDevice } from '../../src/virtual-device/device';
import type { NodeConfig } from './flow';
import { flowOf, type Inbox, send, startWatchFlow, statusOf, type WatchMessage } from './watch-flow';

const names = ['Hall', 'Yard', 'Gate'] as const;
type Name = (typeof names)[number];

describe('a node that watches a group', () => {
  const running = new Map<Name, VirtualDevice>();

  beforeEach(async () => {
    for (const name of names) await run(name);
  });

  afterEach(async () => {
    await helper.unload();
    await Promise.all([...running.values()].map((device) => device.stop()));
    running.clear();
  });

  async function run(name: Name, port = 0): Promise<VirtualDevice> {
    const device = new VirtualDevice({ auth: 'none', port });
    await device.start();
    running.set(name, device);
    return device;
  }

  const virtual = (name: Name) => running.get(name) ?? assert.fail();
  const config = (name: Name, more: Record<string, unknown> = {}): NodeConfig => {
    const { address } = virtual(name);
    return { id: name.toLowerCase(), type: 'algo-device', name, address, auth: 'none', ...more };
  };
  const row = (name: Name) => ({ name, address: virtual(name).address });
  const group = (more: Record<string, unknown> = {}): NodeConfig => {
    return { id: 'all', type: 'algo-group', name: 'All', auth: 'none', ...more };
  };
  const relay: NodeConfig = {
    id: 'relay',
    type: 'algo-relay-input',
    target: 'group',
    group: 'all',
    interval: 0.2,
  };
  const deploy = (configs: NodeConfig[]) =>
    helper.setFlows(flowOf(configs) as never, 'nodes' as never) as unknown as Promise<void>;

  /** The next messages until each of these devices has sent one; what else comes meanwhile is theirs too. */
  async function untilFrom(inbox: Inbox, ...wanted: string[]): Promise<WatchMessage[]> {
    const came: WatchMessage[] = [];
    while (!wanted.every((name) => came.some(({ device }) => device === name))) came.push(await inbox.next());
    return came;
  }
  const sorted = (messages: readonly WatchMessage[]) =>
    messages.map(({ device }) => String(device)).toSorted();

  it('reports every member by its name, and contact with how many answer', async () => {
    const flow = [config('Hall'), config('Yard', { tags: 'out' })];
    const { changes, contact, caught } = await startWatchFlow([
      ...flow,
      group({ devices: ['hall'], rows: [row('Gate')], tags: 'out' }),
      relay,
    ]);
    const first = await untilFrom(changes, ...names);
    assert.deepEqual(sorted(first), ['Gate', 'Hall', 'Yard']);
    for (const { initial, topic, device, payload } of first) {
      assert.deepEqual(
        { initial, topic, state: payload.state },
        { initial: true, topic: device, state: 'idle' },
      );
    }
    virtual('Gate').setInput('relay', 'active');
    const rising = await changes.next();
    assert.deepEqual([rising.device, rising.payload.state], ['Gate', 'active']);
    const port = Number(new URL(virtual('Yard').address).port);
    await virtual('Yard').stop();
    const lost = await contact.next();
    assert.deepEqual([lost.topic, lost.device], ['Yard', 'Yard']);
    const { lastSeen, reason, ...payload } = lost.payload;
    assert.deepEqual(payload, { contact: 'lost', device: 'Yard', missed: 3, reachable: 2, of: 3 });
    assert.equal(typeof lastSeen, 'string');
    assert.equal(typeof reason, 'string');
    await run('Yard', port);
    const { contact: change, reachable, of } = (await contact.next()).payload;
    assert.deepEqual([change, reachable, of], ['restored', 3, 3]);
    assert.deepEqual(caught.messages, []);
    assert.equal(contact.messages.length, 2);
  });

  it('reads each member once, in whatever ways it belongs to the group', async () => {
    const flow = [config('Hall', { tags: 'in,out' }), group({ devices: ['hall', 'hall'], tags: 'in,out' })];
    const { changes } = await startWatchFlow([...flow, { ...relay, interval: 3600 }]);
    send('relay', {});
    await changes.next();
    const read = virtual('Hall').log.filter(({ path }) => path === '/api/info/input.relay.status');
    assert.equal(read.length, 1);
  });

  it('answers a message with one of each member in their order, and an error that names the others', async () => {
    const flow = [config('Hall'), config('Gate'), config('Yard')];
    await virtual('Yard').stop();
    const { changes, caught, completed } = await startWatchFlow([
      ...flow,
      group({ devices: ['yard', 'gone', 'hall', 'gate'] }),
      { ...relay, interval: 3600 },
    ]);
    const said = await caught.next();
    assert.match(String(said.error?.message), /Group "All" .* lists the device gone, which does not exist/);
    assert.equal(said.device, 'gone');
    send('relay', { payload: 'mine', keep: { one: 1 } });
    const error = await caught.next();
    assert.equal(error.error?.code, 'NOT_CONFIGURED');
    assert.match(String(error.error?.message), /lists the device gone.*; nor could be read: "Yard"$/);
    assert.equal(error.device, undefined);
    const answers = [await changes.next(), await changes.next()];
    assert.deepEqual(
      answers.map(({ device, topic, keep, payload }) => ({ device, topic, keep, state: payload.state })),
      ['Hall', 'Gate'].map((name) => ({ device: name, topic: name, keep: { one: 1 }, state: 'idle' })),
    );
    assert.notEqual(answers[0]?.keep, answers[1]?.keep);
    assert.equal(answers[0]?._msgid, error._msgid);
    assert.equal(changes.messages.length, 2);
    assert.equal(completed.messages.length, 0);
  });

  it('pauses, goes on and changes its interval for all members', async () => {
    const flow = [config('Hall'), config('Yard'), group({ devices: ['hall', 'yard'] })];
    const { changes, completed, caught } = await startWatchFlow([...flow, { ...relay, interval: 3600 }]);
    send('relay', { operation: 'pause' });
    await completed.next();
    assert.equal(statusOf('relay').text, 'state.paused');
    send('relay', { operation: 'resume', interval: 0.2 });
    await untilFrom(changes, 'Hall', 'Yard');
    virtual('Yard').setInput('relay', 'active');
    assert.equal((await changes.next()).payload.state, 'active');
    send('relay', { operation: 'stop' });
    assert.equal((await caught.next()).error?.code, 'INVALID_PARAMETER');
  });

  it('does not count one as lost that is back', async () => {
    const flow = [config('Hall'), config('Yard'), group({ devices: ['hall', 'yard'] }), relay];
    const { changes, contact } = await startWatchFlow(flow);
    await untilFrom(changes, 'Hall', 'Yard');
    const port = Number(new URL(virtual('Yard').address).port);
    await virtual('Yard').stop();
    await contact.next();
    await run('Yard', port);
    assert.equal((await contact.next()).payload.contact, 'restored');
    await virtual('Hall').stop();
    assert.equal((await contact.next()).payload.reachable, 1);
    while (statusOf('relay').fill === 'green') await once(helper.getNode('relay'), 'call:status');
    assert.equal(statusOf('relay').fill, 'yellow');
  });

  it('says what the members lack, each once', async () => {
    const flow = [config('Hall', { model: '8301' }), config('Yard', { model: '8301' })];
    const { caught } = await startWatchFlow([
      ...flow,
      group({ devices: ['hall', 'yard'] }),
      { ...relay, id: 'console', type: 'algo-console-events' },
    ]);
    const said = [await caught.next(), await caught.next()];
    assert.deepEqual(sorted(said), ['Hall', 'Yard']);
    for (const { error } of said) assert.match(String(error?.message), /the 8301 has no/);
  });

  const unusable: [string, NodeConfig[], RegExp][] = [
    ['without a group', [{ ...relay, group: '' }], /^No group is chosen|No group is chosen: open the node/],
    ['with a group that is gone', [relay], /The chosen group does not exist or is disabled/],
    ['with a group without members', [group(), relay], /Group "All" has no members; nothing is read/],
    [
      'with a group of so many at once as cannot be read',
      [group({ devices: ['gone'], parallel: 'many' }), relay],
      /its parallel must be a whole number/,
    ],
  ];
  for (const [what, flow, words] of unusable) {
    it(`says NOT_CONFIGURED ${what}`, async () => {
      const { caught, changes } = await startWatchFlow(flow);
      send('relay', {});
      for (;;) {
        const { error } = await caught.next();
        assert.equal(error?.code ?? 'NOT_CONFIGURED', 'NOT_CONFIGURED');
        if (words.test(String(error?.message))) break;
      }
      assert.equal(statusOf('relay').fill, 'red');
      assert.deepEqual(changes.messages, []);
    });
  }

  describe('through a deploy', () => {
    it('follows members that come, are replaced and go, though nothing touches the node', async () => {
      const all = group({ devices: ['hall', 'yard'], tags: 'out' });
      const { changes } = await startWatchFlow([config('Hall'), config('Yard'), all, relay]);
      await untilFrom(changes, 'Hall', 'Yard');
      const node = helper.getNode('relay');
      await deploy([config('Hall'), config('Yard'), config('Gate', { tags: 'out' }), all, relay]);
      assert.deepEqual(sorted(await untilFrom(changes, 'Gate')), ['Gate']);
      await deploy([config('Hall', { timeout: '9' }), config('Yard'), config('Gate'), all, relay]);
      const [again] = await untilFrom(changes, 'Hall');
      assert.equal(again?.initial, true);
      assert.equal(helper.getNode('relay'), node, 'the deploy has replaced the node');
      virtual('Gate').setInput('relay', 'active');
      virtual('Hall').setInput('relay', 'active');
      assert.deepEqual(
        [(await changes.next()).device, changes.messages.at(-1)?.payload.state],
        ['Hall', 'active'],
      );
      send('relay', {});
      assert.deepEqual(sorted([await changes.next(), await changes.next()]), ['Hall', 'Yard']);
      // It is shown at most four times a second.
      while (statusOf('relay').fill !== 'green') await once(node, 'call:status');
    });

    it('tells when a member is back that was lost before it was deployed', async () => {
      const all = group({ devices: ['hall', 'yard'] });
      const { changes, contact } = await startWatchFlow([config('Hall'), config('Yard'), all, relay]);
      await untilFrom(changes, 'Hall', 'Yard');
      await virtual('Yard').stop();
      assert.equal((await contact.next()).payload.contact, 'lost');
      await run('Yard');
      await deploy([config('Hall'), config('Yard'), all, relay]);
      const { contact: change, reachable, of, device } = (await contact.next()).payload;
      assert.deepEqual([change, reachable, of, device], ['restored', 2, 2, 'Yard']);
    });

    it('begins anew with the group', async () => {
      const before = group({ rows: [row('Hall')] });
      const { changes } = await startWatchFlow([before, relay]);
      await untilFrom(changes, 'Hall');
      await deploy([group({ rows: [row('Hall'), row('Yard')] }), relay]);
      const again = await untilFrom(changes, 'Hall', 'Yard');
      assert.deepEqual(
        again.map(({ initial }) => initial),
        [true, true],
      );
      await deploy([group({ rows: [] }), relay]);
      assert.equal(statusOf('relay').text, 'status.NOT_CONFIGURED');
    });

    it('reads no member that has left, though the node knows the group by a variable only', async () => {
      process.env.ALGO_TEST_GROUP = 'all';
      const flow = [config('Hall'), config('Yard'), { ...relay, group: '${ALGO_TEST_GROUP}' }];
      const { changes } = await startWatchFlow([...flow, group({ devices: ['hall', 'yard'] })]);
      await untilFrom(changes, 'Hall', 'Yard');
      const node = helper.getNode('relay');
      await deploy([...flow, group({ devices: ['hall'] })]);
      delete process.env.ALGO_TEST_GROUP;
      assert.equal(helper.getNode('relay'), node, 'the deploy has replaced the node');
      virtual('Yard').setInput('relay', 'active');
      virtual('Hall').setInput('relay', 'active');
      const last = await changes.next();
      virtual('Hall').setInput('relay', 'idle');
      assert.deepEqual([last.device, (await changes.next()).device], ['Hall', 'Hall']);
    });

    it('reads nothing more when the node is gone', async () => {
      const all = group({ devices: ['hall'] });
      const { changes } = await startWatchFlow([config('Hall'), all, relay]);
      await untilFrom(changes, 'Hall');
      await deploy([config('Hall'), all]);
      const read = virtual('Hall').log.length;
      await deploy([config('Hall'), config('Yard'), group({ devices: ['hall', 'yard'] })]);
      assert.equal(virtual('Yard').log.length, 0);
      assert.equal(virtual('Hall').log.length, read);
    });
  });
});
