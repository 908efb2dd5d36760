import assert from 'node:assert/strict';
import { action } from '../fixtures/alert-node';
import { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';
import { act } from '../fixtures/site';
import { Waiting } from '../fixtures/waiting';

describe('delivery: what firmware 5.4 has to be told to stop a tone', () => {
  let hall: FakeDevice;
  let red: RedProcess;

  beforeEach(async () => {
    hall = new FakeDevice('Hall', '8301', '5.4', () => {});
    await hall.open();
    const toHall = { device: hall.id };
    red = await RedProcess.prepare([
      hall.config(),
      { ...act('tone/start', { ...toHall, given: { path: 'siren.wav', loop: true } }), id: 'play' },
      { ...act('tone/stop', toHall), id: 'hush' },
    ]);
    await red.start();
  });

  afterEach(async () => {
    await red.clear();
    await hall.close();
  });

  const stopped = () =>
    hall.requests
      .filter(({ operationName }) => operationName === 'tone/stop')
      .map(({ parameters }) => parameters);

  it('is remembered of a start whose answer was lost, over kill -9, and forgotten when it was stopped', async () => {
    hall.behavior = ({ operationName }) => (operationName === 'tone/start' ? 'reset' : 200);
    assert.deepEqual(await red.sendAndReadOutcomes('play'), ['Hall unknown']);
    await red.stop('SIGKILL');
    await red.start();
    assert.deepEqual(await red.sendAndReadOutcomes('hush'), ['Hall accepted']);
    assert.deepEqual(stopped(), [{ path: 'siren.wav' }]);
    await red.stop('SIGKILL');
    await red.start();
    await red.sendAndReadOutcomes('hush');
    assert.deepEqual(stopped(), [{ path: 'siren.wav' }, {}]);
  });
});

describe('delivery: what stops a tone after a restart, where nobody has entered the firmware', () => {
  it('is what the firmware of each device expects', async () => {
    const waiting = new Waiting(() => devices.map(({ operationNames }) => operationNames.join()).join('; '));
    const devices = [
      new FakeDevice('New', '8301', '5.7', waiting.look),
      new FakeDevice('Old', '8301', '5.4', waiting.look),
    ];
    const alerts = devices.map(({ id, name }) => ({
      ...{ id: `alert${name}`, type: 'algo-alert', operation: '', target: 'device', device: id },
      actions: [action('tone/start', { path: 'siren.wav', loop: true })],
      ...{ afterRestart: 'clear', wires: [['receipts'], []] },
    }));
    await Promise.all(devices.map((device) => device.open()));
    const configs = devices.map((device) => device.config({ model: '', firmware: '' }));
    const red = await RedProcess.prepare([...configs, ...(alerts as NodeConfig[])]);
    try {
      await red.start();
      for (const { id, device } of alerts)
        assert.deepEqual(await red.sendAndReadOutcomes(id), [
          `${devices.find((one) => one.id === device)?.name} accepted`,
        ]);
      await red.stop('SIGKILL');
      await red.start();
      const stopsOf = (device: FakeDevice) =>
        device.requests.filter(({ operationName }) => operationName === 'tone/stop');
      await waiting.until('both tones are stopped', () => devices.every((one) => stopsOf(one).length > 0));
      const parameters = devices.map((device) => stopsOf(device).map((stop) => stop.parameters));
      assert.deepEqual(parameters, [[{}], [{ path: 'siren.wav' }]]);
    } finally {
      await red.clear();
      await Promise.all(devices.map((device) => device.close()));
    }
  });
});
