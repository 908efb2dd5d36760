import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { NodeAPI } from 'node-red';
import { Journal } from '../../src/kernel/journal/journal';
import { backgroundClock } from '../../src/kernel/time/clock';
import { Alerts } from '../../src/runtime/alert/alerts';
import type { ActionReceipt } from '../../src/runtime/alert/reports';
import type { Device } from '../../src/runtime/device/device';
import { deregister, register } from '../../src/runtime/device/registry';
import { listen } from '../../src/runtime/message/bus';
import { about, deviceAction, isNoReport } from './engine-parts';

/** A journal on a disk that takes its time. */
class SlowJournal {
  readonly written = new Map<string, unknown>();
  #writes: (() => void)[] = [];
  readonly #writing = new Set<Promise<void>>();

  *entries(): Generator<never> {}

  put(key: string, value: unknown): Promise<void> {
    const copy = structuredClone(value);
    return this.#later(() => this.written.set(key, copy));
  }

  delete(key: string): Promise<void> {
    return this.#later(() => this.written.delete(key));
  }

  batch(change: () => void): Promise<void> {
    change();
    return Promise.all(this.#writing).then(() => {});
  }

  write(): void {
    for (const write of this.#writes.splice(0)) write();
  }

  #later(work: () => unknown): Promise<void> {
    const written = new Promise<void>((resolve) => {
      this.#writes.push(() => {
        work();
        this.#writing.delete(written);
        resolve();
      });
    });
    this.#writing.add(written);
    return written;
  }
}

