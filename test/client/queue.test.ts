import assert from 'node:assert/strict';
import { Failure } from '../../src/client/failure';
import { type DeviceOutput, type QueueEntry, queuePolicyFor } from '../../src/client/queue/entry';
import { Queue } from '../../src/client/queue/queue';
import { VirtualClock } from '../fixtures/virtual-clock';

const door: DeviceOutput = { family: 'door', name: 'door local' };
const otherDoor: DeviceOutput = { family: 'door', name: 'door netdc1' };
const emergency: DeviceOutput = { family: 'emergency', name: 'emergency' };
const tone: DeviceOutput = { family: 'tone', name: 'tone' };
const never = Number.POSITIVE_INFINITY;

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

  const start = () => queue.take({ rank: 'ordinary', isStop: false, expiresAt: clock.now + 60_000 });
  const stop = () => queue.take({ rank: 'urgent', isStop: true, expiresAt: never });
  const other = () => queue.take({ rank: 'ordinary', isStop: false, expiresAt: never });
  const emergencyStart = () => queue.take({ rank: 'urgent', isStop: false, expiresAt: clock.now + 60_000 });
  const urgent = () => queue.take({ rank: 'urgent', isStop: false, expiresAt: never });

  /** Enters, and notes its turn or why there will be none. What has its turn is on the wire at once. */
  const enter = (name: string, place: QueueEntry, deviceOutput?: DeviceOutput) => {
    const begin = () => {
      log.push(name);
      place.abort.onWire = true;
      place.abort.giveUp = () => {
        log.push(`${name} gives way`);
        leave(place);
      };
    };
    const end = ({ code }: Failure) => void log.push(`${name} ${code}`);
    place.resend = (once) => enter(`${name} once more`, once, deviceOutput);
    try {
      const turn = queue.enter(place, deviceOutput);
      if (turn) turn.then(begin, end);
      else begin();
    } catch (error) {
      end(error as Failure);
    }
    return place;
  };
  const leave = (place: QueueEntry) => {
    place.abort.onWire = false;
    place.abort.giveUp = undefined;
    queue.leave(place, true);
  };
  /** Until a time of the clock, with all that promises bring. */
  const until = async (at: number) => {
    let reached = false;
    clock.after(at - clock.now, () => {
      reached = true;
    });
    while (!reached) clock.step();
    await new Promise(setImmediate);
  };

  it('says that it is too late when it is, not when its turn comes', async () => {
    enter('upload', other());
    enter('unlock', start(), door);
    await until(59_999);
    assert.deepEqual(log, ['upload']);
    await until(60_000);
    assert.deepEqual(log, ['upload', 'unlock EXPIRED']);
  });

  it('says so to what comes to the front too late', async () => {
    const first = enter('stop', stop(), emergency);
    enter('second stop', stop(), emergency);
    enter('start', emergencyStart(), emergency);
    await until(70_000);
    assert.deepEqual(log, ['stop']);
    leave(first);
    await until(70_001);
    assert.deepEqual(log, ['stop', 'second stop', 'start EXPIRED']);
  });

  it('waits for what is longer than a timer can be set for', async () => {
    const delays: number[] = [];
    const year = 365 * 24 * 60 * 60 * 1000;
    queue = new Queue({
      monotonic: clock.monotonic,
      after: (ms, task) => {
        delays.push(ms);
        return clock.after(ms, task);
      },
    });
    enter('upload', other());
    enter('unlock', queue.take({ rank: 'ordinary', isStop: false, expiresAt: year }), door);
    await until(year - 1);
    assert.deepEqual(log, ['upload']);
    await until(year);
    assert.deepEqual(log, ['upload', 'unlock EXPIRED']);
    assert.ok(Math.max(...delays) < 2 ** 31);
  });

  it('ends thousands that are too late, one after the other', async () => {
    const count = 10_000;
    enter('upload', other());
    for (let number = 0; number < count; number += 1) enter('unlock', start(), door);
    await until(60_000);
    assert.equal(log.length, 1 + count);
    assert.equal(log.at(-1), 'unlock EXPIRED');
  });

  it('waits for each message whose parameters are being read, the second one too', async () => {
    const slow = stop();
    queue.announce(slow, 'door');
    await until(1_500);
    queue.announce(stop(), 'door');
    enter('unlock', start(), door);
    await until(3_499);
    assert.deepEqual(log, []);
    await until(3_500);
    assert.deepEqual(log, ['unlock']);
  });

  it('waits a minute for a list of bells that is being read', async () => {
    const bells = { inOrderOf: 'schedule', urgent: false };
    const schedule = { family: 'schedule', name: 'schedule' };
    const long = queue.take(queuePolicyFor(bells, 0));
    queue.announce(long, 'schedule');
    enter('short', queue.take(queuePolicyFor(bells, 0)), schedule);
    await until(59_999);
    assert.deepEqual(log, []);
    await until(60_000);
    assert.deepEqual(log, ['short']);
  });

  it('lets a second stop go after its 2 s, whatever held up the first', async () => {
    const hanging = enter('unlock', start(), door);
    const request = enter('urgent request', urgent());
    const lock = enter('lock', stop(), door);
    await until(1_000);
    enter('second lock', stop(), door);
    await until(2_500);
    assert.deepEqual(log, ['unlock', 'urgent request']);
    leave(request);
    await until(2_600);
    assert.deepEqual(log, ['unlock', 'urgent request', 'lock']);
    log = [];
    // The first one is done before the second one has waited long enough.
    leave(lock);
    await until(2_999);
    assert.deepEqual(log, []);
    await until(3_000);
    assert.deepEqual(log, ['second lock']);
    assert.ok(hanging.connectionName);
  });

  it('gives up what is ordinary for an urgent start that has found both connections busy for 2 s', async () => {
    enter('alarm', emergencyStart(), emergency);
    enter('reading', queue.take({ rank: 'reading', isStop: false, expiresAt: never }));
    await until(1_000);
    enter('urgent tone', emergencyStart(), tone);
    await until(2_999);
    assert.deepEqual(log, ['alarm', 'reading']);
    await until(3_001);
    assert.deepEqual(log.slice(2), ['reading gives way', 'urgent tone']);
  });

  it('gives up no urgent start for another one, but for a stop, and no stop for anything', async () => {
    enter('alarm', emergencyStart(), emergency);
    enter('urgent tone', emergencyStart(), tone);
    enter('urgent unlock', emergencyStart(), door);
    await until(10_000);
    assert.deepEqual(log, ['alarm', 'urgent tone']);
    // It passes the start that has waited for longer.
    enter('lock', stop(), otherDoor);
    await until(11_999);
    enter('second lock', stop(), otherDoor);
    await until(12_001);
    assert.deepEqual(log.slice(2), ['urgent tone gives way', 'lock']);
    enter('all-clear', stop(), emergency);
    await until(20_000);
    assert.deepEqual(log.slice(4), ['alarm gives way', 'all-clear']);
  });

  it('gives up a request that comes to the wire later, after as long again', async () => {
    const reading = queue.take({ rank: 'reading', isStop: false, expiresAt: never });
    enter('reading', reading);
    const giveUp = reading.abort.giveUp;
    reading.abort.giveUp = undefined;
    enter('alarm', emergencyStart(), emergency);
    enter('urgent tone', emergencyStart(), tone);
    await until(2_000);
    reading.abort.giveUp = giveUp;
    await until(3_999);
    assert.deepEqual(log, ['reading', 'alarm']);
    await until(4_001);
    assert.deepEqual(log.slice(2), ['reading gives way', 'urgent tone']);
  });

  it('does not end a later start by a stop whose parameters took too long', async () => {
    const lock = stop();
    queue.announce(lock, 'door');
    const unlock = enter('unlock', start(), door);
    await until(2_000);
    assert.deepEqual(log, ['unlock']);
    enter('lock', lock, door);
    await until(2_001);
    assert.deepEqual(log, ['unlock', 'lock SUPERSEDED']);
    assert.equal(unlock.abort.reason, undefined);
    leave(unlock);
    const late = stop();
    queue.announce(late, 'door');
    const unlockAgain = enter('second unlock', start(), door);
    await until(4_001);
    leave(unlockAgain);
    enter('late lock', late, door);
    enter('other lock', stop(), otherDoor);
    assert.deepEqual(log.slice(2), ['second unlock', 'late lock SUPERSEDED', 'other lock']);
  });

  it('sends once more the last stop that was not given up', async () => {
    const hanging = enter('start', start(), tone);
    const first = enter('stop', stop(), tone);
    await until(2_000);
    leave(first);
    const second = enter('second stop', stop(), tone);
    await until(4_000);
    assert.deepEqual(log, ['start', 'stop', 'second stop']);
    second.abort.abort(Failure.own('ABORTED', 'it was canceled'));
    leave(second);
    leave(hanging);
    assert.deepEqual(log, ['start', 'stop', 'second stop', 'stop once more']);
  });
});
