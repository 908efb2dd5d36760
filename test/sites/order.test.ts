import assert from 'node:assert/strict';
import { covers, type Outputs } from '../../src/sites/order';
import type { JobMessage, ResultMessage } from '../../src/sites/wire';
import { receipt, SiteInstance } from './site-instance';

/** What begins with `end` ends its outputs, which are its devices. */
function outputs({ command, devices }: JobMessage): Outputs {
  const name = 'alert' in command ? command.action : command.operation.slice('x/'.length);
  return { names: devices, isStop: /^(?:end|clear)/.test(name) };
}

/** A site that has heard itself, or, as after a connection that was lost, has not yet. */
class Asked extends SiteInstance {
  constructor(isReady = true, rank = 0, remembered: readonly [string, ResultMessage | null][] = []) {
    super(rank, remembered, outputs);
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
    this.receive('job', `j${seq}`, { id: `j${seq}`, ...about }, expiry);
  }
}

describe('the order of what a centre asks for one output', () => {
  it('is kept where the broker says it the other way round', () => {
    const instance = new Asked(false);
    instance.ask(2, 'end');
    instance.ask(1, 'start');
    instance.echo();
    instance.claim('a', 1, 'j1');
    // The start is taken out and answered, and never begun.
    assert.deepEqual(instance.outcomes, ['superseded']);
    instance.pass(1_000);
    assert.deepEqual(instance.begun, ['j2']);
  });

  it('is kept after a kill: a start that still waits is not begun after a stop that was done', () => {
    const begun = (outcome: string, other = 'j2') => {
      const result: ResultMessage = { v: 2, instance: 'a', at: 'now', receipts: [{ ...receipt, outcome }] };
      const instance = new Asked(false, 0, [[other, result]]);
      instance.ask(1, 'safe');
      instance.ask(2, 'end');
      instance.echo();
      instance.pass(1_000);
      return instance.begun;
    };
    assert.deepEqual(begun('accepted'), []);
    assert.deepEqual(begun('expired'), ['j1']);
    assert.deepEqual(begun('superseded'), ['j1']);
  });

  describe('where a drill is cleared behind a start of the alert', () => {
    const command = (action: string, drill: boolean) => ({ command: { alert: 'x', action, drill } });
    const both = (isDrill: boolean, expiry?: number) => {
      const instance = new Asked(false);
      instance.ask(2, 'clear', ['a'], command('clear', true), expiry);
      if (expiry !== undefined) instance.receive('job', 'j2');
      instance.ask(1, 'start', ['a'], command('start', isDrill));
      instance.echo();
      instance.do(instance.site.turn(instance.now, 'j1'));
      instance.claim('a', 1, 'j1');
      instance.pass(1_000);
      return instance;
    };

    it('takes out the start of a drill, and no real one', () => {
      assert.deepEqual(both(true).outcomes, ['superseded']);
      const instance = both(false);
      assert.deepEqual([instance.outcomes, instance.begun], [[], ['j1', 'j2']]);
    });

    it('takes out no real start when its time is over', () => {
      const instance = both(false, 1);
      assert.deepEqual([instance.outcomes, instance.begun], [[], ['j1']]);
    });
  });

  it('takes out no start that an instance has claimed which was not heard before', () => {
    const instance = new Asked(false);
    instance.ask(2, 'end');
    instance.ask(1, 'start');
    instance.echo();
    instance.claim('b', 1, 'j1');
    instance.claim('a', 1, 'j1');
    instance.pass(500);
    assert.deepEqual(instance.begun, []);
    instance.peer('b', 1, true);
    instance.receive('result', 'j1', { instance: 'b', at: 'now', receipts: [receipt] });
    instance.pass(500);
    assert.deepEqual(instance.begun, ['j2']);
    assert.deepEqual(instance.outcomes, []);
  });

  it('lets a start wait until the one before it may be written', () => {
    const instance = new Asked();
    instance.ask(1, 'start');
    instance.ask(2, 'start');
    instance.ask(3, 'start', ['b']);
    assert.deepEqual(instance.begun, ['j1', 'j3']);
    instance.do(instance.site.turn(instance.now, 'j1'));
    instance.receive('claim', 'j1', { instance: 'a', nodeId: 'a', seq: 1 });
    instance.pass(500);
    assert.deepEqual(instance.begun, ['j1', 'j3', 'j2']);
  });

  it('does not let an end take out a start that is about more', () => {
    const instance = new Asked(false);
    instance.ask(1, 'start', ['a', 'b']);
    instance.ask(2, 'end', ['a']);
    instance.echo();
    assert.deepEqual(instance.begun, ['j1']);
    assert.deepEqual(instance.outcomes, []);
  });

  it('waits for nothing whose time is over', () => {
    const instance = new Asked();
    instance.ask(1, 'start');
    instance.ask(2, 'start', ['a'], {});
    instance.receive('job', 'j1');
    instance.pass(500);
    assert.deepEqual(instance.begun, ['j1', 'j2']);
  });

  it('takes out what comes after something that was asked later', () => {
    const instance = new Asked();
    instance.ask(2, 'end');
    instance.ask(1, 'start');
    instance.claim('a', 1, 'j1');
    assert.deepEqual(instance.begun, ['j2']);
    assert.deepEqual(instance.outcomes, ['superseded']);
  });

  it('takes out what was asked before an end whose time is over, which another instance may have done', () => {
    const instance = new Asked(true, 1);
    instance.peer('b', 0, true);
    instance.ask(1, 'start');
    instance.ask(2, 'end', ['a'], {}, 5);
    instance.pass(6_000);
    instance.claim('a', 1, 'j1');
    assert.deepEqual(instance.begun, []);
    assert.deepEqual(instance.outcomes, ['superseded']);
  });

  it('lets no end be taken out by another one whose time is over', () => {
    const instance = new Asked(true, 1);
    instance.peer('b', 0, true);
    instance.ask(1, 'end');
    instance.ask(2, 'end', ['a'], {}, 5);
    instance.pass(8_000);
    assert.deepEqual(instance.begun, ['j1']);
    assert.deepEqual(instance.outcomes, []);
  });

  it('lets an end wait for a claim that is on its way, and then go behind it', () => {
    const instance = new Asked();
    instance.ask(1, 'start');
    instance.do(instance.site.turn(instance.now, 'j1'));
    instance.ask(2, 'clear');
    assert.deepEqual(instance.begun, ['j1']);
    instance.receive('claim', 'j1', { instance: 'a', nodeId: 'a', seq: 1 });
    instance.pass(500);
    assert.deepEqual(instance.begun, ['j1', 'j2']);
    assert.deepEqual(instance.outcomes, []);
  });

  it('is not that of another centre', () => {
    const instance = new Asked();
    instance.ask(1, 'start');
    instance.ask(2, 'start', ['a'], { centre: 'd' });
    assert.deepEqual(instance.begun, ['j1', 'j2']);
  });

  it('waits for the answer of another instance that has claimed it', () => {
    const instance = new Asked(false);
    instance.peer('b', 0, true);
    instance.receive('claim', 'j1', { instance: 'b', nodeId: 'b', seq: 1 });
    instance.ask(1, 'start');
    instance.ask(2, 'end');
    instance.echo();
    assert.deepEqual(instance.begun, []);
    instance.receive('result', 'j1', { instance: 'b', at: 'now', receipts: [receipt] });
    instance.pass(500);
    assert.deepEqual(instance.begun, ['j2']);
  });

  describe('where another instance has claimed a start whose time is over', () => {
    /** The start of `j1` has 30 s; it may be at its device just then. */
    function claimedElsewhere(): Asked {
      const instance = new Asked();
      instance.peer('b', 1, true);
      instance.receive('claim', 'j1', { instance: 'b', nodeId: 'b', seq: 1 });
      instance.ask(1, 'start');
      for (let seq = 2; seq < 9; seq += 1) {
        instance.pass(4_000);
        instance.peer('b', 1, true, { seq });
      }
      return instance;
    }

    it('lets an end wait for its answer', () => {
      const instance = claimedElsewhere();
      instance.ask(2, 'end');
      instance.pass(2_000);
      instance.receive('job', 'j1');
      instance.pass(2_500);
      assert.deepEqual(instance.begun, []);
      instance.receive('result', 'j1', { instance: 'b', at: 'now', receipts: [receipt] });
      instance.pass(500);
      assert.deepEqual(instance.begun, ['j2']);
    });

    it('lets an end wait for 3 s at most', () => {
      const instance = claimedElsewhere();
      instance.ask(2, 'end');
      instance.pass(4_500);
      assert.deepEqual(instance.begun, []);
      instance.pass(500);
      assert.deepEqual(instance.begun, ['j2']);
    });

    it('lets no end wait until its own time is over', () => {
      const instance = claimedElsewhere();
      instance.ask(2, 'end', ['a'], {}, 3);
      instance.pass(2_000);
      assert.deepEqual(instance.begun, ['j2']);
    });

    it('lets no end wait where that instance is dead', () => {
      const instance = claimedElsewhere();
      instance.ask(2, 'end');
      instance.peer('b', 1, true, { seq: 9, leaving: true });
      instance.pass(2_000);
      assert.deepEqual(instance.begun, ['j2']);
    });
  });
});

