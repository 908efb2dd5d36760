import assert from 'node:assert/strict';
import type { VirtualDeviceOptions } from '../../../src/virtual-device/device';
import { withDevice } from '../with-device';

type Case = readonly [
  what: string,
  options: VirtualDeviceOptions,
  route: string,
  body: unknown,
  error: string | RegExp,
];

const TONE = 'POST /api/controls/tone/start';
const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key${index}`, index]));

const cases: readonly Case[] = [
  [
    'what is unknown beside what is wrong',
    {},
    TONE,
    { Path: 'gong.wav', path: 'none.wav', loop: 'false' },
    'Path is not known here; path: there is no tone "none.wav" in the tones folder; loop must be true or false, not "false"',
  ],
  [
    'a wrong type as a wrong type, where words are expected',
    { model: '8063' },
    'POST /api/controls/door/lock',
    { doorid: 1 },
    'doorid must be a string, not 1',
  ],
  [
    'a wrong type as a wrong type, where numbers and colors are expected',
    { model: '8138' },
    'POST /api/controls/strobe/start',
    { pattern: '12', color1: 3, ledlvl: 255 },
    'pattern must be an integer of at least 0, not "12"; color1 must be a string, not 3; ledlvl must be a string, not 255',
  ],
  [
    'both kinds of value that a field takes',
    { model: '8410' },
    'POST /api/controls/screen-text/start',
    { textContent: 'x', textSize: 400, textColor: 7 },
    'textColor must be a string, not 7; textSize must be "tiny", "small", "medium", "large" or an integer from 50 to 300, not 400',
  ],
  [
    'what a body that did not come should have held',
    { firmware: '5.4' },
    'POST /api/controls/tone/stop',
    undefined,
    'a JSON body is expected here; path is missing',
  ],
  [
    'the query beside the body',
    { model: '8063' },
    'POST /api/controls/door/lock?door=1',
    { doorid: 'front' },
    'the query must not hold "door" here; doorid must be "netdc1" or "local", not "front"',
  ],
  [
    'only how many more there are, when there are many',
    { auth: 'none' },
    TONE,
    many,
    /^key0 is not known here; .*key9 is not known here; and 99992 more$/,
  ],
  [
    'no more of a long name than a person reads',
    {},
    TONE,
    { path: 'gong.wav', loop: true, ['x'.repeat(10_000)]: 1 },
    /^x{77}\.\.\. is not known here$/,
  ],
  [
    'all images that the device does not have',
    { model: '8410' },
    'POST /api/controls/screen/start',
    { type: 'blitz', image1: 'c.png', image2: 'd.png' },
    'image1: there is no image "c.png" in the file manager; image2: there is no image "d.png" in the file manager',
  ],
  [
    'the image behind a clock',
    { model: '8410' },
    'POST /api/controls/screen/start',
    { type: 'analogClock', clockBgImage: 'c.png' },
    'clockBgImage: there is no image "c.png" in the file manager',
  ],
  [
    'the icon of a template',
    { model: '8410' },
    'POST /api/controls/screen/start',
    { type: 'template', template: 'school_time', icon1: 'c.png' },
    'icon1: there is no image "c.png" in the file manager',
  ],
  [
    'all events that cannot be stored',
    {},
    'POST /api/schedules',
    {
      events: [{ event_type: 'play_tone', name: 'A' }, { event_type: 'sip_call' }],
      delete: [{ evid: 7 }],
    },
    [
      'delete[0]: nothing has "evid":7',
      ...['audio', 'start_time', 'start_date', 'rrule'].map((field) => `events[0].${field} is missing`),
      ...['name', 'audio', 'extension', 'start_time', 'start_date'].map(
        (field) => `events[1].${field} is missing`,
      ),
      'and 1 more; nothing was changed',
    ].join('; '),
  ],
];

describe('what the virtual device finds wrong with a request', () => {
  for (const [what, options, route, body, error] of cases)
    it(`names ${what}`, () =>
      withDevice(options, async ({ sendJson }) => {
        const { status, text } = await sendJson(route, body);
        assert.equal(status, 400, text);
        const message = JSON.parse(text).error;
        if (typeof error === 'string') assert.equal(message, error);
        else assert.match(message, error);
      }));
});
