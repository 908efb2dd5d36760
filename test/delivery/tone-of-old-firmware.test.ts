import assert from 'node:assert/strict';
import { FakeDevice } from '../fixtures/fake-device';
import { RedProcess } from '../fixtures/red-process';
import { act } from '../fixtures/site';

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
