import assert from 'node:assert/strict';
import type { SharedJournal } from '../../src/kernel/journal/journal';
import { journalOf } from '../../src/runtime/journal/shared-journal';
import { action, alertNode, eachWithPlace, type Place } from '../fixtures/alert-node';
import { runningNodeRed } from '../fixtures/flow';
import { act } from '../fixtures/site';

describe('an action that comes back when another alert is cleared', () => {
  let place: Place;
  const start = eachWithPlace((made) => {
    place = made;
  });

  it('is not sent before the journal has it', async () => {
    const { site, wall, door } = place;
    const toWall = { target: 'device', device: wall.id };
    const fire = alertNode([action('strobe/start', { pattern: 5 })], { ...toWall, priority: 9 });
    const storm = alertNode([action('strobe/start', { pattern: 2 })], { ...toWall, priority: 3 });
    await start(fire, storm, act('door/lock', { target: 'device', device: door.id }));
    await site.ask(fire.id);
    await site.ask(storm.id);
    const journal = journalOf(runningNodeRed()) as { batch: SharedJournal['batch'] };
    const batch = journal.batch.bind(journal);
    const writes: (() => void)[] = [];
    journal.batch = (change) => {
      void batch(change);
      return new Promise<void>((written) => writes.push(written));
    };
    try {
      const way = site.send(fire.id, { operation: 'clear' });
      await site.ask('door/lock');
      await site.ask('door/lock');
      assert.equal(wall.requests.length, 1);
      assert.ok(writes.length > 0);
      journal.batch = batch;
      for (const written of writes) written();
      await site.ended(way);
      const patterns = wall.requests.map(({ parameters }) => parameters.pattern);
      assert.deepEqual(patterns, [5, 2]);
      await site.ask(storm.id, { operation: 'clear' });
    } finally {
      journal.batch = batch;
      for (const written of writes) written();
    }
  });
});
