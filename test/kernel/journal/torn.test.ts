import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Journal } from '../../../src/kernel/journal/journal';
import type { Json } from '../../../src/kernel/journal/lines';
import { firstSeed, withRepeatCommand } from '../../fixtures/histories';
import { chance } from '../../fixtures/history';

describe('the journal, torn', () => {
  let folder: string;
  let file: string;
  const warnings: string[] = [];
  const opened: Journal[] = [];

  function start(): Journal {
    // A disk that others keep busy is waited for here.
    const after = () => () => {};
    const journal = Journal.open(folder, { warn: (sentence) => warnings.push(sentence), after });
    opened.push(journal);
    return journal;
  }

  const all = (journal: Journal) => Object.fromEntries(journal.entries(''));

  beforeEach(() => {
    folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'algo-journal-')), 'algo', 'journal');
    file = path.join(folder, 'journal.jsonl');
    warnings.length = 0;
  });

  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close();
    rmSync(path.dirname(path.dirname(folder)), { recursive: true, force: true });
  });

  for (const torn of ['[', '["b"', '["b",2', '["b",2]', '\0\0\0']) {
    it(`passes over a last line that is torn, and writes nothing behind it: ${JSON.stringify(torn)}`, async () => {
      const first = start();
      await first.put('a', 1);
      await first.close();
      appendFileSync(file, torn);
      const second = start();
      assert.deepEqual(all(second), { a: 1 });
      await second.put('c', 3);
      await second.close();
      assert.deepEqual(all(start()), { a: 1, c: 3 });
      assert.deepEqual(warnings, []);
    });
  }

  it(`cut off anywhere, holds what was written through and nothing else (ALGO_SEED=${firstSeed})`, () =>
    withRepeatCommand(__filename, '', async () => {
      const random = chance(firstSeed);
      const journal = start();
      await journal.put('k0', 0);
      const states = [all(journal)];
      for (let turn = 0; turn < 400; turn += 1) {
        const change = () => {
          const key = `k${Math.floor(random() * 5)}`;
          const value: Json = { turn, text: '"]\n'.repeat(random() * 4) };
          return random() < 0.3 ? journal.delete(key) : journal.put(key, value);
        };
        const several = () => {
          for (let count = 0; count < 4; count += 1) void change();
        };
        const written = random() < 0.3 ? journal.batch(several) : change();
        states.push(all(journal));
        if (random() < 0.5) await written;
      }
      await journal.close();
      const bytes = readFileSync(file);
      let last = 0;
      for (let end = 9; end <= bytes.length; end += 1 + Math.floor(random() * 40)) {
        writeFileSync(file, bytes.subarray(0, end));
        const again = start();
        const state = JSON.stringify(all(again));
        const found = states.findIndex((one, index) => index >= last && JSON.stringify(one) === state);
        assert.ok(found >= 0, `${end} bytes: ${state}`);
        last = found;
        await again.close();
      }
      assert.deepEqual(warnings, []);
    }));
});
