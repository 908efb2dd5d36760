import assert from 'node:assert/strict';
import { listening, receipt } from './site-instance';

const command = { alert: 'Lockdown', action: 'clear' };
const result = {
  v: 2,
  at: '',
  receipts: [receipt],
  cleared: { alert: 'Lockdown', at: 'now', nodeIds: ['a'] },
} as const;

describe('an all-clear that every instance does', () => {
  it('is claimed by nobody, also where the connection is lost while it is done', () => {
    const instance = listening();
    instance.job('', { command });
    instance.turn();
    assert.deepEqual(instance.done, ['begin', 'admit']);
    instance.lose();
    instance.connect();
    instance.echo();
    instance.claim('b');
    assert.deepEqual(instance.done, []);
  });

  it('is answered once with what an earlier life has done, however often that comes back', () => {
    const instance = listening(0, [['j', { ...result, instance: 'earlier', doneBy: ['earlier'] }]]);
    instance.job('', { command });
    assert.deepEqual(instance.done, ['publish result']);
    instance.receive('result', 'j', instance.result);
    assert.deepEqual(instance.done, []);
  });

  it('is answered again where a result lacks this instance', () => {
    const instance = listening(0, [['j', { ...result, instance: 'earlier', doneBy: ['earlier'] }]]);
    instance.job('', { command });
    instance.receive('result', 'j', { ...result, instance: 'b', doneBy: ['b'] });
    assert.deepEqual(instance.done, ['publish result', 'publish result']);
  });
});

describe('what may be done twice, and is by two that were cut off', () => {
  it('is claimed once for each other one: two do not answer each other on and on', () => {
    const instance = listening();
    instance.job('safe');
    instance.turn();
    instance.claim('a');
    assert.deepEqual(instance.done, ['begin', 'publish claim', 'admit']);
    instance.claim('b', 1);
    instance.claim('b', 2);
    assert.deepEqual(instance.done, ['publish claim']);
  });
});
