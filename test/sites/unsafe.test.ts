import assert from 'node:assert/strict';
import { claiming, listening, SiteInstance } from './site-instance';

describe('a process that stood still', () => {
  it('does nothing before all that was said meanwhile has come', () => {
    const told = listening();
    told.pass(2_000);
    told.now += 15_000;
    told.job();
    assert.deepEqual(told.done, []);
    told.hear('job', 'j');
    told.echo();
    assert.deepEqual(told.done, []);
  });

  it('trusts the echo of its claim only when it has heard itself again', () => {
    const told = claiming();
    told.now += 5_000;
    told.claim('a');
    assert.deepEqual(told.done, ['begin', 'publish claim']);
    told.echo();
    assert.deepEqual(told.done, ['admit']);
  });

  it('leaves a job to whoever has it at a broker that forgot the claim meanwhile', () => {
    const told = claiming();
    told.now += 5_000;
    told.claim('a');
    told.lose();
    told.connect();
    told.claim('b');
    told.job();
    told.echo();
    told.peer('b', 0, true);
    assert.deepEqual(told.done, ['begin', 'publish claim', 'drop']);
  });

  it('takes what it reads for as old, even where that was right after its start', () => {
    const told = new SiteInstance();
    told.now = 40_000;
    told.connect();
    told.job();
    told.echo();
    assert.deepEqual(told.done, []);
  });
});

describe('what must not be done twice', () => {
  it('is left alone until the centre knows who may claim it', () => {
    const told = listening();
    told.job('unsafe', { eligible: ['b'] });
    const { beats } = told;
    told.pass(500);
    assert.equal(told.beats, beats + 1, 'a sign of life, so that it knows');
    assert.deepEqual(told.done, []);
    told.job('unsafe', { eligible: ['b', 'a'] });
    assert.deepEqual(told.done, ['begin']);
  });

  it('is begun where the device’s turn comes only while the connection is sure', () => {
    const told = listening();
    told.job();
    told.lose();
    told.turn();
    assert.deepEqual(told.done, ['begin', 'drop']);
  });
});
