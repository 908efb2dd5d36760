import assert from 'node:assert/strict';
import type { Timer } from '../../../src/virtual-device/clock/clock';
import { VirtualDevice } from '../../../src/virtual-device/device';
import { ownHost } from '../../fixtures/listening';
import { sendJson } from '../../fixtures/signer';
import { ManualClock } from '../manual-clock';
import { NOON } from '../with-device';
import { bell } from './bells';

/** A clock whose timers are late while the process has other work, or early by less than a millisecond. */
class InexactClock extends ManualClock {
  lateMs = 0;
  earlyMs = 0;

  override now(): number {
    return super.now() + this.lateMs;
  }

  override setTimeout(task: () => void, ms: number): Timer {
    return super.setTimeout(task, Math.max(0.05, ms - this.earlyMs));
  }
}

describe('the virtual device: an event whose timer is not exact', () => {
  let clock: InexactClock;
  let device: VirtualDevice;
  let told: string[];
  beforeEach(async () => {
    clock = new InexactClock(NOON);
    device = new VirtualDevice({ clock, host: ownHost, auth: 'none' });
    told = [];
    device.on('happened', (words) => words.startsWith('scheduled') && told.push(words));
    await device.start();
  });
  afterEach(() => device.stop());

  const send = async (body: object) => {
    const { status, text } = await sendJson(device.address, 'POST /api/schedules', body);
    assert.equal(status, 200, text);
  };
  const soon = (name: string, delay: number) => {
    const { start_date: _, start_time: __, ...event } = bell;
    return { ...event, rrule: '', name, delay };
  };
  const carriedOut = (name: string) => `scheduled event ${name} carried out`;

  it('is carried out once when a deploy takes the port away and gives it back', async () => {
    await send({ events: [soon('A', 5), soon('B', 60)] });
    await device.pause();
    clock.lateMs = 6000;
    await device.start();
    clock.lateMs = 0;
    clock.advance(60_000);
    assert.deepEqual(told, ['A', 'B'].map(carriedOut));
  });

  it('is carried out once when others are late, too, but not after a sleep of the computer', async () => {
    await send({ events: ['A', 'B', 'C'].map((name, index) => soon(name, 5 + index)) });
    clock.lateMs = 6500;
    clock.advance(5000);
    clock.lateMs = 0;
    clock.advance(10_000);
    assert.deepEqual(told, ['A', 'B', 'C'].map(carriedOut));
    told = [];
    await send({ events: ['A', 'B', 'C'].map((name, index) => soon(name, 60 + index)) });
    clock.lateMs = 3_600_000;
    clock.advance(100_000);
    assert.deepEqual(told, ['A'].map(carriedOut));
  });

  it('is carried out once when the schedule changes before its timer', async () => {
    await send({ events: [soon('A', 5)] });
    clock.lateMs = 6000;
    await send({ events: [soon('B', 60)] });
    clock.lateMs = 0;
    clock.advance(70_000);
    assert.deepEqual(told, ['A', 'B'].map(carriedOut));
  });

  it('is carried out once, and not before its time, by a clock that is fast', async () => {
    clock.earlyMs = 0.9;
    await device.carryOut('speed', { factor: 86_400 });
    await send({ events: [soon('A', 3600), soon('B', 7200)] });
    clock.advance(1000);
    assert.deepEqual(told, ['A', 'B'].map(carriedOut));
  });

  it('makes no line of its own in a log', async () => {
    await send({ events: [soon('A\n[error] forged \u001b[2J', 5)] });
    clock.advance(10_000);
    assert.deepEqual(told, [carriedOut('A?[error] forged ?[2J')]);
  });
});
