import assert from 'node:assert/strict';
import { receipt, SiteInstance } from './site-instance';

const cleared = { alert: 'Lockdown', at: 'now', nodeIds: ['b'], centre: 'c', seq: 2, ago: 9_000 };
const clear = { instance: 'b', at: 'now', receipts: [], doneBy: ['b'], cleared };

/** An instance that hears what is on the broker, and is not yet sure that it has heard all. */
function comingBack(): SiteInstance {
  const instance = new SiteInstance();
  instance.connect();
  return instance;
}

/** What another instance answers that the centre has asked to start the alert. */
function started(seq: number, ended: object = {}, asked: object = {}): object {
  // It is an instance like any other that says so.
  const other = comingBack();
  other.echo();
  const command = { alert: 'Lockdown', action: 'start', ...asked };
  other.job('', { command, centre: 'c', seq });
  other.turn();
  other.claim('a');
  other.do(other.site.finished(other.now, 'j', [{ ...receipt, ...ended } as never]));
  return { ...other.result, instance: 'b' };
}

const failed = (code: string) => ({ outcome: 'failed', error: { code, reason: '', message: '' } });

describe('an instance that comes back to a clear from before the last start of the alert', () => {
  it('ends nothing of what another one has started since, whichever it hears first', () => {
    for (const isClearFirst of [true, false]) {
      const instance = comingBack();
      if (isClearFirst) instance.receive('result', 'j2', clear);
      instance.receive('result', 'j3', started(3));
      if (!isClearFirst) instance.receive('result', 'j2', clear);
      instance.echo();
      assert.deepEqual(instance.cleared, []);
    }
  });

  it('ends nothing of what another one has started since and tries again, or will start', () => {
    for (const ended of [
      failed('UNREACHABLE'),
      { ...failed('EXPIRED'), outcome: 'expired' },
      { outcome: 'skipped' },
    ]) {
      const instance = comingBack();
      instance.receive('result', 'j2', clear);
      instance.receive('result', 'j3', started(3, ended));
      instance.echo();
      assert.deepEqual(instance.cleared, []);
    }
  });

  for (const [what, drill] of [
    ['the message', started(3, {}, { drill: true })],
    ['the node at the site', started(3, { drill: true })],
  ] as const) {
    for (const isEarnest of [true, false]) {
      const does = isEarnest ? 'ends its own alert' : 'ends nothing of a drill';
      it(`${does} where another one has held a drill since, by ${what}`, () => {
        for (const isClearFirst of [true, false]) {
          const instance = comingBack();
          instance.isEarnest = isEarnest;
          if (!isClearFirst) instance.receive('result', 'j3', drill);
          instance.receive('result', 'j2', clear);
          if (isClearFirst) instance.receive('result', 'j3', drill);
          instance.echo();
          assert.equal(instance.cleared.length, isEarnest ? 1 : 0);
        }
      });
    }

    it(`does a clear that still waits on the broker where another one has held a drill since, by ${what}`, () => {
      const instance = comingBack();
      instance.isEarnest = true;
      instance.job('', { command: { alert: 'Lockdown', action: 'clear' }, centre: 'c', seq: 2 });
      instance.receive('result', 'j3', drill);
      instance.echo();
      instance.turn();
      assert.deepEqual(instance.outcomes, []);
      assert.ok(instance.done.includes('admit'));
    });
  }

  it('ends nothing of a real start since, whatever drill was held after it', () => {
    const instance = comingBack();
    instance.isEarnest = true;
    instance.receive('result', 'j2', clear);
    instance.receive('result', 'j3', started(3));
    instance.receive('result', 'j4', started(4, {}, { drill: true }));
    instance.echo();
    assert.deepEqual(instance.cleared, []);
  });

  it('does not wait for a drill on its way to end its own alert', () => {
    const instance = comingBack();
    instance.isEarnest = true;
    instance.peer('b', 0, true);
    instance.receive('result', 'j2', clear);
    instance.receive('claim', 'j', { instance: 'b', nodeId: 'b', seq: 1 });
    instance.job('', {
      command: { alert: 'Lockdown', action: 'start', drill: true },
      centre: 'c',
      seq: 3,
    });
    instance.echo();
    assert.equal(instance.cleared.length, 1);
  });

  it('answers a clear that still waits on the broker as superseded', () => {
    const instance = comingBack();
    const command = { alert: 'Lockdown', action: 'clear' };
    instance.job('', { command, centre: 'c', seq: 2 });
    instance.receive('result', 'j3', started(3));
    instance.echo();
    instance.turn();
    assert.deepEqual(instance.outcomes, ['superseded']);
    const { cleared } = instance.result as { cleared: { nodeIds: string[] } };
    assert.deepEqual(cleared.nodeIds, [], 'the alert is still on here');
  });

  it('lets a clear that still waits on the broker wait for a later start that another one has claimed', () => {
    const instance = comingBack();
    instance.peer('b', 0, true);
    instance.receive('claim', 'j3', { instance: 'b', nodeId: 'b', seq: 1 });
    instance.job('', { command: { alert: 'Lockdown', action: 'clear' }, centre: 'c', seq: 2 });
    const about = { site: 'north', at: 'now', devices: [], centre: 'c', seq: 3 };
    instance.receive(
      'job',
      'j3',
      { id: 'j3', ...about, command: { alert: 'Lockdown', action: 'start' } },
      30,
    );
    instance.echo();
    assert.deepEqual(instance.begun, []);
    instance.receive('result', 'j3', started(3));
    instance.pass(500);
    instance.turn();
    assert.deepEqual(instance.begun, ['j']);
    assert.deepEqual(instance.outcomes, ['superseded']);
  });

  it('reads first what a link that stalled has held back behind the clear', () => {
    const instance = comingBack();
    instance.echo();
    instance.pass(3_000);
    instance.job('', { command: { alert: 'Lockdown', action: 'clear' }, centre: 'c', seq: 2 });
    assert.deepEqual(instance.begun, []);
    instance.receive('result', 'j3', started(3));
    instance.echo();
    instance.pass(500);
    instance.turn();
    assert.deepEqual(instance.outcomes, ['superseded']);
  });

  it('clears what was started before, and what did not come about', () => {
    const refused = { operation: 'alert/start', ...failed('ABORTED') };
    for (const result of [started(1), started(3, failed('NOT_SUPPORTED')), started(3, refused)]) {
      const instance = comingBack();
      instance.receive('result', 'j2', clear);
      instance.receive('result', 'j3', result);
      instance.echo();
      assert.equal(instance.cleared.length, 1);
    }
  });

  it('waits for what becomes of a later start that another one has claimed', () => {
    for (const ended of [{}, failed('NOT_SUPPORTED')]) {
      const instance = comingBack();
      instance.peer('b', 0, true);
      instance.receive('result', 'j2', clear);
      instance.receive('claim', 'j', { instance: 'b', nodeId: 'b', seq: 1 });
      instance.job('', { command: { alert: 'Lockdown', action: 'start' }, centre: 'c', seq: 3 });
      instance.echo();
      assert.deepEqual(instance.cleared, []);
      instance.receive('result', 'j', started(3, ended));
      instance.pass(500);
      assert.equal(instance.cleared.length, 'error' in ended ? 1 : 0);
    }
  });

  it('waits for no later start whose time is over', () => {
    const instance = comingBack();
    instance.receive('result', 'j2', clear);
    instance.receive('claim', 'j', { instance: 'b', nodeId: 'b', seq: 1 });
    instance.job('', { command: { alert: 'Lockdown', action: 'start' }, centre: 'c', seq: 3, eligible: [] });
    instance.echo();
    instance.receive('job', 'j');
    instance.pass(40_000);
    assert.equal(instance.cleared.length, 1);
  });

  it('counts the time that the clear has waited for it to be sure', () => {
    const instance = comingBack();
    instance.receive('result', 'j2', clear);
    instance.now += 400;
    instance.echo();
    assert.deepEqual(instance.cleared, [{ agoMs: 10_400, centre: 'c', seq: 2 }]);
  });
});
