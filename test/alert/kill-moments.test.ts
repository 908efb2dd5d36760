import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { VirtualDevice } from '../../src/virtual-device/device';
import type { LogEntry } from '../../src/virtual-device/log/entry';
import { action } from '../fixtures/alert-node';
import type { NodeConfig } from '../fixtures/flow';
import { firstSeed, withRepeatCommand } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { RedProcess } from '../fixtures/red-process';
import { Waiting } from '../fixtures/waiting';

const kills = Number(process.env.ALGO_KILLS || 24);

const models = { Wall: '8410', Gate: '8063', Hall: '8301' };
const actions = [
  action('emergency/start'),
  action('strobe/start'),
  action('screen/text-start'),
  action('relay/enable'),
  action('door/unlock'),
  action('tone/start'),
];

/** What is on at a device, by the device's own account. */
function litAt({ state }: VirtualDevice): string[] {
  const { emergency, strobe, overlay, relay, doors, tone } = state;
  const lit = {
    emergency: emergency !== null,
    strobe: strobe !== null,
    text: overlay !== null,
    relay: relay === 'enabled',
    door: doors.local === 'unlocked',
    tone: tone !== null,
  };
  return Object.entries(lit).flatMap(([name, isOn]) => (isOn ? [name] : []));
}

describe('an alert in a process that is killed at any moment', () => {
  let devices: VirtualDevice[];
  let red: RedProcess;
  const waiting = new Waiting(() =>
    devices.map(({ log }) => log.map(({ path }) => path).join(' ')).join('; '),
  );
  const lit = () => devices.flatMap(litAt);

  async function prepare(retryAlert: unknown): Promise<void> {
    devices = Object.values(models).map(
      (model) => new VirtualDevice({ model, auth: 'none', uploadSeconds: 0 }),
    );
    const configs = await Promise.all(
      devices.map(async (device, index) => {
        const [name = '', model] = Object.entries(models)[index] ?? [];
        const address = await device.start();
        device.on('request', waiting.look);
        const id = name.toLowerCase();
        return { id, type: 'algo-device', name, address, auth: 'none', model, firmware: '5.7' };
      }),
    );
    const clear = { t: 'set', p: 'operation', pt: 'msg', to: 'clear', tot: 'str' };
    const alert = {
      type: 'algo-alert',
      name: 'Lockdown',
      operation: '',
      target: 'group',
      group: 'all',
      retryAlert,
    };
    red = await RedProcess.prepare([
      ...configs,
      { id: 'all', type: 'algo-group', name: 'All', devices: configs.map(({ id }) => id) },
      { ...alert, id: 'start', actions, wires: [['receipts'], []] },
      { id: 'clear', type: 'change', operation: '', rules: [clear], wires: [['start']] },
    ] as NodeConfig[]);
    await red.start();
  }

  afterEach(async () => {
    await red.clear();
    await Promise.all(devices.map((device) => device.stop()));
  });

  /** Resolves when so many requests have arrived at any device; the last of them is not answered yet. */
  function requests(count: number): Promise<void> {
    let left = count;
    return new Promise((resolve) => {
      const look = () => {
        left -= 1;
        if (left > 0) return;
        for (const device of devices) device.off('request', look);
        resolve();
      };
      for (const device of devices) device.on('request', look);
    });
  }

  /** What was asked of the devices that is more than reading, and no end. */
  function startsIn(during: () => Promise<unknown>): Promise<string[]> {
    const starts: string[] = [];
    const note = ({ method, path }: LogEntry) => {
      if (method === 'POST' && !/(?:stop|lock|disable)$/.test(path.replace('unlock', ''))) starts.push(path);
    };
    for (const device of devices) device.on('request', note);
    return during()
      .then(() => starts)
      .finally(() => {
        for (const device of devices) device.off('request', note);
      });
  }

  for (const [retryAlert, again] of [
    [false, 'starts nothing again'],
    [true, 'starts again only what may be done twice'],
  ] as const)
    it(`leaves nothing on after ${kills} kills in a start or a clear, and ${again} (ALGO_SEED=${firstSeed})`, () =>
      withRepeatCommand(__filename, `ALGO_KILLS=${kills}`, async () => {
        await prepare(retryAlert);
        const random = chance(firstSeed);
        let inStarts = 0;
        for (let round = 0; round < kills; round += 1) {
          // The first one is a start of which something has definitely been done: three devices, and a fifth request.
          const isFirst = round === 0;
          const isClear = random() < 0.5 && !isFirst;
          if (isClear) await red.sendAndReadOutcomes('start');
          const story = `round ${round}, in a ${isClear ? 'clear' : 'start'}`;
          // Some at a moment of the clock, some right when a device has done it and nobody knows yet.
          const isTimed = random() < 0.25 && !isFirst;
          const moment = isTimed
            ? sleep(random() * 60)
            : requests(isFirst ? 5 : 1 + Math.floor(random() * 7));
          const answer = red.sendAndReadOutcomes(isClear ? 'clear' : 'start').catch(() => undefined);
          await Promise.race([moment, answer]);
          await red.stop('SIGKILL');
          await answer;
          if (!isClear && lit().length > 0) inStarts += 1;
          const starting = red.start();
          // What the killed one has sent last may be heard only now.
          await red.waitForOutput(/Starting flows/);
          const restarted = await startsIn(async () => {
            await starting;
            await red.sendAndReadOutcomes('clear');
            // Where it was killed in a clear, the answer does not wait for the ends that it sends by itself.
            await waiting.until(`nothing is on after ${story}`, () => lit().length === 0);
          });
          // What was cut off may have been done: a door, a relay and a tone are not begun twice.
          const isSafe = (path: string) => retryAlert && /(?:strobe|screen|emergency)/.test(path);
          assert.deepEqual(
            restarted.filter((path) => !isSafe(path)),
            [],
            story,
          );
        }
        // Otherwise nothing was tried at all.
        assert.ok(inStarts > 0, 'no start was killed half way');
      }));
});
