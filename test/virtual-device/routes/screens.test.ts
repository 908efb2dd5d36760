import assert from 'node:assert/strict';
import type { VirtualDeviceOptions } from '../../../src/virtual-device/device';
import { type Bench, withDevice } from '../bench';
import { ask } from '../signer';

const START = 'POST /api/controls/screen/start';
const TEXT = 'POST /api/controls/screen-text/start';

const text = {
  textBg: true,
  textBgColor: 'mediumpurple',
  textColor: '#00FF7f',
  textFont: 'nixie',
  textPosition: 'middle',
  textScroll: false,
  textScrollSpeed: '5',
  textSize: 300,
};
const strobe = { strobeFlash: 7, strobeColor: 'red', strobeColor2: 'blue', strobeLedlvl: '56' };
const anyClock = {
  clockSize: 'x-small',
  clockPosition: 'top-left',
  date: true,
  datePosition: 'bottom-center',
  dateSize: 50,
  dateColor: 'black',
  clockBgImage: 'sky.png',
  stopAfter: 1,
};
const digital = {
  type: 'digitalClock',
  clockFormat: '12h',
  clockSeconds: true,
  clockBgColor: 'white',
  clockFgColor: '#000000',
  clockFont: 'inter',
};
const analog = {
  type: 'analogClock',
  clockSecondsAnalog: false,
  analogBgColor: 'white',
  analogFgColor: 'black',
  analogSecondsColor: 'red',
};
const image = { type: 'image', image1: 'a.png' };
const slides = { duration: 5, slideNames: 'one,two', overrideStrobe: true };

const taken: readonly [string, object][] = [
  ['a single image', image],
  ['an image with a strobe', { ...image, ...strobe, stopAfter: 60 }],
  ['a slide by name', { screenName: 'lunch' }],
  ['an image with text', { ...image, text1: 'Hello', ...text }],
  ['text sizes and scrolling in words', { ...image, text1: 'x', textSize: 'tiny', textScroll: 'true' }],
  ['a digital clock', { ...digital, ...anyClock, ...strobe }],
  ['an analog clock', { ...analog, ...anyClock, ...strobe }],
  ['flashing images', { type: 'blitz', image1: 'a.png', image2: 'b.png', ...strobe }],
  ['a slideshow', { ...slides, ...strobe }],
];

const refused: readonly [string, object][] = [
  ['nothing', {}],
  ['an unknown type', { type: 'video' }],
  ['a type that every object has', { type: 'constructor' }],
  ['a type that is no string', { type: 1 }],
  ['an image without a file', { type: 'image' }],
  ['text fields without text', { ...image, textBg: true }],
  ['an image with a second one', { ...image, image2: 'b.png' }],
  ['fields of two variants', { ...image, screenName: 'lunch' }],
  ['half a blitz', { type: 'blitz', image1: 'a.png' }],
  ['a slideshow without overrideStrobe', { duration: 5, slideNames: 'one' }],
  ['a slideshow in a list', { ...slides, slideNames: ['one'] }],
  ['analog fields on a digital clock', { type: 'digitalClock', analogFgColor: 'black' }],
  ['digital fields on an analog clock', { type: 'analogClock', clockFormat: '12h' }],
  ['the format of templates', { type: 'digitalClock', clockFormat: '12hr' }],
  ['a color that is none', { type: 'digitalClock', clockFgColor: 'blurple' }],
  ['three hex digits', { type: 'digitalClock', clockFgColor: '#fff' }],
  ['a position that is none', { type: 'analogClock', clockPosition: 'middle' }],
  ['dateSize 49', { type: 'analogClock', dateSize: 49 }],
  ['dateSize 301', { type: 'analogClock', dateSize: 301 }],
  ['textSize 301', { ...image, text1: 'x', textSize: 301 }],
  ['a speed of 6', { ...image, text1: 'x', textScrollSpeed: '6' }],
  ['a speed as a number', { ...image, text1: 'x', textScrollSpeed: 1 }],
  ['a brightness of another model', { ...image, strobeLedlvl: '3' }],
  ['a strobe of another color', { ...image, strobeColor: 'white' }],
  ['stopAfter as a string', { ...image, stopAfter: '5' }],
  ['an unknown template', { type: 'template', template: 'menu' }],
  ['no template', { type: 'template' }],
  [
    'a flashing template without its color',
    { type: 'template', template: 'today_is', strobeFlash: 0, strobeLedlvl: '0' },
  ],
  [
    'a flashing template without its brightness',
    { type: 'template', template: 'today_is', strobeFlash: 14, strobeColor: 'red' },
  ],
  ['strobeFlash 1 in a template', { type: 'template', template: 'today_is', ...strobe, strobeFlash: 1 }],
];

