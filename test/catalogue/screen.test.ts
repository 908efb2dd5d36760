import assert from 'node:assert/strict';
import { english as say } from '../../src/catalogue/phrases';
import { unionOfFields } from '../../src/catalogue/variants';
import { because, findings, missing, operationNamed, sent, wrong } from './check';

/** 4.8: fields that every body may have. */
const common = ['stopAfter', 'strobeFlash', 'strobeColor', 'strobeColor2', 'strobeLedlvl'];

const text = [
  'textBg',
  'textBgColor',
  'textColor',
  'textFont',
  'textPosition',
  'textScroll',
  'textScrollSpeed',
  'textSize',
];

const clock = ['clockSize', 'clockPosition', 'date', 'datePosition', 'dateSize', 'dateColor', 'clockBgImage'];

/** 4.8: the variants and what each may have, besides the common ones. */
const variants: Record<string, string[]> = {
  image: ['type', 'image1'],
  'by-name': ['screenName'],
  'image-text': ['type', 'image1', 'text1', ...text],
  'digital-clock': [
    'type',
    'clockFormat',
    'clockSeconds',
    'clockBgColor',
    'clockFgColor',
    'clockFont',
    ...clock,
  ],
  'analog-clock': [
    'type',
    'clockSecondsAnalog',
    'analogBgColor',
    'analogFgColor',
    'analogSecondsColor',
    ...clock,
  ],
  'flashing-images': ['type', 'image1', 'image2'],
  slideshow: ['duration', 'slideNames', 'overrideStrobe'],
};

/** 4.8.2: the templates and what each has of its own. */
const templates: Record<string, string[]> = {
  school_time: ['icon1', 'icon2', 'clockFormat', 'clockSeconds', 'colorScheme'],
  school_date_time: ['icon1', 'icon2', 'clockFormat', 'clockSeconds', 'colorScheme', 'layout'],
  hospital_scrolling_text: ['icon1', 'text1', 'scrollSpeed'],
  hospital_text: ['icon1', 'text1'],
  hospital_time: ['icon1', 'clockFormat', 'clockSeconds'],
  announcement: ['text1', 'text2'],
  dont_forget: ['text1', 'text2', 'text3'],
  reminder: ['text1', 'text2', 'text3'],
  today_is: ['text1', 'image1'],
  time_date_bg: ['image1', 'font', 'textColor', 'clockFgColor', 'clockFormat', 'clockFont', 'clockSeconds'],
  time_date_bg2: ['image1', 'font', 'textColor', 'clockFgColor', 'clockFormat', 'clockFont', 'clockSeconds'],
  dualclock1: [
    'image1',
    'icon1',
    'clockSeconds',
    'clockSecondsAnalog',
    'analogSecondsColor',
    'dualClock1Color',
  ],
  dualclock1_nocorner: [
    'image1',
    'icon1',
    'clockSeconds',
    'clockSecondsAnalog',
    'analogSecondsColor',
    'dualClock1Color',
  ],
  dualclock2: ['image1', 'icon1', 'clockSeconds', 'clockSecondsAnalog', 'dualClock1Color'],
  dualclock3: [
    'image1',
    'icon1',
    'clockSeconds',
    'clockSecondsAnalog',
    'analogSecondsColor',
    'dualClock1Color',
  ],
  calendar_time_date: ['icon1', 'colorScheme'],
  calendar_time_image: ['icon1', 'colorScheme', 'image1'],
  calendar_analog_clock: ['icon1', 'colorScheme'],
  weather_current: ['clockFormat', 'clockSeconds', 'headline', 'showExtra'],
  weather_hourly: ['clockFormat', 'clockSeconds', 'headline', 'showExtra'],
  weather_weekly: ['clockFormat', 'clockSeconds', 'headline', 'showExtra'],
};

const start = operationNamed('screen/start');
const all = start.variants ?? [];

