import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { DurableMap } from '../../src/kernel/durable-map';
import type { Clock } from '../../src/kernel/time/clock';
import { Device } from '../../src/runtime/device/device';
import type { DeviceReport } from '../../src/runtime/supervision/engine';
import { persistedDevice } from '../../src/runtime/supervision/finding';
import { Supervision } from '../../src/runtime/supervision/supervision';
import { Status, statusSource } from '../../src/runtime/watch/status';
import { Watch } from '../../src/runtime/watch/watch';
import { VirtualDevice } from '../../src/virtual-device/device';
import { firstSeed, withRepeatCommand } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { ownHost } from '../fixtures/listening';
import { VirtualClock } from '../fixtures/virtual-clock';
import { MemoryJournal } from '../kernel/memory-journal';
import { type Check, expectedChanges, type StateChange } from './model';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const intervalMs = 0.5 * hourMs;
const misses = 3;

/** Counts the calls of all devices that have no answer yet, so that time stands still meanwhile. */
class Wire {
  underWay = 0;

  /** Resolves when nothing is under way any more. */
  async calm(): Promise<void> {
    for (let calm = 0; calm < 5; calm = this.underWay > 0 ? 0 : calm + 1) {
      await new Promise(setImmediate);
    }
  }
}

/** A device that counts its calls. */
class CountedDevice extends Device {
  calls = 0;

  constructor(
    id: string,
    address: string,
    timing: Clock,
    private readonly wire: Wire,
  ) {
    const properties = { name: id, address, auth: 'standard', timeout: 20 };
    const surroundings = {
      tlsOptions: () => ({}),
      endpoint: () => undefined,
      environment: { warn: () => {} },
      timing,
    };
    super(id, properties, 'algo', surroundings);
  }

  override async call(...given: Parameters<Device['call']>): ReturnType<Device['call']> {
    this.calls += 1;
    this.wire.underWay += 1;
    try {
      return await super.call(...given);
    } finally {
      this.wire.underWay -= 1;
    }
  }
}

/** A virtual device with the faults that it has at the moment. */
class Patient {
  readonly virtual = new VirtualDevice({ model: '8301', firmware: '5.5', logLength: 20, host: ownHost });
  readonly checks: Check[] = [];
  readonly changes: StateChange[] = [];
  device: CountedDevice | undefined;
  #seen = 0;
  #port = 0;
  #isGone = false;
  #isClockWrong = false;
  #isClosed = false;
  #isStrange = false;

  constructor(private readonly dice: () => number) {}

  async start(id: string, timing: Clock, wire: Wire): Promise<CountedDevice> {
    const address = await this.virtual.start();
    this.#port = Number(new URL(address).port);
    await this.virtual.carryOut('api', { on: true });
    this.device = new CountedDevice(id, address, timing, wire);
    return this.device;
  }

