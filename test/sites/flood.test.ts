import assert from 'node:assert/strict';
import { InstanceRegistry } from '../../src/sites/instance-registry';
import { JobState } from '../../src/sites/job-state';
import { Jobs, maxUnknownLength } from '../../src/sites/jobs';
import { Outbox } from '../../src/sites/outbox';
import { StartedAlerts } from '../../src/sites/started-alerts';
import type { JobMessage, ResultMessage, StateMessage } from '../../src/sites/wire';

const self = { instance: 'self', nodeId: 'here', rank: 0 };
const options = {
  ...self,
  site: 'north',
  startedAt: 0,
  isIdempotent: () => false,
  now: () => '2026-11-22T00:00:00.000Z',
};
const at = '2026-11-22T00:00:00.000Z';

describe('a flood over the broker', () => {
  it('leaves of jobs that never came no more than so many remembered, the last ones, and every job', () => {
    const jobs = new Jobs(new Outbox(options));
    const real = jobs.at('real', 0);
    real.job = { id: 'real' } as JobMessage;
    let maxCount = 0;
    for (let number = 0; number < 200_000; number += 1) {
      jobs.at(`stranger ${number}`, 0);
      maxCount = Math.max(maxCount, jobs.count);
    }
    assert.equal(jobs.find('real'), real);
    assert.ok(jobs.find('stranger 199999'));
    assert.ok(maxCount > 10_000 && maxCount <= 20_001, `${maxCount} were remembered`);
  });

  it('of results of jobs that never came leaves no receipts, and of clears only the last ones', () => {
    const jobs = new Jobs(new Outbox(options));
    const receipt = {
      device: 'd',
      address: '',
      operation: 'door/lock',
      outcome: 'accepted',
      attempts: 1,
      latencyMs: 1,
      at,
      note: 'x'.repeat(200_000),
    };
    const result: ResultMessage = { v: 2, instance: 'other', at, receipts: [receipt] };
    const known = jobs.at('known', 0);
    jobs.setJob(known, { id: 'known', command: { alert: 'fire', action: 'clear' } } as JobMessage);
    jobs.setResult(known, { ...result, doneBy: ['other'] });
    for (let number = 0; number < 100; number += 1) {
      jobs.setResult(jobs.at(`command ${number}`, 0), result);
      // A broker delivers a stored result again at each connection.
      for (let again = 0; again < 3; again += 1)
        jobs.setResult(jobs.at(`clear ${number}`, 0), { ...result, doneBy: ['other'] });
    }
    const kept = [...jobs.all].filter((entry) => entry.result?.receipts.length === 1).map(({ id }) => id);
    const last = Math.floor(maxUnknownLength / JSON.stringify({ ...result, doneBy: ['other'] }).length);
    assert.deepEqual(kept, [
      'known',
      ...Array.from({ length: last }, (_, index) => `clear ${100 - last + index}`),
    ]);
    assert.equal(jobs.find('command 0')?.result?.instance, 'other');
  });

  it('of starts of other alerts is not looked through by an all-clear', () => {
    const jobs = new Jobs(new Outbox(options));
    let looks = 0;
    for (let number = 0; number < 1_000; number += 1) {
      const entry = jobs.at(`start ${number}`, 0);
      const command = { alert: `alert ${number % 100}`, action: 'start' };
      jobs.setJob(entry, { id: entry.id, command } as JobMessage);
      entry.askedAt = number;
      Object.defineProperty(entry, 'result', {
        get: () => {
          looks += 1;
        },
      });
    }
    const found = jobs.laterStarts('alert 7', { at: 500 }, 0).map(({ id }) => id);
    assert.deepEqual(found, ['start 507', 'start 607', 'start 707', 'start 807', 'start 907']);
    assert.equal(looks, 10);
  });

  it('is of no more claims of one job, and no more to be heard before it, than there may be instances', () => {
    const entry = new JobState('job', 0);
    for (let number = 0; number < 20_000; number += 1) {
      entry.recordClaim(`claimant ${number}`);
      entry.awaitInstances([`instance ${number}`]);
    }
    assert.deepEqual([entry.claims.length, entry.claims[0]], [100, 'claimant 0']);
    assert.deepEqual([entry.awaitedInstances.length, entry.awaitedInstances[0]], [101, 'instance 0']);
  });

  it('is of no more sites than a centre remembers; those it knew before are heard as before', () => {
    const heard = new InstanceRegistry();
    const life = (instance: string): StateMessage => ({
      v: 2,
      instance,
      nodeId: 'p',
      rank: 0,
      seq: 1,
      ready: true,
    });
    heard.recordHeartbeat('north', life('a'), 0);
    for (let number = 0; number < 20_000; number += 1) heard.recordHeartbeat(`site ${number}`, life('x'), 0);
    assert.equal(heard.sites.length, 10_000);
    assert.equal(heard.recordHeartbeat('north', life('b'), 1), true);
    assert.deepEqual(heard.living('north', 1), ['a', 'b']);
  });

  it('makes a centre forget what alerts have started longest ago, and not what is started last', () => {
    const started = new StartedAlerts();
    const receipt = { address: '', operation: 'strobe/start', attempts: 1, latencyMs: 0, at };
    const receipts = [{ ...receipt, device: 'A', outcome: 'accepted' }];
    const actions = (alert: string): ResultMessage =>
      ({ v: 2, instance: 'a', at, receipts, started: { alert, at, nodeId: 'here' } }) as ResultMessage;
    started.record('north', actions('first'));
    started.record('south', actions('first'));
    for (let number = 0; number < 10_000; number += 1) started.record('north', actions(`alert ${number}`));
    const rest = (alert: string, site = 'north') =>
      started.hasRest({ site } as JobMessage, {
        v: 2,
        instance: 'b',
        at,
        receipts: [],
        cleared: { alert, at, nodeIds: [] },
      });
    assert.deepEqual([rest('first'), rest('alert 9899'), rest('alert 9900')], [false, false, true]);
    assert.equal(rest('first', 'south'), true, 'what another site has started is not forgotten for it');
    // Names of devices count, too: of some large ones a centre remembers few.
    const large = (alert: string) => {
      const names = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(2_000, 'x'));
      return {
        ...actions(alert),
        receipts: names.map((device) => ({ ...receipts[0], device })),
      } as ResultMessage;
    };
    for (let number = 0; number < 600; number += 1) started.record('north', large(`large ${number}`));
    assert.deepEqual([rest('large 0'), rest('large 597'), rest('large 599')], [false, false, true]);
  });
});
