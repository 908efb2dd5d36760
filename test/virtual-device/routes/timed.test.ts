import assert from 'node:assert/strict';
import { ask } from '../../fixtures/signer';
import { withDevice } from '../with-device';

const controls = 'POST /api/controls';
const call = { extension: '200', tone: 'chime.wav' };
const flash = { pattern: 7, color1: 'red', ledlvl: '255' };
const image = { type: 'image', image1: 'images/a.png' };
const overlay = { textContent: 'x', textScroll: 'true' };
const tone = { path: 'chime.wav', loop: true };

/** Requests whose effect ends after 10 s, each with a request that starts the same without a time. */
const timed = [
  ['8063', 'doors', 'door/munlock', { doorid: 'local', duration: '10' }, 'door/unlock', { doorid: 'local' }],
  ['8063', 'relay', 'relay/menable', { duration: 10 }, 'relay/enable', undefined],
  ['8301', 'call', 'call/start', { ...call, maxdur: '10' }, 'call/start', call],
  ['8301', 'tone', 'tone/start', { ...tone, duration: 10 }, 'tone/start', tone],
  ['8410', 'strobe', 'strobe/start', { ...flash, duration: 10 }, 'strobe/start', flash],
  ['8410', 'screen', 'screen/start', { ...image, stopAfter: 10 }, 'screen/start', image],
  ['8410', 'overlay', 'screen-text/start', { ...overlay, duration: 10 }, 'screen-text/start', overlay],
] as const;

describe('the virtual device: what ends by itself', () => {
  for (const [model, part, start, body, hold, held] of timed)
    it(`${start} ends at its time, and not after a later ${hold}`, () =>
      withDevice({ model }, async ({ address, device, clock, sendJson }) => {
        const type = 'application/octet-stream';
        await ask(address, 'PUT', '/api/files/images/a.png', { now: clock.now(), body: 'a', type });
        const idle = device.state[part];
        const started = await sendJson(`${controls}/${start}`, body);
        assert.deepEqual([started.status, started.headers['content-type']], [200, undefined], started.text);
        clock.advance(9_999);
        assert.notDeepEqual(device.state[part], idle);
        clock.advance(1);
        assert.deepEqual(device.state[part], idle);
        await sendJson(`${controls}/${start}`, body);
        await sendJson(`${controls}/${hold}`, held);
        clock.advance(60_000);
        assert.notDeepEqual(device.state[part], idle);
      }));

  it('a test ends, and a looped one does not', () =>
    withDevice({ model: '8128' }, async ({ device, clock, sendJson }) => {
      await sendJson(`${controls}/test/start`);
      clock.advance(5000);
      assert.equal(device.state.test, 'stopped');
      await sendJson(`${controls}/test/start`);
      await sendJson(`${controls}/test/loop`);
      clock.advance(60_000);
      assert.equal(device.state.test, 'looping');
    }));

  it('a text ends with the previous content, unless it is persistent', () =>
    withDevice({ model: '8410' }, async ({ device, sendJson }) => {
      for (const persistent of [false, true]) {
        await sendJson(`${controls}/screen-text/start`, { textContent: 'x', persistent });
        await sendJson(`${controls}/screen/start`, { screenName: 'lunch' });
        assert.equal(device.state.overlay !== null, persistent);
      }
    }));
});