  /** Something happens to the device, or ends. */
  async strike(): Promise<void> {
    const { virtual } = this;
    const kind = this.dice();
    if (kind < 0.35) {
      this.#isGone = !this.#isGone;
      await (this.#isGone ? this.virtual.pause() : this.virtual.start(this.#port));
    } else if (kind < 0.6) {
      this.#isClockWrong = !this.#isClockWrong;
      // A clock that differs less than allowed is no finding.
      const ahead = this.#isClockWrong ? (this.dice() < 0.5 ? -25 : 25) : this.dice() * 16 - 8;
      await virtual.carryOut('clock', { ahead });
    } else if (kind < 0.8) {
      this.#isClosed = !this.#isClosed;
      await virtual.carryOut('api', { on: !this.#isClosed });
    } else if (this.#isStrange) {
      this.#isStrange = false;
      await virtual.carryOut('clear-faults');
    } else {
      this.#isStrange = true;
      await virtual.carryOut('fault', { kind: 'garbage', route: '/api/settings/*' });
    }
  }

  /** Writes a check down, if there was one, with what it must have found. */
  look(at: number): void {
    const calls = this.device?.calls ?? 0;
    if (calls === this.#seen) return;
    this.#seen = calls;
    this.checks.push({ at, found: this.#isGone ? undefined : this.#findings(), misses });
  }

  #findings(): string[] {
    const clock = this.#isClockWrong ? ['clock'] : [];
    if (this.#isClosed) return ['login', ...clock];
    return [...clock, ...(this.#isStrange ? ['settings'] : [])];
  }
}

/** A clock that goes on only while nothing is under way. */
function clockOf(virtual: VirtualClock, random: () => number): Clock {
  return { now: () => virtual.now, monotonic: virtual.monotonic, after: virtual.after, random };
}

const noStates = () => new DurableMap(new MemoryJournal(), 'supervision/', persistedDevice);

describe('a day of supervision, in a moment, over real sockets', () => {
  // A third of them with `--all`, a tenth without.
  const histories = Number(process.env.ALGO_HISTORIES || 1_500);
  const size = histories >= 1_500 ? 300 : histories >= 1_000 ? 100 : 30;

  it(`tells each fault of ${size} devices, and nothing else`, () =>
    withRepeatCommand(__filename, '', async () => {
      const dice = chance(firstSeed);
      const virtual = new VirtualClock();
      const clock = clockOf(virtual, dice);
      const wire = new Wire();
      const simulatedDevices = Array.from({ length: size }, () => new Patient(dice));
      const devices = await Promise.all(
        simulatedDevices.map((simulated, index) => simulated.start(`Speaker ${index}`, clock, wire)),
      );
      const byName = new Map(devices.map(({ name }, index) => [name, simulatedDevices[index]]));
      const faults: string[] = [];
      const receive = ({ device, state, previous, findings }: DeviceReport) =>
        byName.get(device)?.changes.push({
          at: virtual.now,
          state,
          previous,
          found: findings.map(({ check }) => check).sort(),
          initial: false,
        });
      const supervision = new Supervision(
        () => ({ list: devices.map((device) => ({ device })), single: false, maxParallel: 100 }),
        {
          interval: intervalMs,
          misses,
          initial: false,
          clock: 15,
          firmware: '5.4',
          sip: false,
          settings: [{ name: 'audio.page.vol', value: '-18dB', isSecret: false }],
          files: [],
          certificateDays: 30,
        },
        {
          change: receive,
          show: () => {},
          fault: (_asked, { message }) => faults.push(message),
        },
        noStates(),
        clock,
      );
      for (const simulated of simulatedDevices) {
        const value = simulated.virtual.settings['audio.page.vol'];
        strictEqual(value, '-18dB');
      }
      let pending: Promise<void> = Promise.resolve();
      const plan = (simulated: Patient) => {
        // A fault lasts for half an hour, or for many checks.
        virtual.after(dice() * 6 * hourMs, () => {
          pending = simulated.strike();
          plan(simulated);
        });
      };
      for (const simulated of simulatedDevices) plan(simulated);
      supervision.follow();
      while (virtual.now < dayMs) {
        virtual.step();
        await pending;
        await wire.calm();
        for (const simulated of simulatedDevices) simulated.look(virtual.now);
      }
      supervision.stop();
      await Promise.all(devices.map((device) => device.close()));
      await Promise.all(simulatedDevices.map((simulated) => simulated.virtual.stop()));
      deepStrictEqual(faults, []);
      for (const [index, { checks, changes }] of simulatedDevices.entries()) {
        ok(checks.length >= 47 && checks.length <= 51, `${checks.length} checks`);
        // From the second on, the checks are spread over the interval.
        const afterMs = (checks[1]?.at ?? 0) - (checks[0]?.at ?? 0);
        strictEqual(Math.round(afterMs - (intervalMs * (index + 1)) / size), 0);
        deepStrictEqual(changes, expectedChanges(checks, [], virtual.now));
      }
      const all = new Set(simulatedDevices.flatMap(({ changes }) => changes.map(({ state }) => state)));
      deepStrictEqual([...all].sort(), ['fault', 'offline', 'ok', 'warning']);
    }));

  it('lets one request serve it and a watching node', async () => {
    const virtual = new VirtualClock();
    const clock = clockOf(virtual, () => 0.5);
    const wire = new Wire();
    const simulated = new Patient(() => 0);
    const device = await simulated.start('Speaker', clock, wire);
    const results: number[] = [];
    const supervision = new Supervision(
      () => ({ list: [{ device }], single: true, maxParallel: 100 }),
      {
        interval: 10_000,
        misses,
        initial: false,
        clock: undefined,
        firmware: undefined,
        sip: true,
        settings: [],
        files: [],
        certificateDays: undefined,
      },
      { change: () => {}, show: () => results.push(virtual.now), fault: () => {} },
      noStates(),
      clock,
    );
    const reporter = new Status({
      watched: [],
      ignored: [],
      counters: false,
      report: 'changes',
      initial: false,
    });
    const sink = { changes() {}, connection() {}, unsupported() {}, show() {}, turned() {} };
    const watch = new Watch(
      device,
      reporter,
      { source: statusSource, intervalMs: 10_000, adaptive: false, misses },
      sink,
    );
    supervision.follow();
    while (virtual.now < 200_000) {
      virtual.step();
      await wire.calm();
    }
    watch.stop();
    supervision.stop();
    await device.close();
    await simulated.virtual.stop();
    ok(results.length >= 20, `${results.length} results`);
    // One request in ten seconds, and one for a first check that came before the first reading.
    const asked = device.calls;
    ok(asked >= 20 && asked <= 22, `${asked} requests`);
  });
});
