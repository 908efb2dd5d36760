import assert from 'node:assert/strict';
import { DeviceError } from '../../../src/client/errors';
import type { Json } from '../../../src/kernel/journal/lines';
import { type AutoStopOptions, AutoStopScheduler } from '../../../src/runtime/auto-stop/scheduler';
import { type StopCommand, stopCommandFor } from '../../../src/runtime/message/stop-command';
import { operationNamed } from '../../catalogue/check';
import { VirtualClock } from '../../fixtures/virtual-clock';
import { SlowJournal } from './slow-journal';

const wall = 1_700_000_000_000;
const settled = () => new Promise(setImmediate);
const door = (number = 1, afterMs = 10_000): StopCommand => ({
  device: { id: `d${number}`, name: `Door ${number}` },
  node: { id: 'n', name: 'Doorbell', type: 'algo-door' },
  operation: 'door/lock',
  parameters: { doorid: 'local' },
  afterMs,
});

/** The engine with a clock that stands still, and a device that says what it is told to. */
class Hall {
  readonly clock = new VirtualClock();
  readonly journal: SlowJournal;
  readonly ends: AutoStopScheduler;
  readonly sent: string[] = [];
  readonly warned: string[] = [];
  readonly givenUp: Error[] = [];
  answer: () => Promise<unknown> = async () => {};

  constructor(lines: [string, Json][] = [], options: Partial<AutoStopOptions> = {}) {
    this.journal = new SlowJournal((done) => queueMicrotask(done), lines);
    this.ends = new AutoStopScheduler({
      clock: {
        now: () => this.clock.now + wall,
        monotonic: this.clock.monotonic,
        random: () => 0,
        after: this.clock.after,
      },
      journal: this.journal,
      attempt: ({ operation, device }) => {
        this.sent.push(`${this.clock.now} ${operation} ${device.id}`);
        return this.answer();
      },
      warn: (_end, sentence) => this.warned.push(sentence),
      giveUp: (_end, error) => this.givenUp.push(error),
      ...options,
    });
  }

  /** A start that was done at once. */
  async start(end: StopCommand, deviceOutput = 'door local'): Promise<void> {
    const hold = this.ends.hold(end.device.id, deviceOutput);
    await hold.arm(end);
    await hold.release(true);
  }

  async pass(ms: number): Promise<void> {
    const until = this.clock.now + ms;
    this.clock.after(ms, () => {});
    while (this.clock.now < until) {
      this.clock.step();
      await settled();
    }
  }
}

