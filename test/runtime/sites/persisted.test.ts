import assert from 'node:assert/strict';
import { CentreOrder, JobStore, PendingJobs, wireIdOf } from '../../../src/runtime/sites/persisted';
import { Centre } from '../../../src/sites/centre';
import type { JobMessage } from '../../../src/sites/wire';
import { MemoryJournal } from '../../kernel/memory-journal';

const jobAt = (site: string): JobMessage => ({
  ...{ v: 2, id: 'one', site, at: 'now', devices: ['A'] },
  command: { operation: 'strobe/start', parameters: { color: 'red' } },
});

describe('sites over a restart', () => {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  it('give a result once for each job that was not answered, and keep no parameters', async () => {
    const journal = new MemoryJournal();
    const before = new PendingJobs(journal, 'remote');
    await before.put(['north', 'south'].map(jobAt), 1_000, false);
    before.delete(jobAt('north'));
    assert.doesNotMatch(JSON.stringify([...journal.entries('')]), /color/);
    const centre = new Centre({ now: () => 'now' });
    new PendingJobs(journal, 'remote').recallTo(centre);
    const answers = centre.tick(performance.now() + 60_000).filter((action) => action.do === 'answer');
    assert.deepEqual(
      answers.map(({ site }) => site),
      ['south'],
    );
  });

  it('forget jobs whose time was over for hours', async () => {
    const journal = new MemoryJournal();
    await new PendingJobs(journal, 'remote').put([jobAt('north')], 0, false);
    await new JobStore(journal, 'algo/v2/north').put('one', 0, null);
    Date.now = () => now() + 3 * 3_600_000;
    new PendingJobs(journal, 'remote').recallTo(new Centre({ now: () => 'now' }));
    assert.deepEqual(new JobStore(journal, 'algo/v2/north').results, []);
    assert.deepEqual([...journal.entries('')], []);
  });

  it('are the same centre and node, whose numbers rise although the clock was set back', () => {
    const journal = new MemoryJournal();
    const id = wireIdOf(journal, 'node');
    const first = new CentreOrder(journal).next();
    Date.now = () => 1;
    const next = new CentreOrder(journal).next();
    assert.equal(next.centre, first.centre);
    // The journal might lack the last numbers.
    assert.ok(next.seq > first.seq + 1_000);
    assert.equal(wireIdOf(journal, 'node'), id);
  });
});
