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
  for (const firmware of ['5.7', '5.4']) {
    it(`is what firmware ${firmware} expects`, async () => {
      const waiting = new Waiting(() => hall.operationNames.join());
      const hall = new FakeDevice('Hall', '8301', firmware, waiting.look);
      await hall.open();
      const red = await RedProcess.prepare([
        hall.config({ model: '', firmware: '' }),
        {
          ...{ id: 'alarm', type: 'algo-alert', operation: '', target: 'device', device: hall.id },
          ...{
            actions: [action('tone/start', { path: 'siren.wav', loop: true })],
            afterRestart: 'clear',
            wires: [['receipts'], []],
          },
        } as NodeConfig,
      ]);
      try {
        await red.start();
        assert.deepEqual(await red.sendAndReadOutcomes('alarm'), ['Hall accepted']);
        await red.stop('SIGKILL');
        await red.start();
        await waiting.until('the tone is stopped', () => hall.operationNames.includes('tone/stop'));
        const stops = hall.requests.filter(({ operationName }) => operationName === 'tone/stop');
        const parameters = stops.map((stop) => stop.parameters);
        assert.deepEqual(parameters, [firmware === '5.7' ? {} : { path: 'siren.wav' }]);
      } finally {
        await red.clear();
        await hall.close();
      }
    });
  }
});