/** Section 4.8.2, each with all of its fields. */
const templates: Readonly<Record<string, object>> = {
  school_time: { icon1: 'a', icon2: 'b', clockFormat: '12hr', clockSeconds: true, colorScheme: 'bluegrey' },
  school_date_time: {
    icon1: 'a',
    icon2: 'b',
    clockFormat: '24hr',
    clockSeconds: true,
    colorScheme: 'greyblue',
    layout: 2,
  },
  hospital_scrolling_text: { icon1: 'a', text1: 'x', scrollSpeed: '5' },
  hospital_text: { icon1: 'a', text1: 'x' },
  hospital_time: { icon1: 'a', clockFormat: '24hr', clockSeconds: false },
  announcement: { text1: 'x', text2: 'y' },
  dont_forget: { text1: 'x', text2: 'y', text3: 'z' },
  reminder: { text1: 'x', text2: 'y', text3: 'z' },
  today_is: { text1: 'x', image1: 'a' },
  time_date_bg: {
    image1: 'a',
    font: 'din',
    textColor: 'black',
    clockFgColor: 'red',
    clockFormat: '12h',
    clockFont: 'din',
    clockSeconds: true,
  },
  time_date_bg2: {
    image1: 'a',
    font: 'din',
    textColor: 'black',
    clockFgColor: 'red',
    clockFormat: '12hr',
    clockFont: 'din',
    clockSeconds: true,
  },
  dualclock1: {
    image1: 'a',
    icon1: 'b',
    clockSeconds: true,
    clockSecondsAnalog: true,
    analogSecondsColor: 'red',
    dualClock1Color: '#112233',
  },
  dualclock1_nocorner: {
    image1: 'a',
    icon1: 'b',
    clockSeconds: true,
    clockSecondsAnalog: true,
    analogSecondsColor: 'red',
    dualClock1Color: '#112233',
  },
  dualclock2: {
    image1: 'a',
    icon1: 'b',
    clockSeconds: true,
    clockSecondsAnalog: true,
    dualClock1Color: 'red',
  },
  dualclock3: {
    image1: 'a',
    icon1: 'b',
    clockSeconds: true,
    clockSecondsAnalog: true,
    analogSecondsColor: 'red',
    dualClock1Color: 'red',
  },
  calendar_time_date: { icon1: 'a', colorScheme: 'light' },
  calendar_time_image: { icon1: 'a', colorScheme: 'dark', image1: 'b' },
  calendar_analog_clock: { icon1: 'a', colorScheme: 'dark' },
  weather_current: { clockFormat: '24h', clockSeconds: true, headline: 'date', showExtra: '1' },
  weather_hourly: { clockFormat: '24hr', clockSeconds: true, headline: 'location', showExtra: '0' },
  weather_weekly: { clockFormat: '12h', clockSeconds: true, headline: 'none', showExtra: '1' },
};

/** Fields that belong to another template. */
const misplaced: Readonly<Record<string, object>> = {
  school_time: { layout: 1 },
  hospital_text: { scrollSpeed: '1' },
  announcement: { text3: 'z' },
  dualclock2: { analogSecondsColor: 'red' },
  calendar_time_date: { image1: 'b' },
  weather_current: { showExtra: 1 },
  hospital_time: { clockFormat: '12h' },
};

/** Runs a test on a display that has the files which the bodies here name. */
function withDisplay(options: VirtualDeviceOptions, test: (bench: Bench) => Promise<void>): Promise<void> {
  return withDevice({ model: '8410', ...options }, async (bench) => {
    const { address, clock } = bench;
    const type = 'application/octet-stream';
    for (const name of ['a.png', 'b.png', 'sky.png', 'a', 'b']) {
      const path = `/api/files/images/${name}`;
      assert.equal((await ask(address, 'PUT', path, { now: clock.now(), body: name, type })).status, 200);
    }
    await test(bench);
  });
}

