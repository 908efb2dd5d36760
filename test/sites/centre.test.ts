import assert from 'node:assert/strict';
import { Centre, type CentreAction } from '../../src/sites/centre';
import type { JobMessage, Kind } from '../../src/sites/wire';
import { fasterThanLinear } from '../growth';

const job: JobMessage = {
  v: 1,
  id: 'j',
  site: 'north',
  at: 'now',
  work: { noun: 'tone', operation: 'start', parameters: {} },
  devices: ['A'],
};

/** A centre that has asked for 5 s; what happens then, and what it says of it. */
function verdictOf(story: (hear: (kind: Kind, message?: object) => void, centre: Centre) => void): string[] {
  const centre = new Centre({ now: () => 'now' });
  const actions: CentreAction[] = [];
  actions.push(...centre.connected(0), ...centre.ask(0, { job, ttlMs: 5_000, isSafe: false }));
  story((kind, message) => {
    const payload = message ? JSON.stringify({ v: 1, ...message }) : '';
    actions.push(...centre.message(5_010, { site: 'north', kind, id: 'j' }, payload));
  }, centre);
  actions.push(...centre.tick(7_900), ...centre.tick(8_000));
  return actions.flatMap((action) =>
    action.do === 'publish' ? [] : action.result.receipts.map(({ outcome }) => `${action.do} ${outcome}`),
  );
}

const receipt = {
  device: 'A',
  address: '',
  operation: 'x',
  outcome: 'accepted',
  attempts: 1,
  latencyMs: 1,
  at: '',
};

const claim = { instance: 'a', place: 'a', n: 1 };

describe('a verdict of the centre', () => {
  it('is expired where the emptying came back and nobody had claimed', () => {
    const found = verdictOf((hear, centre) => {
      centre.tick(5_000);
      hear('job');
    });
    assert.deepEqual(found, ['answer expired']);
  });

  it('is unknown where the emptying did not come back', () => {
    assert.deepEqual(
      verdictOf((_hear, centre) => void centre.tick(5_000)),
      ['answer unknown'],
    );
  });

  it('is unknown where it was claimed', () => {
    const found = verdictOf((hear, centre) => {
      hear('claim', claim);
      centre.tick(5_000);
      hear('job');
    });
    assert.deepEqual(found, ['answer unknown']);
  });

  it('is unknown where the connection was lost meanwhile', () => {
    const found = verdictOf((hear, centre) => {
      centre.disconnected(1_000);
      centre.connected(2_000);
      centre.tick(5_000);
      hear('job');
    });
    assert.deepEqual(found, ['answer unknown']);
  });

  it('is the answer, and what comes later is told as such', () => {
    const found = verdictOf((hear) => {
      hear('result', { instance: 'a', at: '1', receipts: [receipt] });
      hear('result', { instance: 'b', at: '2', receipts: [{ ...receipt, outcome: 'failed' }] });
    });
    assert.deepEqual(found, ['answer accepted', 'late failed']);
  });
});

describe('an all-clear for all instances of a site', () => {
  const work = { alert: 'Lockdown', action: 'clear' } as const;
  const told = (centre: Centre, now: number, kind: Kind, id: string, message: object) =>
    centre.message(now, { site: 'north', kind, id }, JSON.stringify({ v: 1, ...message }));
  const alive = (instance: string) => ({ instance, place: instance, rank: 0, n: 1, ready: true });

  it('is answered when all that live have done it, and when who has not is dead', () => {
    const centre = new Centre({ now: () => 'now' });
    centre.connected(0);
    for (const instance of ['a', 'b']) told(centre, 0, 'state', instance, alive(instance));
    centre.ask(1_000, { job: { ...job, work }, ttlMs: 30_000, isSafe: true });
    const cleared = { alert: 'Lockdown', at: 'now' };
    const result = { instance: 'a', at: '1', receipts: [receipt], by: ['a'], cleared };
    const answers = (actions: CentreAction[]) => actions.filter((action) => action.do === 'answer').length;
    assert.equal(answers(told(centre, 1_100, 'result', 'j', result)), 0);
    assert.equal(answers(centre.tick(5_000)), 0);
    told(centre, 5_500, 'state', 'a', alive('a'));
    assert.equal(centre.wakeAt(5_500), 6_000);
    assert.equal(answers(centre.tick(5_900)), 0);
    assert.equal(answers(centre.tick(6_000)), 1);
  });
});

describe('what the centre does', () => {
  it('costs the same for each message, whatever waits for an answer', () => {
    const ask = (count: number) => {
      const centre = new Centre({ now: () => 'now' });
      centre.connected(0);
      for (let index = 0; index < count; index += 1) {
        centre.ask(index / 10, { job: { ...job, id: `j${index}` }, ttlMs: 60_000, isSafe: false });
        centre.wakeAt(index / 10);
      }
    };
    assert.equal(
      fasterThanLinear((size) => size / 10, ask),
      undefined,
    );
  });
});
