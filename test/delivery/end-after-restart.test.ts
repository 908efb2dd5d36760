import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeDevice } from '../fixtures/fake-device';
import { firstSeed, withRepeatCommand } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { RedProcess } from '../fixtures/red-process';
import { act } from '../fixtures/site';
import { Waiting } from '../fixtures/waiting';

/** Each takes seconds: fewer than elsewhere. */
const kills = Math.ceil(Number(process.env.ALGO_KILLS || 24) / 6);

describe('delivery: endAfter and the end of Node-RED', () => {
  let device: FakeDevice;
  let red: RedProcess;
  const waiting = new Waiting(() => device.operationNames);

  beforeEach(async () => {
    device = new FakeDevice('Gate', '8063', '5.7', waiting.look);
    await device.open();
    const toGate = { device: 'gate' };
    red = await RedProcess.prepare([
      device.config(),
      { ...act('door/unlock', { ...toGate, endAfter: 2 }), id: 'open' },
      { ...act('door/unlock', { ...toGate, endAfter: 1_800 }), id: 'open-long' },
      { ...act('door/unlock', toGate), id: 'leave-open' },
      { ...act('door/lock', toGate), id: 'shut' },
      { ...act('relay/enable', { ...toGate, endAfter: 2.5 }), id: 'marker' },
    ]);
    await red.start();
  });

  afterEach(async () => {
    await red.clear();
    device.releaseAll();
    await device.close();
  });

  const count = (operationName: string) =>
    device.operationNames.filter((one) => one === operationName).length;
  const isOpen = () => {
    const last = device.operationNames.findLast((operationName) => operationName.startsWith('door/'));
    return last === 'door/unlock';
  };
  const locks = (times: number) => waiting.until(`${times} locks`, () => count('door/lock') >= times);
  /** What begins now and ends after all that began before. */
  async function aLittleLater(): Promise<void> {
    const ended = count('relay/disable') + 1;
    await red.sendAndReadOutcomes('marker');
    await waiting.until('the marker ends', () => count('relay/disable') >= ended);
  }

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`is done after a restart, once (${signal})`, async () => {
      assert.deepEqual(await red.sendAndReadOutcomes('open-long'), ['Gate accepted']);
      await red.stop(signal);
      await red.start('clock-hour-ahead');
      await locks(1);
      assert.deepEqual(device.requests.at(-1)?.parameters, { doorid: 'local' });
      await aLittleLater();
      assert.equal(count('door/lock'), 1);
    });
  }

  it('is done also where its time has not come yet', async () => {
    await red.sendAndReadOutcomes('open');
    await red.stop('SIGKILL');
    await red.start();
    await locks(1);
  });

  it('is done also where the node that was to end it is gone, and all of its kind', async () => {
    await red.sendAndReadOutcomes('open');
    await red.stop('SIGKILL');
    await red.rewrite([device.config()]);
    await red.start();
    await locks(1);
  });

  it('is pending, and said to be, also where nothing of this package is left', async () => {
    await red.sendAndReadOutcomes('open');
    await red.stop('SIGKILL');
    await red.rewrite([]);
    await red.start();
    await red.waitForOutput(/\[warn\] .*door\/lock/);
  });

  it('is done when the device is back, also where that was away at the restart', async () => {
    await red.sendAndReadOutcomes('open');
    await red.stop('SIGKILL');
    await device.close();
    await red.start();
    await sleep(2_500);
    await device.open();
    await locks(1);
  });

  it('is not done again after a restart, nor what a stop or a later start took away', async () => {
    await red.sendAndReadOutcomes('open');
    await locks(1);
    // An end whose answer has not come yet would be sent again, and rightly.
    await red.sendAndReadOutcomes('marker');
    await red.stop('SIGKILL');
    await red.start();
    await red.sendAndReadOutcomes('open');
    await red.sendAndReadOutcomes('shut');
    await red.stop('SIGKILL');
    await red.start();
    await red.sendAndReadOutcomes('open');
    await red.sendAndReadOutcomes('leave-open');
    await red.stop('SIGKILL');
    await red.start();
    await aLittleLater();
    assert.equal(count('door/lock'), 2, device.operationNames.join());
    assert.ok(isOpen());
  });

  it(`leaves nothing open, and ends nothing in error, after ${kills} kills (ALGO_SEED=${firstSeed})`, () =>
    withRepeatCommand(__filename, `ALGO_KILLS=${6 * kills}`, async () => {
      const random = chance(firstSeed);
      for (let round = 0; round < kills; round += 1) {
        const answer = red.sendAndReadOutcomes('open').catch(() => undefined);
        await sleep(random() * 2_600);
        await red.stop('SIGKILL');
        await answer;
        await red.start();
        // A start that was never sent leaves nothing to end.
        if (isOpen()) await waiting.until('it is shut', () => !isOpen());
        await red.sendAndReadOutcomes('leave-open');
        await aLittleLater();
        assert.ok(isOpen(), `round ${round}: what was to stay open was shut`);
        await red.sendAndReadOutcomes('shut');
      }
    }));
});
