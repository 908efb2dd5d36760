import assert from 'node:assert/strict';
import { once } from 'node:events';
import helper from 'node-red-node-test-helper';
import { send, startWatchFlow, statusOf, stopAll } from './watch-flow';
import { config, deploy, group, relay, row, run, runAll, sorted, untilFrom, virtual } from './watch-members';

describe('a node that watches a group, through deploys', () => {
  beforeEach(runAll);
  afterEach(stopAll);

  it('follows members that come, are replaced and go, though nothing touches the node', async () => {
    const all = group({ devices: ['hall', 'yard'], tags: 'out' });
    const { changes } = await startWatchFlow([config('Hall'), config('Yard'), all, relay]);
    await untilFrom(changes, 'Hall', 'Yard');
    const node = helper.getNode('relay');
    await deploy([config('Hall'), config('Yard'), config('Gate', { tags: 'out' }), all, relay]);
    assert.deepEqual(sorted(await untilFrom(changes, 'Gate')), ['Gate']);
    await deploy([config('Hall', { timeout: '9' }), config('Yard'), config('Gate'), all, relay]);
    assert.equal(helper.getNode('relay'), node, 'the deploy has replaced the node');
    virtual('Gate').setInput('relay', 'active');
    virtual('Hall').setInput('relay', 'active');
    const change = await changes.next();
    assert.deepEqual([change.device, change.payload.state, change.initial], ['Hall', 'active', undefined]);
    send('relay', {});
    assert.deepEqual(sorted([await changes.next(), await changes.next()]), ['Hall', 'Yard']);
    // It is shown at most four times a second.
    while (statusOf('relay').fill !== 'green') await once(node, 'call:status');
  });

  it('reports nothing of a member that comes during a pause', async () => {
    const all = group({ devices: ['hall'], tags: 'out' });
    const { changes, completed } = await startWatchFlow([config('Hall'), all, relay]);
    await untilFrom(changes, 'Hall');
    send('relay', { operation: 'pause' });
    await completed.next();
    const other = { ...relay, id: 'other', target: 'device', device: 'yard' };
    await deploy([config('Hall'), config('Yard', { tags: 'out' }), all, relay, other]);
    assert.equal((await changes.next()).initial, true);
    virtual('Yard').setInput('relay', 'active');
    const { payload, initial } = await changes.next();
    assert.deepEqual([payload.state, initial], ['active', undefined]);
  });

  it('tells when a member is back that was lost before it was deployed', async () => {
    const all = group({ devices: ['hall', 'yard'] });
    const { changes, connection } = await startWatchFlow([config('Hall'), config('Yard'), all, relay]);
    await untilFrom(changes, 'Hall', 'Yard');
    await virtual('Yard').stop();
    assert.equal((await connection.next()).payload.connection, 'lost');
    await run('Yard');
    await deploy([config('Hall'), config('Yard'), all, relay]);
    const { connection: change, reachable, total, device } = (await connection.next()).payload;
    assert.deepEqual([change, reachable, total, device], ['restored', 2, 2, 'Yard']);
  });

  it('begins with a member that comes, and goes on with the others', async () => {
    const before = group({ rows: [row('Hall')] });
    const { changes } = await startWatchFlow([before, relay]);
    await untilFrom(changes, 'Hall');
    await deploy([group({ rows: [row('Hall'), row('Yard')] }), relay]);
    virtual('Hall').setInput('relay', 'active');
    const messages = await untilFrom(changes, 'Hall', 'Yard');
    assert.deepEqual(
      messages.map(({ device, payload, initial }) => [device, payload.state, initial]).toSorted(),
      [
        ['Hall', 'active', undefined],
        ['Yard', 'idle', true],
      ],
    );
    await deploy([group({ rows: [] }), relay]);
    assert.equal(statusOf('relay').text, 'the group has no members');
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
