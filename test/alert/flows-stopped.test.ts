import assert from 'node:assert/strict';
import type { Engine } from '../../src/runtime/alert/engine';
import type { OutputState } from '../../src/runtime/alert/output-state';
import { about, boot, Clock, clearIn, deviceAction, kept } from './engine-parts';

const door = { ...deviceAction, deviceOutput: 'door 1' };
const isDoor = ({ deviceOutput }: OutputState) => deviceOutput.startsWith('door');

/** Starts an alert, all of which the device takes. */
function started(
  engine: Engine,
  id: string,
  seconds: number | undefined,
  deviceActions = [door, deviceAction],
): void {
  const ends = seconds !== undefined && { endAfterMs: seconds * 1_000 };
  for (const { ticket } of engine.start({ ...about, id, ...ends }, deviceActions)) {
    if (ticket) engine.answered(ticket, 'taken');
  }
}

const soon = (engine: Engine) => engine.endSoon(60_000, isDoor);
const plannedActions = (engine: Engine) =>
  soon(engine).map(({ kind, output }) => `${kind} ${output.deviceOutput}`);

describe('alerts and flows that a user stops', () => {
  it('end doors whose time is over soon, once, and stay on with the rest', () => {
    const clock = new Clock();
    const engine = boot(clock);
    started(engine, 'a', 60);
    for (const ticket of soon(engine)) {
      assert.deepEqual([ticket.kind, ticket.output.deviceOutput], ['end', 'door 1']);
      engine.answered(ticket, 'taken');
    }
    assert.deepEqual([plannedActions(engine), engine.state('a')?.state], [[], 'active']);
    clock.ms = 60_000;
    const again = boot(clock, kept(engine));
    assert.deepEqual(again.overdue(), ['a']);
    assert.deepEqual(
      clearIn(again, 'a').map(({ kind, output }) => [kind, output.deviceOutput]),
      [['end', 'strobe']],
    );
  });

  it('leave alone what is not over soon, also where one of several alerts is', () => {
    const engine = boot(new Clock());
    started(engine, 'later', 61);
    assert.deepEqual(plannedActions(engine), []);
    started(engine, 'soon', 10);
    assert.deepEqual(plannedActions(engine), []);
    const other = boot(new Clock());
    started(other, 'without', undefined);
    assert.deepEqual([plannedActions(other), other.pendingStops()], [[], []]);
  });

  it('ask for pending commands at doors, which stay pending where they are not taken', () => {
    const clock = new Clock();
    const engine = boot(clock);
    started(engine, 'a', undefined);
    for (const ticket of clearIn(engine, 'a')) engine.answered(ticket, 'missed');
    const tickets = soon(engine);
    assert.deepEqual(
      tickets.map(({ output }) => output.deviceOutput),
      ['door 1'],
    );
    assert.deepEqual(plannedActions(engine), []);
    for (const ticket of tickets) engine.answered(ticket, 'missed');
    const again = boot(clock, kept(engine));
    assert.deepEqual(again.pendingStops().length, 2);
  });

  it('ask for the pending stop of a door that a start of the same alert leaves out', () => {
    const engine = boot(new Clock());
    started(engine, 'a', undefined);
    for (const ticket of clearIn(engine, 'a')) engine.answered(ticket, 'missed');
    started(engine, 'a', 10, [deviceAction]);
    assert.deepEqual(plannedActions(engine), ['end door 1']);
  });

  it('end a start that is still on its way', () => {
    const engine = boot(new Clock());
    engine.start({ ...about, endAfterMs: 30_000 }, [door]);
    assert.deepEqual(plannedActions(engine), ['end door 1']);
  });
});
