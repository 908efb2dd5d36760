import assert from 'node:assert/strict';
import { Centre, type CentreAction } from '../../src/sites/centre';
import type { JobMessage } from '../../src/sites/wire';

const job: JobMessage = {
  v: 2,
  id: 'j',
  site: 'north',
  at: 'now',
  command: { alert: 'Lockdown', action: 'start' },
  devices: ['A'],
};

describe('what only the site knows to be safe to do twice', () => {
  const connected = () => {
    const centre = new Centre({ now: () => 'now', isSigned: true });
    centre.connected(0);
    return centre;
  };
  const live = (centre: Centre, now: number) => {
    const state = { v: 2, instance: 'a', nodeId: 'a', rank: 0, seq: 1, ready: true };
    centre.message(now, { site: 'north', kind: 'state', id: 'a' }, JSON.stringify(state));
  };
  /** What a job on its way says of the instances. */
  const publishedJobs = (actions: readonly CentreAction[]) =>
    actions.flatMap((action) => {
      if (action.do !== 'publish' || !action.message) return [];
      const { eligible, maybeClaimedBy } = action.message as JobMessage;
      return [{ eligible, maybeClaimedBy }];
    });

  it('names who may claim it, since it may be unsafe', () => {
    const centre = connected();
    live(centre, 0);
    assert.deepEqual(publishedJobs(centre.ask(1_000, { job, ttlMs: 60_000 })), [
      { eligible: ['a'], maybeClaimedBy: undefined },
    ]);
    centre.disconnected();
    assert.deepEqual(publishedJobs(centre.connected(2_000)), [{ eligible: ['a'], maybeClaimedBy: ['a'] }]);
  });

  it('is unknown where an instance was not heard any more, since it may be safe', () => {
    const centre = connected();
    centre.ask(0, { job, ttlMs: 20_000 });
    live(centre, 1_000);
    centre.tick(20_000);
    centre.message(20_010, { site: 'north', kind: 'job', id: 'j' }, '');
    const outcomes = centre
      .tick(23_000)
      .flatMap((action) => (action.do === 'answer' ? action.result.receipts : []))
      .map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, ['unknown']);
  });
});
