import assert from 'node:assert/strict';
import { SiteInstance } from './site-instance';

const receipt = {
  device: 'A',
  address: '',
  operation: 'strobe/start',
  outcome: 'accepted',
  attempts: 1,
  latencyMs: 1,
  at: 'now',
};
const cleared = { alert: 'Lockdown', at: 'now', nodeIds: ['b'], centre: 'c', seq: 2, ago: 9_000 };
const clear = { instance: 'b', at: 'now', receipts: [], doneBy: ['b'], cleared };

/** An instance that hears what is on the broker, and is not yet sure that it has heard all. */
function comingBack(): SiteInstance {
  const told = new SiteInstance();
  told.connect();
  return told;
}

/** What another instance answers that the centre has asked to start the alert. */
function started(seq: number, outcome = 'accepted'): object {
  // It is an instance like any other that says so.
  const other = comingBack();
  other.echo();
  const command = { alert: 'Lockdown', action: 'start' };
  other.job('', { command, centre: 'c', seq });
  other.turn();
  other.claim('a');
  other.do(other.site.finished(other.now, 'j', [{ ...receipt, outcome } as never]));
  return { ...other.result, instance: 'b' };
}

describe('an instance that comes back to a clear from before the last start of the alert', () => {
  it('ends nothing of what another one has started since, whichever it hears first', () => {
    for (const isClearFirst of [true, false]) {
      const told = comingBack();
      if (isClearFirst) told.hear('result', 'j2', clear);
      told.hear('result', 'j3', started(3));
      if (!isClearFirst) told.hear('result', 'j2', clear);
      told.echo();
      assert.deepEqual(told.cleared, []);
    }
  });

  it('answers a clear that still waits on the broker as superseded', () => {
    const told = comingBack();
    const command = { alert: 'Lockdown', action: 'clear' };
    told.job('', { command, centre: 'c', seq: 2 });
    told.hear('result', 'j3', started(3));
    told.echo();
    told.turn();
    assert.deepEqual(told.outcomes, ['superseded']);
  });

  it('lets a clear that still waits on the broker wait for a later start that another one has claimed', () => {
    const told = comingBack();
    told.peer('b', 0, true);
    told.hear('claim', 'j3', { instance: 'b', nodeId: 'b', seq: 1 });
    told.job('', { command: { alert: 'Lockdown', action: 'clear' }, centre: 'c', seq: 2 });
    const about = { site: 'north', at: 'now', devices: [], centre: 'c', seq: 3 };
    told.hear('job', 'j3', { id: 'j3', ...about, command: { alert: 'Lockdown', action: 'start' } }, 30);
    told.echo();
    assert.deepEqual(told.begun, []);
    told.hear('result', 'j3', started(3));
    told.pass(500);
    told.turn();
    assert.deepEqual(told.begun, ['j']);
    assert.deepEqual(told.outcomes, ['superseded']);
  });

  it('reads first what a link that stalled has held back behind the clear', () => {
    const told = comingBack();
    told.echo();
    told.pass(3_000);
    told.job('', { command: { alert: 'Lockdown', action: 'clear' }, centre: 'c', seq: 2 });
    assert.deepEqual(told.begun, []);
    told.hear('result', 'j3', started(3));
    told.echo();
    told.pass(500);
    told.turn();
    assert.deepEqual(told.outcomes, ['superseded']);
  });

  it('clears what was started before, and what did not come about', () => {
    for (const result of [started(1), started(3, 'failed')]) {
      const told = comingBack();
      told.hear('result', 'j2', clear);
      told.hear('result', 'j3', result);
      told.echo();
      assert.equal(told.cleared.length, 1);
    }
  });

  it('waits for what becomes of a later start that another one has claimed', () => {
    for (const outcome of ['accepted', 'failed']) {
      const told = comingBack();
      told.peer('b', 0, true);
      told.hear('result', 'j2', clear);
      told.hear('claim', 'j', { instance: 'b', nodeId: 'b', seq: 1 });
      told.job('', { command: { alert: 'Lockdown', action: 'start' }, centre: 'c', seq: 3 });
      told.echo();
      assert.deepEqual(told.cleared, []);
      told.hear('result', 'j', started(3, outcome));
      told.pass(500);
      assert.equal(told.cleared.length, outcome === 'accepted' ? 0 : 1);
    }
  });

  it('waits for no later start whose time is over', () => {
    const told = comingBack();
    told.hear('result', 'j2', clear);
    told.hear('claim', 'j', { instance: 'b', nodeId: 'b', seq: 1 });
    told.job('', { command: { alert: 'Lockdown', action: 'start' }, centre: 'c', seq: 3, eligible: [] });
    told.echo();
    told.hear('job', 'j');
    told.pass(40_000);
    assert.equal(told.cleared.length, 1);
  });

  it('counts the time that the clear has waited for it to be sure', () => {
    const told = comingBack();
    told.hear('result', 'j2', clear);
    told.now += 400;
    told.echo();
    assert.deepEqual(told.cleared, [{ agoMs: 10_400, centre: 'c', seq: 2 }]);
  });
});
