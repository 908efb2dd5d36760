import assert from 'node:assert/strict';
import { DeviceError } from '../../../src/client/errors';
import type { Json } from '../../../src/kernel/journal/lines';
import { AutoStopScheduler } from '../../../src/runtime/auto-stop/scheduler';
import { type StopCommand, stopCommandFor } from '../../../src/runtime/message/stop-command';
import { operationNamed } from '../../catalogue/check';
import { VirtualClock } from '../../fixtures/virtual-clock';
import { MemoryJournal } from '../../kernel/memory-journal';

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
  readonly journal: MemoryJournal;
  readonly ends: AutoStopScheduler;
  readonly warned: string[] = [];
  readonly givenUp: Error[] = [];
  answer: () => Promise<unknown> = async () => {};

  constructor(lines: [string, Json][] = []) {
    this.journal = new MemoryJournal(lines);
    this.ends = new AutoStopScheduler({
      clock: {
        now: () => this.clock.now + wall,
        monotonic: this.clock.monotonic,
        random: () => 0,
        after: this.clock.after,
      },
      journal: this.journal,
      attempt: () => this.answer(),
      warn: (_end, sentence) => this.warned.push(sentence),
      giveUp: (_end, error) => this.givenUp.push(error),
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
  it('say once that they have not succeeded', async () => {
    const hall = new Hall();
    hall.ends.run();
    hall.answer = () => Promise.reject(new Error('it is away'));
    await hall.start(door(1, 0));
    await hall.pass(100_000);
    assert.deepEqual(hall.warned, [
      'door/lock at Door 1, which ends what the node Doorbell started, has not succeeded; Node-RED retries until it does: it is away',
    ]);
  });

  it('count no abort as a failure of the device', async () => {
    const hall = new Hall();
    hall.ends.run();
    let attempts = 0;
    hall.answer = () => {
      attempts += 1;
      return Promise.reject(new DeviceError('ABORTED', 'a start waits'));
    };
    await hall.start(door(1, 0));
    await hall.pass(4_500);
    assert.deepEqual([attempts, hall.warned], [5, []]);
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
