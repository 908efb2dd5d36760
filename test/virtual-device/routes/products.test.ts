import assert from 'node:assert/strict';
import { withDevice } from '../with-device';

const call = { extension: '200', tone: 'chime.wav' };
const tone = { path: 'chime.wav', loop: false };
const noise = { level: '-42dB' };
const flash = { pattern: 0, color1: 'red', ledlvl: '0' };

/** Models that have a route, and models that do not, apart from those of the transcripts. */
const products: readonly [route: string, body: object | undefined, having: string, missing: string][] = [
  ['POST /api/controls/call/start', call, '8180 8190S 8305 8312 8410', '8201 8300 8373 8507 8516'],
  ['POST /api/controls/call/stop', undefined, '8063', '8128'],
  ['POST /api/controls/call/page', { extension: '1' }, '8186 8420', '8063 8201'],
  ['POST /api/controls/door/lock', { doorid: 'local' }, '8028G2 8201', '8203'],
  ['POST /api/controls/emergency-alert/start', { announcement: 1 }, '8186', '8201'],
  ['POST /api/controls/noise/update', noise, '8190S 8516 8410 8420 8186 8188 8189 8507', '8063'],
  ['GET /api/info/audio.noise.level', undefined, '8190S 8516 8410 8420 8186 8188 8189 8507', '8063'],
  ['POST /api/controls/relay/enable', undefined, '8063', '8039'],
  ['POST /api/controls/rx/stop', undefined, '8128', '8450'],
  ['POST /api/controls/screen/start', { screenName: 'x' }, '8420', '8190S'],
  ['POST /api/controls/strobe/start', flash, '8410', '8190'],
  ['POST /api/controls/test/start', undefined, '8039', '8507 8516'],
  ['POST /api/controls/test/loop', undefined, '8516', '8450'],
  ['POST /api/controls/test/stop', undefined, '8516', '8450'],
  ['POST /api/controls/tone/start', tone, '8186 8203 8312 8375 8410', '8063'],
  ['POST /api/controls/tone/upload-play', undefined, '8420', '8063'],
];

describe('the models of the virtual device', () => {
  for (const [route, body, having, missing] of products)
    it(`${having} have ${route}, and ${missing} do not`, async () => {
      for (const model of `${having} ${missing}`.split(' '))
        await withDevice({ model }, async ({ sendJson }) => {
          const { status } = await sendJson(route, body);
          assert.equal(status !== 404, having.includes(model), `${model}: ${status}`);
        });
    });

  it('have a route from its firmware on, also with a beta of it', async () => {
    for (const [firmware, status] of [
      ['5.4', 404],
      ['5.5_beta11', 200],
    ] as const)
      await withDevice({ model: '8063', firmware }, async ({ sendJson }) => {
        const reply = await sendJson('POST /api/controls/door/munlock', { doorid: 'local', duration: '1' });
        assert.equal(reply.status, status, firmware);
        if (status === 404) assert.match(reply.text, /firmware 5\.5 or newer; this device has 5\.4/);
      });
  });
});
