import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Journal } from '../../../src/kernel/journal/journal';

describe('the journal', () => {
  let folder: string;
  let file: string;
  const warnings: string[] = [];
  const opened: Journal[] = [];

  function start(directory = folder, monotonic = () => 0): Journal {
    const journal = Journal.open(directory, { warn: (sentence) => warnings.push(sentence), monotonic });
    opened.push(journal);
    return journal;
  }

  const all = (journal: Journal, prefix = '') => Object.fromEntries(journal.entries(prefix));
  const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1);

  beforeEach(() => {
    folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'algo-journal-')), 'algo', 'journal');
    file = path.join(folder, 'journal.jsonl');
    warnings.length = 0;
  });

  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close();
    rmSync(path.dirname(path.dirname(folder)), { recursive: true, force: true });
  });

  it('keeps what was put, without what was deleted, for the next start', async () => {
    const first = start();
    await Promise.all([
      first.put('end/a', { at: 1 }),
      first.put('end/b', [null, 'ü\n']),
      first.put('alert/c', 'c'),
    ]);
    await first.delete('end/a');
    await first.put('alert/c', 'd');
    assert.deepEqual(all(first), { 'end/b': [null, 'ü\n'], 'alert/c': 'd' });
    await first.close();
    const second = start();
    assert.deepEqual(all(second), { 'end/b': [null, 'ü\n'], 'alert/c': 'd' });
    assert.deepEqual(all(second, 'end/'), { 'end/b': [null, 'ü\n'] });
    assert.equal(second.get('alert/c'), 'd');
    assert.equal(second.get('end/a'), undefined);
    assert.deepEqual(warnings, []);
  });

  it('says that something is written when it is in the file', async () => {
    const journal = start();
    await journal.put('a', 1);
    assert.deepEqual(lines(), ['["a",1]']);
    const put = journal.put('b', 2);
    const deleted = journal.delete('a');
    assert.equal(lines().length, 1);
    await put;
    await deleted;
    assert.deepEqual(lines(), ['["a",1]', '["b",2]', '["a"]']);
    assert.equal(journal.get('a'), undefined);
  });

  it('waits for what is deleted already, too', async () => {
    const journal = start();
    await journal.put('a', 1);
    void journal.delete('a');
    await journal.delete('a');
    assert.deepEqual(lines(), ['["a",1]', '["a"]']);
  });

  it('writes once for all that is put in one turn', async () => {
    const journal = start();
    await journal.put('first', 0);
    const puts: Promise<void>[] = [];
    for (let index = 0; index < 500; index += 1) {
      puts.push(journal.put(`a${index}`, index));
      await null;
    }
    assert.equal(new Set(puts).size, 1);
    await puts[0];
    assert.equal(lines().length, 501);
  });

  it('keeps a value as it was put', async () => {
    const journal = start();
    const value = { list: [1] };
    const put = journal.put('a', value);
    value.list.push(2);
    await put;
    await journal.close();
    assert.deepEqual(all(start()), { a: { list: [1] } });
  });

  it('shows its file to nobody else', async () => {
    const journal = start();
    await journal.put('a', 1);
    for (const name of readdirSync(folder))
      assert.equal(statSync(path.join(folder, name)).mode & 0o777, 0o600, name);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
  });

  it('passes over what it cannot read in the middle, and says so once', async () => {
    const first = start();
    await first.put('a', 1);
    await first.close();
    appendFileSync(file, '\0\0\0\nno json\n{"b":2}\n[1,2]\n["b",2,3]\n[]\n\n["__proto__",4]\n');
    const second = start();
    assert.deepEqual(
      [...second.entries('')],
      [
        ['a', 1],
        ['__proto__', 4],
      ],
    );
    assert.deepEqual(warnings, [`7 lines of ${file} cannot be read and are left out`]);
    await second.put('c', 3);
    await second.close();
    assert.deepEqual(
      [...start().entries('')],
      [
        ['a', 1],
        ['__proto__', 4],
        ['c', 3],
      ],
    );
    assert.equal(warnings.length, 1);
  });

  it('drops what no longer counts', async () => {
    const journal = start();
    await journal.put('kept', 'early');
    for (let turn = 0; turn < 40; turn += 1) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => journal.put('often', turn * 100 + index)));
    }
    assert.ok(lines().length < 1_200, `${lines().length} lines`);
    await journal.delete('often');
    await journal.close();
    assert.deepEqual(all(start()), { kept: 'early' });
    assert.deepEqual(readdirSync(folder).sort(), ['journal.jsonl', 'lock']);
  });

  it('carries ten thousand keys', async () => {
    const journal = start();
    await Promise.all(Array.from({ length: 10_000 }, (_, index) => journal.put(`end/${index}`, { index })));
    await Promise.all(Array.from({ length: 9_999 }, (_, index) => journal.delete(`end/${index}`)));
    await journal.put('last', 1);
    await journal.close();
    assert.deepEqual(all(start()), { 'end/9999': { index: 9_999 }, last: 1 });
  });

  it('goes on in memory where the folder cannot be used, and says so once', async () => {
    writeFileSync(path.join(folder, '../../plain'), '');
    const journal = start(path.join(folder, '../../plain/journal'));
    await journal.put('a', 1);
    await journal.put('b', 2);
    await journal.delete('a');
    assert.deepEqual(all(journal), { b: 2 });
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /plain.* cannot be used: .*; .* is kept in memory only$/);
  });

  it('knows what was kept also where it cannot be locked, says so once, and changes nothing there', async () => {
    const first = start();
    await first.put('alert/a', 'on');
    await first.close();
    // A folder in the place of the lock. Taking rights away would not stop a root.
    mkdirSync(path.join(folder, 'lock'));
    appendFileSync(file, '["alert/b",');
    const before = readFileSync(file, 'utf8');
    const second = start();
    assert.deepEqual([all(second), second.isWritable], [{ 'alert/a': 'on' }, false]);
    await second.put('alert/b', 'on');
    await second.delete('alert/a');
    assert.deepEqual(all(second), { 'alert/b': 'on' });
    await second.close();
    assert.deepEqual(
      [readFileSync(file, 'utf8'), readdirSync(folder).sort()],
      [before, ['journal.jsonl', 'lock']],
    );
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', / cannot be used: .*; .* is kept in memory only$/);
  });

  it('can be written again after a write that failed', async () => {
    let now = 0;
    const journal = start(folder, () => now);
    await journal.put('a', 1);
    assert.equal(journal.isWritable, true);
    for (let turn = 0; turn < 1_100; turn += 1) void journal.put('a', turn);
    rmSync(folder, { recursive: true });
    await journal.put('b', 2);
    await journal.put('c', 3);
    assert.equal(journal.isWritable, false);
    mkdirSync(folder);
    now += 30_000;
    await journal.put('d', 4);
    assert.equal(journal.isWritable, true);
  });

  it('goes on in memory when its folder vanishes, says so once, and writes again when it is back', async () => {
    let now = 0;
    const journal = start(folder, () => now);
    await journal.put('a', 1);
    for (let turn = 0; turn < 1_100; turn += 1) void journal.put('a', turn);
    rmSync(folder, { recursive: true });
    await journal.put('b', 2);
    await journal.put('c', 3);
    now += 30_000;
    await journal.put('d', 4);
    await journal.put('e', 5);
    assert.deepEqual(all(journal), { a: 1_099, b: 2, c: 3, d: 4, e: 5 });
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /journal\.jsonl cannot be written: .*ENOENT/);
    mkdirSync(folder);
    await journal.put('f', 6);
    assert.deepEqual(readdirSync(folder), []);
    now += 30_000;
    await journal.put('g', 7);
    assert.deepEqual(lines().length, 7);
    assert.equal(warnings.length, 1);
  });

  it('is not stopped by a log that throws', async () => {
    const journal = Journal.open('/dev/null/journal', {
      warn: () => {
        throw new Error('full');
      },
    });
    await journal.put('a', 1);
    assert.equal(journal.get('a'), 1);
    await journal.close();
  });

  it('is closed once, writes what waits, and keeps what comes later in memory', async () => {
    const journal = start();
    void journal.put('a', 1);
    await Promise.all([journal.close(), journal.close()]);
    await journal.put('b', 2);
    assert.deepEqual(lines(), ['["a",1]']);
    assert.deepEqual(all(journal), { a: 1, b: 2 });
    assert.deepEqual(readdirSync(folder), ['journal.jsonl']);
  });
});
