import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { ask, startFlow, statusesOf, stopFlow } from '../fixtures/flow';

describe('algo-files', () => {
  it('shows in its status how far a long upload is', async () => {
    const device = new VirtualDevice({ model: '8186', firmware: '5.7', password: 'secret' });
    const hall = { id: 'hall', type: 'algo-device', name: 'Hall', address: await device.start() };
    const put = { id: 'put', type: 'algo-files', device: 'hall', operation: 'put', parametersType: 'msg' };
    try {
      await startFlow([hall, { ...put, parameters: 'file' }], { hall: { password: 'secret' } });
      const content = Buffer.alloc(3 * 1024 * 1024, 'sound');
      const { sent } = await ask('put', { file: { path: 'tones/long.wav', content } });
      assert.equal(sent[0]?.receipts?.[0]?.outcome, 'accepted');
      const shown = statusesOf('put').map(({ text }) => text);
      // A slow machine takes longer than the pause between two statuses: then further ones follow.
      const steps = shown.flatMap((text) => (text?.endsWith('%') ? text : []));
      const tenths = Array.from({ length: 10 }, (_, index) => `put ${10 * (index + 1)} %`);
      assert.equal(steps[0], 'put 10 %');
      assert.deepEqual(
        steps,
        tenths.filter((text) => steps.includes(text)),
      );
      assert.match(String(shown.at(-1)), /^status\.accepted /);
    } finally {
      await stopFlow();
      await device.stop();
    }
  });
});
