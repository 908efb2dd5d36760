import assert from 'node:assert/strict';
import { daysAndHours, daysAndHoursIn, duration, durationIn } from '../../src/catalogue/duration';

describe('how long something is, in words', () => {
  const rows: readonly (readonly [seconds: number, text: string])[] = [
    [0, '0 s'],
    [-61, '61 s'],
    [119, '119 s'],
    [120, '2 min'],
    [150, '2 min 30 s'],
    [599, '9 min 59 s'],
    [629, '10 min'],
    [3_569, '59 min'],
    // Two measurements of a difference are a second apart.
    [3_599, '1 h'],
    [3_601, '1 h'],
    [5_400, '1 h 30 min'],
    [86_399, '1 day'],
    [90_000, '1 day 1 h'],
    [172_799, '2 days'],
    [-172_801, '2 days'],
    [860_400, '9 days 23 h'],
    [867_600, '10 days'],
    [630_720_000, '7,300 days'],
  ];
  for (const [seconds, text] of rows) {
    it(`is ${text} for ${seconds} s`, () => assert.equal(durationIn('en', seconds), text));
  }

  it('has the forms of each language', () => {
    const texts = (language: string) => [86_400, 172_800].map((seconds) => durationIn(language, seconds));
    assert.deepEqual(texts('de'), ['1 Tag', '2 Tage']);
    assert.deepEqual(texts('es'), ['1 día', '2 días']);
    assert.deepEqual(texts('fr').join().replaceAll('\u00a0', ' '), '1 jour,2 jours');
  });

  it('is English in an error, and what an editor needs to say it otherwise', () => {
    assert.equal(String(duration(-172_800)), '2 days');
    const { phrase, values } = JSON.parse(JSON.stringify(duration(-172_800)));
    assert.deepEqual([phrase, values], ['duration', { seconds: '172800' }]);
  });
});

describe('a time of more than a day, as a person typed it, in days and hours', () => {
  const inEnglish = (seconds: number) => daysAndHoursIn('en', seconds);

  it('is rounded down, and absent up to a day', () => {
    assert.deepEqual([999_999, 90_000, 86_401, 31_536_000].map(inEnglish), [
      '11 days 13 hours',
      '1 day 1 hour',
      '1 day',
      '365 days',
    ]);
    assert.deepEqual([0, 86_400, Number.NaN].map(inEnglish), [undefined, undefined, undefined]);
  });

  it('has the forms of each language', () => {
    const texts = ['de', 'es', 'fr'].map((language) => daysAndHoursIn(language, 999_999));
    assert.deepEqual(
      texts.map((text) => text?.replaceAll('\u00a0', ' ')),
      ['11 Tage 13 Stunden', '11 días 13 horas', '11 jours 13 heures'],
    );
  });

  it('is English in a receipt, and what an editor needs to say it otherwise', () => {
    assert.equal(String(daysAndHours(999_999)), '11 days 13 hours');
    const { phrase, values } = JSON.parse(JSON.stringify(daysAndHours(999_999)));
    assert.deepEqual([phrase, values], ['daysAndHours', { seconds: '999999' }]);
  });
});
