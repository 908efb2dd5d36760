import assert from 'node:assert/strict';
import type { Answer, DeviceClient, Turn } from '../../src/client/client';
import { deviceOutputFor, queuePolicyFor } from '../../src/client/queue/entry';
import { about, ClientFixture, failureOf } from '../fixtures/client-fixture';
import { ResponseGate } from '../fixtures/response-gate';
import { VirtualClock } from '../fixtures/virtual-clock';
import {
  activate,
  alarm,
  allClear,
  type Call,
  callOf,
  endOf,
  lock,
  lockOther,
  munlock,
  operationOf,
  pairs,
  pathOf,
  playTone,
  status,
  stopTone,
  unlock,
} from './device-outputs';

describe('client: order by device output', () => {
  const fixture = new ClientFixture();
  let gate: ResponseGate;
  let clock: VirtualClock;
  let client: DeviceClient;
  afterEach(() => fixture.clear());

  beforeEach(async () => {
    gate = new ResponseGate();
    clock = new VirtualClock();
    const { monotonic, after } = clock;
    client = fixture.client(await fixture.http(gate.respond), {}, { monotonic, after });
  });

  const call = ({ name, given }: Call): Promise<Answer> => client.call(operationOf(name), given);
  const read = (): Promise<Answer> => client.call(about, {}, { reading: true });
  const superseded = { code: 'SUPERSEDED', outcome: 'superseded', attempts: 0 };

  /** Waits until so many requests have come, and says which: `door/lock`. */
  const seen = async (count: number): Promise<string[]> => {
    while (fixture.seen.length < count) await gate.next();
    return fixture.seen.map(pathOf);
  };
  /** Lets the device answer whatever comes, one after the other, until so many have come. */
  const answerAll = async (count: number): Promise<string[]> => {
    for (;;) {
      while (gate.held.length > 0) gate.release();
      if (fixture.seen.length >= count) return fixture.seen.map(pathOf);
      await gate.next();
    }
  };
  const refuse = () => {
    const [response] = gate.held;
    assert.ok(response);
    response.statusCode = 404;
    gate.release();
  };

  for (const [start, stop] of pairs) {
    it(`${stop.name} takes out ${start.name} that waits behind a reading`, async () => {
      const reading = read();
      await seen(1);
      const started = endOf(call(start));
      const stopped = call(stop);
      assert.deepEqual(await seen(2), ['info/about', stop.path]);
      assert.deepEqual(await started, superseded);
      await answerAll(2);
      await Promise.all([reading, stopped]);
      assert.equal(fixture.seen.length, 2);
    });

    it(`${stop.name} follows ${start.name} that is under way, and passes the rest`, async () => {
      const started = call(start);
      await seen(1);
      const waiting = call(status);
      const stopped = call(stop);
      const other = call(stop.name === 'tone/stop' ? lock : stopTone);
      const otherPath = stop.name === 'tone/stop' ? 'door/lock' : 'tone/stop';
      assert.deepEqual(await seen(2), [start.path, otherPath]);
      gate.release(1);
      await other;
      gate.release();
      await started;
      const [, , ...last] = await answerAll(4);
      assert.deepEqual(last.sort(), [stop.path, 'info/status'].sort());
      await Promise.all([stopped, waiting]);
    });
  }

  it('a stop at another door ends nothing here', async () => {
    const reading = read();
    await seen(1);
    const started = call(unlock);
    const stopped = call(lockOther);
    assert.deepEqual(await seen(2), ['info/about', 'door/lock']);
    assert.deepEqual(await answerAll(3), ['info/about', 'door/lock', 'door/unlock']);
    await Promise.all([reading, started, stopped]);
  });

  it('stopping one type of event at a console takes out no button', async () => {
    const reading = read();
    await seen(1);
    const started = call(activate);
    const stopped = call(callOf('console/stop', 'event/stop', { type: 'call' }));
    await seen(2);
    assert.deepEqual(await answerAll(3), ['info/about', 'event/stop', 'button/activate']);
    await Promise.all([reading, started, stopped]);
  });

  it('an emergency starts at once behind all that waits, and ends in order', async () => {
    const reading = read();
    await seen(1);
    const waiting = [call(playTone), call(unlock)];
    const started = call(alarm);
    assert.deepEqual(await seen(2), ['info/about', 'emergency-alert/start']);
    const again = endOf(call(alarm));
    const stopped = call(allClear);
    assert.deepEqual(await again, superseded);
    gate.release(1);
    await started;
    assert.deepEqual((await seen(3)).slice(2), ['emergency-alert/stop']);
    await answerAll(5);
    await Promise.all([reading, stopped, ...waiting]);
  });

  it('is sent after 2 s beside a start that hangs, and once more after that', async () => {
    const started = call(unlock);
    await seen(1);
    const stopped = call(lock);
    const later = call(unlock);
    clock.advance(1_999);
    const other = call(stopTone);
    assert.deepEqual(await seen(2), ['door/unlock', 'tone/stop']);
    gate.release(1);
    await other;
    clock.advance(1);
    assert.deepEqual((await seen(3)).slice(2), ['door/lock']);
    gate.release(1);
    assert.equal((await stopped).attempts, 1);
    gate.release();
    await started;
    assert.deepEqual((await answerAll(5)).slice(3), ['door/lock', 'door/unlock']);
    await later;
  });

  it('is not sent once more after a start that was definitely not done', async () => {
    const started = failureOf(call(playTone));
    await seen(1);
    const stopped = call(stopTone);
    clock.advance(2_000);
    await seen(2);
    gate.release(1);
    await stopped;
    refuse();
    assert.equal((await started).code, 'REFUSED');
    const last = call(status);
    assert.deepEqual(await answerAll(3), ['tone/start', 'tone/stop', 'info/status']);
    await last;
  });

  it('is not sent once more after a start whose turn only looked at the device', async () => {
    const operation = operationOf(unlock.name);
    const place = client.queue.take(queuePolicyFor(operation, clock.now));
    const work = async (turn: Turn) => {
      await turn.call(about, {});
      await turn.call(operation, unlock.given);
    };
    const started = failureOf(
      client.during(place, deviceOutputFor(operation, unlock.given), unlock.name, work),
    );
    await seen(1);
    gate.release();
    await seen(2);
    const stopped = call(lock);
    clock.advance(2_000);
    await seen(3);
    gate.release(1);
    await stopped;
    refuse();
    assert.equal((await started).code, 'REFUSED');
    const last = call(status);
    assert.deepEqual(await answerAll(4), ['info/about', 'door/unlock', 'door/lock', 'info/status']);
    await last;
  });

  it('is sent once more after a start of which nobody knows whether it was done', async () => {
    const started = failureOf(call(munlock));
    await seen(1);
    const stopped = call(lock);
    clock.advance(2_000);
    await seen(2);
    gate.release(1);
    await stopped;
    gate.held.shift()?.socket?.destroy();
    assert.equal((await started).outcome, 'unknown');
    assert.deepEqual(await answerAll(3), ['door/munlock', 'door/lock', 'door/lock']);
  });
});
