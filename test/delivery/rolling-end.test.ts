import assert from 'node:assert/strict';
import { FakeDevice } from '../fixtures/fake-device';
import { RedProcess } from '../fixtures/red-process';
import { act } from '../fixtures/site';
import { Waiting } from '../fixtures/waiting';

describe('delivery: rolling messages and the end of Node-RED', () => {
  let devices: FakeDevice[];
  let red: RedProcess;
  let atA: Waiting;

  beforeEach(async () => {
    atA = new Waiting(() => red.output);
    devices = ['A', 'B', 'C'].map((name) => new FakeDevice(name, '8063', '5.7', () => atA.look()));
    await Promise.all(devices.map((device) => device.open()));
    red = await RedProcess.prepare([
      ...devices.map((device) => device.config()),
      act('system/reload', { target: 'several', targets: devices.map(({ id }) => id), rolling: 1 }),
    ]);
    await red.start();
  });

  afterEach(async () => {
    await red.clear();
    await Promise.all(devices.map((device) => device.close()));
  });

  const ends: Record<string, () => Promise<unknown>> = {
    'Node-RED ends on SIGTERM': () => {
      red.signal('SIGTERM');
      return red.ended;
    },
    'a person stops the flows': () => red.setFlows('stop'),
  };
  for (const [what, end] of Object.entries(ends))
    it(`begin no further target when ${what}, and the log names the message`, async () => {
      const [first] = devices as [FakeDevice];
      first.behavior = () => 'hold';
      void red.ask('system/reload').catch(() => {});
      await atA.until('A is asked', () => first.held.length > 0);
      const ended = end();
      await red.waitForOutput(/Stopping flows/);
      first.release();
      await ended;
      assert.deepEqual(
        devices.map(({ operationNames }) => operationNames.length),
        [1, 0, 0],
      );
      assert.match(red.output, /\[algo-system:system\/reload\] .*"B".*and 1 more of 3 targets/s);
    });
});