describe('the virtual device: screens (section 4.8)', () => {
  it('refuses images that it does not have, all of them by name', () =>
    withDisplay({}, async ({ device, tell }) => {
      const absent: readonly [string, object, string[]][] = [
        ['one', { ...image, image1: 'c.png' }, ['image1']],
        ['two', { type: 'blitz', image1: 'c.png', image2: 'd.png' }, ['image1', 'image2']],
        ['behind a clock', { type: 'analogClock', clockBgImage: 'c.png' }, ['clockBgImage']],
        ['in a header', { type: 'template', template: 'school_time', icon1: 'c.png', icon2: 'b' }, ['icon1']],
      ];
      for (const [what, body, fields] of absent) {
        const { status, text } = await tell(START, body);
        assert.equal(status, 400, what);
        const mistakes = fields.map((field) => {
          const name = JSON.stringify(Object.entries(body).find(([key]) => key === field)?.[1]);
          return `${field}: there is no image ${name} in the file manager`;
        });
        assert.equal(JSON.parse(text).error, mistakes.join('; '), what);
      }
      assert.equal(device.state.screen, null);
      assert.equal((await tell(START, { ...image, image1: 'images/a.png' })).status, 200);
    }));

  it('takes any image before 5.5: files come by the web page only then', () =>
    withDevice({ model: '8410', firmware: '5.3.4' }, async ({ tell }) => {
      assert.equal((await tell(START, image)).status, 200);
    }));

  it('takes every variant and shows what it was given', () =>
    withDisplay({}, async ({ device, tell }) => {
      for (const [what, body] of taken) {
        const reply = await tell(START, body);
        assert.deepEqual([reply.status, reply.text], [200, ''], what);
        assert.deepEqual(device.state.screen, body, what);
      }
    }));

  it('refuses what fits no variant', () =>
    withDisplay({}, async ({ device, tell }) => {
      for (const [what, body] of refused) {
        const reply = await tell(START, body);
        assert.equal(reply.status, 400, what);
        assert.equal(typeof JSON.parse(reply.text).error, 'string', what);
      }
      assert.equal(device.state.screen, null);
    }));

  it('takes all 21 templates with all of their fields, and those of no other', () =>
    withDisplay({ model: '8420' }, async ({ tell }) => {
      assert.equal(Object.keys(templates).length, 21);
      for (const [template, fields] of Object.entries(templates)) {
        const body = { type: 'template', template, showWeather: false, stopAfter: 5, ...strobe, ...fields };
        assert.equal((await tell(START, body)).text, '', template);
      }
      for (const [template, fields] of Object.entries(misplaced))
        assert.equal((await tell(START, { type: 'template', template, ...fields })).status, 400, template);
      const dark = { type: 'template', template: 'reminder', strobeFlash: 15 };
      assert.equal((await tell(START, dark)).status, 200);
    }));

  it('returns to default after stopAfter, or when told', () =>
    withDisplay({}, async ({ device, clock, tell }) => {
      await tell(START, { ...image, stopAfter: 60 });
      clock.advance(59_999);
      assert.notEqual(device.state.screen, null);
      clock.advance(1);
      assert.equal(device.state.screen, null);
      await tell(START, { ...image, stopAfter: 60 });
      await tell(START, image);
      clock.advance(60_000);
      assert.deepEqual(device.state.screen, image);
      assert.equal((await tell('POST /api/controls/screen/stop')).text, '');
      assert.equal(device.state.screen, null);
    }));

  it('knows stopAfter from 5.7 on, and exists on displays', async () => {
    await withDisplay({ firmware: '5.6' }, async ({ tell }) => {
      assert.equal((await tell(START, image)).status, 200);
      assert.equal((await tell(START, { ...image, stopAfter: 1 })).status, 400);
      assert.equal((await tell(TEXT, { textContent: 'x' })).status, 404);
    });
    await withDevice({ model: '8190S' }, async ({ tell }) => {
      assert.equal((await tell(START, image)).status, 404);
      assert.equal((await tell('POST /api/controls/screen-text/stop')).status, 404);
    });
  });
});

describe('the virtual device: overlay text (section 4.9)', () => {
  it('draws text until its duration is over or it is removed', () =>
    withDisplay({}, async ({ device, clock, tell }) => {
      const body = { textContent: 'Fire drill', duration: 10, persistent: true, ...text };
      assert.equal((await tell(TEXT, body)).text, '');
      assert.deepEqual(device.state.overlay, body);
      clock.advance(10_000);
      assert.equal(device.state.overlay, null);
      await tell(TEXT, { textContent: 'x' });
      await tell('POST /api/controls/screen-text/stop');
      assert.equal(device.state.overlay, null);
      for (const wrong of [
        {},
        { textContent: 1 },
        { textContent: 'x', duration: '1' },
        { textContent: 'x', text1: 'y' },
      ])
        assert.equal((await tell(TEXT, wrong)).status, 400, JSON.stringify(wrong));
    }));

  it('keeps only persistent text when the content changes', () =>
    withDisplay({}, async ({ device, tell }) => {
      await tell(TEXT, { textContent: 'x' });
      await tell(START, image);
      assert.equal(device.state.overlay, null);
      await tell(TEXT, { textContent: 'x', persistent: true });
      await tell('POST /api/controls/screen/stop');
      assert.notEqual(device.state.overlay, null);
    }));
});
