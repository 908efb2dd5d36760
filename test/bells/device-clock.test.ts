import assert from 'node:assert/strict';
import { dateOf } from '../../src/bells/calendar';
import { readDeviceClock } from '../../src/bells/device-clock';
import { wordingIn } from '../fixtures/wording';

const now = Date.parse('2026-09-01T07:30:00Z');
const berlin = { now, zoneMs: 7_200_000 };
const minute = 60_000;

describe('the clock of a device', () => {
  const table: readonly [
    title: string,
    shown: unknown,
    offsetMs: number | undefined,
    warning: RegExp | undefined,
  ][] = [
    ['that shows the time here', 'Tue Sep  1 09:30:20 GMT 2026', 1000, undefined],
    ['in another zone', 'Tue Sep 1 07:30:00 GMT 2026', 0, wordingIn('reasons:dayBehind', { time: '2 h' })],
    [
      'that is ahead',
      'Tue Sep 1 09:35:00 GMT 2026',
      5 * minute,
      wordingIn('reasons:deviceAhead', { time: '5 min' }),
    ],
    [
      'that is ahead, and tells no Date',
      'Tue Sep 1 09:35:00 GMT 2026',
      undefined,
      wordingIn('reasons:dayAhead', { time: '5 min' }),
    ],
    [
      'in a zone of half an hour more',
      'Tue Sep 1 10:00:00 IST 2026',
      0,
      wordingIn('reasons:dayAhead', { time: '30 min' }),
    ],
    ['in a zone far away', 'Tue Sep 1 18:30:00 JST 2026', 0, wordingIn('reasons:dayAhead', { time: '9 h' })],
    ['that tells nothing', undefined, undefined, undefined],
    ['that says something else', 'half past nine', 0, undefined],
  ];
  for (const [title, shown, offsetMs, warning] of table) {
    it(title, () => {
      const { warnings } = readDeviceClock(shown, offsetMs, berlin);
      assert.equal(warnings.length, warning ? 1 : 0, warnings.join());
      if (warning) assert.match(warnings.join(), warning);
    });
  }

  it('says which day it is there, else here', () => {
    const late = { now: Date.parse('2026-09-01T23:30:00Z'), zoneMs: 7_200_000 };
    assert.equal(dateOf(readDeviceClock('Tue Sep 1 23:30:00 GMT 2026', 0, late).now.day), '2026-09-01');
    assert.equal(dateOf(readDeviceClock(undefined, 0, late).now.day), '2026-09-02');
  });
});
