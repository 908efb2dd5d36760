import assert from 'node:assert/strict';
import { Centre, type CentreAction } from '../../src/sites/centre';
import type { JobMessage, Kind } from '../../src/sites/wire';

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
    const receipt = {
      device: 'A',
      address: '',
      operation: 'x',
      outcome: 'accepted',
      attempts: 1,
      latencyMs: 1,
      at: '',
    };
    const found = verdictOf((hear) => {
      hear('result', { instance: 'a', at: '1', receipts: [receipt] });
      hear('result', { instance: 'b', at: '2', receipts: [{ ...receipt, outcome: 'failed' }] });
    });
    assert.deepEqual(found, ['answer accepted', 'late failed']);
  });
});
