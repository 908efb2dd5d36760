import assert from 'node:assert/strict';
import type { Failure } from '../../src/client/failure';
import type { DeviceOutput, QueueEntry } from '../../src/client/queue/entry';
import { Queue } from '../../src/client/queue/queue';
import { VirtualClock } from '../fixtures/virtual-clock';

const screen: DeviceOutput = { family: 'screen', name: 'screen' };
const tone: DeviceOutput = { family: 'tone', name: 'tone' };
const never = Number.POSITIVE_INFINITY;

describe('client: an end that nobody sent a message for', () => {
  let queue: Queue;
  let log: string[];

  beforeEach(() => {
    queue = new Queue(new VirtualClock());
    log = [];
  });

  const start = () => queue.take({ rank: 'ordinary', isStop: false, expiresAt: never });
  const end = () => queue.take({ rank: 'urgent', isStop: true, yields: true, expiresAt: never });
  const enter = (name: string, place: QueueEntry, deviceOutput: DeviceOutput) => {
    const refused = ({ code }: Failure) => void log.push(`${name} ${code}`);
    try {
      const turn = queue.enter(place, deviceOutput);
      if (turn) turn.then(() => log.push(name), refused);
      else log.push(name);
    } catch (error) {
      refused(error as Failure);
    }
    return place;
  };
  const settled = () => new Promise(setImmediate);

  it('takes no start out that waits: it is given up, and the start has its turn', async () => {
    const other = enter('other', start(), tone);
    const waiting = enter('start', start(), screen);
    enter('end', end(), screen);
    queue.leave(other, true);
    await settled();
    assert.deepEqual(log, ['other', 'end ABORTED', 'start']);
    queue.leave(waiting, true);
  });

  it('is given up while a start is under way, and not done once more after it', async () => {
    const started = enter('start', start(), screen);
    enter('end', end(), screen);
    queue.leave(started, true);
    await settled();
    assert.deepEqual(log, ['start', 'end ABORTED']);
  });

  it('is given up while the parameters of a start are still being read', () => {
    queue.announce(start(), 'screen');
    enter('end', end(), screen);
    assert.deepEqual(log, ['end ABORTED']);
  });

  it('keeps no start from coming after it whose parameters took longer', () => {
    const late = start();
    queue.leave(enter('end', end(), screen), true);
    enter('late', late, screen);
    assert.deepEqual(log, ['end', 'late']);
  });

  it('has its turn where nothing of its device output waits', () => {
    enter('other', start(), tone);
    enter('end', end(), screen);
    assert.deepEqual(log, ['other', 'end']);
  });
});
