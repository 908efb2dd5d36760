import assert from 'node:assert/strict';
import { english as say } from '../../src/catalogue/phrases';
import { unionOfFields } from '../../src/catalogue/variants';
import { because, findings, missing, operationNamed, wrong } from './check';

/** 4.8: fields that every body may have. */
const common = 'stopAfter strobeFlash strobeColor strobeColor2 strobeLedlvl';

const text = 'textBg textBgColor textColor textFont textPosition textScroll textScrollSpeed textSize';
const clock = 'clockSize clockPosition date datePosition dateSize dateColor clockBgImage';

/** 4.8: the variants and what each may have, besides the common fields. */
const variants: Readonly<Record<string, string>> = {
  image: 'type image1',
  'by-name': 'screenName',
  'image-text': `type image1 text1 ${text}`,
  'digital-clock': `type clockFormat clockSeconds clockBgColor clockFgColor clockFont ${clock}`,
  'analog-clock': `type clockSecondsAnalog analogBgColor analogFgColor analogSecondsColor ${clock}`,
  'flashing-images': 'type image1 image2',
  slideshow: 'duration slideNames overrideStrobe',
};

const words = 'text1 text2 text3';
const picture = 'image1 font textColor clockFgColor clockFormat clockFont clockSeconds';
const dual = 'image1 icon1 clockSeconds clockSecondsAnalog analogSecondsColor dualClock1Color';
const weather = 'clockFormat clockSeconds headline showExtra';

/** 4.8.2: the templates and what each has of its own. */
const templates: Readonly<Record<string, string>> = {
  school_time: 'icon1 icon2 clockFormat clockSeconds colorScheme',
  school_date_time: 'icon1 icon2 clockFormat clockSeconds colorScheme layout',
  hospital_scrolling_text: 'icon1 text1 scrollSpeed',
  hospital_text: 'icon1 text1',
  hospital_time: 'icon1 clockFormat clockSeconds',
  announcement: 'text1 text2',
  dont_forget: words,
  reminder: words,
  today_is: 'text1 image1',
  time_date_bg: picture,
  time_date_bg2: picture,
  dualclock1: dual,
  dualclock1_nocorner: dual,
  dualclock2: 'image1 icon1 clockSeconds clockSecondsAnalog dualClock1Color',
  dualclock3: dual,
  calendar_time_date: 'icon1 colorScheme',
  calendar_time_image: 'icon1 colorScheme image1',
  calendar_analog_clock: 'icon1 colorScheme',
  weather_current: weather,
  weather_hourly: weather,
  weather_weekly: weather,
};

const start = operationNamed('screen/start');
const all = start.variants ?? [];
const sorted = (names: string) => names.split(' ').sort();

describe('screens', () => {
  it('have these variants and templates, each with these fields and no others', () => {
    const found = all.flatMap(({ id, when, fields }) =>
      (when.template ?? [id]).map((name) => [name, Object.keys(fields).sort()]),
    );
    assert.deepEqual(
      Object.fromEntries(found),
      Object.fromEntries([
        ...Object.entries(variants).map(([name, own]) => [name, sorted(`${own} ${common}`)]),
        ...Object.entries(templates).map(([name, own]) => [
          name,
          sorted(`type template showWeather ${own} ${common}`),
        ]),
      ]),
    );
    assert.equal(found.length, Object.keys({ ...variants, ...templates }).length);
    assert.deepEqual(start.fields.template?.enum?.toSorted(), Object.keys(templates).sort());
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

  // The transcripts name the field of each refusal; here are the sentences that speak of the variant.
  describe('refuse', () => {
    const strobes = 'stopAfter, strobeFlash, strobeColor, strobeColor2, strobeLedlvl';
    const list = say('oneOf', { values: String(start.fields.template?.enum?.join(', ')) });
    const cases: [Record<string, unknown>, string[]][] = [
      [
        { stopAfter: 5, strobeFlash: 2 },
        [say('saysWhatIsMeant', { place: 'type or screenName or slideNames' })],
      ],
      [{ image1: 'a.png', image2: 'b.png' }, [missing('type', 'blitz')]],
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
      [{ type: 'template' }, [missing('template', list)]],
      [{ type: 'template', template: 'lunch' }, [wrong('template', list, '"lunch"')]],
    ];
    for (const [given, expected] of cases) {
      it(JSON.stringify(given), () =>
        assert.deepEqual([...findings('screen/start', given)].sort(), [...expected].sort()),
      );
    }
  });
});
