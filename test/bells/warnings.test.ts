import assert from 'node:assert/strict';
import { readBells } from '../../src/bells/bell';
import { dateOf, dayOf } from '../../src/bells/calendar';
import { type DeviceEvent, readDatabase } from '../../src/bells/database';
import { planOf } from '../../src/bells/plan';
import { warningsOf } from '../../src/bells/warnings';
import { wording } from '../fixtures/wording';

const today = '2030-09-02';
const dayIn = (date: string) => dayOf(date) ?? assert.fail(date);
const bell = { name: 'A', time: '08:00', days: 'daily', audio: 'bell-na.wav' };

/** That a bell rings at 08:00 with another one. */
function twice(place: string, other: string, date: string): string {
  return wording('reasons:sameMinute', { place, other, time: '08:00', date });
}

async function warnings(
  given: object[],
  events: DeviceEvent[] = [],
  seconds = 0,
  tones?: readonly string[],
): Promise<readonly string[]> {
  const { bells, findings } = await readBells(given);
  assert.deepEqual(findings, []);
  const database = readDatabase({ events });
  assert.ok('events' in database, String(database));
  const { scheduled: rung } = await planOf(database, 't', bells, dayIn(today));
  return (await warningsOf(rung, { day: dayIn(today), seconds }, tones)).map(String);
}

describe('two bells in the same minute', () => {
  it('are found when one of them begins years later', async () => {
    const late = { ...bell, name: 'B', from: '2039-01-10' };
    assert.deepEqual(await warnings([bell, late]), [twice('"B" (bells[1])', '"A" (bells[0])', '2039-01-10')]);
    assert.deepEqual(await warnings([late, bell]), [twice('"A" (bells[1])', '"B" (bells[0])', '2039-01-10')]);
  });

  it('are looked for on 400 days after the later one began, and no longer', async () => {
    const late = '2033-03-01';
    const upTo = (days: number) => ({
      ...bell,
      name: 'B',
      from: late,
      days: 'daily',
      except: { start: '2033-03-02', end: dateOf(dayIn(late) + days - 1) },
    });
    const other = { ...bell, except: late };
    assert.deepEqual(await warnings([other, upTo(400)]), [
      twice('"B" (bells[1])', '"A" (bells[0])', '2034-04-05'),
    ]);
    assert.deepEqual(await warnings([other, upTo(401)]), []);
  });

  it('are named once each, with the first of those that ring then', async () => {
    const given = [
      { ...bell, days: 'mon' },
      { ...bell, name: 'B', days: 'tue' },
      { ...bell, name: 'C', days: 'tue,wed' },
      { ...bell, name: 'D', days: 'mon,wed' },
      { ...bell, name: 'E', days: 'thu' },
    ];
    assert.deepEqual(await warnings(given), [
      twice('"C" (bells[2])', '"B" (bells[1])', '2030-09-03'),
      twice('"D" (bells[3])', '"A" (bells[0])', '2030-09-02'),
    ]);
  });

  it('are none where one has ended, is over, is switched off, or is in another zone', async () => {
    const given = [
      { ...bell, until: '2030-09-10' },
      { ...bell, name: 'B', from: '2030-09-11' },
      { ...bell, name: 'C', from: '2020-01-01', until: '2020-02-01' },
      { ...bell, name: 'D', enabled: false },
      { ...bell, name: 'E', zone: 2 },
    ];
    assert.deepEqual(await warnings(given), [wording('reasons:allPast', { place: '"C" (bells[2])' })]);
  });

  it('are in the zone that the device has, where the bell leaves it out', async () => {
    const event = { evid: 1, name: 'A', start_time: '08:00', start_date: today, zone: 2, tag: 't' };
    const other = { ...bell, name: 'B', zone: 2 };
    assert.deepEqual(await warnings([bell, other], [event]), [
      wording('reasons:sameMinuteZone', {
        place: '"B" (bells[1])',
        other: '"A" (bells[0])',
        time: '08:00',
        date: '2030-09-02',
        zone: '2',
      }),
    ]);
    assert.deepEqual(await warnings([bell, { ...other, zone: 3 }], [event]), []);
  });
});

describe('a bell', () => {
  it('is past from the second on at which it last rang', async () => {
    const last = { ...bell, from: '2030-08-01', until: today };
    const eight = 8 * 3_600;
    assert.deepEqual(await warnings([last], [], eight - 1), []);
    assert.deepEqual(await warnings([last], [], eight), [
      wording('reasons:allPast', { place: '"A" (bells[0])' }),
    ]);
    // The last day of a bell is the last one on which it rings.
    const sundays = { ...bell, days: 'sun', from: '2030-08-01', until: today };
    assert.deepEqual(await warnings([sundays]), [wording('reasons:allPast', { place: '"A" (bells[0])' })]);
  });

  it('may name its audio with the folder of the tones', async () => {
    const given = [{ ...bell, audio: 'tones/bell-na.wav' }];
    assert.deepEqual(await warnings(given, [], 0, ['bell-na.wav']), []);
    assert.deepEqual(await warnings(given, [], 0, ['gong.wav']), [
      wording('reasons:audioMissing', { place: '"A" (bells[0])', audio: 'tones/bell-na.wav' }),
    ]);
  });
});
