import assert from 'node:assert/strict';
import { ask } from '../../fixtures/signer';
import { NOON, withDevice } from '../with-device';

const tone = { path: 'chime.wav', loop: false };
const type = 'application/octet-stream';
const text = { type: 'image', image1: 'a.png', text1: 'x' };

/** Bodies that the device rejects, apart from those of the transcripts. */
const rejected: Readonly<Record<string, readonly object[]>> = {
  'call/start': [{ extension: '200', tone: 'chime.wav', dtmf: '1E' }],
  'noise/update': [{ level: 'loud' }],
  'rx/start': [{ port: '0' }, { port: '65536' }, { port: 'x' }],
  'tone/start': [
    { ...tone, interval: -1 },
    { ...tone, mcast: true, state: { type: 'poly', group: 0 } },
  ],
  'screen/start': [
    { type: 'constructor' },
    { type: 1 },
    { type: 'image', image1: 'a.png', textBg: true },
    { type: 'image', image1: 'a.png', image2: 'b.png' },
    { type: 'image', image1: 'a.png', screenName: 'lunch' },
    { duration: 5, slideNames: ['one'], overrideStrobe: true },
    { type: 'digitalClock', clockFormat: '12hr' },
    { type: 'digitalClock', clockFgColor: 'blurple' },
    { type: 'digitalClock', clockFgColor: '#fff' },
    { type: 'analogClock', clockPosition: 'middle' },
    { type: 'analogClock', dateSize: 49 },
    { ...text, textScrollSpeed: '6' },
    { screenName: 'lunch', strobeLedlvl: '3' },
    { screenName: 'lunch', strobeColor: 'white' },
    { type: 'template' },
    { type: 'template', template: 'today_is', strobeFlash: 14, strobeColor: 'red' },
    { type: 'template', template: 'today_is', strobeFlash: 1, strobeColor: 'red', strobeLedlvl: '0' },
    { type: 'template', template: 'school_time', layout: 1 },
    { type: 'template', template: 'hospital_text', scrollSpeed: '1' },
    { type: 'template', template: 'hospital_time', clockFormat: '12h' },
    { type: 'template', template: 'dualclock2', analogSecondsColor: 'red' },
    { type: 'template', template: 'calendar_time_date', image1: 'a.png' },
    { type: 'template', template: 'weather_current', showExtra: 1 },
  ],
};

describe('the values that the virtual device rejects', () => {
  for (const [route, bodies] of Object.entries(rejected))
    it(`of ${route}`, () =>
      withDevice({ model: '8410' }, async ({ address, sendJson }) => {
        const body = 'a';
        for (const name of ['a.png', 'b.png'])
          await ask(address, 'PUT', `/api/files/images/${name}`, { now: NOON, body, type });
        for (const wrong of bodies) {
          const { status, text: answer } = await sendJson(`POST /api/controls/${route}`, wrong);
          assert.deepEqual([status, typeof JSON.parse(answer).error], [400, 'string'], JSON.stringify(wrong));
        }
      }));

  it('do not include a number of a pattern, and Off switches the strobe of a display off', () =>
    withDevice({ model: '8410' }, async ({ device, sendJson }) => {
      for (const pattern of [2, 15]) {
        const flash = { pattern, color1: 'red', color2: 'blue', ledlvl: '255' };
        assert.equal((await sendJson('POST /api/controls/strobe/start', flash)).status, 200);
        assert.deepEqual(device.state.strobe, pattern === 15 ? null : flash);
      }
    }));
});