const cleared = { alert: 'x', at: 'any clock', nodeIds: ['b'], centre: 'c', seq: 7, ago: 1_000 };
const result = { instance: 'b', at: 'any clock', receipts: [], doneBy: ['b'], cleared };

describe('a clear that another instance has answered before this one has done it', () => {
  it('is done behind what it waits for, also where the centre has taken it off the broker', () => {
    const instance = new Asked();
    instance.ask(1, 'start');
    instance.do(instance.site.turn(instance.now, 'j1'));
    instance.ask(7, 'clear');
    instance.receive('result', 'j7', result);
    instance.receive('job', 'j7');
    instance.pass(500);
    assert.deepEqual(instance.begun, ['j1']);
    instance.receive('claim', 'j1', { instance: 'a', nodeId: 'a', seq: 1 });
    instance.pass(500);
    assert.deepEqual(instance.begun, ['j1', 'j7']);
  });

  it('is done where a link that stalled goes on, also where its time is over', () => {
    for (const stalledMs of [5_000, 40_000]) {
      const instance = new Asked(false);
      instance.ask(7, 'clear');
      instance.pass(stalledMs);
      instance.receive('result', 'j7', result, 31_536_000 - stalledMs / 1_000);
      instance.receive('job', 'j7');
      instance.echo();
      instance.pass(500);
      assert.equal(instance.begun.length + instance.cleared.length, 1, `${stalledMs} ms`);
    }
  });
});

