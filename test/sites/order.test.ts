import assert from 'node:assert/strict';
import { covers, type Outputs } from '../../src/sites/order';
import type { JobMessage } from '../../src/sites/wire';
import { SiteInstance } from './site-instance';

const receipt = {
  device: 'A',
  address: '',
  operation: 'x/y',
  outcome: 'accepted',
  attempts: 1,
  latencyMs: 1,
  at: 'now',
};

/** What begins with `end` ends its outputs, which are its devices. */
function outputs({ command, devices }: JobMessage): Outputs {
  const name = 'alert' in command ? command.action : command.operation.slice('x/'.length);
  return { names: devices, isStop: /^(?:end|clear)/.test(name) };
}

/** A site that has heard itself, or, as after a connection that was lost, has not yet. */
class Asked extends SiteInstance {
  constructor(isReady = true, rank = 0) {
    super(rank, [], outputs);
    this.connect();
    if (isReady) this.echo();
    this.done;
  }

  ask(seq: number, operation: string, devices = ['a'], more = {}, expiry = 30): void {
    const command =
      operation === 'clear'
        ? { alert: 'x', action: 'clear' }
        : { operation: `x/${operation}`, parameters: {} };
    const about = { site: 'north', at: 'now', command, devices, centre: 'c', seq, ...more };
    this.hear('job', `j${seq}`, { id: `j${seq}`, ...about }, expiry);
  }
}

