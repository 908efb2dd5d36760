import assert from 'node:assert/strict';
import type { NodeConfig } from '../fixtures/flow';
import { wordingIn } from '../fixtures/wording';
import { send, startWatchFlow, statusOf, stopAll } from './watch-flow';
import { config, group, names, relay, row, run, runAll, sorted, untilFrom, virtual } from './watch-members';

describe('a node that watches a group', () => {
  beforeEach(runAll);
  afterEach(stopAll);

  it('reports every member by its name, and connections with how many answer', async () => {
    const flow = [config('Hall'), config('Yard', { tags: 'out' })];
    const { changes, connection, caught } = await startWatchFlow([
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
    const lost = await connection.next();
    assert.deepEqual([lost.topic, lost.device], ['Yard', 'Yard']);
    const { lastSeen, reason, ...payload } = lost.payload;
    assert.deepEqual(payload, { connection: 'lost', device: 'Yard', missed: 3, reachable: 2, total: 3 });
    assert.equal(typeof lastSeen, 'string');
    assert.equal(typeof reason, 'string');
    await run('Yard', port);
    const { connection: change, reachable, total } = (await connection.next()).payload;
    assert.deepEqual([change, reachable, total], ['restored', 3, 3]);
    assert.deepEqual(caught.messages, []);
    assert.equal(connection.messages.length, 2);
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
    const errors = await caught.next();
    assert.match(
      String(errors.error?.message),
      /it lists a device that does not exist .*: group "All"; the device is "gone"/,
    );
    assert.equal(errors.device, 'gone');
    send('relay', { payload: 'mine', keep: { one: 1 } });
    const error = await caught.next();
    assert.equal(error.error?.code, 'NOT_CONFIGURED');
    assert.match(
      String(error.error?.message),
      /the device is "gone".*; these devices could not be read either: "Yard"$/,
    );
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

  it('says what the members lack, each once', async () => {
    const flow = [config('Hall', { model: '8301' }), config('Yard', { model: '8301' })];
    const { caught } = await startWatchFlow([
      ...flow,
      group({ devices: ['hall', 'yard'] }),
      { ...relay, id: 'console', type: 'algo-console-events' },
    ]);
    const errors = [await caught.next(), await caught.next()];
    assert.deepEqual(sorted(errors), ['Hall', 'Yard']);
    for (const { error } of errors) assert.match(String(error?.message), /not supported by the 8301/);
    send('console', { operation: 'read' });
    assert.equal((await caught.next()).error?.code, 'NOT_SUPPORTED');
  });

  const unusable: [string, NodeConfig[], RegExp][] = [
    ['without a group', [{ ...relay, group: '' }], wordingIn('reasons:noGroupChosen')],
    ['with a group that is gone', [relay], wordingIn('reasons:chosenGroupGone')],
    ['with a group without members', [group(), relay], /the group has no members: "All"; nothing is read/],
    [
      'with a group of so many at once as cannot be read',
      [group({ devices: ['gone'], maxParallel: 'many' }), relay],
      / maxParallel .*: group "All"/,
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
});
