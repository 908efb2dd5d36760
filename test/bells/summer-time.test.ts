import assert from 'node:assert/strict';
import { bells, holidays } from './calendar-text';

const crlf = (lines: readonly string[]) => `${lines.join('\r\n')}\r\n`;

describe('a change of summer time', () => {
  /** Of one entry in UTC, what day and time it is on a machine somewhere. */
  const at = async (zone: string, utc: string) => {
    const ics = crlf(['BEGIN:VCALENDAR', 'BEGIN:VEVENT', `DTSTART:${utc}`, 'END:VEVENT', 'END:VCALENDAR']);
    const { given } = await bells(ics, zone);
    return `${given[0]?.from} ${given[0]?.time}`;
  };

  it('moves what is in UTC, to the minute, north and south and at midnight', async () => {
    const table: readonly [zone: string, utc: string, here: string][] = [
      ['Europe/Berlin', '20270328T005900Z', '2027-03-28 01:59'],
      ['Europe/Berlin', '20270328T010000Z', '2027-03-28 03:00'],
      ['Europe/Berlin', '20271031T005900Z', '2027-10-31 02:59'],
      ['Europe/Berlin', '20271031T010000Z', '2027-10-31 02:00'],
      ['Australia/Melbourne', '20261003T155900Z', '2026-10-04 01:59'],
      ['Australia/Melbourne', '20261003T160000Z', '2026-10-04 03:00'],
      // There is no midnight on that Sunday in Chile, and that Saturday has two last hours of its own.
      ['America/Santiago', '20270905T035900Z', '2027-09-04 23:59'],
      ['America/Santiago', '20270905T040000Z', '2027-09-05 01:00'],
      ['America/Santiago', '20270404T025900Z', '2027-04-03 23:59'],
      ['America/Santiago', '20270404T030000Z', '2027-04-03 23:00'],
      // Half an hour.
      ['Australia/Lord_Howe', '20261003T153000Z', '2026-10-04 02:30'],
    ];
    for (const [zone, utc, here] of table) assert.equal(await at(zone, utc), here, `${utc} in ${zone}`);
  });

  it('does not move what is in a zone of its own, seen from that zone', async () => {
    for (const zone of ['Europe/Berlin', 'America/Santiago', 'Asia/Beirut', 'Australia/Lord_Howe']) {
      const ics = crlf([
        'BEGIN:VCALENDAR',
        'BEGIN:VEVENT',
        'SUMMARY:Midnight',
        `DTSTART;TZID=${zone}:20260901T000000`,
        'RRULE:FREQ=DAILY;COUNT=400',
        'END:VEVENT',
        'END:VCALENDAR',
      ]);
      const { given, notImported } = await bells(ics, zone);
      assert.deepEqual(notImported, [], zone);
      assert.deepEqual(
        given.map(({ time, days, from, until }) => ({ time, days, from, until })),
        [{ time: '00:00', days: 'daily', from: '2026-09-01', until: '2027-10-05' }],
        zone,
      );
    }
  });

  it('keeps whole days whole where the day has no midnight', async () => {
    const ics = crlf([
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'DTSTART;VALUE=DATE:20270905',
      'DTEND;VALUE=DATE:20270906',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'DTSTART;TZID=America/Santiago:20271004T000000',
      'DTEND;TZID=America/Santiago:20271005T000000',
      'END:VEVENT',
      'END:VCALENDAR',
    ]);
    const { days } = await holidays(ics, 'America/Santiago', '2027-01-01', '2027-12-31');
    assert.deepEqual(days, ['2027-09-05', '2027-10-04']);
  });
});
