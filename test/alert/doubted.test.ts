import assert from 'node:assert/strict';
import { FakeDevice } from '../delivery/fake-device';
import { RedProcess } from '../delivery/red-process';
import type { NodeConfig } from '../nodes/flow';
import { deed } from './alert-node';

/** A looping tone of one alert comes back in the place of another one's, and nobody hears whether it did. */
describe('a tone that perhaps came back', function () {
  this.timeout(60_000);
  let device: FakeDevice;
  let red: RedProcess;
  let look = () => {};

  beforeEach(async () => {
    device = new FakeDevice('Hall', '8301', '5.7', () => look());
    await device.open();
    const alert = (id: string, severity: number) => {
      const deeds = [deed('tone/start', { path: `${id}.wav` })];
      const wires = [['receipts'], []];
      return { id, type: 'algo-alert', name: id, operation: '', device: 'hall', severity, deeds, wires };
    };
    const rules = [{ t: 'set', p: 'operation', pt: 'msg', to: 'clear', tot: 'str' }];
    const toClear = (id: string) => ({
      id: `clear-${id}`,
      type: 'change',
      operation: '',
      rules,
      wires: [[id]],
    });
    const nodes = [alert('fire', 9), alert('storm', 3), toClear('fire'), toClear('storm')];
    red = await RedProcess.prepare([device.config(), ...nodes] as NodeConfig[]);
    await red.start();
    await red.tell('fire');
    await red.tell('storm');
  });

  afterEach(async () => {
    await red.clear();
    device.releaseAll();
    await device.close();
  });

  /** Resolves when the device has heard so many requests. */
  const hears = (count: number) =>
    new Promise<void>((resolve) => {
      look = () => device.heard.length >= count && resolve();
      look();
    });
  const tones = () => device.heard.map(({ deed: of, parameters: { path } }) => [of, path].join(' ').trim());
  const first = ['tone/start fire.wav', 'tone/start storm.wav'];
  const anew = [...first, 'tone/stop', 'tone/start storm.wav'];

  it('is stopped and begun anew where the connection broke, since the other one may sound on', async () => {
    device.temper = () => (device.heard.length === 2 ? 'reset' : 200);
    assert.deepEqual(await red.tell('clear-fire'), ['Hall unknown']);
    await hears(4);
    await red.tell('clear-storm');
    assert.deepEqual(tones(), [...anew, 'tone/stop']);
  });

  it('is stopped and begun anew where Node-RED was killed meanwhile, and no more often than that', async () => {
    device.temper = () => 'hold';
    const cleared = red.tell('clear-fire').catch(() => {});
    await hears(2);
    await red.stop('SIGKILL');
    await cleared;
    device.releaseAll();
    await red.start();
    await hears(4);
    await red.stop('SIGKILL');
    await red.start();
    await red.tell('clear-storm');
    assert.deepEqual(tones(), [...anew, 'tone/stop']);
  });
});