describe('the order of what a centre asks for one output', () => {
  it('is kept where the broker says it the other way round', () => {
    const told = new Asked(false);
    told.ask(2, 'end');
    told.ask(1, 'start');
    told.echo();
    told.claim('a', 1, 'j1');
    // The start is taken out and answered, and never begun.
    assert.deepEqual(told.outcomes, ['superseded']);
    told.pass(1_000);
    assert.deepEqual(told.begun, ['j2']);
  });

  it('takes out no start that an instance has claimed which was not heard before', () => {
    const told = new Asked(false);
    told.ask(2, 'end');
    told.ask(1, 'start');
    told.echo();
    told.claim('b', 1, 'j1');
    told.claim('a', 1, 'j1');
    told.pass(500);
    assert.deepEqual(told.begun, []);
    told.peer('b', 1, true);
    told.hear('result', 'j1', { instance: 'b', at: 'now', receipts: [receipt] });
    told.pass(500);
    assert.deepEqual(told.begun, ['j2']);
    assert.deepEqual(told.outcomes, []);
  });

  it('lets a start wait until the one before it may be written', () => {
    const told = new Asked();
    told.ask(1, 'start');
    told.ask(2, 'start');
    told.ask(3, 'start', ['b']);
    assert.deepEqual(told.begun, ['j1', 'j3']);
    told.do(told.site.turn(told.now, 'j1'));
    told.hear('claim', 'j1', { instance: 'a', nodeId: 'a', seq: 1 });
    told.pass(500);
    assert.deepEqual(told.begun, ['j1', 'j3', 'j2']);
  });

  it('does not let an end take out a start that is about more', () => {
    const told = new Asked(false);
    told.ask(1, 'start', ['a', 'b']);
    told.ask(2, 'end', ['a']);
    told.echo();
    assert.deepEqual(told.begun, ['j1']);
    assert.deepEqual(told.outcomes, []);
  });

  it('waits for nothing whose time is over', () => {
    const told = new Asked();
    told.ask(1, 'start');
    told.ask(2, 'start', ['a'], {});
    told.hear('job', 'j1');
    told.pass(500);
    assert.deepEqual(told.begun, ['j1', 'j2']);
  });

  it('takes out what comes after something that was asked later', () => {
    const told = new Asked();
    told.ask(2, 'end');
    told.ask(1, 'start');
    told.claim('a', 1, 'j1');
    assert.deepEqual(told.begun, ['j2']);
    assert.deepEqual(told.outcomes, ['superseded']);
  });

  it('takes out what was asked before an end whose time is over, which another instance may have done', () => {
    const told = new Asked(true, 1);
    told.peer('b', 0, true);
    told.ask(1, 'start');
    told.ask(2, 'end', ['a'], {}, 5);
    told.pass(6_000);
    told.claim('a', 1, 'j1');
    assert.deepEqual(told.begun, []);
    assert.deepEqual(told.outcomes, ['superseded']);
  });

  it('lets no end be taken out by another one whose time is over', () => {
    const told = new Asked(true, 1);
    told.peer('b', 0, true);
    told.ask(1, 'end');
    told.ask(2, 'end', ['a'], {}, 5);
    told.pass(8_000);
    assert.deepEqual(told.begun, ['j1']);
    assert.deepEqual(told.outcomes, []);
  });

  it('lets an end wait for a claim that is on its way, and then go behind it', () => {
    const told = new Asked();
    told.ask(1, 'start');
    told.do(told.site.turn(told.now, 'j1'));
    told.ask(2, 'clear');
    assert.deepEqual(told.begun, ['j1']);
    told.hear('claim', 'j1', { instance: 'a', nodeId: 'a', seq: 1 });
    told.pass(500);
    assert.deepEqual(told.begun, ['j1', 'j2']);
    assert.deepEqual(told.outcomes, []);
  });

  it('is not that of another centre', () => {
    const told = new Asked();
    told.ask(1, 'start');
    told.ask(2, 'start', ['a'], { centre: 'd' });
    assert.deepEqual(told.begun, ['j1', 'j2']);
  });

  it('waits for the answer of another instance that has claimed it', () => {
    const told = new Asked(false);
    told.peer('b', 0, true);
    told.hear('claim', 'j1', { instance: 'b', nodeId: 'b', seq: 1 });
    told.ask(1, 'start');
    told.ask(2, 'end');
    told.echo();
    assert.deepEqual(told.begun, []);
    told.hear('result', 'j1', { instance: 'b', at: 'now', receipts: [receipt] });
    told.pass(500);
    assert.deepEqual(told.begun, ['j2']);
  });

  describe('where another instance has claimed a start whose time is over', () => {
    /** The start of `j1` has 30 s; it may be at its device just then. */
    function claimedElsewhere(): Asked {
      const told = new Asked();
      told.peer('b', 1, true);
      told.hear('claim', 'j1', { instance: 'b', nodeId: 'b', seq: 1 });
      told.ask(1, 'start');
      for (let seq = 2; seq < 9; seq += 1) {
        told.pass(4_000);
        told.peer('b', 1, true, { seq });
      }
      return told;
    }

    it('lets an end wait for its answer', () => {
      const told = claimedElsewhere();
      told.ask(2, 'end');
      told.pass(2_000);
      told.hear('job', 'j1');
      told.pass(2_500);
      assert.deepEqual(told.begun, []);
      told.hear('result', 'j1', { instance: 'b', at: 'now', receipts: [receipt] });
      told.pass(500);
      assert.deepEqual(told.begun, ['j2']);
    });

    it('lets an end wait for 3 s at most', () => {
      const told = claimedElsewhere();
      told.ask(2, 'end');
      told.pass(4_500);
      assert.deepEqual(told.begun, []);
      told.pass(500);
      assert.deepEqual(told.begun, ['j2']);
    });

    it('lets no end wait until its own time is over', () => {
      const told = claimedElsewhere();
      told.ask(2, 'end', ['a'], {}, 3);
      told.pass(2_000);
      assert.deepEqual(told.begun, ['j2']);
    });

    it('lets no end wait where that instance is dead', () => {
      const told = claimedElsewhere();
      told.ask(2, 'end');
      told.peer('b', 1, true, { seq: 9, leaving: true });
      told.pass(2_000);
      assert.deepEqual(told.begun, ['j2']);
    });
  });
});

const cleared = { alert: 'x', at: 'any clock', nodeIds: ['b'], centre: 'c', seq: 7, ago: 1_000 };
const result = { instance: 'b', at: 'any clock', receipts: [], doneBy: ['b'], cleared };

