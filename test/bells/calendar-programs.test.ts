import assert from 'node:assert/strict';
import { checkCalendar } from '../../src/bells/calendar-file/check-calendar';
import { wording, wordingIn } from '../fixtures/wording';
import { bells, holidays } from './calendar-text';

const crlf = (lines: readonly string[]) => `${lines.join('\r\n')}\r\n`;

/** With a VTIMEZONE, times in the calendar's zone, exceptions one by one, and a moved one. */
const google = crlf([
  'BEGIN:VCALENDAR',
  'PRODID:-//Google Inc//Google Calendar 70.9054//EN',
  'VERSION:2.0',
  'CALSCALE:GREGORIAN',
  'METHOD:PUBLISH',
  'X-WR-CALNAME:Bells',
  'X-WR-TIMEZONE:Europe/Kyiv',
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Kyiv',
  'X-LIC-LOCATION:Europe/Kyiv',
  'BEGIN:DAYLIGHT',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0300',
  'TZNAME:EEST',
  'DTSTART:19700329T030000',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'TZOFFSETFROM:+0300',
  'TZOFFSETTO:+0200',
  'TZNAME:EET',
  'DTSTART:19701025T040000',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'END:VTIMEZONE',
  'BEGIN:VEVENT',
  'DTSTART;TZID=Europe/Kyiv:20260907T080000',
  'DTEND;TZID=Europe/Kyiv:20260907T080500',
  'RRULE:FREQ=WEEKLY;WKST=SU;UNTIL=20261231T215959Z;BYDAY=FR,MO,TH,TU,WE',
  'EXDATE;TZID=Europe/Kyiv:20261012T080000',
  'EXDATE;TZID=Europe/Kyiv:20261013T080000',
  'DTSTAMP:20260801T090000Z',
  'UID:0abc@google.com',
  'SEQUENCE:1',
  'STATUS:CONFIRMED',
  'SUMMARY:First bell',
  'TRANSP:OPAQUE',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'DTSTART;TZID=Europe/Kyiv:20260916T093000',
  'DTEND;TZID=Europe/Kyiv:20260916T093500',
  'DTSTAMP:20260801T090000Z',
  'UID:0abc@google.com',
  'RECURRENCE-ID;TZID=Europe/Kyiv:20260916T080000',
  'SUMMARY:First bell (late)',
  'END:VEVENT',
  'END:VCALENDAR',
]);

/** A byte order mark, a zone named as Windows does and described beside it, folded lines, exceptions as a list. */
const outlook = `\ufeff${crlf([
  'BEGIN:VCALENDAR',
  'PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN',
  'VERSION:2.0',
  'METHOD:PUBLISH',
  'BEGIN:VTIMEZONE',
  'TZID:AUS Eastern Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4',
  'TZOFFSETFROM:+1100',
  'TZOFFSETTO:+1000',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=10',
  'TZOFFSETFROM:+1000',
  'TZOFFSETTO:+1100',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
  'BEGIN:VEVENT',
  'CLASS:PUBLIC',
  'DESCRIPTION:\\n',
  'DTEND;TZID="AUS Eastern Standard Time":20260907T083500',
  'DTSTAMP:20260801T090000Z',
  'DTSTART;TZID="AUS Eastern Standard Time":20260907T083000',
  'EXDATE;TZID="AUS Eastern Standard Time":20261005T083000,20261006T083000,202',
  ' 61007T083000',
  'RRULE:FREQ=WEEKLY;UNTIL=20261217T213000Z;BYDAY=MO,TU,WE,TH,FR',
  'SUMMARY;LANGUAGE=en-au:Morning bell\\, with a name that is so long that Outlo',
  '\tok folds it',
  'UID:040000008200E00074C5B7101A82E008',
  'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
  'X-ALT-DESC;FMTTYPE=text/html:<html>a: b; c</html>',
  'BEGIN:VALARM',
  'TRIGGER:-PT15M',
  'ACTION:DISPLAY',
  'DESCRIPTION:Reminder',
  'END:VALARM',
  'END:VEVENT',
  'END:VCALENDAR',
])}`;

