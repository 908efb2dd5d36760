import assert from 'node:assert/strict';
import type { Json } from '../../src/kernel/journal/lines';
import { Reconciler, type ReconcilerOptions } from '../../src/kernel/reconciler';
import { open, text } from '../../src/kernel/shape';
import { chance } from '../fixtures/history';
import { VirtualClock } from '../fixtures/virtual-clock';
import { MemoryJournal } from './memory-journal';

type Work = { readonly what: string };

const wall = 1_700_000_000_000;
const hourMs = 3_600_000;
const work = (what: string): Work => ({ what });

/** A reconciler on a clock that stands still, whose attempts end as the test says. */
class World {
  readonly clock = new VirtualClock();
  readonly journal: MemoryJournal;
  readonly done: string[] = [];
  readonly told: string[] = [];
  readonly reconciler: Reconciler<Work>;
  answer: (signal: AbortSignal) => Promise<unknown> = async () => {};

  constructor(lines: [string, Json][] = [], options: Partial<ReconcilerOptions<Work>> = {}) {
    this.journal = new MemoryJournal(lines);
    this.reconciler = new Reconciler<Work>({
      prefix: 'work/',
      journal: this.journal,
      clock: {
        now: () => this.clock.now + wall,
        monotonic: this.clock.monotonic,
        random: () => 0,
        after: this.clock.after,
      },
      shape: open({ what: text() }),
      attempt: ({ what }, signal) => {
        this.done.push(`${this.clock.now} ${what}`);
        return this.answer(signal);
      },
      failedFirst: ({ what }) => this.told.push(`${what} failed`),
      gaveUp: ({ what }) => this.told.push(`${what} was given up`),
      isNoFailure: (error) => (error as Error).message === 'aborted',
      ...options,
    });
  }

  async pass(ms: number): Promise<void> {
    const until = this.clock.now + ms;
    this.clock.after(ms, () => {});
    while (this.clock.now < until) {
      this.clock.step();
      await new Promise(setImmediate);
    }
  }

  get entries(): (readonly [key: string, what: string])[] {
    return [...this.reconciler.entries()].map(({ key, record }) => [key, record.what] as const);
  }

  get kept(): Json[] {
    return [...this.journal.entries('work/')].map(([, value]) => (value as { record: Json }).record);
  }
}

const refuse = async () => {
  throw new Error('refused');
};