describe('ends that Node-RED sends', () => {
  it('of more than one turn, sent when the flows are stopped, leave out the doors at which a start began meanwhile', async () => {
    const hall = new Hall();
    hall.ends.run();
    for (let number = 1; number <= 101; number += 1) await hall.start(door(number));
    const stopped = hall.ends.leave(() => true);
    const start = hall.ends.hold('d101', 'door local');
    await stopped;
    assert.equal(hall.sent.length, 100);
    await start.release(false);
    await hall.pass(10_000);
    assert.equal(hall.sent.filter((line) => line.endsWith(' d101')).length, 1);
  });

  it('are sent when their time is over, counted from the answer, and then are no more', async () => {
    const hall = new Hall();
    hall.ends.run();
    const hold = hall.ends.hold('d1', 'door local');
    await hold.arm(door());
    await hall.pass(3_000);
    await hold.release(true);
    assert.deepEqual(
      [...hall.journal.entries('end/')].map(([key]) => key),
      ['end/d1/door local'],
    );
    await hall.pass(30_000);
    assert.deepEqual(hall.sent, ['13000 door/lock d1']);
    assert.deepEqual([...hall.journal.entries('')], []);
    assert.equal(hall.clock.pending, 0);
  });

  it('are sent at once when a start that held them up did not happen', async () => {
    const hall = new Hall();
    hall.ends.run();
    await hall.start(door());
    const hold = hall.ends.hold('d1', 'door local');
    await hall.pass(15_000);
    assert.deepEqual(hall.sent, []);
    await hold.release(false);
    await hold.release(true);
    await hall.pass(1);
    assert.deepEqual(hall.sent, ['15000 door/lock d1']);
  });

  it('are asked for again, ever more rarely, and that is said once', async () => {
    const hall = new Hall();
    hall.ends.run();
    hall.answer = () => Promise.reject(new Error('it is away'));
    await hall.start(door(1, 0));
    await hall.pass(100_000);
    const times = hall.sent.map((line) => Number(line.split(' ')[0]) / 1_000);
    assert.deepEqual(times, [0, 1, 3, 7, 15, 31, 61, 91]);
    assert.deepEqual(hall.warned, [
      'door/lock at Door 1, which ends what the node Doorbell started, has not succeeded; Node-RED retries until it does: it is away',
    ]);
    hall.answer = async () => {};
    await hall.pass(30_000);
    assert.equal(hall.sent.length, 9);
    assert.deepEqual([...hall.ends.pending()], []);
  });

  it('are given up after a day, with an error of the same code', async () => {
    const hall = new Hall();
    hall.ends.run();
    hall.answer = () => Promise.reject(new DeviceError('UNREACHABLE', 'no connection'));
    await hall.start(door());
    await hall.pass(24 * 3_600_000);
    assert.deepEqual(hall.givenUp, []);
    await hall.pass(60_000);
    const [error] = hall.givenUp as DeviceError[];
    assert.equal(hall.givenUp.length, 1);
    assert.equal(error?.code, 'UNREACHABLE');
    assert.equal(
      error?.message,
      'no connection: door/lock at "Door 1"; the stop of what the node Doorbell started has not succeeded for a day, and Node-RED stopped trying; the output might still be on',
    );
    assert.deepEqual([...hall.journal.entries('')], []);
    assert.equal(hall.clock.pending, 0);
  });

  it('wait until the flows have been started', async () => {
    const first = new Hall();
    await first.start(door());
    const second = new Hall(first.journal.remains(() => 0));
    await second.pass(20_000);
    assert.deepEqual(second.sent, []);
    second.ends.run();
    await second.pass(1);
    assert.deepEqual(second.sent, ['20000 door/lock d1']);
  });

  it('do not outlive their closing, but in the journal', async () => {
    const hall = new Hall();
    hall.ends.run();
    let signal: AbortSignal | undefined;
    const asking = new Hall([], {
      attempt: (_end, given) => {
        signal = given;
        return new Promise(() => {});
      },
    });
    asking.ends.run();
    await asking.start(door(1, 0));
    await asking.pass(1);
    asking.ends.close();
    assert.equal(signal?.aborted, true);
    await hall.start(door());
    hall.ends.close();
    assert.equal(hall.clock.pending, 0);
    const hold = hall.ends.hold('d2', 'door local');
    await hold.arm(door(2));
    await hold.release(true);
    assert.equal(hall.clock.pending, 0);
    assert.equal([...hall.journal.entries('end/')].length, 2);
  });

  it('are asked for before flows stop, but those that a start holds up', async () => {
    const asked: (() => void)[] = [];
    const hall = new Hall([], { attempt: () => new Promise<void>((resolve) => asked.push(resolve)) });
    assert.equal(
      hall.ends.leave(() => true),
      undefined,
    );
    hall.ends.run();
    await hall.start(door(1, 30_000));
    await hall.start(door(2, 90_000));
    const isFirst = ({ afterMs }: StopCommand) => afterMs === 30_000;
    const hold = hall.ends.hold('d1', 'door local');
    assert.deepEqual([hall.ends.leave(isFirst), asked], [undefined, []]);
    void hold.release(false);
    const left = hall.ends.leave(isFirst);
    let isOver = false;
    void left?.then(() => {
      isOver = true;
    });
    await hall.pass(9_999);
    assert.deepEqual([asked.length, isOver], [1, false]);
    asked[0]?.();
    await left;
    hall.ends.close();
    assert.equal([...hall.ends.pending()].length, 1);
  });

  for (const late of ['a yes', 'a no']) {
    it(`are not touched by ${late} to an earlier one that a start has replaced`, async () => {
      const hall = new Hall();
      hall.ends.run();
      let answer: () => void = () => {};
      hall.answer = () =>
        new Promise<void>((resolve, reject) => {
          answer = late === 'a yes' ? resolve : () => reject(new Error('no'));
        });
      await hall.start(door(1, 0));
      await hall.pass(1);
      await hall.start(door(1, 5_000));
      answer();
      await settled();
      assert.deepEqual(hall.warned, []);
      assert.deepEqual(
        [...hall.ends.pending()].map(({ afterMs }) => afterMs),
        [5_000],
      );
      await hall.pass(6_000);
      assert.deepEqual(hall.sent, ['0 door/lock d1', '5001 door/lock d1']);
    });
  }

  it('are all sent, however many they are', async () => {
    const hall = new Hall();
    hall.ends.run();
    const count = 2_000;
    const armed = Array.from({ length: count }, (_, number) => hall.start(door(number, 60_000)));
    await Promise.all(armed);
    await hall.pass(60_000);
    while ([...hall.ends.pending()].length > 0) await hall.pass(1);
    assert.equal(new Set(hall.sent).size, count);
    assert.equal(hall.clock.pending, 0);
  });

  it('go on when those who are told of them throw', async () => {
    const broken = () => {
      throw new Error('full');
    };
    const hall = new Hall([], { warn: broken, giveUp: broken, attempt: broken });
    hall.ends.run();
    await hall.start(door());
    await hall.pass(25 * 3_600_000);
    assert.deepEqual([...hall.ends.pending()], []);
  });

  it('pass over what the journal holds that is none', async () => {
    const { afterMs, ...rest } = door();
    const stop = { ...rest, afterMs, deviceOutput: 'door local' };
    const whole = { record: stop, due: wall, afterMs };
    const broken: Json[] = [
      null,
      1,
      'a',
      [],
      {},
      { ...stop, due: wall },
      { ...whole, due: 'x' },
      { ...whole, afterMs: null },
      { ...whole, record: { ...stop, parameters: null } },
      { ...whole, record: { ...stop, device: null } },
    ];
    const lines = broken.map((value, index): [string, Json] => [`end/${index}`, value]);
    const hall = new Hall([...lines, ['end/d1/door local', { ...whole }], ['alert/a', 1]]);
    assert.deepEqual([...hall.ends.pending()], [{ ...stop, due: wall }]);
  });

  it('are what the catalogue says, for the same door', () => {
    const given = { doorid: 'netdc1' };
    const lock = { operation: 'door/lock', parameters: given };
    assert.deepEqual(stopCommandFor(operationNamed('door/unlock'), given), lock);
    const stop = { operation: 'tone/stop', parameters: { path: 'a.wav' } };
    assert.deepEqual(stopCommandFor(operationNamed('tone/start'), { path: 'a.wav', loop: true }), stop);
    const enable = { operation: 'relay/24v-disable', parameters: {} };
    assert.deepEqual(stopCommandFor(operationNamed('relay/24v-enable'), {}), enable);
    assert.equal(stopCommandFor(operationNamed('door/munlock'), { ...given, duration: '5' }), undefined);
  });
});
