import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import type { RedProcess } from '../fixtures/red-process';
import { Cutter } from './cutter';
import { flash, remote } from './flow';
import { Running } from './running';
import { ready, startCentre, unsafe } from './sites';

describe('what waits at the broker while a site is away, and the centre is gone when the site is back', () => {
  let running: Running;
  let siteLink: Cutter;
  let centreLink: Cutter;
  let site: RedProcess;
  let device: FakeDevice;

  beforeEach(async () => {
    running = await Running.start();
    siteLink = await Cutter.to(running.mosquitto.port);
    centreLink = await Cutter.to(running.mosquitto.port);
    running.port = siteLink.port;
    device = await running.world.device('A');
    site = await running.site(device);
    await startCentre(running.world, centreLink.port, remote('safe', flash), unsafe);
    await ready(running.listener, 1);
  });
  afterEach(async () => {
    await running.end();
    await siteLink.end();
    await centreLink.end();
  });

  const retained = (kind: string) =>
    [...running.listener.retained.keys()].filter((topic) => topic.includes(`/${kind}/`));

  /** The centre asks for what may be done twice, and for what may not, and is cut off. */
  const askAndLeave = async () => {
    running.world.send('safe');
    running.world.send('r', { payload: { path: 'gong.wav', loop: false } });
    await running.listener.until(() => retained('job').length === 2);
    centreLink.cut();
  };
  const done = async () => {
    await running.listener.until(() => retained('result').length === 2);
    return device.operationNames.toSorted();
  };

  it('is done when the link of the site is back', async () => {
    siteLink.cut();
    await askAndLeave();
    siteLink.mend();
    assert.deepEqual(await done(), ['strobe/stop', 'tone/start']);
  });

  it('is done when the site was restarted', async () => {
    await site.stop('SIGKILL');
    await askAndLeave();
    await site.start();
    assert.deepEqual(await done(), ['strobe/stop', 'tone/start']);
  });

  it('leaves no claim of the run that was killed in between', async () => {
    device.behavior = () => 'hold';
    running.world.send('r', { payload: { path: 'gong.wav', loop: false } });
    await running.world.until('it is at the device', () => device.held.length === 1);
    assert.equal(retained('claim').length, 1);
    await site.stop('SIGKILL');
    centreLink.cut();
    await site.start();
    await running.listener.until(() => retained('result').length === 1 && retained('claim').length === 0);
    assert.deepEqual(device.operationNames, ['tone/start']);
  });
});
