import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Journal } from '../../../src/kernel/journal/journal';
import { type Json, readLines, valueIn } from '../../../src/kernel/journal/lines';
import { itHolds, seedsOf } from '../../fixtures/histories';
import { chance } from '../../fixtures/history';
import { VirtualClock } from '../../fixtures/virtual-clock';
import { HangingDisk } from './hanging-disk';

describe('the journal on a disk that hangs', () => {
  let folder: string;
  let disk: HangingDisk;
  let clock: VirtualClock;
  let warnings: string[];
  const opened: Journal[] = [];

  const options = () => ({
    warn: (sentence: string) => warnings.push(sentence),
    monotonic: clock.monotonic,
    after: clock.after,
    files: disk.files as never,
  });
  function start(how: 'open' | 'create' = 'open'): Journal {
    const journal = Journal[how](folder, options());
    opened.push(journal);
    return journal;
  }

  /** What a start of Node-RED would find now. */
  function found(): Record<string, unknown> {
    const file = path.join(folder, 'journal.jsonl');
    if (!existsSync(file)) return {};
    const { lines } = readLines(readFileSync(file, 'utf8'));
    return Object.fromEntries([...lines].map(([key, line]) => [key, valueIn(line)]));
  }

  /** Resolves when a start of Node-RED would find this, and the last call has returned. */
  async function written(expected: Record<string, unknown>): Promise<void> {
    while (!isDeepStrictEqual(found(), expected) || disk.isBusy) await new Promise(setImmediate);
  }

  /** Resolves when the disk hangs. */
  async function hanging(): Promise<void> {
    while (!disk.hangs) await new Promise(setImmediate);
  }

  /** Lets a second pass, from which on the journal waits no longer. */
  async function stuck(journal: Journal): Promise<void> {
    const put = journal.put('stuck', 0);
    await hanging();
    clock.advance(1_000);
    await put;
  }

  beforeEach(() => {
    folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'algo-journal-')), 'algo');
    disk = new HangingDisk();
    clock = new VirtualClock();
    warnings = [];
  });

  afterEach(async () => {
    disk.letGo();
    for (const journal of opened.splice(0)) await journal.close();
    rmSync(path.dirname(folder), { recursive: true, force: true });
  });

  it('keeps nobody waiting for more than a second, and says so once', async () => {
    const journal = start();
    await journal.put('a', 1);
    disk.hang();
    let isWaiting = true;
    const put = journal.put('b', 2).then(() => {
      isWaiting = false;
    });
    await hanging();
    clock.advance(999);
    await new Promise(setImmediate);
    assert.deepEqual([isWaiting, warnings], [true, []]);
    const late = journal.batch(() => void journal.put('c', 3));
    clock.advance(1);
    await put;
    await late;
    const { calls } = disk;
    await Promise.all([journal.put('d', 4), journal.delete('a'), journal.delete('unknown')]);
    await journal.batch(() => void journal.put('e', 5));
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0] ?? '',
      /^The disk of .*journal\.jsonl does not respond; .* is kept in memory until it does$/,
    );
    assert.deepEqual([disk.calls, clock.pending], [calls, 0]);
  });

  it('has written all of it when the disk has answered', async () => {
    const journal = start();
    await journal.put('a', 1);
    disk.hang();
    await stuck(journal);
    for (let count = 0; count < 5_000; count += 1) await journal.put('often', count);
    await journal.put('b', 2);
    await journal.delete('a');
    disk.letGo();
    await written({ stuck: 0, often: 4_999, b: 2 });
    // The 5,000 lines were not kept until then.
    assert.ok(readFileSync(path.join(folder, 'journal.jsonl'), 'utf8').split('\n').length < 10);
    assert.equal(warnings.length, 1);
  });

  it('writes what was put meanwhile without being asked again', async () => {
    const journal = start();
    disk.hang();
    await stuck(journal);
    await journal.put('b', 2);
    disk.letGo();
    await written({ stuck: 0, b: 2 });
    await journal.put('c', 3);
    assert.deepEqual(found(), { stuck: 0, b: 2, c: 3 });
  });

  for (const inCalls of [0, 1, 2, 3, 4, 5]) {
    it(`loses nothing of a file that is written again, where the call ${inCalls} of it hangs`, async () => {
      const journal = start();
      // Of an empty journal the first write is a new file.
      disk.hang({ when: 'after' }, inCalls);
      await stuck(journal);
      await journal.put('b', 2);
      disk.letGo();
      await written({ stuck: 0, b: 2 });
      await journal.put('c', 3);
      assert.deepEqual(found(), { stuck: 0, b: 2, c: 3 });
    });
  }

  it('tells a disk that hangs again at once only once, and hours later again', async () => {
    const journal = start();
    const warningCounts: number[] = [];
    for (const pauseMs of [0, 3_600_000, 0]) {
      clock.advance(pauseMs);
      disk.hang();
      await stuck(journal);
      await journal.put('told', warningCounts.length);
      warningCounts.push(warnings.length);
      disk.letGo();
      await written({ stuck: 0, told: warningCounts.length - 1 });
    }
    assert.deepEqual(warningCounts, [1, 2, 2]);
  });

  it('makes a folder that is not there only when something is put, and holds up nothing', async () => {
    disk.hang();
    const journal = start('create');
    assert.deepEqual([[...journal.entries('')], disk.calls], [[], 0]);
    await stuck(journal);
    await journal.put('b', 2);
    assert.deepEqual(readdirSync(path.dirname(folder)), []);
    disk.letGo();
    await written({ stuck: 0, b: 2 });
    await journal.close();
    assert.deepEqual(readdirSync(folder), ['journal.jsonl']);
  });

  it('keeps what another process has written into such a folder meanwhile', async () => {
    const journal = start('create');
    const other = start();
    await other.put('other', 1);
    await other.close();
    await journal.put('own', 2);
    assert.deepEqual(found(), { other: 1, own: 2 });
  });

  it('leaves such a folder to another process that holds it', async () => {
    const journal = start('create');
    const other = start();
    await other.put('other', 1);
    await journal.put('own', 2);
    await journal.put('own', 3);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', / process \d+ /);
    assert.deepEqual([journal.get('own'), found()], [3, { other: 1 }]);
  });

  itHolds<number>({
    file: __filename,
    // Each writes some thirty times, on a real disk.
    defaultCount: 500,
    share: 1 / 20,
    draw: (seed) => seedsOf(chance(seed), 30),
    async play(seed, turns, log) {
      const mayFail = chance(seed)() < 0.3;
      disk = new HangingDisk();
      warnings = [];
      const journal = start(seed % 2 ? 'open' : 'create');
      try {
        return await play(journal, turns, mayFail, log);
      } finally {
        disk.letGo();
        await journal.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  });

  /** Puts, deletes, hangs and late answers, beside a plain map. @returns what is wrong */
  async function play(
    journal: Journal,
    turns: readonly number[],
    mayFail: boolean,
    log: (line: string) => void,
  ): Promise<string | undefined> {
    let random = chance(0);
    const below = (limit: number) => Math.floor(random() * limit);
    const model = new Map<string, Json>();
    const change = (turn: number) => {
      const key = `k${below(5)}`;
      if (random() < 0.3) {
        log(`turn ${turn}: deletes ${key}`);
        model.delete(key);
        return journal.delete(key);
      }
      log(`turn ${turn}: puts ${key}`);
      model.set(key, turn);
      return journal.put(key, turn);
    };
    for (const [turn, seed] of turns.entries()) {
      random = chance(seed);
      if (random() < 0.2) {
        const how = {
          when: random() < 0.5 ? ('before' as const) : ('after' as const),
          fails: mayFail && random() < 0.5,
        };
        const inCalls = below(8);
        log(`turn ${turn}: hangs ${how.when} call ${inCalls}${how.fails ? ', which fails' : ''}`);
        disk.hang(how, inCalls);
      }
      let done: Promise<void> | undefined;
      if (random() < 0.2) done = journal.batch(() => [1, 2, 3].forEach(() => void change(turn)));
      else for (let left = 1 + below(3); left > 0; left -= 1) done = change(turn);
      let isDone = false;
      void done?.then(() => {
        isDone = true;
      });
      // It is written, or the disk hangs; then a second is enough.
      while (!isDone && !disk.hangs) await new Promise(setImmediate);
      const isSafe = isDone && warnings.length === 0 && !disk.hangs;
      if (isSafe && !same(found(), model)) return `${show(found(), model)} written through in turn ${turn}`;
      if (!isDone) {
        if (random() < 0.5) clock.advance(1_000);
        else disk.letGo();
        while (!isDone) {
          if (disk.hangs) clock.advance(1_000);
          await new Promise(setImmediate);
        }
      }
      if (disk.hangs && random() < 0.3) disk.letGo();
    }
    disk.letGo();
    // A disk that said no is tried again half a minute later.
    if (mayFail) {
      await journal.put('k0', 'settles');
      clock.advance(30_000);
      model.set('k0', 'last');
      await journal.put('k0', 'last');
    }
    await journal.close();
    // A folder that cannot even be made or locked is not tried again.
    if (warnings.some((sentence) => sentence.includes(`${folder} `))) return undefined;
    if (same(found(), model)) return undefined;
    return `${show(found(), model)} at the end; ${warnings.join(', ')}`;
  }

  const same = (file: object, model: Map<string, Json>) => isDeepStrictEqual(file, Object.fromEntries(model));
  const show = (file: object, model: Map<string, Json>) =>
    `expected ${JSON.stringify(Object.fromEntries(model))}, came ${JSON.stringify(file)}`;
});