describe('a clear that was answered while an instance was away', () => {
  it('is done with how long ago it was asked, whatever the clocks say', () => {
    const instance = new Asked(false);
    instance.receive('result', 'j7', result, 31_536_000 - 7_200);
    assert.deepEqual(instance.cleared, []);
    instance.echo();
    assert.deepEqual(instance.cleared, [{ agoMs: 7_202_000, centre: 'c', seq: 7 }]);
  });

  it('may have been kept by the broker for less than it counts', () => {
    const instance = new Asked(false);
    instance.receive('result', 'j7', result, 31_536_000);
    instance.echo();
    assert.deepEqual(instance.cleared, [{ agoMs: 2_000, centre: 'c', seq: 7 }]);
  });

  it('may be as old as the subscription, where the link has stalled since', () => {
    const instance = new SiteInstance(0, [], outputs);
    instance.pass(1_000);
    instance.site.subscribing(instance.now);
    instance.pass(7_000);
    instance.do(instance.site.connected(instance.now));
    instance.receive('result', 'j7', result, 31_536_000);
    instance.echo();
    assert.deepEqual(instance.cleared, [{ agoMs: 9_000, centre: 'c', seq: 7 }]);
  });

  it('stays on the broker until another one of the same alert has been there for an hour', () => {
    const instance = new Asked(false);
    instance.receive('result', 'j7', result, 31_536_000 - 7_200);
    instance.echo();
    instance.done;
    instance.receive('result', 'j8', result, 31_536_000 - 10);
    assert.deepEqual(instance.done, ['empty result', 'clear']);
  });
});

describe('a start that was asked before a clear which another instance has done', () => {
  it('is taken out, also by an instance that did not see the clear itself', () => {
    const instance = new SiteInstance(0, [], ({ command }) => ({
      names: ['alert x'],
      isStop: JSON.stringify(command).includes('clear'),
    }));
    instance.connect();
    instance.receive('result', 'j7', result, 31_536_000 - 10);
    const about = {
      site: 'north',
      at: 'now',
      devices: [],
      centre: 'c',
      command: { alert: 'x', action: 'start' },
    };
    for (const seq of [6, 8]) instance.receive('job', `j${seq}`, { id: `j${seq}`, ...about, seq }, 30);
    instance.echo();
    instance.claim('a', 1, 'j6');
    instance.pass(500);
    assert.deepEqual(instance.begun, ['j8']);
    assert.deepEqual(instance.outcomes, ['superseded']);
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
