import assert from 'node:assert/strict';
import { claiming, listening, SiteInstance } from './site-instance';

describe('a process that stood still', () => {
  it('does nothing before all that was said meanwhile has come', () => {
    const instance = listening();
    instance.pass(2_000);
    instance.now += 15_000;
    instance.job();
    assert.deepEqual(instance.done, []);
    instance.receive('job', 'j');
    instance.echo();
    assert.deepEqual(instance.done, []);
  });

  it('trusts the echo of its claim only when it has heard itself again', () => {
    const instance = claiming();
    instance.now += 5_000;
    instance.claim('a');
    assert.deepEqual(instance.done, ['begin', 'publish claim']);
    instance.echo();
    assert.deepEqual(instance.done, ['admit']);
  });

  it('leaves a job to whoever has it at a broker that forgot the claim meanwhile', () => {
    const instance = claiming();
    instance.now += 5_000;
    instance.claim('a');
    instance.lose();
    instance.connect();
    instance.claim('b');
    instance.job();
    instance.echo();
    instance.peer('b', 0, true);
    assert.deepEqual(instance.done, ['begin', 'publish claim', 'drop']);
  });

  it('takes what it reads for as old, even where that was right after its start', () => {
    const instance = new SiteInstance();
    instance.now = 40_000;
    instance.connect();
    instance.job();
    instance.echo();
    assert.deepEqual(instance.done, []);
  });
});

describe('what must not be done twice', () => {
  it('is left alone until the centre knows who may claim it', () => {
    const instance = listening();
    instance.job('unsafe', { eligible: ['b'] });
    const { beats } = instance;
    instance.pass(500);
    assert.equal(instance.beats, beats + 1, 'a sign of life, so that it knows');
    assert.deepEqual(instance.done, []);
    instance.job('unsafe', { eligible: ['b', 'a'] });
    assert.deepEqual(instance.done, ['begin']);
  });

  it('is begun where the device’s turn comes only while the connection is sure', () => {
    const instance = listening();
    instance.job();
    instance.lose();
    instance.turn();
    assert.deepEqual(instance.done, ['begin', 'drop']);
  });
});