describe('screens', () => {
  for (const [id, fields] of Object.entries(variants)) {
    it(`know what the variant ${id} may have`, () => {
      const variant = all.find((one) => one.id === id);
      assert.deepEqual(Object.keys(variant?.fields ?? {}).sort(), [...fields, ...common].sort());
    });
  }

  for (const [name, fields] of Object.entries(templates)) {
    it(`know what the template ${name} may have`, () => {
      const having = all.filter(({ when }) => when.template?.includes(name));
      assert.equal(having.length, 1);
      const expected = ['type', 'template', 'showWeather', ...fields, ...common];
      assert.deepEqual(Object.keys(having[0]?.fields ?? {}).sort(), expected.sort());
      assert.deepEqual(sent('screen/start', { type: 'template', template: name }), {
        type: 'template',
        template: name,
      });
    });
  }

  it('have no variant and no template besides', () => {
    const others = all.filter(({ id, when }) => !(id in variants) && !when.template);
    assert.deepEqual(others, []);
    const named = all.flatMap(({ when }) => when.template ?? []);
    assert.deepEqual([...named].sort(), Object.keys(templates).sort());
    assert.deepEqual(start.fields.template?.enum?.length, 21);
  });

  it('tell a default of a template, or a place of an image, only where 4.8.2 has one', () => {
    const names = all
      .filter(({ when }) => when.template)
      .flatMap(({ fields }) => Object.entries(fields))
      .filter(([, { description }]) => /\bdefault\b|\bbeside\b|\bnext to\b/.test(description))
      .map(([name]) => name);
    assert.deepEqual([...new Set(names)].sort(), [
      'analogSecondsColor',
      'dualClock1Color',
      'scrollSpeed',
      'showWeather',
      'textColor',
    ]);
  });

  it('have every field of any variant, with all its values', () => {
    assert.deepEqual(start.fields, unionOfFields(all));
    const { type, clockFormat, strobeFlash } = start.fields;
    assert.deepEqual(type?.enum, ['image', 'digitalClock', 'analogClock', 'blitz', 'template']);
    assert.deepEqual(clockFormat?.enum, ['12h', '24h', '12hr', '24hr']);
    assert.equal(strobeFlash?.enum, undefined);
  });

  describe('take', () => {
    const cases: [Record<string, unknown>, Record<string, unknown>][] = [
      [
        { type: 'image', image1: 'a.png', stopAfter: '30', strobeFlash: 1 },
        { type: 'image', image1: 'a.png', stopAfter: 30, strobeFlash: 1 },
      ],
      [{ screenName: 'menu' }, { screenName: 'menu' }],
      [
        {
          type: 'image',
          image1: 'a.png',
          text1: 'Hello',
          textScroll: 'false',
          textScrollSpeed: 5,
          textSize: '200',
          textColor: '#1A2b3c',
          textBg: true,
        },
        {
          type: 'image',
          image1: 'a.png',
          text1: 'Hello',
          textScroll: false,
          textScrollSpeed: '5',
          textSize: 200,
          textColor: '#1A2b3c',
          textBg: true,
        },
      ],
      [
        { type: 'digitalClock', clockFormat: '12h', dateSize: '300', clockFgColor: 'navy' },
        { type: 'digitalClock', clockFormat: '12h', dateSize: 300, clockFgColor: 'navy' },
      ],
      [
        { type: 'analogClock', clockSecondsAnalog: 'true', strobeFlash: 'scan slow', strobeLedlvl: 56 },
        { type: 'analogClock', clockSecondsAnalog: true, strobeFlash: 'Scan Slow', strobeLedlvl: '56' },
      ],
      [
        { type: 'blitz', image1: 'a.png', image2: 'b.png' },
        { type: 'blitz', image1: 'a.png', image2: 'b.png' },
      ],
      [
        { slideNames: 'a,b', duration: '5', overrideStrobe: 'false' },
        { slideNames: 'a,b', duration: 5, overrideStrobe: false },
      ],
      [
        {
          type: 'template',
          template: 'weather_weekly',
          showExtra: 1,
          clockFormat: '12hr',
          strobeFlash: '15',
        },
        {
          type: 'template',
          template: 'weather_weekly',
          showExtra: '1',
          clockFormat: '12hr',
          strobeFlash: 15,
        },
      ],
      [
        { type: 'template', template: 'today_is', strobeFlash: 'OFF' },
        { type: 'template', template: 'today_is', strobeFlash: 'Off' },
      ],
      [
        { type: 'template', template: 'school_date_time', layout: '2', clockFormat: '24hr' },
        { type: 'template', template: 'school_date_time', layout: 2, clockFormat: '24hr' },
      ],
      [
        {
          type: 'template',
          template: 'reminder',
          text3: '',
          strobeFlash: 0,
          strobeColor: 'red',
          strobeLedlvl: 'High',
        },
        {
          type: 'template',
          template: 'reminder',
          text3: '',
          strobeFlash: 0,
          strobeColor: 'red',
          strobeLedlvl: 'high',
        },
      ],
    ];
    for (const [given, expected] of cases) {
      it(JSON.stringify(given), () => assert.deepEqual(sent('screen/start', given), expected));
    }
  });

  describe('refuse', () => {
    const color = say('color');
    const strobes = 'stopAfter, strobeFlash, strobeColor, strobeColor2, strobeLedlvl';
    const size = say('either', {
      first: say('oneOf', { values: 'tiny, small, medium, large' }),
      second: say('fromTo', { number: say('wholeNumber'), minimum: '50', maximum: '300' }),
    });
    const cases: [Record<string, unknown>, string[]][] = [
      [{}, [say('saysWhatIsMeant', { place: 'type or screenName or slideNames' })]],
      [
        { stopAfter: 5, strobeFlash: 2 },
        [say('saysWhatIsMeant', { place: 'type or screenName or slideNames' })],
      ],
      [{ duration: 5, overrideStrobe: true }, [missing('slideNames', say('textNotEmpty'))]],
      [{ image1: 'a.png', image2: 'b.png' }, [missing('type', 'blitz')]],
      [
        { type: 'digitalclock' },
        [
          wrong(
            'type',
            say('oneOf', { values: 'image, digitalClock, analogClock, blitz, template' }),
            '"digitalclock"',
          ),
        ],
      ],
      [
        { type: null },
        [
          wrong(
            'type',
            say('oneOf', { values: 'image, digitalClock, analogClock, blitz, template' }),
            'null',
          ),
        ],
      ],
      [
        { type: 'image', screenName: 'menu' },
        [
          say('contradiction', {
            names: 'type and screenName',
            variants: 'the single image and the slide or slideshow by name',
          }),
        ],
      ],
      [{ type: 'image', image1: 'a.png', textColor: 'red' }, [missing('text1', say('textNotEmpty'))]],
      [
        { type: 'image', image1: 'a.png', image2: 'b.png' },
        [
          say('unknownOfVariant', {
            place: 'image2',
            variant: 'the single image',
            owners: 'the flashing images',
            names: `type, image1, ${strobes}`,
          }),
        ],
      ],
      [
        { type: 'image', text1: 'x', textSize: 'Large', textColor: 'reddish', textScrollSpeed: 6 },
        [
          missing('image1', say('textNotEmpty')),
          wrong('textColor', color, '"reddish"'),
          wrong('textScrollSpeed', say('oneOf', { values: '1, 2, 3, 4, 5' }), '"6"'),
          wrong('textSize', size, '"Large"'),
        ],
      ],
      [{ type: 'image', image1: 'a.png', text1: 'x', textSize: 301 }, [wrong('textSize', size, '301')]],
      [
        { type: 'analogClock', clockFormat: '12h' },
        [
          say('unknownOfKnown', {
            place: 'clockFormat',
            variant: 'the analog clock',
            names: `type, clockSecondsAnalog, analogBgColor, analogFgColor, analogSecondsColor, clockSize, clockPosition, date, datePosition, dateSize, dateColor, clockBgImage, ${strobes}`,
          }),
        ],
      ],
      [
        { type: 'digitalClock', clockFormat: '12hr' },
        [wrong('clockFormat', say('oneOf', { values: '12h, 24h' }), '"12hr"')],
      ],
      [
        { type: 'template', template: 'school_time', clockFormat: '12h' },
        [wrong('clockFormat', say('oneOf', { values: '12hr, 24hr' }), '"12h"')],
      ],
      [
        { type: 'template', template: 'announcement', layout: 1 },
        [
          say('unknownOfVariant', {
            place: 'layout',
            variant: 'the template announcement',
            owners: 'the template school_date_time',
            names: `type, template, text1, text2, showWeather, ${strobes}`,
          }),
        ],
      ],
      [
        { type: 'template', template: 'announcement', strobeFlash: 2 },
        [
          missing(
            'strobeColor',
            say('oneOf', { values: 'red, blue, green, amber' }),
            because('flashing', 'strobeFlash'),
          ),
          missing(
            'strobeLedlvl',
            say('oneOf', { values: 'low, medium, high, 0, 56, 255' }),
            because('flashing', 'strobeFlash'),
          ),
        ],
      ],
      [{ slideNames: 'a', duration: 5 }, [missing('overrideStrobe', say('boolean'))]],
    ];
    for (const [given, expected] of cases) {
      it(JSON.stringify(given), () =>
        assert.deepEqual([...findings('screen/start', given)].sort(), [...expected].sort()),
      );
    }

    it('a template without a name or with an unknown one, naming all of them', () => {
      const list = [...(start.fields.template?.enum ?? [])].join(', ');
      assert.deepEqual(findings('screen/start', { type: 'template' }), [
        missing('template', say('oneOf', { values: list })),
      ]);
      assert.deepEqual(findings('screen/start', { type: 'template', template: 'lunch' }), [
        wrong('template', say('oneOf', { values: list }), '"lunch"'),
      ]);
      assert.equal(list.split(', ').length, 21);
    });

    it('the number 1 for the strobe of a template', () => {
      const given = {
        type: 'template',
        template: 'reminder',
        strobeFlash: 1,
        strobeColor: 'red',
        strobeLedlvl: 0,
      };
      const [finding] = findings('screen/start', given);
      assert.match(finding ?? '', /^strobeFlash .*\bsteady, .*, 0, 2, 3, .*, 15\b.* 1$/);
    });
  });

  it('show overlay text only with a text', () => {
    assert.deepEqual(
      sent('screen/text-start', { textContent: 'Out', textSize: 'tiny', persistent: 'true' }),
      {
        textContent: 'Out',
        textSize: 'tiny',
        persistent: true,
      },
    );
    assert.deepEqual(findings('screen/text-start', { textContent: '' }), [
      wrong('textContent', say('textNotEmpty'), '""'),
    ]);
  });
});
