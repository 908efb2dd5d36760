import assert from 'node:assert/strict';
import { action } from '../fixtures/alert-node';
import { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';

/** Nobody hears whether one alert took the place of another one at a device. */
describe('an alert that is perhaps in the place of another one', () => {
  let device: FakeDevice;
  let red: RedProcess;
  let look = () => {};

  beforeEach(() => {
    look = () => {};
  });

  afterEach(async () => {
    await red.clear();
    device.releaseAll();
    await device.close();
  });

  /** Two alerts at a device, and what clears them. */
  async function prepare(model: string, actionsOf: (id: string) => unknown[]): Promise<void> {
    device = new FakeDevice('Hall', model, '5.7', () => look());
    await device.open();
    const alert = (id: string, priority: number) => {
      const wires = [['receipts'], []];
      const about = { id, type: 'algo-alert', name: id, operation: '', device: 'hall' };
      return { ...about, priority, actions: actionsOf(id), wires, retryAlert: false };
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
  }

  /** Resolves when the device has heard so many requests. */
  const hears = (count: number) =>
    new Promise<void>((resolve) => {
      look = () => device.requests.length >= count && resolve();
      look();
    });
  /** Of one device output, what the device heard, in order. */
  const heard = (deviceOutput: string, field: string, from = 0) =>
    device.requests
      .slice(from)
      .filter(({ operationName: of }) => of.startsWith(deviceOutput))
      .map(({ operationName: of, parameters }) => [of, parameters[field]].join(' ').trim());

  describe('as a tone that came back', () => {
    beforeEach(async () => {
      await prepare('8301', (id) => [action('tone/start', { path: `${id}.wav` })]);
      await red.sendAndReadOutcomes('fire');
      await red.sendAndReadOutcomes('storm');
    });

    const first = ['tone/start fire.wav', 'tone/start storm.wav'];
    const again = [...first, 'tone/stop', 'tone/start storm.wav'];

    it('is stopped and started again where the connection broke, since the other one may sound on', async () => {
      device.behavior = () => (device.requests.length === 2 ? 'reset' : 200);
      assert.deepEqual(await red.sendAndReadOutcomes('clear-fire'), ['Hall unknown']);
      await hears(4);
      await red.sendAndReadOutcomes('clear-storm');
      assert.deepEqual(heard('tone', 'path'), [...again, 'tone/stop']);
    });

    it('is stopped and started again where Node-RED was killed meanwhile, and no more often than that', async () => {
      device.behavior = () => 'hold';
      const cleared = red.sendAndReadOutcomes('clear-fire').catch(() => {});
      await hears(2);
      await red.stop('SIGKILL');
      await cleared;
      device.releaseAll();
      await red.start();
      await hears(4);
      await red.stop('SIGKILL');
      await red.start();
      await red.sendAndReadOutcomes('clear-storm');
      assert.deepEqual(heard('tone', 'path'), [...again, 'tone/stop']);
    });
  });

  describe('as a start that was cut off', () => {
    beforeEach(async () => {
      const pattern = (id: string) => (id === 'fire' ? 5 : 1);
      await prepare('8410', (id) => [
        action('strobe/start', { pattern: pattern(id) }),
        action('tone/start', { path: `${id}.wav` }),
      ]);
      await red.sendAndReadOutcomes('storm');
    });

    for (const how of ['the connection broke', 'Node-RED was killed'] as const) {
      it(`is there as soon as the other one is cleared, and not before: ${how}`, async () => {
        device.behavior = () => (how === 'the connection broke' ? 'reset' : 'hold');
        const before = device.requests.length;
        const started = red.sendAndReadOutcomes('fire').catch(() => {});
        await hears(before + 1);
        if (how === 'Node-RED was killed') await red.stop('SIGKILL');
        await started;
        device.releaseAll();
        device.behavior = () => 200;
        if (how === 'Node-RED was killed') await red.start();
        const cutOff = device.requests.length;
        assert.deepEqual(await red.sendAndReadOutcomes('clear-storm'), ['Hall accepted', 'Hall accepted']);
        await hears(cutOff + 3);
        await red.sendAndReadOutcomes('clear-fire');
        assert.deepEqual(heard('strobe', 'pattern', cutOff), ['strobe/start 5', 'strobe/stop']);
        const tones = ['tone/stop', 'tone/start fire.wav', 'tone/stop'];
        assert.deepEqual(heard('tone', 'path', cutOff), tones);
      });
    }
  });
});
