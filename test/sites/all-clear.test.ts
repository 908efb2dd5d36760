import assert from 'node:assert/strict';
import { listening } from './site-instance';

const command = { alert: 'Lockdown', action: 'clear' };
const receipt = {
  device: 'A',
  address: '',
  operation: 'strobe/stop',
  outcome: 'accepted',
  attempts: 1,
  latencyMs: 1,
  at: '',
};
const result = {
  v: 2,
  at: '',
  receipts: [receipt],
  cleared: { alert: 'Lockdown', at: 'now', nodeIds: ['a'] },
} as const;

describe('an all-clear that every instance does', () => {
  it('is claimed by nobody, also where the connection is lost while it is done', () => {
    const told = listening();
    told.job('', { command });
    told.turn();
    assert.deepEqual(told.done, ['begin', 'admit']);
    told.lose();
    told.connect();
    told.echo();
    told.claim('b');
    assert.deepEqual(told.done, []);
  });

  it('is answered once with what an earlier life has done, however often that comes back', () => {
    const told = listening(0, [['j', { ...result, instance: 'earlier', doneBy: ['earlier'] }]]);
    told.job('', { command });
    assert.deepEqual(told.done, ['publish result']);
    told.hear('result', 'j', told.result);
    assert.deepEqual(told.done, []);
  });

  it('is answered again where a result lacks this instance', () => {
    const told = listening(0, [['j', { ...result, instance: 'earlier', doneBy: ['earlier'] }]]);
    told.job('', { command });
    told.hear('result', 'j', { ...result, instance: 'b', doneBy: ['b'] });
    assert.deepEqual(told.done, ['publish result', 'publish result']);
  });
});

describe('what may be done twice, and is by two that were cut off', () => {
  it('is claimed once for each other one: two do not answer each other on and on', () => {
    const told = listening();
    told.job('safe');
    told.turn();
    told.claim('a');
    assert.deepEqual(told.done, ['begin', 'publish claim', 'admit']);
    told.claim('b', 1);
    told.claim('b', 2);
    assert.deepEqual(told.done, ['publish claim']);
  });
});
