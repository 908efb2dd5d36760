import assert from 'node:assert/strict';
import type { AlertState } from '../../src/runtime/alert/alert';
import { AlertEvents } from '../../src/runtime/alert/events';
import { limiterFor } from '../../src/runtime/alert/send';

const idle: AlertState = {
  ...{ name: 'A', state: 'idle', priority: 5, drill: false, since: null },
  ...{ active: [], unknown: [], failed: [], pending: [] },
  ...{ dryRun: 0, by: null, clearedBy: null, acknowledged: [] },
};
describe('what an alert tells of itself', () => {
  let now: AlertState;
  let events: string[];
  let told: AlertEvents;
  const timers = new Set<() => void>();
  const after = (_: number, task: () => void) => {
    timers.add(task);
    return () => timers.delete(task);
  };
  /** A second passes. */
  const pass = () => {
    for (const task of [...timers]) {
      timers.delete(task);
      task();
    }
  };
  const words = ({ state, pending }: AlertState) => [state, ...pending].join(' ');
  beforeEach(() => {
    [now, events] = [idle, []];
    timers.clear();
    told = new AlertEvents(
      () => now,
      (news) => events.push([news.event, words(news)].join(': ')),
      undefined,
      { after },
    );
  });
  const becomes = (change: Partial<AlertState>) => {
    now = { ...now, ...change };
    told.look();
  };

  it('tells a start when all of it is answered, and nothing of what else changes', () => {
    becomes({});
    now = { ...now, state: 'active' };
    const answered = told.begin('started');
    becomes({ active: ['Wall'], priority: 9 });
    assert.deepEqual(events, []);
    answered();
    answered();
    becomes({ active: [] });
    assert.deepEqual(events, ['started: active']);
  });

  it('tells a start a second after it where it is not answered', () => {
    now = { ...now, state: 'active' };
    told.begin('started');
    pass();
    assert.deepEqual(events, ['started: active']);
  });

  it('merges nothing: each start is told, also where another one or its end comes before it is answered', () => {
    now = { ...now, state: 'active' };
    const first = told.begin('started');
    const second = told.begin('updated');
    first();
    now = { ...now, state: 'clearing', pending: ['Wall'] };
    told.look();
    now = idle;
    told.look();
    second();
    assert.deepEqual(events, ['started: active', 'updated: active', 'cleared: idle']);
  });

  it('tells no end where it is started again while it is clearing', () => {
    now = { ...now, state: 'clearing', pending: ['Wall'] };
    told.look();
    now = { ...now, state: 'active', pending: [] };
    told.begin('started')();
    assert.deepEqual(events, ['started: active']);
  });

  it('tells who is still pending a moment after the clear, then each change, and the end', () => {
    now = { ...now, state: 'active' };
    told.begin('started')();
    becomes({ state: 'clearing', pending: ['Wall', 'Door'] });
    assert.deepEqual(events, ['started: active']);
    pass();
    becomes({ pending: ['Door', 'Wall'] });
    becomes({ pending: ['Door'] });
    becomes(idle);
    const pending = ['pending: clearing Wall Door', 'pending: clearing Door'];
    assert.deepEqual(events, ['started: active', ...pending, 'cleared: idle']);
  });

  it('tells what is pending also where an acknowledgement comes between the clear and that', () => {
    now = { ...now, state: 'active' };
    told.look();
    becomes({ state: 'clearing', pending: ['Wall', 'Door'] });
    now = { ...now, state: 'active', pending: ['Door'] };
    told.begin('started')();
    now = { ...now, pending: [] };
    told.tell('unacknowledged');
    told.tell('reached', { device: 'Wall', operation: 'strobe/start' });
    const before = ['started: active Door', 'unacknowledged: active', 'reached: active'];
    assert.deepEqual(events, before);
    pass();
    assert.deepEqual(events, [...before, 'pending: active']);
  });

  it('tells at once what has been started at last, after the start that it belongs to', () => {
    now = { ...now, state: 'active' };
    told.begin('started');
    told.tell('reached', { device: 'Wall', operation: 'strobe/start' });
    assert.deepEqual(events, ['started: active', 'reached: active']);
  });

  it('tells nothing once it is closed', () => {
    becomes({ state: 'clearing', pending: ['Wall'] });
    told.close();
    now = idle;
    told.look();
    assert.deepEqual([events, timers.size], [[], 0]);
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
