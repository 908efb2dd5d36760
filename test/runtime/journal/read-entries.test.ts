import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { NodeAPI } from 'node-red';
import { Journal } from '../../../src/kernel/journal/journal';
import { backgroundClock } from '../../../src/kernel/time/clock';
import { Engine } from '../../../src/runtime/alert/engine';
import { AutoStopScheduler } from '../../../src/runtime/auto-stop/scheduler';
import { journalOf } from '../../../src/runtime/journal/shared-journal';
import { toneStopByName } from '../../../src/runtime/message/tone-stop';
import { JobStore, PendingJobs } from '../../../src/runtime/sites/persisted';
import { Centre } from '../../../src/sites/centre';

const until = Date.now() + 3_600_000;
const job = {
  v: 2,
  id: 'good',
  site: 'north',
  at: 'now',
  command: { operation: 'strobe/stop', parameters: {} },
  devices: ['A'],
};
const kept = {
  device: { id: 'd', name: 'A' },
  node: { id: 'n', name: '', type: 'algo-door' },
  operation: 'door/lock',
  deviceOutput: 'door local',
  parameters: {},
  afterMs: 1_000,
};

/** Values that no version of this package has written. */
const oddities = [null, 7, 'text', [], {}, { until }, { until, result: 7 }, { job: null, until }];

/** Every reader of the journal: the keys that it reads, a good entry, and what it says of what is there. */
const readers: readonly {
  readonly prefix: string;
  readonly good?: readonly [key: string, value: unknown];
  read(journal: Journal): unknown;
  readonly found: unknown;
}[] = [
  {
    prefix: 'site/algo/v2/north/',
    good: ['good', { until, result: null }],
    read: (journal) => new JobStore(journal, 'algo/v2/north').results,
    found: [['good', null]],
  },
  {
    prefix: 'asked/remote/',
    good: ['good', { until, job }],
    read: (journal) => {
      const centre = new Centre({ now: () => 'now' });
      new PendingJobs(journal, 'remote').recallTo(centre);
      centre.connected(0);
      return centre.tick(performance.now() + 7_200_000).filter((action) => action.do === 'answer').length;
    },
    found: 1,
  },
  {
    prefix: 'end/',
    good: ['d/door local', { record: kept, due: until, afterMs: 1_000 }],
    read: (journal) =>
      [
        ...new AutoStopScheduler({
          ...{ clock: backgroundClock, journal },
          attempt: async () => {},
          warn: () => {},
          giveUp: () => {},
        }).pending(),
      ].length,
    found: 1,
  },
  ...['is', 'at', 'receipt', 'report'].map((kind) => ({
    prefix: `alert/${kind}/`,
    read: (journal: Journal) => {
      const engine = new Engine(backgroundClock, journal);
      return [engine.alerts.size, [...engine.wanted()].length];
    },
    found: [0, 0],
  })),
];

describe('an entry of the journal that is not understood', () => {
  let folder: string;
  const warnings: string[] = [];
  const opened: Journal[] = [];

  const journalWith = (entries: readonly (readonly [key: string, value: unknown])[]): Journal => {
    mkdirSync(folder, { recursive: true });
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
    writeFileSync(path.join(folder, 'journal.jsonl'), lines.join(''));
    const journal = Journal.open(folder, { warn: (sentence) => warnings.push(sentence) });
    opened.push(journal);
    return journal;
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'algo-odd-'));
    warnings.length = 0;
  });
  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const { prefix, good, read, found } of readers) {
    it(`stays as it is, is named once, and everything else is read (${prefix})`, async () => {
      const odd = oddities.map((value, index) => [`${prefix}${index}`, value] as const);
      const whole = good ? [[`${prefix}${good[0]}`, good[1]] as const] : [];
      const journal = journalWith([...odd, ...whole, ['other/x', null]]);
      assert.deepEqual(read(journal), found);
      assert.equal(warnings.length, 1, warnings.join());
      assert.match(warnings[0] ?? '', /which are kept but not used: .*and 3 more$/);
      assert.ok(warnings[0]?.includes(`${prefix}0`));
      await journal.put('other/y', 1);
      const text = readFileSync(path.join(folder, 'journal.jsonl'), 'utf8');
      for (const entry of odd) assert.ok(text.includes(JSON.stringify(entry)), JSON.stringify(entry));
    });
  }

  it('is named, too, where no version of this package has such entries', async () => {
    mkdirSync(path.join(folder, 'algo'));
    const keys = ['future/thing', 'odd', ...readers.map(({ prefix }) => `${prefix}x`)];
    const lines = keys.map((key) => `${JSON.stringify([key, 1])}\n`);
    writeFileSync(path.join(folder, 'algo', 'journal.jsonl'), lines.join(''));
    const warn = (line: string) => void warnings.push(line);
    const journal = journalOf({ settings: { userDir: folder }, log: { warn } } as unknown as NodeAPI);
    opened.push(journal as Journal);
    const words = 'The journal contains unknown entries, which are kept but not used';
    assert.deepEqual(warnings, [`[algo] ${words}: "future/thing", "odd"`]);
  });

  it('is no name of a tone', () => {
    const journal = journalWith([
      ['tone/where', null],
      ['tone/there', 'gong.wav'],
    ]);
    const { adapt } = toneStopByName(journal);
    const stop = (where: string) =>
      adapt?.(
        { device: { id: 'd', where }, sharedParameters: {}, operation: { id: 'stop' } } as never,
        { firmware: '5.4' } as never,
      );
    assert.deepEqual(
      [stop('where'), stop('there')],
      [{ parameters: {} }, { parameters: { path: 'gong.wav' } }],
    );
  });
});
