import assert from 'node:assert/strict';
import { claiming, listening, receipt, SiteInstance } from './site-instance';

describe('a claim', () => {
  it('is made when the device is ready, and its echo lets the job be written', () => {
    const instance = new SiteInstance();
    instance.connect();
    instance.job();
    assert.deepEqual(instance.done, [], 'before it has heard itself');
    instance.echo();
    assert.deepEqual(instance.done, ['begin']);
    instance.turn();
    assert.deepEqual(instance.done, ['publish claim']);
    instance.claim('a');
    assert.deepEqual(instance.done, ['admit']);
  });

  it('that is second takes the job back', () => {
    const instance = claiming();
    assert.deepEqual(instance.done, ['begin', 'publish claim']);
    instance.claim('b');
    instance.claim('a');
    assert.deepEqual(instance.done, ['drop']);
  });

  it('counts for nothing once the job was taken off', () => {
    const instance = claiming();
    instance.receive('job', 'j');
    instance.claim('a');
    assert.deepEqual(instance.done, ['begin', 'publish claim', 'drop']);
  });

  it('lets no other device begin once the job was taken off without an answer', () => {
    const instance = claiming();
    instance.claim('a');
    instance.receive('job', 'j');
    assert.deepEqual(instance.done, ['begin', 'publish claim', 'admit', 'refuse']);
  });

  it('lets the other devices have what was taken off since somebody else has answered it', () => {
    const instance = claiming();
    instance.claim('a');
    instance.receive('result', 'j', { instance: 'b', at: 'now', receipts: [receipt] });
    instance.receive('job', 'j');
    assert.deepEqual(instance.done, ['begin', 'publish claim', 'admit', 'empty claim']);
  });

  it('is nothing to an all-clear, which goes on when it was taken off', () => {
    const instance = listening();
    instance.job('clear', { command: { alert: 'x', action: 'clear' } });
    instance.turn();
    instance.receive('job', 'j');
    assert.deepEqual(instance.done, ['begin', 'admit']);
  });

  /** The echo of the claim is lost with the connection; the broker still has the claim. */
  function lostEcho(instance: SiteInstance): void {
    instance.turn();
    instance.lose();
    instance.connect();
    instance.claim('a');
    instance.job();
    instance.echo();
  }

  it('whose echo was lost is the first one where nobody else lived', () => {
    const instance = listening();
    instance.job();
    lostEcho(instance);
    assert.deepEqual(instance.done, ['begin', 'publish claim', 'drop', 'begin']);
    instance.turn();
    assert.deepEqual(instance.done, ['admit']);
  });

  it('whose echo was lost may be a later one where somebody else lived: the job is left', () => {
    const instance = listening();
    instance.peer('b', 1, true);
    instance.job();
    lostEcho(instance);
    instance.peer('b', 1, true);
    assert.deepEqual(instance.done, ['begin', 'publish claim', 'drop']);
    instance.pass(8_000);
    assert.deepEqual(instance.done, ['remember', 'publish result'], 'unknown, when the other one is dead');
  });

  it('whose echo was lost may be a later one where the centre knows somebody else: the job is left', () => {
    const instance = listening();
    instance.job('unsafe', { eligible: ['a', 'b'] });
    lostEcho(instance);
    assert.deepEqual(instance.done, ['begin', 'publish claim', 'drop', 'remember', 'publish result']);
  });

  it('waits until everybody who lives has spoken on this connection', () => {
    const instance = listening();
    instance.peer('b', 1, true);
    instance.lose();
    instance.connect();
    instance.echo();
    instance.job();
    assert.deepEqual(instance.done, []);
    instance.peer('b', 1, true);
    assert.deepEqual(instance.done, ['begin']);
  });

  it('is not made of what somebody may have done who lived when the centre lost its connection', () => {
    const instance = listening();
    instance.job('unsafe', { maybeClaimedBy: ['b'] });
    instance.pass(5_000);
    assert.deepEqual(instance.done, []);
    instance.pass(2_000);
    assert.deepEqual(instance.done, ['remember', 'publish result']);
  });

  it('of one that died is the next one’s, where it may be done twice', () => {
    for (const [operation, expected] of [
      ['safe', ['begin']],
      ['unsafe', ['remember', 'publish result']],
    ] as const) {
      const instance = listening(1);
      instance.peer('b', 0, true);
      instance.job(operation);
      instance.claim('b');
      instance.pass(5_500);
      assert.deepEqual(instance.done, [], operation);
      instance.pass(1_000);
      assert.deepEqual(instance.done, expected, operation);
    }
  });

  it('goes without its echo after 1.5 s where the broker is away and it may be done twice', () => {
    for (const [operation, expected] of [
      ['safe', ['admit']],
      ['unsafe', []],
    ] as const) {
      const instance = listening();
      instance.job(operation);
      instance.turn();
      instance.lose();
      instance.pass(1_000);
      assert.deepEqual(
        instance.done.filter((one) => one === 'admit'),
        [],
        operation,
      );
      instance.pass(1_000);
      assert.deepEqual(instance.done, expected, operation);
    }
  });
});

describe('a claim, told again', () => {
  it('is said to a broker that has forgotten it', () => {
    const instance = claiming();
    instance.claim('a');
    instance.lose();
    assert.deepEqual(instance.done, ['begin', 'publish claim', 'admit']);
    instance.connect();
    instance.echo();
    assert.deepEqual(instance.done, ['publish claim']);
  });

  it('does not let what must not be done twice be written without an echo', () => {
    const instance = claiming();
    instance.pass(2_000);
    assert.deepEqual(instance.done, ['begin', 'publish claim', 'drop', 'begin']);
  });

  it('of an earlier life is not made again', () => {
    const instance = listening(0, [['j', null]]);
    instance.job();
    assert.deepEqual(instance.done, ['remember', 'publish result']);
  });
});

describe('an answer', () => {
  it('is told again when the centre asks again, since a broker may have thrown it away on its way', () => {
    const instance = claiming();
    instance.claim('a');
    const receipts = [{ ...receipt }];
    instance.do(instance.site.finished(instance.now, 'j', receipts));
    assert.deepEqual(instance.done, ['begin', 'publish claim', 'admit', 'remember', 'publish result']);
    instance.receive('result', 'j', { instance: 'a', at: 'now', receipts });
    assert.deepEqual(instance.done, ['empty claim']);
    instance.job();
    assert.deepEqual(instance.done, ['publish result']);
    instance.receive('job', 'j');
    assert.deepEqual(instance.done, []);
  });

  it('takes the claim of an instance that is dead off the broker, whichever of the two comes first', () => {
    const instance = listening();
    instance.peer('b', 1, true);
    instance.claim('b');
    instance.receive('result', 'j', { instance: 'b', at: 'now', receipts: [receipt] });
    assert.deepEqual(instance.done, [], 'while that instance lives');
    instance.pass(10_000);
    assert.deepEqual(instance.done, ['empty claim']);
    instance.receive('claim', 'j');
    instance.receive('claim', 'j', { instance: 'c', nodeId: 'c', seq: 1 });
    instance.pass(10_000);
    assert.deepEqual(instance.done, ['empty claim']);
  });
});
