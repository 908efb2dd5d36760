import assert from 'node:assert/strict';
import { Centre } from '../../src/sites/centre';
import type { JobMessage } from '../../src/sites/wire';

const job: JobMessage = {
  v: 2,
  id: 'j',
  site: 'north',
  at: 'now',
  command: { operation: 'tone/start', parameters: {} },
  devices: ['A'],
};

describe('the expiry of a job', () => {
  it('leaves no job on the broker for longer than it has time, whenever it is asked again', () => {
    for (let at = 100; at < 5_000; at += 100) {
      const centre = new Centre({ now: () => 'now' });
      const actions = [...centre.connected(0), ...centre.ask(0, { job, ttlMs: 5_000, isIdempotent: true })];
      assert.deepEqual(
        actions.map((action) => action.do === 'publish' && action.expiry),
        [5],
      );
      centre.disconnected();
      for (const action of centre.connected(at)) {
        assert.ok(action.do === 'publish' && action.expiry !== undefined);
        assert.ok(at + action.expiry * 1_000 <= 5_000, `${action.expiry} s at ${at} ms`);
      }
    }
  });

  it('gives a job that it could not send before the second that a broker can count', () => {
    const centre = new Centre({ now: () => 'now' });
    centre.ask(0, { job, ttlMs: 1_000, isIdempotent: true });
    assert.deepEqual(
      centre.connected(10).map((action) => action.do === 'publish' && action.expiry),
      [1],
    );
  });
});
