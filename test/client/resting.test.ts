import assert from 'node:assert/strict';
import { Failure } from '../../src/client/failure';
import type { DeviceOutput, QueueEntry } from '../../src/client/queue/entry';
import { Queue } from '../../src/client/queue/queue';
import { VirtualClock } from '../fixtures/virtual-clock';

const door: DeviceOutput = { family: 'door', name: 'door local' };
const tone: DeviceOutput = { family: 'tone', name: 'tone' };
const never = Number.POSITIVE_INFINITY;

describe('client: the queue, between two tries and when it is full', () => {
  let clock: VirtualClock;
  let queue: Queue;
  let log: string[];

  beforeEach(() => {
    clock = new VirtualClock();
    queue = new Queue(clock, 2);
    log = [];
  });

  const message = () => queue.take({ rank: 'ordinary', isStop: false, expiresAt: never });
  const stop = () => queue.take({ rank: 'urgent', isStop: true, expiresAt: never });
  const reading = () => queue.take({ rank: 'reading', isStop: false, expiresAt: never });

  const note = (name: string, waiting: Promise<void> | undefined) => {
    if (!waiting) return void log.push(name);
    waiting.then(
      () => log.push(name),
      ({ code }: Failure) => log.push(`${name} ${code}`),
    );
  };
  const enter = (name: string, place: QueueEntry, deviceOutput?: DeviceOutput) => {
    try {
      note(name, queue.enter(place, deviceOutput));
    } catch (error) {
      log.push(`${name} ${(error as Failure).code}`);
    }
    return place;
  };
  const rest = (name: string, place: QueueEntry, ms: number) =>
    note(name, queue.pauseForRetry(place, clock.now + ms));
  const until = async (at: number) => {
    let reached = false;
    clock.after(at - clock.now, () => {
      reached = true;
    });
    while (!reached) clock.step();
    await new Promise(setImmediate);
  };

  it('lets readings and what is urgent pass a message between two tries, and no later message', async () => {
    const first = enter('first', message(), door);
    enter('second', message(), tone);
    rest('first again', first, 1_000);
    const read = enter('reading', reading());
    const halt = enter('stop', stop(), tone);
    await until(500);
    assert.deepEqual(log, ['first', 'reading', 'stop', 'second SUPERSEDED']);
    queue.leave(read, false);
    queue.leave(halt, true);
    enter('third', message(), tone);
    await until(999);
    assert.equal(log.length, 4);
    await until(1_001);
    assert.deepEqual(log.slice(4), ['first again']);
    queue.leave(first, true);
    await until(1_002);
    assert.deepEqual(log.slice(5), ['third']);
  });

  it('waits for a reading that is under way when the time of the next try has come', async () => {
    const first = enter('first', message(), door);
    rest('first again', first, 100);
    const read = enter('reading', reading());
    await until(200);
    assert.deepEqual(log, ['first', 'reading']);
    queue.leave(read, false);
    await until(201);
    assert.deepEqual(log.slice(2), ['first again']);
  });

  it('takes a start out between two tries when a stop comes, and lets the stop go at once', async () => {
    const start = enter('unlock', message(), door);
    rest('unlock again', start, 1_000);
    enter('lock', stop(), door);
    // Whoever was told leaves.
    await new Promise(setImmediate);
    queue.leave(start, false);
    await until(1);
    assert.deepEqual(log.sort(), ['lock', 'unlock', 'unlock again SUPERSEDED']);
  });

  it('keeps a later start behind a stop between two tries', async () => {
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

  it('ends between two tries when the device is closed', async () => {
    const first = enter('first', message(), door);
    rest('first again', first, 1_000);
    await queue.close(Failure.own('ABORTED', 'closed'));
    await new Promise(setImmediate);
    assert.deepEqual(log, ['first', 'first again ABORTED']);
  });

  it('refuses the message for which there is no room, beside the one under way and those that wait', async () => {
    const first = enter('first', message());
    enter('second', message());
    enter('third', message());
    enter('fourth', message());
    enter('lock', stop(), door);
    enter('reading', reading());
    assert.deepEqual(log, ['first', 'fourth QUEUE_FULL', 'lock']);
    queue.leave(first, true);
    enter('fifth', message());
    enter('sixth', message());
    await until(1);
    assert.deepEqual(log.slice(3).sort(), ['second', 'sixth QUEUE_FULL']);
  });

  it('counts messages from their arrival: one that will be under way, and two that wait', () => {
    const places = [message(), message(), message(), message()];
    for (const [index, place] of places.entries()) enter(String(index), place);
    assert.deepEqual(log, ['3 QUEUE_FULL', '0'].reverse());
  });

  it('makes room for what is withdrawn, what is taken out and what ends, once for each', async () => {
    const places = [message(), message(), message()];
    for (const place of places) {
      queue.withdraw(place);
      queue.withdraw(place);
    }
    const first = enter('unlock', message(), door);
    enter('unlock 2', message(), door);
    enter('unlock 3', message(), door);
    enter('lock', stop(), door);
    await new Promise(setImmediate);
    queue.leave(first, false);
    const more = ['a', 'b', 'c', 'd'].map((name) => enter(name, message()));
    await until(1);
    assert.equal(more.length, 4);
    assert.deepEqual(
      log.filter((line) => line.includes('QUEUE_FULL')),
      ['d QUEUE_FULL'],
    );
  });
});
