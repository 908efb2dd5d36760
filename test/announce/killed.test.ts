import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';
import { Waiting } from '../fixtures/waiting';
import { Speaker } from './speaker';

const told = /TOLD (\{.*\}) END/g;

interface Told {
  readonly id?: string;
  readonly event?: string;
  readonly device?: string;
  readonly reason?: string | null;
  readonly code?: string | null;
  readonly operation?: string;
  readonly outcome?: string;
  readonly by?: string;
  readonly error?: { readonly code: string };
}

describe('announcements that play or wait when Node-RED is killed', () => {
  let horn: Speaker;
  let wall: Speaker;
  let red: RedProcess;
  /** The output of the processes that were killed. */
  let outputBefore: string;
  const waiting = new Waiting(() => [horn, wall].map(({ heard }) => heard.join(', ')).join('; '));

  const onTab = { z: 'tab', x: 100, y: 100 };
  /** Writes what it gets into the log. */
  const log = { ...onTab, id: 'log', type: 'function', outputs: 0, wires: [] };
  const func = "node.warn('TOLD ' + JSON.stringify(msg.payload) + ' END');";
  const message = (id: string, name: string, value: string) => ({
    ...{ id, type: 'change', operation: '', wires: [['announce']] },
    rules: [
      { t: 'set', p: name, pt: 'msg', to: value, tot: 'str' },
      { t: 'set', p: 'by', pt: 'msg', to: 'Ada', tot: 'str' },
    ],
  });

  beforeEach(async () => {
    outputBefore = '';
    horn = await new Speaker('Horn').open();
    wall = await new Speaker('Wall', '8410').open();
    for (const speaker of [horn, wall]) speaker.onHeard = waiting.look;
    red = await RedProcess.prepare([
      ...[horn, wall].map((speaker) => speaker.config()),
      { id: 'all', type: 'algo-group', name: 'All', devices: ['horn', 'wall'] },
      message('play', 'payload', 'long.wav'),
      message('stop', 'operation', 'stop'),
      { ...log, func },
      {
        ...{ ...onTab, id: 'announce', type: 'algo-announce', target: 'group', group: 'all' },
        wires: [['receipts'], ['log']],
      },
      { ...onTab, id: 'each', type: 'algo-receipts', wires: [['log']] },
    ] as NodeConfig[]);
    await red.start();
  });
  afterEach(async () => {
    for (const speaker of [horn, wall]) speaker.releaseAll();
    await red.clear();
    await Promise.all([horn, wall].map((speaker) => speaker.close()));
  });

  const output = () => outputBefore + red.output;
  const tellings = () => [...output().matchAll(told)].map(([, json = '']): Told => JSON.parse(json));
  /** Returns each telling in a few words, without the ids. */
  const words = () =>
    tellings().map(({ event, device, reason, code, outcome, error, by }) =>
      [event ?? 'receipt', device, outcome, event ? (code ?? reason) : error?.code, by]
        .filter(Boolean)
        .join(' '),
    );
  async function kill(): Promise<void> {
    red.signal('SIGKILL');
    await red.ended;
    outputBefore += red.output;
    await red.stop('SIGKILL');
  }
  /** Looks each time this process has told something. */
  async function untilTold(isEnough: () => boolean): Promise<void> {
    for (let count = 1; !isEnough(); count += 1)
      await red.waitForOutput(new RegExp(`(?:TOLD[^]*?END[^]*?){${count}}`));
  }
  const until = (what: string, count: number) =>
    untilTold(() => words().filter((line) => line === what).length >= count);
  /** How many targets of announcements the journal has. */
  async function keptTargets(): Promise<number> {
    const lines = await readFile(path.join(red.userDir, 'algo', 'journal.jsonl'), 'utf8');
    return new Set([...lines.matchAll(/announce\/open\/[^"/]+\/\d+/g)].map(([key]) => key)).size;
  }
  /** One plays at both devices, and another one waits. */
  async function playAndWait(): Promise<void> {
    assert.deepEqual(await red.sendAndReadOutcomes('play'), ['Horn accepted', 'Wall accepted']);
    void red.ask('play').catch(() => {});
    await until('queued Wall', 1);
    // The event comes before the waiting announcement is on disk.
    while ((await keptTargets()) < 4) await new Promise((resolve) => setTimeout(resolve, 20));
    outputBefore = '';
  }
  const ofKilled = () => words().filter((line) => !/^(?:queued|started|receipt .* accepted)/.test(line));
  const all = [
    ...['stopped Horn ABORTED', 'stopped Wall ABORTED', 'done'],
    ...['receipt Horn failed ABORTED Ada', 'failed Horn ABORTED'],
    ...['receipt Wall failed ABORTED Ada', 'failed Wall ABORTED', 'done'],
  ];

  it('are told after the restart: what played was stopped, what waited has failed', async () => {
    await playAndWait();
    await kill();
    await red.start();
    await until('done', 2);
    assert.deepEqual(ofKilled(), all);
    const ends = tellings().filter(({ event }) => event && !['queued', 'started'].includes(event));
    assert.equal(new Set(ends.map(({ id }) => id)).size, 2);
    // Nothing is left to be told.
    await kill();
    await red.start();
    assert.deepEqual(await red.sendAndReadOutcomes('stop'), ['Horn accepted', 'Wall accepted']);
    assert.deepEqual(ofKilled(), all);
  });

  it('are not told twice if Node-RED is killed while it tells them', async () => {
    await playAndWait();
    await kill();
    await red.start('kill-when-told');
    await red.ended;
    outputBefore += red.output;
    await red.stop('SIGKILL');
    assert.ok(ofKilled().length > 0);
    await red.start();
    await untilTold(() => ofKilled().includes('failed Wall ABORTED') && ofKilled().at(-1) === 'done');
    // What was forgotten shortly before the kill, to be told next, is not told at all.
    const left = [...all];
    for (const line of ofKilled())
      left.splice(0, left.indexOf(line) + 1 || assert.fail(`${line} is told twice`));
    assert.deepEqual(left, []);
  });

  it('are not told again after an end that Node-RED was told of, also on a slow disk', async () => {
    await kill();
    await red.start('slow-disk');
    await playAndWait();
    await red.stop('SIGTERM');
    await red.start();
    assert.deepEqual(await red.sendAndReadOutcomes('stop'), ['Horn accepted', 'Wall accepted']);
    assert.deepEqual(ofKilled(), []);
  });

  it('count as played if the first sound was on its way', async () => {
    horn.temper = (what) => (what.startsWith('play') ? 'hold' : 200);
    void red.ask('play').catch(() => {});
    await waiting.until('the sound is on its way', () => horn.heard.some((what) => what.startsWith('play')));
    await kill();
    await red.start();
    await until('done', 1);
    assert.ok(ofKilled().includes('stopped Horn ABORTED'));
    assert.equal(
      ofKilled().some((line) => line.startsWith('receipt Horn')),
      false,
    );
  });

  it('are told when the journal can be written again, and not before', async () => {
    await playAndWait();
    await kill();
    const lock = path.join(red.userDir, 'algo', 'lock');
    const own = JSON.parse(await readFile(lock, 'utf8'));
    const stat = await readFile('/proc/self/stat', 'utf8');
    const began = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    await writeFile(lock, JSON.stringify({ ...own, pid: process.pid, began }));
    await red.start();
    assert.deepEqual(await red.sendAndReadOutcomes('stop'), ['Horn accepted', 'Wall accepted']);
    await kill();
    assert.deepEqual(
      ofKilled().filter((line) => line.includes('ABORTED')),
      [],
    );
    await writeFile(lock, JSON.stringify(own));
    outputBefore = '';
    await red.start();
    await until('done', 2);
    assert.deepEqual(ofKilled(), all);
  });
});
