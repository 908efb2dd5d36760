import assert from 'node:assert/strict';
import type { OverviewNews, OverviewRow } from '../../../src/runtime/answers';
import { Watchers } from '../../../src/runtime/overview/watchers';

/** Time that a test moves, with what waits for it. */
class Clock {
  at = 0;
  readonly waiting = new Map<() => void, number>();

  readonly monotonic = () => this.at;
  readonly after = (ms: number, task: () => void) => {
    this.waiting.set(task, this.at + ms);
    return () => void this.waiting.delete(task);
  };

  /** Lets time pass, and everything happen that is due by then. */
  pass(ms: number): void {
    const end = this.at + ms;
    for (;;) {
      const [next] = [...this.waiting].sort((a, b) => a[1] - b[1]);
      if (!next || next[1] > end) break;
      this.waiting.delete(next[0]);
      this.at = next[1];
      next[0]();
    }
    this.at = end;
  }
}

/** An overview that a test writes. */
class Written {
  readonly rows = new Map<string, OverviewRow>();
  readonly changed = new Set<string>();
  looks = 0;
  clears = 0;

  put(id: string, more: Partial<OverviewRow> = {}): void {
    this.rows.set(id, { id, kind: 'device', name: id, ...more });
    this.changed.add(id);
  }

  remove(id: string): void {
    this.rows.delete(id);
    this.changed.add(id);
  }

  readonly refresh = () => {
    this.looks += 1;
    const changed = new Set(this.changed);
    this.changed.clear();
    return changed;
  };
  readonly clear = () => {
    this.clears += 1;
  };
}

describe('those who look at the overview', () => {
  let clock: Clock;
  let overview: Written;
  let watchers: Watchers;
  let published: [session: string, news: OverviewNews][];

  beforeEach(() => {
    clock = new Clock();
    overview = new Written();
    published = [];
    watchers = new Watchers({
      overview,
      timing: clock,
      notify: (session, news) => void published.push([session, news]),
      onFault: (fault) => assert.fail(String(fault)),
    });
    overview.put('hall', { reachable: true, roundTripMs: 4 });
    overview.put('gate');
  });

  /** Whoever looks from now on. */
  const look = (session: string): string => {
    const lease = watchers.lease(undefined);
    watchers.attach(lease, session);
    return lease;
  };

  it('are told everything first, then what has changed, field by field', () => {
    look('one');
    assert.deepEqual(published, [
      [
        'one',
        {
          begins: true,
          changes: [
            { id: 'hall', kind: 'device', name: 'hall', reachable: true, roundTripMs: 4 },
            { id: 'gate', kind: 'device', name: 'gate' },
          ],
          removed: [],
          total: 2,
        },
      ],
    ]);
    overview.put('hall', { reachable: false });
    overview.remove('gate');
    clock.pass(500);
    assert.deepEqual(published[1]?.[1], {
      changes: [{ id: 'hall', reachable: false, roundTripMs: null }],
      removed: ['gate'],
      total: 1,
    });
  });

  it('are told nothing while nothing changes, also where there is nothing', () => {
    overview.rows.clear();
    look('one');
    clock.pass(20_000);
    assert.deepEqual(published, [['one', { begins: true, changes: [], removed: [], total: 0 }]]);
  });

  it('are told at most twice a second, however often something changes', () => {
    look('one');
    for (let at = 0; at < 1_000; at += 1) {
      overview.put('hall', { roundTripMs: at });
      clock.pass(10);
    }
    assert.equal(published.length, 1 + 20);
    assert.deepEqual(published.at(-1)?.[1].changes, [{ id: 'hall', roundTripMs: 999 }]);
  });

  it('get thousands of rows in parts', () => {
    for (let count = 0; count < 4_998; count += 1) overview.put(`row ${count}`);
    look('one');
    clock.pass(1_000);
    assert.deepEqual(
      published.map(([, { changes }]) => changes.length),
      [2_000, 2_000, 1_000],
    );
    assert.deepEqual(
      published.map(([, { begins }]) => begins),
      [true, undefined, undefined],
    );
  });

  it('are told each for themselves', () => {
    look('one');
    overview.put('hall', { roundTripMs: 5 });
    look('two');
    assert.deepEqual(
      published.map(([session, { changes }]) => [session, changes.length]),
      [
        ['one', 2],
        ['one', 1],
        ['two', 2],
      ],
    );
  });

  it('are forgotten half a minute after they last said that they look', () => {
    const lease = look('one');
    clock.pass(20_000);
    assert.equal(watchers.lease(lease), lease);
    overview.put('hall', { roundTripMs: 5 });
    clock.pass(29_000);
    assert.equal(published.length, 2);
    clock.pass(1_500);
    const { looks } = overview;
    overview.put('hall', { roundTripMs: 6 });
    clock.pass(60_000);
    assert.equal(published.length, 2);
    assert.equal(overview.looks, looks);
    assert.equal(clock.waiting.size, 0);
    assert.ok(overview.clears > 0);
    assert.notEqual(watchers.lease(lease), lease);
  });

  it('are forgotten at once where they say so, and where their line ends', () => {
    for (const end of [(lease: string) => watchers.release(lease), () => watchers.detach('one')]) {
      const lease = look('one');
      assert.equal(clock.waiting.size, 1);
      end(lease);
      assert.equal(clock.waiting.size, 0);
      overview.put('hall', { roundTripMs: clock.at + 7 });
      const before = published.length;
      clock.pass(10_000);
      assert.equal(published.length, before);
    }
  });

  it('are nobody without a lease, and nothing happens before somebody is there', () => {
    watchers.lease(undefined);
    for (const lease of ['', 'guessed', '__proto__']) watchers.attach(lease, 'one');
    clock.pass(1_000);
    assert.deepEqual(published, []);
    assert.equal(overview.looks, 0);
    assert.equal(clock.waiting.size, 0);
  });

  it('start again on another line, and not on the one they have', () => {
    const lease = look('one');
    watchers.attach(lease, 'one');
    assert.equal(published.length, 1);
    watchers.attach(lease, 'two');
    assert.deepEqual(
      [published[1]?.[0], published[1]?.[1].begins, published[1]?.[1].changes.length],
      ['two', true, 2],
    );
    watchers.detach('one');
    overview.put('hall', { roundTripMs: 8 });
    clock.pass(500);
    assert.equal(published[2]?.[0], 'two');
  });

  it('have one lease on a line: another one takes its place', () => {
    const first = look('one');
    look('one');
    overview.put('hall', { roundTripMs: 9 });
    clock.pass(500);
    assert.deepEqual(
      published.map(([, { changes }]) => changes.length),
      [2, 2, 1],
    );
    assert.notEqual(watchers.lease(first), first);
  });

  it('are bounded: who asks for ever more leases has the last of them', () => {
    const first = look('one');
    for (let count = 0; count < 600; count += 1) watchers.lease(undefined);
    assert.notEqual(watchers.lease(first), first);
  });
});
