import assert from 'node:assert/strict';
import type { AlertState } from '../../src/runtime/alert/alert';
import { limiterFor } from '../../src/runtime/alert/alerts';
import { type AlertNews, StateNotifier } from '../../src/runtime/alert/state-notifier';

const idle: AlertState = {
  ...{ name: 'A', state: 'idle', priority: 5, drill: false, since: null },
  ...{ active: [], unknown: [], failed: [], pending: [] },
  ...{ dryRun: 0, by: null, clearedBy: null, acknowledged: [] },
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('what an alert tells of itself', () => {
  let now: AlertState;
  let events: string[];
  let shown: string[];
  let notifier: StateNotifier;
  const words = ({ state, pending }: AlertState) => [state, ...pending].join(' ');
  const news = (one: AlertNews) => [one.event, words(one)].join(': ');
  beforeEach(() => {
    [now, events, shown] = [idle, [], []];
    notifier = new StateNotifier(
      () => now,
      (one) => events.push(news(one)),
    );
    notifier.onState = (state) => shown.push(words(state));
  });
  // Its timers would tell the next test of a state that it does not have.
  afterEach(() => notifier.close());
  const becomes = (change: Partial<AlertState>) => {
    now = { ...now, ...change };
    notifier.handleChange();
  };

  it('tells a start when all of it is answered, and nothing of what else changes', async () => {
    becomes({});
    await turn();
    now = { ...now, state: 'active' };
    const answered = notifier.begin('started');
    becomes({ active: ['Wall'], priority: 9 });
    await turn();
    assert.deepEqual([events, shown.at(-1)], [[], 'active']);
    answered();
    answered();
    becomes({ active: [] });
    await turn();
    assert.deepEqual(events, ['started: active']);
  });

  it('merges nothing: each start is told, also where another one or its end comes before it is answered', () => {
    now = { ...now, state: 'active' };
    const first = notifier.begin('started');
    const second = notifier.begin('updated');
    first();
    now = { ...now, state: 'clearing', pending: ['Wall'] };
    notifier.look();
    now = idle;
    notifier.look();
    second();
    assert.deepEqual(events, ['started: active', 'updated: active', 'cleared: idle']);
  });

  it('tells no end where it is started again while it is clearing', () => {
    now = { ...now, state: 'clearing', pending: ['Wall'] };
    notifier.look();
    now = { ...now, state: 'active', pending: [] };
    notifier.begin('started')();
    assert.deepEqual(events, ['started: active']);
  });

  it('tells who is still pending a moment after the clear, then each change, and the end', async () => {
    now = { ...now, state: 'active' };
    notifier.begin('started')();
    becomes({ state: 'clearing', pending: ['Wall', 'Door'] });
    await turn();
    assert.deepEqual(events, ['started: active']);
    while (events.length < 2) await turn();
    becomes({ pending: ['Door', 'Wall'] });
    await turn();
    becomes({ pending: ['Door'] });
    await turn();
    becomes(idle);
    await turn();
    const pending = ['pending: clearing Wall Door', 'pending: clearing Door'];
    assert.deepEqual(events, ['started: active', ...pending, 'cleared: idle']);
  });

  it('tells what is pending also where an acknowledgement comes between the clear and that', () => {
    const timers = new Set<() => void>();
    const after = (_: number, task: () => void) => {
      timers.add(task);
      return () => timers.delete(task);
    };
    const timing = { after, monotonic: () => 0, soon: (task: () => void) => task() };
    now = { ...now, state: 'active' };
    const hear = (one: AlertNews) => events.push(news(one));
    const timed = new StateNotifier(() => now, hear, undefined, timing);
    now = { ...now, state: 'clearing', pending: ['Wall', 'Door'] };
    timed.look();
    now = { ...now, state: 'active', pending: ['Door'] };
    timed.begin('started')();
    now = { ...now, pending: [] };
    timed.acknowledged('unacknowledged');
    timed.reached('Wall', 'strobe/start');
    const before = ['started: active Door', 'unacknowledged: active', 'reached: active'];
    assert.deepEqual(events, before);
    for (const task of timers) task();
    assert.deepEqual(events, [...before, 'pending: active']);
  });

  it('tells at once what has been started at last, after the start that it belongs to', () => {
    now = { ...now, state: 'active' };
    notifier.begin('started');
    notifier.reached('Wall', 'strobe/start');
    assert.deepEqual(events, ['started: active', 'reached: active']);
  });

  it('neither tells nor shows anything once it is closed', async () => {
    becomes({ state: 'clearing', pending: ['Wall'] });
    notifier.close();
    now = idle;
    notifier.look();
    await turn();
    assert.deepEqual([shown, events], [[], []]);
  });

  it('goes its way where whoever is told fails', async () => {
    notifier.onState = () => {
      throw new Error('no');
    };
    becomes({ state: 'clearing' });
    await turn();
    notifier.onState = () => {};
    becomes(idle);
    await turn();
    becomes({ state: 'clearing' });
    await turn();
    becomes(idle);
    await turn();
    assert.deepEqual(events, ['cleared: idle']);
  });
});

describe('how many devices are spoken to at once', () => {
  it('is the least that one of the alerts allows, and 100 where one does not say', () => {
    const devices = Array.from({ length: 101 });
    assert.ok(limiterFor(devices.slice(0, 4), [50, 3]));
    assert.equal(limiterFor(devices.slice(0, 4), [50, 4]), undefined);
    assert.ok(limiterFor(devices, [500, undefined]));
    assert.equal(limiterFor(devices.slice(1), [undefined]), undefined);
  });
});