describe('kernel: the reconciler', () => {
  it('stores a record once that is only due at another time', async () => {
    const world = new World();
    const stored: string[] = [];
    const put = world.journal.put.bind(world.journal);
    world.journal.put = (key, value) => {
      stored.push(key);
      return put(key, value);
    };
    const [record, other] = [work('again'), work('other')];
    world.reconciler.run();
    for (const afterMs of [5_000, 1_000, 3_000]) await world.reconciler.set('a', record, afterMs);
    assert.deepEqual(stored, ['work/a']);
    await world.pass(2_000);
    assert.deepEqual(world.done, []);
    await world.pass(2_000);
    assert.deepEqual([world.done, world.kept], [['3000 again'], []]);
    for (const one of [record, other, record]) await world.reconciler.set('a', one, 1_000);
    assert.equal(stored.length, 4);
    assert.deepEqual(world.kept, [record]);
  });

  it('does pending work when it is due, and forgets it', async () => {
    const world = new World();
    world.reconciler.run();
    await world.reconciler.set('a', work('now'));
    await world.reconciler.set('b', work('later'), 5_000);
    assert.deepEqual(world.kept, [work('now'), work('later')]);
    await world.pass(10_000);
    assert.deepEqual(world.done, ['0 now', '5000 later']);
    assert.deepEqual([world.entries, world.kept, world.clock.pending], [[], [], 0]);
  });

  it('begins nothing before the flows run, nor after its closing', async () => {
    const world = new World([['work/a', { record: work('old'), due: wall - 1, afterMs: 1_000 }]]);
    void world.reconciler.set('b', work('new'));
    await world.pass(1_000);
    assert.deepEqual(world.done, []);
    const signals: AbortSignal[] = [];
    world.answer = (signal) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    world.reconciler.run();
    await world.pass(1);
    world.reconciler.close();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true],
    );
    await world.pass(hourMs);
    assert.deepEqual(world.done, ['1000 old', '1000 new']);
    assert.deepEqual(world.kept, [work('old'), work('new')]);
    world.answer = async () => {};
    world.reconciler.run();
    await world.pass(1);
    assert.deepEqual(world.kept, []);
  });

  it('attempts again with growing pauses, tells the first failure, and gives up after a day', async () => {
    const world = new World();
    world.reconciler.run();
    world.answer = refuse;
    void world.reconciler.set('a', work('stop'));
    await world.pass(100_000);
    const times = world.done.map((line) => Number.parseInt(line, 10) / 1_000);
    assert.deepEqual(times, [0, 1, 3, 7, 15, 31, 61, 91]);
    await world.pass(25 * hourMs);
    assert.deepEqual(world.told, ['stop failed', 'stop was given up']);
    assert.deepEqual([world.kept, world.clock.pending], [[], 0]);
  });

  it('counts no failure that is none', async () => {
    const world = new World();
    world.reconciler.run();
    world.answer = async () => {
      throw new Error('aborted');
    };
    void world.reconciler.set('a', work('stop'));
    await world.pass(4_500);
    assert.deepEqual([world.done.length, world.told], [5, []]);
  });

  it('waits for a start, and does what the start leaves', async () => {
    const world = new World();
    world.reconciler.run();
    void world.reconciler.set('a', work('first'), 1_000);
    const hold = world.reconciler.hold('a');
    await hold.intend(work('second'), 2_000);
    assert.deepEqual(world.kept, [work('second')], 'after a crash, the start counts as happened');
    await world.pass(5_000);
    assert.deepEqual(world.done, []);
    const another = world.reconciler.hold('a');
    await hold.release(true);
    // A second release of one hold ends no other hold.
    void hold.release(true);
    await world.pass(5_000);
    assert.deepEqual(world.done, []);
    void another.release(false);
    await world.pass(1);
    assert.deepEqual(world.done, ['10000 second']);
  });

  it('waits for a write under way, also where a start changes nothing more', async () => {
    const world = new World();
    await world.reconciler.set('a', work('stop'), 1_000);
    let written = () => {};
    world.journal.delete = () =>
      new Promise((resolve) => {
        written = resolve;
      });
    void world.reconciler.set('a', undefined);
    const waiting = world.reconciler.hold('a').release(false);
    assert.ok(waiting);
    written();
    await waiting;
    assert.equal(world.reconciler.hold('a').release(false), undefined);
  });

  it('does the work of before a start that did not happen, and nothing after a start that ends by itself', async () => {
    const world = new World();
    world.reconciler.run();
    void world.reconciler.set('a', work('first'), 1_000);
    void world.reconciler.set('b', work('other'), 1_000);
    const [refused, lasting] = [world.reconciler.hold('a'), world.reconciler.hold('b')];
    await refused.intend(work('second'), 1_000);
    await world.pass(2_000);
    await refused.release(false);
    await lasting.release(true);
    await world.pass(10_000);
    assert.deepEqual(world.done, ['2000 first']);
    assert.deepEqual(world.kept, []);
  });

  it('ignores the end of an attempt that is no longer wanted', async () => {
    for (const end of ['resolve', 'reject'] as const) {
      const world = new World();
      world.reconciler.run();
      let signal: AbortSignal | undefined;
      let finish = () => {};
      world.answer = (given) =>
        new Promise((resolve, reject) => {
          signal = given;
          finish = () => (end === 'resolve' ? resolve(undefined) : reject(new Error('late')));
        });
      void world.reconciler.set('a', work('old'));
      await world.pass(1);
      world.answer = async () => {};
      void world.reconciler.set('a', work('new'), 1_000);
      assert.equal(signal?.aborted, true);
      finish();
      await world.pass(10_000);
      assert.deepEqual([world.done, world.told], [['0 old', '1001 new'], []]);
    }
  });

  it('moves records to other keys in one change of the journal', async () => {
    const world = new World();
    for (const what of ['b', 'c', 'stays']) void world.reconciler.set(`of ${what}`, work(what), 1_000);
    const next: Record<string, string> = { b: 'of c', c: 'of b' };
    world.reconciler.move((record) => {
      const key = next[record.what];
      return key === undefined ? undefined : { key, record: work(`${record.what} moved`) };
    });
    assert.deepEqual(world.entries.sort(), [
      ['of b', 'c moved'],
      ['of c', 'b moved'],
      ['of stays', 'stays'],
    ]);
    world.reconciler.run();
    await world.pass(1_001);
    assert.equal(world.done.length, 3);
  });

  it('does selected records immediately, once', async () => {
    const world = new World();
    assert.equal(
      world.reconciler.flush(() => true),
      undefined,
    );
    world.reconciler.run();
    for (const what of ['soon', 'late', 'held']) void world.reconciler.set(what, work(what), hourMs);
    const hold = world.reconciler.hold('held');
    await world.reconciler.flush(({ what }) => what !== 'late');
    assert.deepEqual(world.done, ['0 soon']);
    void hold.release(false);
    await world.reconciler.flush(({ what }) => what === 'held');
    assert.deepEqual(world.done, ['0 soon', '0 held']);
    assert.deepEqual(world.entries, [['late', 'late']]);
  });

  it('does any number, a hundred in a turn, and leaves out what a start holds meanwhile', async () => {
    const world = new World();
    world.reconciler.run();
    for (let n = 1; n <= 2_000; n += 1) void world.reconciler.set(`k${n}`, work(`w${n}`), hourMs);
    const flushed = world.reconciler.flush((_record, due) => due > wall);
    assert.equal(world.done.length, 100);
    const hold = world.reconciler.hold('k2000');
    await flushed;
    assert.equal(new Set(world.done).size, 1_999);
    void hold.release(false);
    await world.pass(hourMs + 1);
    assert.equal(world.done.at(-1), `${hourMs} w2000`);
    assert.deepEqual([world.entries, world.clock.pending], [[], 0]);
  });

  it('takes up the work of an earlier process, whatever the clock says now', async () => {
    const due = (ms: number) => ({ due: wall + ms, afterMs: 5_000 });
    const world = new World([
      ['work/past', { record: work('past'), ...due(-hourMs) }],
      ['work/soon', { record: work('soon'), ...due(2_000) }],
      // The clock was set back by hours.
      ['work/far', { record: work('far'), ...due(9 * hourMs) }],
      ['work/odd', { record: { what: 1 }, ...due(0) }],
      ['work/untimed', { record: work('untimed') }],
      ['other/x', { record: work('other'), ...due(0) }],
    ]);
    const [[, far] = []] = world.journal.entries('work/far');
    assert.deepEqual(far, { record: work('far'), ...due(5_000) }, 'a further restart finds the new time');
    world.reconciler.run();
    await world.pass(10_000);
    assert.deepEqual(world.done, ['0 past', '2000 soon', '5000 far']);
    assert.equal([...world.journal.entries('work/')].length, 2, 'what is not understood is kept');
  });

  it('owes after a kill what counts at that moment, wherever the kill comes', async () => {
    const random = chance(11);
    const world = new World();
    /** The record that counts: that of the last start under way, or the pending one. */
    let pending: string | undefined;
    let intended: string[] = [];
    const counts: (string | undefined)[] = [];
    const holds: { readonly what: string; readonly hold: ReturnType<Reconciler<Work>['hold']> }[] = [];
    for (let step = 0; step < 200; step += 1) {
      const what = `work ${step}`;
      const kind = random();
      if (kind < 0.4) {
        const hold = world.reconciler.hold('a');
        holds.push({ what, hold });
        intended.push(what);
        await hold.intend(work(what), 1_000);
      } else if (kind < 0.7 && holds.length > 0) {
        const [ended] = holds.splice(Math.floor(random() * holds.length), 1);
        assert.ok(ended);
        const happened = random() < 0.5;
        intended = intended.filter((one) => one !== ended.what);
        if (happened) pending = ended.what;
        await ended.hold.release(happened);
      } else {
        pending = random() < 0.3 ? undefined : what;
        await world.reconciler.set('a', pending === undefined ? undefined : work(pending), 1_000);
      }
      const kept = new World([...world.journal.entries('work/')]);
      counts.push(intended.at(-1) ?? pending);
      assert.deepEqual(kept.entries, counts.at(-1) === undefined ? [] : [['a', counts.at(-1)]], what);
    }
    assert.ok(new Set(counts).size > 50);
  });

  it('goes on when a log throws', async () => {
    const broken = () => {
      throw new Error('the disk is full');
    };
    const world = new World([], { failedFirst: broken, gaveUp: broken, attempt: broken });
    world.reconciler.run();
    void world.reconciler.set('a', work('stop'));
    await world.pass(25 * hourMs);
    assert.deepEqual(world.entries, []);
  });
});
