import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Journal } from '../../../src/kernel/journal/journal';
import { AutoStopScheduler } from '../../../src/runtime/auto-stop/scheduler';
import type { StopCommand } from '../../../src/runtime/message/stop-command';
import { VirtualClock } from '../../fixtures/virtual-clock';

const rows = ['north', 'east', 'south'];

/** What was begun by the name of one row is now behind the name of the next one. */
const successorOf = ({ device: { id, where = '' } }: StopCommand) => {
  const next = rows[(rows.indexOf(where) + 1) % rows.length] ?? '';
  return id === next ? undefined : { device: { id: next, name: next, where } };
};

describe('ends of rows that change their names in a circle', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'algo-swapped-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const clock = new VirtualClock();
  const timing = { now: () => clock.now, monotonic: clock.monotonic, random: () => 0, after: clock.after };
  const endsOf = (journal: Journal) =>
    new AutoStopScheduler({
      clock: timing,
      journal,
      successorOf,
      attempt: async () => {},
      warn: () => {},
      giveUp: () => {},
    });
  const open = () => Journal.open(folder, { warn: (sentence) => assert.fail(sentence) });

  it('are all there, each at its own device, wherever a crash tears what is written', async () => {
    const first = open();
    const before = endsOf(first);
    for (const where of rows) {
      const hold = before.hold(where, 'door local');
      await hold.arm({
        device: { id: where, name: where, where },
        node: { id: 'n', name: '', type: 'algo-door' },
        operation: 'door/lock',
        parameters: {},
        afterMs: 60_000,
      });
      await hold.release(true);
    }
    const file = path.join(folder, 'journal.jsonl');
    const start = readFileSync(file).length;
    before.run();
    before.close();
    await first.close();
    const bytes = readFileSync(file);
    assert.ok(bytes.length > start + 500, 'all three are written again');
    for (let cut = start; cut <= bytes.length; cut += 1) {
      writeFileSync(file, bytes.subarray(0, cut));
      const journal = open();
      const ends = endsOf(journal);
      ends.run();
      const pending = [...ends.pending()].map(({ device }) => `${device.where} by ${device.id}`);
      assert.deepEqual(
        pending.sort(),
        ['east by south', 'north by east', 'south by north'],
        `cut off after ${cut - start} of ${bytes.length - start} bytes`,
      );
      ends.close();
      await journal.close();
    }
  });
});
