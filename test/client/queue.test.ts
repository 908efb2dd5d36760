import assert from 'node:assert/strict';
import { Failure } from '../../src/client/failure';
import { type DeviceOutput, type QueueEntry, queuePolicyFor } from '../../src/client/queue/entry';
import { Queue } from '../../src/client/queue/queue';
import { VirtualClock } from '../fixtures/virtual-clock';

const door: DeviceOutput = { family: 'door', name: 'door local' };
const tone: DeviceOutput = { family: 'tone', name: 'tone' };
const screen: DeviceOutput = { family: 'screen', name: 'screen' };
const never = Number.POSITIVE_INFINITY;

/** The rules that the random histories of `order-histories.test.ts` do not meet. */
describe('client: the queue', () => {
  let clock: VirtualClock;
  let queue: Queue;
  /** What became of the places, in the order in which it did. */
  let log: string[];

  beforeEach(() => {
    clock = new VirtualClock();
    queue = new Queue(clock);
    log = [];
  });

  const message = () => queue.take({ rank: 'ordinary', isStop: false, expiresAt: never });
  const stop = () => queue.take({ rank: 'urgent', isStop: true, expiresAt: never });
  const reading = () => queue.take({ rank: 'reading', isStop: false, expiresAt: never });

  const note = async (name: string, getTurn: () => Promise<void> | undefined) => {
    try {
      const turn = getTurn();
      if (turn) await turn;
      log.push(name);
    } catch (error) {
      log.push(`${name} ${(error as Failure).code}`);
    }
  };
  /** Enters, and notes its turn or why there will be none. */
  const enter = (name: string, place: QueueEntry, deviceOutput?: DeviceOutput) => {
    place.resend = (once) => void enter(`${name} once more`, once, deviceOutput);
    void note(name, () => queue.enter(place, deviceOutput));
    return place;
  };
  const rest = (name: string, place: QueueEntry, ms: number) =>
    void note(name, () => queue.pauseForRetry(place, clock.now + ms));
  /** Until a time of the clock, with all that promises bring. */
  const until = async (at: number) => {
    let reached = false;
    clock.after(at - clock.now, () => {
      reached = true;
    });
    while (!reached) clock.step();
    await new Promise(setImmediate);
  };

  it('ends thousands that are too late, one after the other', async () => {
    const count = 10_000;
    enter('upload', message());
    for (let number = 0; number < count; number += 1)
      enter('unlock', queue.take({ rank: 'ordinary', isStop: false, expiresAt: 60_000 }), door);
    await until(60_000);
    assert.equal(log.length, 1 + count);
    assert.equal(log.at(-1), 'unlock EXPIRED');
  });

  it('waits a minute for a list of bells that is being read', async () => {
    const bells = { inOrderOf: 'schedule', urgent: false };
    const long = queue.take(queuePolicyFor(bells, 0));
    queue.announce(long, 'schedule');
    enter('short', queue.take(queuePolicyFor(bells, 0)), { family: 'schedule', name: 'schedule' });
    await until(59_999);
    assert.deepEqual(log, []);
    await until(60_000);
    assert.deepEqual(log, ['short']);
  });

  it('sends once more the last stop that was not given up', async () => {
    const hanging = enter('start', message(), tone);
    hanging.abort.onWire = true;
    const first = enter('stop', stop(), tone);
    await until(2_000);
    queue.leave(first, true);
    const second = enter('second stop', stop(), tone);
    await until(4_000);
    assert.deepEqual(log, ['start', 'stop', 'second stop']);
    second.abort.abort(Failure.own('ABORTED', 'it was canceled'));
    queue.leave(second, true);
    queue.leave(hanging, true);
    assert.deepEqual(log, ['start', 'stop', 'second stop', 'stop once more']);
  });

  describe('between two tries', () => {
    it('lets readings and what is urgent pass a message, and no later message', async () => {
      const first = enter('first', message(), door);
      enter('second', message(), tone);
      rest('first again', first, 1_000);
      const read = enter('reading', reading());
      const halt = enter('stop', stop(), tone);
      await until(500);
      assert.deepEqual(log, ['first', 'reading', 'stop', 'second SUPERSEDED']);
      queue.leave(halt, true);
      enter('third', message(), tone);
      await until(1_001);
      assert.equal(log.length, 4);
      queue.leave(read, false);
      await until(1_002);
      assert.deepEqual(log.slice(4), ['first again']);
      queue.leave(first, true);
      await until(1_003);
      assert.deepEqual(log.slice(5), ['third']);
    });

    it('gives a reading its turn again', async () => {
      const read = enter('reading', reading());
      rest('reading again', read, 1_000);
      const other = enter('other reading', reading());
      await until(500);
      assert.deepEqual(log, ['reading', 'other reading']);
      queue.leave(other, false);
      await until(1_001);
      assert.deepEqual(log.slice(2), ['reading again']);
    });

    it('removes a start when a stop comes, and gives the stop its turn immediately', async () => {
      const start = enter('unlock', message(), door);
      rest('unlock again', start, 1_000);
      enter('lock', stop(), door);
      await until(1);
      queue.leave(start, false);
      await until(2);
      assert.deepEqual(log, ['unlock', 'unlock again SUPERSEDED', 'lock']);
    });

    it('keeps a later start behind a stop', async () => {
      const halt = enter('lock', stop(), door);
      rest('lock again', halt, 1_000);
      enter('unlock', message(), door);
      await until(999);
      assert.deepEqual(log, ['lock']);
      await until(1_001);
      assert.deepEqual(log, ['lock', 'lock again']);
      queue.leave(halt, true);
      await until(1_002);
      assert.deepEqual(log.slice(2), ['unlock']);
    });

    it('ends a call when the device is closed', async () => {
      rest('first again', enter('first', message(), door), 1_000);
      await queue.close(Failure.own('ABORTED', 'closed'));
      await until(1);
      assert.deepEqual(log, ['first', 'first again ABORTED']);
    });
  });

  describe('with room for two', () => {
    beforeEach(() => {
      queue = new Queue(clock, 2);
    });

    it('refuses a message if the maximum number of messages waits, not counting the one under way', async () => {
      const first = enter('first', message());
      for (const name of ['second', 'third', 'fourth']) enter(name, message());
      enter('lock', stop(), door);
      enter('reading', reading());
      await until(1);
      assert.deepEqual(log, ['first', 'fourth QUEUE_FULL', 'lock']);
      queue.leave(first, true);
      for (const name of ['fifth', 'sixth']) enter(name, message());
      await until(2);
      assert.deepEqual(log.slice(3).sort(), ['second', 'sixth QUEUE_FULL']);
    });

    it('counts messages from their arrival: one that will be under way, and two that wait', async () => {
      const places = [message(), message(), message(), message()];
      for (const [index, place] of places.entries()) enter(String(index), place);
      await until(1);
      assert.deepEqual(log, ['0', '3 QUEUE_FULL']);
    });

    it('counts none as under way while a reading is', async () => {
      enter('reading', reading());
      for (const name of ['first', 'second', 'third']) enter(name, message());
      await until(1);
      assert.deepEqual(log, ['reading', 'third QUEUE_FULL']);
    });

    it('makes room for what is withdrawn, what is taken out and what ends, once for each', async () => {
      for (const place of [message(), message(), message()]) {
        queue.withdraw(place);
        queue.withdraw(place);
      }
      const first = enter('unlock', message(), door);
      enter('unlock 2', message(), door);
      enter('unlock 3', message(), door);
      enter('lock', stop(), door);
      await until(1);
      queue.leave(first, false);
      for (const name of ['a', 'b', 'c', 'd']) enter(name, message());
      await until(2);
      const refused = log.filter((line) => line.includes('QUEUE_FULL'));
      assert.deepEqual(refused, ['d QUEUE_FULL']);
    });
  });

  describe('with an end that nobody sent a message for', () => {
    const end = () => queue.take({ rank: 'urgent', isStop: true, yields: true, expiresAt: never });

    it('gives it up for a start that waits, is under way, or whose parameters are being read', async () => {
      const other = enter('other', message(), tone);
      const waiting = enter('start', message(), screen);
      enter('end', end(), screen);
      queue.leave(other, true);
      await until(1);
      assert.deepEqual(log, ['other', 'end ABORTED', 'start']);
      enter('end', end(), screen);
      queue.leave(waiting, true);
      await until(2);
      assert.deepEqual(log.slice(3), ['end ABORTED']);
      queue.announce(message(), 'screen');
      enter('end', end(), screen);
      await until(3);
      assert.deepEqual(log.slice(4), ['end ABORTED']);
    });

    it('keeps no start from coming after it whose parameters took longer', async () => {
      enter('other', message(), tone);
      const late = message();
      queue.leave(enter('end', end(), screen), true);
      enter('late', late, screen);
      await until(1);
      assert.deepEqual(log, ['other', 'end']);
      assert.equal(late.abort.reason, undefined);
    });
  });
});
