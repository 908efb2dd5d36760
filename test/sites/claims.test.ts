import assert from 'node:assert/strict';
import { claiming, listening, SiteInstance } from './site-instance';

const receipt = {
  device: 'A',
  address: '',
  operation: 'x/unsafe',
  outcome: 'accepted',
  attempts: 1,
  latencyMs: 1,
  at: 'now',
};

describe('a claim', () => {
  it('is made when the device is ready, and its echo lets the job be written', () => {
    const told = new SiteInstance();
    told.connect();
    told.job();
    assert.deepEqual(told.done, [], 'before it has heard itself');
    told.echo();
    assert.deepEqual(told.done, ['begin']);
    told.turn();
    assert.deepEqual(told.done, ['publish claim']);
    told.claim('a');
    assert.deepEqual(told.done, ['admit']);
  });

  it('that is second takes the job back', () => {
    const told = claiming();
    assert.deepEqual(told.done, ['begin', 'publish claim']);
    told.claim('b');
    told.claim('a');
    assert.deepEqual(told.done, ['drop']);
  });

  it('counts for nothing once the job was taken off', () => {
    const told = claiming();
    told.hear('job', 'j');
    told.claim('a');
    assert.deepEqual(told.done, ['begin', 'publish claim', 'drop']);
  });

  it('lets no other device begin once the job was taken off without an answer', () => {
    const told = claiming();
    told.claim('a');
    told.hear('job', 'j');
    assert.deepEqual(told.done, ['begin', 'publish claim', 'admit', 'refuse']);
  });

  it('lets the other devices have what was taken off since somebody else has answered it', () => {
    const told = claiming();
    told.claim('a');
    told.hear('result', 'j', { instance: 'b', at: 'now', receipts: [receipt] });
    told.hear('job', 'j');
    assert.deepEqual(told.done, ['begin', 'publish claim', 'admit', 'empty claim']);
  });

  it('is nothing to an all-clear, which goes on when it was taken off', () => {
    const told = listening();
    told.job('clear', { command: { alert: 'x', action: 'clear' } });
    told.turn();
    told.hear('job', 'j');
    assert.deepEqual(told.done, ['begin', 'admit']);
  });

  /** The echo of the claim is lost with the connection; the broker still has the claim. */
  function lostEcho(told: SiteInstance): void {
    told.turn();
    told.lose();
    told.connect();
    told.claim('a');
    told.job();
    told.echo();
  }

  it('whose echo was lost is the first one where nobody else lived', () => {
    const told = listening();
    told.job();
    lostEcho(told);
    assert.deepEqual(told.done, ['begin', 'publish claim', 'drop', 'begin']);
    told.turn();
    assert.deepEqual(told.done, ['admit']);
  });

  it('whose echo was lost may be a later one where somebody else lived: the job is left', () => {
    const told = listening();
    told.peer('b', 1, true);
    told.job();
    lostEcho(told);
    told.peer('b', 1, true);
    assert.deepEqual(told.done, ['begin', 'publish claim', 'drop']);
    told.pass(8_000);
    assert.deepEqual(told.done, ['remember', 'publish result'], 'unknown, when the other one is dead');
  });

  it('whose echo was lost may be a later one where the centre knows somebody else: the job is left', () => {
    const told = listening();
    told.job('unsafe', { eligible: ['a', 'b'] });
    lostEcho(told);
    assert.deepEqual(told.done, ['begin', 'publish claim', 'drop', 'remember', 'publish result']);
  });

  it('waits until everybody who lives has spoken on this connection', () => {
    const told = listening();
    told.peer('b', 1, true);
    told.lose();
    told.connect();
    told.echo();
    told.job();
    assert.deepEqual(told.done, []);
    told.peer('b', 1, true);
    assert.deepEqual(told.done, ['begin']);
  });

  it('is not made of what somebody may have done who lived when the centre lost its connection', () => {
    const told = listening();
    told.job('unsafe', { maybeClaimedBy: ['b'] });
    told.pass(5_000);
    assert.deepEqual(told.done, []);
    told.pass(2_000);
    assert.deepEqual(told.done, ['remember', 'publish result']);
  });

  it('of one that died is the next one’s, where it may be done twice', () => {
    for (const [operation, expected] of [
      ['safe', ['begin']],
      ['unsafe', ['remember', 'publish result']],
    ] as const) {
      const told = listening(1);
      told.peer('b', 0, true);
      told.job(operation);
      told.claim('b');
      told.pass(5_500);
      assert.deepEqual(told.done, [], operation);
      told.pass(1_000);
      assert.deepEqual(told.done, expected, operation);
    }
  });

  it('goes without its echo after 1.5 s where the broker is away and it may be done twice', () => {
    for (const [operation, expected] of [
      ['safe', ['admit']],
      ['unsafe', []],
    ] as const) {
      const told = listening();
      told.job(operation);
      told.turn();
      told.lose();
      told.pass(1_000);
      assert.deepEqual(
        told.done.filter((one) => one === 'admit'),
        [],
        operation,
      );
      told.pass(1_000);
      assert.deepEqual(told.done, expected, operation);
    }
  });
});

describe('a claim, told again', () => {
  it('is said to a broker that has forgotten it', () => {
    const told = claiming();
    told.claim('a');
    told.lose();
    assert.deepEqual(told.done, ['begin', 'publish claim', 'admit']);
    told.connect();
    told.echo();
    assert.deepEqual(told.done, ['publish claim']);
  });

  it('does not let what must not be done twice be written without an echo', () => {
    const told = claiming();
    told.pass(2_000);
    assert.deepEqual(told.done, ['begin', 'publish claim', 'drop', 'begin']);
  });

  it('of an earlier life is not made again', () => {
    const told = listening(0, [['j', null]]);
    told.job();
    assert.deepEqual(told.done, ['remember', 'publish result']);
  });
});

describe('an answer', () => {
  it('is told again when the centre asks again, since a broker may have thrown it away on its way', () => {
    const told = claiming();
    told.claim('a');
    const receipts = [{ ...receipt }];
    told.do(told.site.finished(told.now, 'j', receipts));
    assert.deepEqual(told.done, ['begin', 'publish claim', 'admit', 'remember', 'publish result']);
    told.hear('result', 'j', { instance: 'a', at: 'now', receipts });
    assert.deepEqual(told.done, ['empty claim']);
    told.job();
    assert.deepEqual(told.done, ['publish result']);
    told.hear('job', 'j');
    assert.deepEqual(told.done, []);
  });

  it('takes the claim of an instance that is dead off the broker, whichever of the two comes first', () => {
    const told = listening();
    told.peer('b', 1, true);
    told.claim('b');
    told.hear('result', 'j', { instance: 'b', at: 'now', receipts: [receipt] });
    assert.deepEqual(told.done, [], 'while that instance lives');
    told.pass(10_000);
    assert.deepEqual(told.done, ['empty claim']);
    told.hear('claim', 'j');
    told.hear('claim', 'j', { instance: 'c', nodeId: 'c', seq: 1 });
    told.pass(10_000);
    assert.deepEqual(told.done, ['empty claim']);
  });
});
