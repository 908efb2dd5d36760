import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DurableMap } from '../../src/kernel/durable-map';
import { Journal } from '../../src/kernel/journal/journal';
import { number, open } from '../../src/kernel/shape';
import { chance } from '../fixtures/history';

describe('kernel: the durable map', () => {
  const opened: Journal[] = [];
  const warnings: string[] = [];
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'algo-map-'));
    warnings.length = 0;
  });
  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close();
    rmSync(folder, { recursive: true });
  });

  const openIn = (name: string) => {
    const journal = Journal.open(path.join(folder, name), { warn: (line) => warnings.push(line) });
    opened.push(journal);
    return { journal, map: new DurableMap(journal, 'seen/', open({ at: number() })) };
  };
  const linesIn = (name: string) => readFileSync(path.join(folder, name, 'journal.jsonl'), 'utf8');
  const write = (name: string, text: string) => {
    mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, name, 'journal.jsonl'), text);
  };

  it('has each change after a restart', async () => {
    const { journal, map } = openIn('a');
    await map.set('x', { at: 1 });
    await map.set('y', { at: 2 });
    await map.set('x', { at: 3 });
    await map.delete('y');
    assert.equal(map.delete('y'), undefined);
    assert.deepEqual([map.get('x'), map.has('y'), map.size], [{ at: 3 }, false, 1]);
    await journal.close();
    assert.deepEqual(openIn('a').map.entries, [['x', { at: 3 }]]);
  });

  it('keeps, but does not have, an entry of another form, and leaves other topics alone', async () => {
    write('a', '["seen/x",{"at":"noon"}]\n["seen/y",{"at":1,"new":true}]\n["other/z",{"at":1}]\n');
    const { journal, map } = openIn('a');
    assert.deepEqual(map.entries, [['y', { at: 1, new: true }]]);
    assert.equal(warnings.length, 1);
    assert.equal([...journal.entries('seen/')].length, 2);
  });

  it('has all changes up to a kill, wherever it comes', async () => {
    const random = chance(7);
    const { journal, map } = openIn('a');
    const states: unknown[] = [[]];
    for (let step = 0; step < 40; step += 1) {
      const key = `k${Math.floor(random() * 4)}`;
      const change = random() < 0.3 ? map.delete(key) : map.set(key, { at: step });
      if (!change) continue;
      await change;
      states.push([...map.entries].sort());
    }
    await map.batch(() => {
      void map.set('k0', { at: 100 });
      void map.set('k1', { at: 100 });
    });
    states.push([...map.entries].sort());
    await journal.close();
    const lines = linesIn('a').split('\n').slice(0, -1);
    assert.equal(lines.length, states.length - 1);
    for (const [count, state] of states.entries()) {
      const whole = lines.slice(0, count).map((line) => `${line}\n`);
      const torn = (lines[count] ?? '').slice(0, 5);
      write(`cut ${count}`, whole.join('') + torn);
      assert.deepEqual([...openIn(`cut ${count}`).map.entries].sort(), state, `after ${count} writes`);
    }
  });
});
