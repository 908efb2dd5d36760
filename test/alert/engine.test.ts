import assert from 'node:assert/strict';
import type { DeviceAction, SendResult, StartRequest } from '../../src/runtime/alert/alert';
import type { Engine } from '../../src/runtime/alert/engine';
import type { Ticket } from '../../src/runtime/alert/output-state';
import { about, boot, Clock, clearIn, deviceAction } from './engine-parts';
import { actionOf } from './world-actions';

describe("what an alert's engine makes of what is on its way", () => {
  let clock: Clock;
  let engine: Engine;
  beforeEach(() => {
    clock = new Clock();
    engine = boot(clock);
  });

  /** Starts an alert, and says what is sent for it. */
  function start(startRequest: Partial<StartRequest>, ...deviceActions: DeviceAction[]): Ticket[] {
    const answers = engine.start(
      { ...about, ...startRequest },
      deviceActions.length > 0 ? deviceActions : [deviceAction],
    );
    return answers.flatMap(({ ticket }) => ticket ?? []);
  }
  function answer(tickets: readonly Ticket[], result: SendResult): void {
    for (const ticket of tickets) engine.answered(ticket, result);
  }
  const short = (tickets: readonly Ticket[]) => tickets.map(({ kind, alert }) => `${kind} ${alert}`);
  const retried = { ...deviceAction, action: { ...deviceAction.action, retry: 'always' as const } };

  it('ends what began after an end, whichever of the two is heard of first', () => {
    answer(start({}), 'taken');
    const end = clearIn(engine, 'a');
    answer(start({}), 'taken');
    answer(end, 'taken');
    assert.deepEqual(engine.state('a')?.active, ['D']);
    assert.deepEqual(short(clearIn(engine, 'a')), ['end a']);
  });

  it('counts a start that was asked for last as the last one, also where an older one comes after it', () => {
    const centre = { centre: 'c' };
    clock.ms = 10_000;
    start({});
    start({ asked: { ...centre, at: 4_000, seq: 1 } });
    assert.ok(engine.isStartedAfter('a', { ...centre, at: 5_000, seq: 2 }));
    // Of one centre the number tells, whatever the times say.
    start({ asked: { ...centre, at: 11_000, seq: 5 } });
    start({ asked: { ...centre, at: 12_000, seq: 4 } });
    assert.ok(engine.isStartedAfter('a', { ...centre, at: 13_000, seq: 4 }));
    // After its end an older start is the last one.
    clearIn(engine, 'a');
    start({ asked: { ...centre, at: 4_000, seq: 1 } });
    assert.ok(!engine.isStartedAfter('a', { ...centre, at: 5_000, seq: 2 }));
  });

  it('has on what was sent last, whichever of the two is heard of first', () => {
    const first = start({ id: 'b', priority: 1 });
    answer(start({}), 'taken');
    answer(first, 'taken');
    assert.deepEqual([engine.state('a')?.active, engine.state('b')?.active], [['D'], []]);
  });

  it('is on after its last start, also if an earlier start fails afterwards', () => {
    const first = start({});
    answer(start({}), 'taken');
    answer(first, 'missed');
    assert.deepEqual([engine.state('a')?.active, engine.state('a')?.failed], [['D'], []]);
  });

  it('is idle after its clear, also if it has no action at any output', () => {
    engine.start(about, []);
    assert.deepEqual([engine.state('a')?.state, clearIn(engine, 'a')], ['active', []]);
    assert.equal(engine.state('a'), undefined);
  });

  it('is not changed by a drill without a valid action while it is a real alert', () => {
    answer(start({}), 'taken');
    engine.refuse({ ...about, drill: true, targets: ['e'] }, []);
    assert.deepEqual(
      engine.reports('a').map(({ updates, targets, drill }) => [updates, targets, drill]),
      [[0, 1, false]],
    );
  });

  it('ends what was asked for last of what is still on its way', () => {
    const [first, last] = [deviceAction, deviceAction].map((one, index) => {
      const end = { operation: 'tone/stop', parameters: { path: `${index}.wav` } };
      return { ...one, action: { ...one.action, end } };
    });
    assert.ok(first && last);
    start({}, first);
    start({}, last);
    assert.deepEqual(
      clearIn(engine, 'a').map(({ action }) => action.end?.parameters),
      [{ path: '1.wav' }],
    );
  });

  it('brings one back at once where an update of the one that is cleared is still on its way', () => {
    answer(start({ id: 'b', priority: 1 }), 'taken');
    answer(start({}), 'taken');
    start({});
    assert.deepEqual(short(clearIn(engine, 'a')), ['return b']);
  });

  it('ends at once what several have on their way and none of them wants any more', () => {
    start({});
    start({ id: 'b' });
    assert.deepEqual(clearIn(engine, 'a'), []);
    assert.deepEqual(short(clearIn(engine, 'b')), ['end b']);
  });

  it('asks for one that comes back ever more rarely, too, and is as quick as ever the next time', () => {
    answer(start({ id: 'b', priority: 1, retryAlert: true }, retried), 'taken');
    answer(start({}), 'taken');
    let tickets = clearIn(engine, 'a');
    const pauses: number[] = [];
    for (const result of ['missed', 'unknown', 'missed'] as const) {
      assert.deepEqual(short(tickets), ['return b']);
      answer(tickets, result);
      assert.deepEqual([engine.state('a')?.state, engine.state('a')?.pending], ['clearing', ['D']]);
      pauses.push(engine.nextAt - clock.ms);
      clock.ms = engine.nextAt;
      tickets = engine.due();
    }
    assert.deepEqual(pauses, [1_000, 2_000, 4_000]);
    answer(tickets, 'missed');
    // Somebody asks for it before its time has come, and it is taken.
    answer(clearIn(engine, 'a'), 'taken');
    const ends = clearIn(engine, 'b');
    assert.deepEqual(short(ends), ['end b']);
    answer(ends, 'missed');
    assert.equal(engine.nextAt - clock.ms, 1_000);
  });

  it('waits for nothing where it owes something else than what it was asked for in vain', () => {
    answer(start({ id: 'b', priority: 1 }), 'taken');
    answer(start({ id: 'c', priority: 3, retryAlert: true }, retried), 'taken');
    answer(start({}), 'taken');
    answer(clearIn(engine, 'a'), 'missed');
    answer(clearIn(engine, 'a'), 'taken');
    start({ id: 'c', priority: 0 }, { ...deviceAction, deviceOutput: 'text' });
    assert.deepEqual(short(engine.due()), ['return b']);
  });

  it('still wants what it was started with again while it came back, though that was refused', () => {
    const weather = { id: 'b', priority: 1 };
    answer(start(weather), 'taken');
    answer(start({}), 'taken');
    const back = clearIn(engine, 'a');
    const again = start(weather, {
      ...deviceAction,
      action: { ...deviceAction.action, parameters: { number: 2 } },
    });
    answer(back, 'refused');
    answer(again, 'taken');
    assert.deepEqual(engine.state('b')?.active, ['D']);
    assert.deepEqual(short(clearIn(engine, 'b')), ['end b']);
  });

  for (const result of ['missed', 'taken'] as const) {
    it(`brings back what it was started with again while an alert of higher priority was on its way, which is ${result}`, () => {
      answer(start({ id: 'b', priority: 1 }), 'taken');
      const other = start({});
      const again = { ...deviceAction, action: actionOf('strobe', 2, true) };
      assert.deepEqual(start({ id: 'b', priority: 1 }, again), []);
      answer(other, result);
      const back = result === 'taken' ? clearIn(engine, 'a') : engine.due();
      assert.deepEqual(
        back.map(({ kind, action }) => [kind, action.parameters.number]),
        [['return', 2]],
      );
      answer(back, 'taken');
      assert.equal(engine.nextAt, Number.POSITIVE_INFINITY);
    });
  }

  it('brings back what it was started with again, where another one was only to be on for a moment', () => {
    const other = start({});
    const first = start({ id: 'b', priority: 9 });
    start({ id: 'b', priority: 1 }, { ...deviceAction, action: actionOf('strobe', 2, true) });
    assert.deepEqual(clearIn(engine, 'a'), []);
    answer([...other, ...first], 'taken');
    assert.deepEqual(
      engine.due().map(({ kind, action }) => [kind, action.parameters.number]),
      [['return', 2]],
    );
  });

  it('is started again where the device ends what others began while its start is under way', () => {
    engine.othersEndAt(deviceAction.device, 'strobe', 5_000);
    clock.ms = 4_990;
    const tickets = start({ retryAlert: true });
    clock.ms = 5_010;
    assert.deepEqual(engine.due(), []);
    assert.equal(engine.nextAt, Number.POSITIVE_INFINITY);
    answer(tickets, 'taken');
    assert.deepEqual(short(engine.due()), ['again a']);
  });

  it('claims nothing by a start that failed after a person ended what it had there', () => {
    answer(start({}), 'taken');
    const end = clearIn(engine, 'a');
    const again = start({});
    engine.replaced(deviceAction.device, deviceAction.deviceOutput, true);
    answer(again, 'missed');
    assert.deepEqual(short(start({ id: 'b', priority: 1 })), ['start b']);
    answer(end, 'taken');
  });

  it('is still to be cleared while an end is on its way, whoever else has ended it', () => {
    answer(start({}), 'taken');
    const end = clearIn(engine, 'a');
    engine.replaced(deviceAction.device, deviceAction.deviceOutput, true);
    assert.deepEqual(engine.state('a')?.pending, ['D']);
    answer(end, 'taken');
    assert.equal(engine.state('a'), undefined);
  });

  it('tells priorities apart that differ by a fraction', () => {
    start({ priority: 2.5 });
    assert.deepEqual(start({ id: 'b', priority: 2.4 }), []);
    assert.deepEqual(short(start({ id: 'c', priority: 2.6 })), ['start c']);
  });

  it('ends first what was started last, in the order that the actions have now', () => {
    const [one, two] = ['one', 'two'].map((deviceOutput) => ({ ...deviceAction, deviceOutput }));
    assert.ok(one && two);
    answer(start({}, one, two), 'taken');
    answer(start({}, two, one), 'taken');
    assert.deepEqual(
      clearIn(engine, 'a').map(({ output }) => output.deviceOutput),
      ['one', 'two'],
    );
  });

  it('ends device by device, also one that goes by two names', () => {
    const at = (id: string, where: string, deviceOutput: string): DeviceAction => ({
      ...deviceAction,
      device: { id, name: id, where },
      deviceOutput,
    });
    answer(start({}, at('one', 'wall', 'x'), at('gate', 'gate', 'y'), at('two', 'wall', 'z')), 'taken');
    assert.deepEqual(
      clearIn(engine, 'a').map(({ output }) => output.deviceOutput),
      ['z', 'x', 'y'],
    );
  });

  it('asks not all devices at the same time for what they owe', () => {
    clock.random = () => 0.5;
    answer(start({}), 'taken');
    answer(clearIn(engine, 'a'), 'missed');
    assert.equal(engine.nextAt, 750);
  });
});