describe('a clear that another instance has answered before this one has done it', () => {
  it('is done behind what it waits for, also where the centre has taken it off the broker', () => {
    const told = new Asked();
    told.ask(1, 'start');
    told.do(told.site.turn(told.now, 'j1'));
    told.ask(7, 'clear');
    told.hear('result', 'j7', result);
    told.hear('job', 'j7');
    told.pass(500);
    assert.deepEqual(told.begun, ['j1']);
    told.hear('claim', 'j1', { instance: 'a', nodeId: 'a', seq: 1 });
    told.pass(500);
    assert.deepEqual(told.begun, ['j1', 'j7']);
  });

  it('is done where a link that stalled goes on, also where its time is over', () => {
    for (const stalledMs of [5_000, 40_000]) {
      const told = new Asked(false);
      told.ask(7, 'clear');
      told.pass(stalledMs);
      told.hear('result', 'j7', result, 31_536_000 - stalledMs / 1_000);
      told.hear('job', 'j7');
      told.echo();
      told.pass(500);
      assert.equal(told.begun.length + told.cleared.length, 1, `${stalledMs} ms`);
    }
  });
});

describe('a clear that was answered while an instance was away', () => {
  it('is done with how long ago it was asked, whatever the clocks say', () => {
    const told = new Asked(false);
    told.hear('result', 'j7', result, 31_536_000 - 7_200);
    assert.deepEqual(told.cleared, []);
    told.echo();
    assert.deepEqual(told.cleared, [{ agoMs: 7_202_000, centre: 'c', seq: 7 }]);
  });

  it('may have been kept by the broker for less than it counts', () => {
    const told = new Asked(false);
    told.hear('result', 'j7', result, 31_536_000);
    told.echo();
    assert.deepEqual(told.cleared, [{ agoMs: 2_000, centre: 'c', seq: 7 }]);
  });

  it('may be as old as the subscription, where the link has stalled since', () => {
    const told = new SiteInstance(0, [], outputs);
    told.pass(8_000);
    told.do(told.site.connected(told.now, 1_000));
    told.hear('result', 'j7', result, 31_536_000);
    told.echo();
    assert.deepEqual(told.cleared, [{ agoMs: 9_000, centre: 'c', seq: 7 }]);
  });

  it('stays on the broker until another one of the same alert has been there for an hour', () => {
    const told = new Asked(false);
    told.hear('result', 'j7', result, 31_536_000 - 7_200);
    told.echo();
    told.done;
    told.hear('result', 'j8', result, 31_536_000 - 10);
    assert.deepEqual(told.done, ['empty result', 'clear']);
  });
});

describe('a start that was asked before a clear which another instance has done', () => {
  it('is taken out, also by an instance that did not see the clear itself', () => {
    const told = new SiteInstance(0, [], ({ command }) => ({
      names: ['alert x'],
      isStop: JSON.stringify(command).includes('clear'),
    }));
    told.connect();
    told.hear('result', 'j7', result, 31_536_000 - 10);
    const about = {
      site: 'north',
      at: 'now',
      devices: [],
      centre: 'c',
      command: { alert: 'x', action: 'start' },
    };
    for (const seq of [6, 8]) told.hear('job', `j${seq}`, { id: `j${seq}`, ...about, seq }, 30);
    told.echo();
    told.claim('a', 1, 'j6');
    told.pass(500);
    assert.deepEqual(told.begun, ['j8']);
    assert.deepEqual(told.outcomes, ['superseded']);
  });
});

describe('what an end is about', () => {
  const entry = (outputs: string[], ends: boolean) => ({ outputs, isStop: ends }) as never;
  it('is all that a start is about, or more', () => {
    assert.equal(covers(entry(['a', 'b'], true), entry(['a'], false)), true);
    assert.equal(covers(entry(['a'], true), entry(['a', 'b'], false)), false);
    assert.equal(covers(entry(['a'], true), entry(['a'], true)), false);
  });
});