describe('what an alert writes down', () => {
  const begin = () => {
    const journal = new SlowJournal();
    const lines: string[] = [];
    const record = (line: string) => void lines.push(line);
    const RED = { events: new EventEmitter(), log: { warn: record, error: record } } as unknown as NodeAPI;
    return { journal, lines, events: RED.events, alerts: new Alerts(RED, journal as never) };
  };
  const day = 24 * 3_600_000;
  const { monotonic } = backgroundClock;
  let passed = 0;
  before(() => {
    backgroundClock.monotonic = () => monotonic() + passed;
  });
  afterEach(() => {
    passed = 0;
  });
  after(() => {
    backgroundClock.monotonic = monotonic;
  });
  /** Resolves when all has been done that waits for nothing but itself. */
  const quiet = () => new Promise((resolve) => setImmediate(resolve));
  /** Lets the disk write until something has happened. */
  async function writtenUntil<T>(journal: SlowJournal, happening: Promise<T>): Promise<T> {
    let isOver = false;
    const over = happening.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      journal.write();
      await quiet();
    }
    return over;
  }

  it('is in memory where it cannot be written: one warning, and the reports as ever', async () => {
    const said: string[] = [];
    const journal = Journal.open('/dev/null/journal', { warn: (line) => said.push(line) });
    const RED = { events: new EventEmitter(), log: { warn() {}, error() {} } } as unknown as NodeAPI;
    const alerts = new Alerts(RED, journal as never);
    const receipt: ActionReceipt = {
      ...{ target: deviceAction.device, device: 'D', operation: 'strobe/start', outcome: 'failed', index: 0 },
    };
    alerts.change((engine) => engine.refuse(about, [receipt]));
    const answers = alerts.change((engine) => engine.start(about, [deviceAction]));
    const { written } = alerts;
    await written;
    for (const { ticket } of answers)
      if (ticket)
        alerts.change((engine) =>
          engine.answered(ticket, 'taken', { ...receipt, outcome: 'accepted', latencyMs: 20 }),
        );
    assert.deepEqual(
      alerts.engine.reports('a').map(({ reached, missed, firstMs }) => [reached, missed.length, firstMs]),
      [
        [1, 0, 20],
        [0, 1, null],
      ],
    );
    await journal.close();
    assert.equal(said.length, 1, said.join());
  });

  it('tells the end of an alert of which a restart finds nothing pending, once', () => {
    const { isOn: _, ...rest } = { ...about, isOn: true };
    const since = '2026-11-26T08:00:00.000Z';
    const alert = { ...rest, since, run: '1-1', asked: { at: 1 }, order: 1, isOn: false };
    const journal = {
      entries: (prefix: string) => (prefix === 'alert/is/' ? [['alert/is/a', alert]] : []),
      put() {},
      delete() {},
      batch: (run: () => void) => run(),
    };
    const events = new EventEmitter();
    const RED = { events, log: { warn: assert.fail, error: assert.fail } } as unknown as NodeAPI;
    const alerts = new Alerts(RED, journal as never);
    let ended = 0;
    const onEnded = () => {
      ended += 1;
    };
    const listener = {
      state: () => assert.fail(),
      onChange() {},
      onReached() {},
      onUnacknowledged() {},
      onEnded,
    };
    alerts.attach('a', listener, false);
    assert.equal(ended, 0);
    events.emit('flows:started');
    events.emit('flows:started');
    assert.deepEqual([ended, alerts.engine.reports('a').length], [1, 1]);
    events.emit('flows:stopped');
  });

  it('is on the disk before anything of a start is sent', async () => {
    const { journal, alerts } = begin();
    let isWritten = false;
    alerts.change((engine) => engine.start(about, [deviceAction]));
    const { written } = alerts;
    const waiting = written.then(() => {
      isWritten = true;
    });
    await quiet();
    assert.deepEqual([isWritten, journal.written.size], [false, 0]);
    journal.write();
    await waiting;
    const keys = [...journal.written.keys()].filter(isNoReport).sort();
    assert.deepEqual(keys, ['alert/at/d/strobe', 'alert/is/a']);
  });

  it('is on the disk before anybody hears of a clear: whoever did must not find it on after a crash', async () => {
    const { journal, alerts } = begin();
    const dryRun = { ...deviceAction, dryRun: true };
    const answers = alerts.change((engine) => engine.start(about, [dryRun]));
    for (const { ticket } of answers) if (ticket) alerts.change((engine) => engine.answered(ticket, 'taken'));
    await quiet();
    journal.write();
    let count = 0;
    const clear = async () => {
      const receipts = await alerts.clear('a', {});
      count += 1;
      return receipts;
    };
    const heard = clear();
    await quiet();
    const again = clear();
    await quiet();
    assert.deepEqual([count, journal.written.has('alert/is/a')], [0, true]);
    assert.deepEqual(await writtenUntil(journal, again), []);
    assert.deepEqual(
      (await heard).map(({ outcome }) => outcome),
      ['dry-run'],
    );
    assert.deepEqual([...journal.written.keys()].filter(isNoReport), []);
  });

  it('is neither cleared nor asked for while the flows are stopped', async () => {
    const { journal, lines, events, alerts } = begin();
    events.emit('flows:started');
    const beginnings = [about, { ...about, id: 'b' }];
    for (const [index, startRequest] of beginnings.entries()) {
      const ends = index === 1 ? { endAfterMs: 5 } : {};
      const one = { ...deviceAction, deviceOutput: startRequest.id };
      const answers = alerts.change((engine) => engine.start({ ...startRequest, ...ends }, [one]));
      for (const { ticket } of answers)
        if (ticket) alerts.change((engine) => engine.answered(ticket, 'taken'));
    }
    events.emit('flows:stopped');
    const pass = async () => {
      for (let count = 0; count < 3; count += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        journal.write();
      }
    };
    await pass();
    assert.equal(alerts.engine.state('b')?.state, 'active');
    const cleared = alerts.clear('a', {});
    await pass();
    await cleared;
    assert.deepEqual([lines.length, alerts.engine.state('b')?.state], [1, 'active']);
    for (const id of beginnings.map((one) => one.id))
      alerts.attach(
        id,
        {
          state: () => assert.fail(),
          onChange: () => {},
          onReached() {},
          onEnded() {},
          onUnacknowledged() {},
        },
        false,
      );
    events.emit('flows:started');
    while (alerts.engine.state('b')?.state === 'active') await quiet();
    events.emit('flows:stopped');
  });

  it('waits for an end that is further away than a timer can wait', async () => {
    const { events, alerts } = begin();
    events.emit('flows:started');
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => void warnings.push(name);
    process.on('warning', onWarning);
    alerts.change((engine) => engine.start({ ...about, endAfterMs: 31_536_000_000 }, [deviceAction]));
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off('warning', onWarning);
    events.emit('flows:stopped');
    assert.deepEqual([warnings, alerts.engine.state('a')?.state], [[], 'active']);
  });

  /** Clears the alert once more, some time after the first time. */
  async function ask({ alerts, journal }: ReturnType<typeof begin>, at: number): Promise<void> {
    passed = at;
    await writtenUntil(journal, alerts.clear('a', {}));
  }

  it('is given up where another alert was to come back at a device that is not there any more', async () => {
    const world = begin();
    const { lines, alerts } = world;
    const retried = { ...deviceAction, action: { ...deviceAction.action, retry: 'always' as const } };
    for (const one of [{ ...about, id: 'b', priority: 1, retryAlert: true }, about])
      for (const { ticket } of alerts.change((engine) => engine.start(one, [retried])))
        if (ticket) alerts.change((engine) => engine.answered(ticket, 'taken'));
    await ask(world, 0);
    assert.deepEqual([lines.length, alerts.engine.state('a')?.pending], [1, ['D']]);
    await ask(world, day);
    assert.match(String(lines[1]), /D no longer exists: Node-RED stopped trying/);
    assert.deepEqual([alerts.engine.state('a'), alerts.engine.state('b')?.failed], [undefined, ['D']]);
    assert.deepEqual([...alerts.engine.wanted()], []);
  });

  it('is given up after a day of asking a device that is not there any more, and said once each', async () => {
    const world = begin();
    const { lines, alerts } = world;
    const answers = alerts.change((engine) => engine.start(about, [deviceAction]));
    for (const { ticket } of answers) if (ticket) alerts.change((engine) => engine.answered(ticket, 'taken'));
    const eventLines: string[] = [];
    const detach = listen(({ operation, outcome }) => eventLines.push(`${operation} ${outcome}`));
    for (const at of [0, day / 2, day - 60_000]) await ask(world, at);
    assert.deepEqual([lines.length, eventLines.length, alerts.engine.state('a')?.pending], [1, 1, ['D']]);
    await ask(world, day);
    detach();
    assert.match(
      String(lines[1]),
      /D no longer exists: Node-RED stopped trying; the output might still be on/,
    );
    assert.deepEqual([lines.length, alerts.engine.state('a')], [2, undefined]);
  });

  it('is not given up while the device is there, however often it was asked in vain', async () => {
    const world = begin();
    const { alerts } = world;
    const device = { id: 'there', name: 'There', tags: [] } as unknown as Device;
    register(device);
    const end = { operation: 'nothing/stop', parameters: {} };
    const one = {
      ...deviceAction,
      device: { id: 'there', name: 'There' },
      action: { ...deviceAction.action, end },
    };
    const answers = alerts.change((engine) => engine.start(about, [one]));
    for (const { ticket } of answers) if (ticket) alerts.change((engine) => engine.answered(ticket, 'taken'));
    for (const at of [0, day, 2 * day]) await ask(world, at);
    deregister(device);
    assert.deepEqual(alerts.engine.state('a')?.pending, ['There']);
  });
});
