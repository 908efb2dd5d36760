import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Journal } from '../../../src/kernel/journal/journal';

const program = path.join(__dirname, 'lock-holder.js');

describe('the journal, one process at a time', () => {
  let folder: string;
  let warnings: string[];
  const children: ChildProcess[] = [];

  function start(): Journal {
    warnings = [];
    return Journal.open(folder, { warn: (sentence) => warnings.push(sentence) });
  }

  /** Starts a process that holds the journal, and waits until it says so. */
  async function holder(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    assert.equal(line, 'held ');
    return child;
  }

  async function kill(child: ChildProcess): Promise<void> {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'algo-journal-'));
  });

  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.exitCode ?? child.signalCode ?? kill(child)));
    rmSync(folder, { recursive: true, force: true });
  });

  it('leaves it to another process that lives, says so once, and knows what it has written', async () => {
    const child = await holder();
    const journal = start();
    assert.equal(journal.isWritable, false);
    await journal.put('a', 1);
    assert.deepEqual(Object.fromEntries(journal.entries('')), { holder: child.pid, a: 1 });
    await journal.delete('holder');
    assert.equal(journal.get('holder'), undefined);
    await journal.close();
    assert.equal(warnings.length, 1);
    assert.ok(warnings[0]?.includes(` cannot be used: the process ${child.pid} uses it; `), warnings[0]);
    assert.equal(readFileSync(path.join(folder, 'journal.jsonl'), 'utf8'), `["holder",${child.pid}]\n`);
  });

  it('takes it after a process that was killed', async () => {
    const child = await holder();
    await kill(child);
    const journal = start();
    assert.deepEqual([warnings, journal.get('holder')], [[], child.pid]);
    await journal.close();
  });

  it('leaves it to the first of two in one process', async () => {
    const first = start();
    const second = start();
    assert.equal(warnings.length, 1);
    await second.put('a', 1);
    await second.close();
    await first.put('b', 2);
    await first.close();
    const third = start();
    assert.deepEqual([...third.entries('')], [['b', 2]]);
    await third.close();
  });

  const own = () => JSON.parse(readFileSync(path.join(folder, 'lock'), 'utf8'));
  const dead: [string, (holder: Record<string, unknown>) => string][] = [
    ['with the number that this process has now', (holder) => JSON.stringify({ ...holder, began: '17' })],
    ['of an earlier start of the system', (holder) => JSON.stringify({ ...holder, boot: 'another' })],
    ['with the number of a process that lives always', (holder) => JSON.stringify({ ...holder, pid: 1 })],
    ['that died before it had written its name', () => ''],
    ['whose name is garbage', () => '{"pid":"1"}'],
  ];
  for (const [who, lockOf] of dead) {
    it(`takes it after a process ${who}`, async () => {
      const first = start();
      const holder = own();
      assert.equal(typeof holder.began, 'string');
      await first.put('a', 1);
      await first.close();
      writeFileSync(path.join(folder, 'lock'), lockOf(holder));
      const second = start();
      assert.deepEqual([warnings, second.get('a')], [[], 1]);
      assert.deepEqual(own(), holder);
      await second.close();
    });
  }

  /** Runs the program where no file may grow beyond 10 KiB. Returns what it counted, and its last line. */
  function fill(mode: string): { readonly last: number; readonly word: string } {
    const limited = ['-c', 'ulimit -f 20 && exec "$0" "$@"', process.execPath, program, folder, mode];
    const lines = execFileSync('sh', limited, { encoding: 'utf8' }).trimEnd().split('\n');
    const word = lines.pop() ?? '';
    return { last: Number(lines.pop()), word };
  }

  it('says once that a file can grow no more, goes on in memory, and leaves nothing that is misread', async () => {
    const { last, word } = fill('full');
    assert.match(word, /^full 1 1 .*journal\.jsonl cannot be written: .*EFBIG/);
    const journal = start();
    assert.deepEqual([warnings, (journal.get('count') as { count: number }).count], [[], last]);
    await journal.close();
  });

  it('writes again what takes less room, after a while', async () => {
    const { word } = fill('shrinking');
    assert.match(word, /^full 1 1 /);
    const journal = start();
    assert.deepEqual([warnings, Object.fromEntries(journal.entries(''))], [[], { count: 'gone', later: 1 }]);
    await journal.close();
  });
});
