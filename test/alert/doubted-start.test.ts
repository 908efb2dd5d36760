import assert from 'node:assert/strict';
import type { AlertAction, SendResult } from '../../src/runtime/alert/alert';
import { Engine } from '../../src/runtime/alert/engine';
import type { Ticket } from '../../src/runtime/alert/output-state';
import { about, Clock, deviceAction, kept } from './engine-parts';
import { actionOf } from './world-actions';

/** Priorities: each takes over from the one before. */
const priorities = { fog: 1, storm: 5, fire: 9 };
type Name = keyof typeof priorities;

describe('a start of an alert of which nobody knows whether it took over', () => {
  let clock: Clock;
  let engine: Engine;
  let journal: Map<string, unknown>;
  let made: number;
  beforeEach(() => {
    clock = new Clock();
    engine = new Engine(clock);
    journal = new Map();
    made = 0;
  });

  function start(id: Name, deviceOutput: string, lasts = true): Ticket[] {
    made += 1;
    const retry = deviceOutput.startsWith('door') ? 'never' : 'always';
    const action: AlertAction = actionOf(deviceOutput, made, lasts, retry);
    const answers = engine.start({ ...about, id, name: id, priority: priorities[id] }, [
      { ...deviceAction, deviceOutput, action },
    ]);
    return answers.flatMap(({ ticket }) => ticket ?? []);
  }
  function answer(tickets: readonly Ticket[], result: SendResult): void {
    for (const ticket of tickets) engine.answered(ticket, result);
  }
  /** The process dies, and another one begins where it was. */
  function restart(): void {
    kept(engine, journal);
    engine = new Engine(clock, journal);
  }
  const short = (tickets: readonly Ticket[]) => tickets.map(({ kind, alert }) => `${kind} ${alert}`);
  /** Returns the requests that are sent until nothing is pending; the device accepts each. */
  function taken(tickets: readonly Ticket[]): string[] {
    if (tickets.length === 0) return [];
    answer(tickets, 'taken');
    return [...short(tickets), ...taken(engine.due())];
  }
  const idle = () => assert.deepEqual([[...engine.alerts], engine.nextAt], [[], Number.POSITIVE_INFINITY]);

  for (const how of ['lost', 'cut off'] as const) {
    const doubt = (tickets: readonly Ticket[]) => (how === 'lost' ? answer(tickets, 'unknown') : restart());

    it(`is sent again in the place of the end of what it may not have replaced: ${how}`, () => {
      answer(start('storm', 'strobe'), 'taken');
      doubt(start('fire', 'strobe'));
      assert.deepEqual(short(engine.due()), []);
      const tickets = engine.clear('storm');
      assert.deepEqual(short(tickets), ['return fire']);
      assert.equal(engine.state('storm')?.state, 'clearing');
      assert.deepEqual(taken(tickets), ['return fire']);
      assert.equal(engine.state('storm'), undefined);
      assert.deepEqual(taken(engine.clear('fire')), ['end fire']);
      idle();
    });

    it(`is asked for until the device takes it, also over another kill: ${how}`, () => {
      answer(start('storm', 'strobe'), 'taken');
      doubt(start('fire', 'strobe'));
      answer(engine.clear('storm'), 'missed');
      assert.deepEqual(engine.state('storm')?.pending, ['D']);
      clock.ms = engine.nextAt;
      assert.deepEqual(short(engine.due()), ['return fire']);
      restart();
      assert.deepEqual(taken(engine.due()), ['return fire']);
      assert.deepEqual(taken(engine.clear('fire')), ['end fire']);
      idle();
    });

    it(`is ended and started again where it is a looping tone: ${how}`, () => {
      answer(start('storm', 'tone'), 'taken');
      doubt(start('fire', 'tone'));
      assert.deepEqual(taken(engine.clear('storm')), ['end storm', 'return fire']);
      assert.deepEqual(taken(engine.clear('fire')), ['end fire']);
      idle();
    });

    it(`is neither sent again nor ended where it must not be sent twice: ${how}`, () => {
      answer(start('storm', 'door 1'), 'taken');
      doubt(start('fire', 'door 1'));
      assert.deepEqual(short(engine.clear('storm')), []);
      assert.deepEqual([engine.state('storm'), engine.state('fire')?.pending], [undefined, []]);
      assert.deepEqual(taken(engine.clear('fire')), ['end fire']);
      idle();
    });

    it(`leaves to be ended what a tone that does not loop may not have replaced: ${how}`, () => {
      answer(start('storm', 'tone'), 'taken');
      doubt(start('fire', 'tone', false));
      assert.deepEqual(taken(engine.clear('storm')), ['end storm']);
      assert.deepEqual(taken(engine.clear('fire')), []);
      idle();
    });

    for (const first of ['fog', 'storm'] as const) {
      it(`knows of all that may be there, whichever is cleared first: ${first}, ${how}`, () => {
        answer(start('fog', 'strobe'), 'taken');
        doubt(start('storm', 'strobe'));
        doubt(start('fire', 'strobe'));
        // Once the device has taken it, nothing else is there.
        const last = first === 'fog' ? 'storm' : 'fog';
        assert.deepEqual(taken(engine.clear(first)), ['return fire']);
        assert.deepEqual(taken(engine.clear(last)), []);
        assert.deepEqual(taken(engine.clear('fire')), ['end fire']);
        idle();
      });
    }

    it(`ends with it what it may not have replaced, where it is cleared last: ${how}`, () => {
      answer(start('storm', 'tone'), 'taken');
      doubt(start('fire', 'tone'));
      const ends = engine.clear('storm');
      answer(ends, 'missed');
      assert.deepEqual(taken(engine.clear('fire')), ['end fire']);
      idle();
    });
  }

  it('comes in the place of an end that nobody has answered when it was sent', () => {
    answer(start('storm', 'strobe'), 'taken');
    engine.clear('storm');
    start('fire', 'strobe');
    restart();
    assert.deepEqual(taken(engine.due()), ['return fire']);
    assert.equal(engine.state('storm'), undefined);
  });

  it('is of no interest once its alert was started again and that was taken', () => {
    answer(start('storm', 'strobe'), 'taken');
    answer(start('fire', 'strobe'), 'unknown');
    answer(start('fire', 'strobe'), 'taken');
    assert.deepEqual(short(engine.clear('storm')), []);
    assert.equal(engine.state('storm'), undefined);
  });

  it('is still doubted where its alert was started again and that was lost, too', () => {
    answer(start('storm', 'strobe'), 'taken');
    answer(start('fire', 'strobe'), 'unknown');
    answer(start('fire', 'strobe'), 'unknown');
    assert.deepEqual(short(engine.clear('storm')), ['return fire']);
  });
});