/** Whole days, a cancelled one of a series, a zone without a description, and lines that Apple adds. */
const apple = crlf([
  'BEGIN:VCALENDAR',
  'CALSCALE:GREGORIAN',
  'PRODID:-//Apple Inc.//macOS 15.5//EN',
  'VERSION:2.0',
  'X-APPLE-CALENDAR-COLOR:#1BADF8',
  'X-WR-CALNAME:School',
  'BEGIN:VEVENT',
  'CREATED:20260801T090000Z',
  'DTSTART;TZID=America/Santiago:20260901T074500',
  'DTEND;TZID=America/Santiago:20260901T074600',
  'EXDATE;VALUE=DATE:20260918,20260919',
  'RRULE:FREQ=DAILY;UNTIL=20260930T104500Z',
  'SEQUENCE:0',
  'SUMMARY:Gate',
  'UID:1F2E',
  'X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'DTSTART;TZID=America/Santiago:20260910T074500',
  'RECURRENCE-ID;TZID=America/Santiago:20260910T074500',
  'STATUS:CANCELLED',
  'SUMMARY:Gate',
  'UID:1F2E',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'DTSTART;VALUE=DATE:20260918',
  'DTEND;VALUE=DATE:20260920',
  'RRULE:FREQ=YEARLY',
  'SUMMARY:Fiestas Patrias',
  'TRANSP:TRANSPARENT',
  'UID:3A4B',
  'END:VEVENT',
  'END:VCALENDAR',
]);

describe('a calendar file from a program that people use', () => {
  const short = ({ given }: Awaited<ReturnType<typeof bells>>) =>
    given.map(({ name, time, days, from, until, except }) => ({ name, time, days, from, until, except }));

  for (const zone of ['Europe/Kyiv', 'Europe/Kiev']) {
    it(`Google's, on a machine in ${zone}`, async () => {
      assert.deepEqual(await checkCalendar(google), []);
      const found = await bells(google, zone);
      assert.deepEqual(found.notImported, []);
      assert.deepEqual(short(found), [
        {
          name: 'First bell',
          time: '08:00',
          days: 'fri,mon,thu,tue,wed',
          from: '2026-09-07',
          until: '2026-12-31',
          except: ['2026-09-16', '2026-10-12', '2026-10-13'],
        },
        {
          name: 'First bell (late)',
          time: '09:30',
          days: 'once',
          from: '2026-09-16',
          until: '2026-09-16',
          except: undefined,
        },
      ]);
    });
  }

  it("Google's, with a zone by its old name and no description", async () => {
    const old = google
      .replace(/BEGIN:VTIMEZONE[\s\S]*END:VTIMEZONE\r\n/, '')
      .replaceAll('Europe/Kyiv', 'Europe/Kiev');
    assert.deepEqual(short(await bells(old, 'Europe/Kyiv')), short(await bells(google, 'Europe/Kyiv')));
  });

  it("Outlook's, of the southern half and over a change of summer time", async () => {
    assert.deepEqual(await checkCalendar(outlook), []);
    const found = await bells(outlook, 'Australia/Melbourne');
    assert.deepEqual(found.notImported, []);
    assert.deepEqual(short(found), [
      {
        name: 'Morning bell, with a name that is so long that Outlook folds it',
        time: '08:30',
        days: 'mon,tue,wed,thu,fri',
        from: '2026-09-07',
        until: '2026-12-18',
        except: ['2026-10-05', '2026-10-06', '2026-10-07'],
      },
    ]);
    // Brisbane has no summer time, so the same bell would ring at another hour there.
    const elsewhere = await bells(outlook, 'Australia/Brisbane');
    assert.deepEqual(elsewhere.given, []);
    assert.match(String(elsewhere.notImported[0]?.reason), wordingIn('reasons:otherSummerTime'));
  });

  it("Apple's, in a zone that changes at midnight, with exceptions as dates and one called off", async () => {
    assert.deepEqual(await checkCalendar(apple), []);
    const found = await bells(apple, 'America/Santiago');
    assert.deepEqual(
      found.notImported.map(({ name, reason }) => `${name}: ${reason}`),
      [`Fiestas Patrias: ${wording('reasons:noTimeOfDay')}`],
    );
    assert.deepEqual(short(found), [
      {
        name: 'Gate',
        time: '07:45',
        days: 'daily',
        from: '2026-09-01',
        until: '2026-09-30',
        except: ['2026-09-10', '2026-09-18', '2026-09-19'],
      },
    ]);
  });

  it("Apple's whole days, which stay the same in every zone", async () => {
    for (const zone of ['America/Santiago', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Beirut']) {
      const { days } = await holidays(apple, zone, '2027-09-01', '2028-08-31');
      assert.deepEqual(days, ['2027-09-18', '2027-09-19'], zone);
    }
  });
});
