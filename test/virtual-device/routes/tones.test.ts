import assert from 'node:assert/strict';
import { withDevice } from '../with-device';

describe('the virtual device: tones (section 4.5.1)', () => {
  const START = 'POST /api/controls/tone/start';
  const STOP = 'POST /api/controls/tone/stop';

  it('stops the tone that is named on 5.4, and no other', () =>
    withDevice({ firmware: '5.4' }, async ({ device, sendJson }) => {
      await sendJson(START, { path: 'chime.wav', loop: true });
      assert.equal((await sendJson(STOP)).status, 400);
      assert.equal((await sendJson(STOP, { path: 'gong.wav' })).status, 200);
      assert.notEqual(device.state.tone, null);
      assert.equal((await sendJson(STOP, { path: 'chime.wav' })).status, 200);
      assert.equal(device.state.tone, null);
    }));
});
