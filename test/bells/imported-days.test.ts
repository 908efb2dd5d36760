import assert from 'node:assert/strict';
import { wording, wordingIn } from '../fixtures/wording';
import { calendar } from './calendar-text';
import { lesson, School } from './school';

const lunch = { ...lesson, name: 'Lunch', time: '12:00' };
const holidays = calendar(
  ['SUMMARY:Two days', 'DTSTART;VALUE=DATE:20300909', 'DTEND;VALUE=DATE:20300911'],
  ['SUMMARY:Every hour', 'DTSTART:20300912T080000', 'RRULE:FREQ=HOURLY'],
);

describe('days without bells at a device', () => {
  let school: School;

  beforeEach(async () => {
    school = await School.open();
    await school.answer('sync', { tag: 'school', bells: [lesson] });
    await school.answer('sync', { tag: 'canteen', bells: [lunch] });
  });
  afterEach(() => school.close());

  const span = { from: '2030-09-01', until: '2030-12-31' };
  const on = async (date: string) => (await school.calendar(date, 1))[date];

  it('come from a calendar file, and what could not be read is told', async () => {
    const skipped = await school.answer('import', { ics: holidays, as: 'skip', ...span });
    assert.deepEqual(skipped.notImported, [
      { name: 'Every hour', line: 8, reason: wording('reasons:withinDay') },
    ]);
    assert.deepEqual(school.writes.at(-1), {
      skip: [
        { evid: -1, date: '2030-09-09' },
        { evid: -1, date: '2030-09-10' },
      ],
    });
    assert.deepEqual(await on('2030-09-10'), ['08:00 Lesson (skipped)', '12:00 Lunch (skipped)']);
    assert.deepEqual(await on('2030-09-11'), ['08:00 Lesson', '12:00 Lunch']);
  });

  it('are those of one tag, where the message says so', async () => {
    await school.answer('import', { ics: holidays, as: 'exclude', tag: 'canteen', ...span });
    assert.deepEqual(await on('2030-09-09'), ['08:00 Lesson']);
    await school.answer('skip', { dates: '2030-09-11', tag: 'school' });
    assert.deepEqual(await on('2030-09-11'), ['08:00 Lesson (skipped)', '12:00 Lunch']);
  });

  it('are those of one group, where the message says so', async () => {
    const inner = { event_type: 'play_tone', name: 'Inner', audio: 'gong.wav', start_time: '07:00' };
    const group = { name: 'Group', start_date: '2030-09-02', rrule: 'FREQ=DAILY', events: [inner] };
    const echo = await school.answer('apply', { groups: [group] });
    const [{ groupid } = assert.fail()] = echo.groups as { groupid: number }[];
    await school.answer('skip', { dates: '2030-09-11', groupid });
    assert.deepEqual(await on('2030-09-11'), ['07:00 Inner (skipped)', '08:00 Lesson', '12:00 Lunch']);
  });

  it('are no request where there are none, and that is no error', async () => {
    const before = school.writes.length;
    const { sent, caught } = await school.ask('import', { ics: holidays, as: 'skip', from: '2031-01-01' });
    assert.deepEqual(caught, []);
    assert.equal(sent[0]?.receipts?.[0]?.outcome, 'accepted');
    assert.match(sent[0]?.receipts?.[0]?.note ?? '', wordingIn('reasons:noDayImported'));
    assert.equal(school.writes.length, before);
  });

  it('are not in the place of bells: an import after which none would ring is refused', async () => {
    const before = school.writes.length;
    for (const ics of [
      holidays,
      calendar(['SUMMARY:Long ago', 'DTSTART:20200909T080000']),
      calendar(['SUMMARY:Last year', 'DTSTART:20200907T080000', 'RRULE:FREQ=DAILY;COUNT=5']),
    ]) {
      const given = { ics, as: 'bells', tag: 'school', audio: 'bell-na.wav' };
      const { sent, caught } = await school.ask('import', given);
      assert.deepEqual([sent.length, caught[0]?.error?.code], [0, 'INVALID_PARAMETER']);
      assert.match(caught[0]?.error?.message ?? '', wordingIn('reasons:icsNoBells'));
    }
    const { caught } = await school.ask('import', { ics: calendar(), as: 'skip' });
    assert.match(caught[0]?.error?.message ?? '', wordingIn('phrases:icsNoEntry', { field: 'ics' }));
    assert.equal(school.writes.length, before);
    const some = calendar(
      ['SUMMARY:Long ago', 'DTSTART:20200909T080000'],
      ['SUMMARY:Lesson', 'DTSTART:20300909T080000'],
    );
    const from = '2030-09-01';
    await school.answer('import', { ics: some, as: 'bells', tag: 'school', audio: 'bell-na.wav', from });
    assert.equal(school.writes.length, before + 1);
  });

  it('are not what is left of a calendar that was cut off', async () => {
    const before = school.writes.length;
    const lesson = ['SUMMARY:Lesson', 'DTSTART:20300909T080000'];
    const whole = calendar(lesson, ['SUMMARY:Break', 'DTSTART:20300909T090000']);
    for (const cut of [
      whole.replace(/END:VCALENDAR\s*$/, ''),
      whole.slice(0, whole.lastIndexOf('BEGIN:VEVENT') + 20),
    ]) {
      const given = { ics: cut, as: 'bells', tag: 'school', audio: 'bell-na.wav', from: '2030-09-01' };
      const { sent, caught } = await school.ask('import', given);
      assert.deepEqual([sent.length, caught[0]?.error?.code], [0, 'INVALID_PARAMETER']);
      assert.match(caught[0]?.error?.message ?? '', wordingIn('reasons:icsCutOff'));
      const asDays = await school.ask('import', { ics: cut, as: 'skip', from: '2031-01-01' });
      assert.match(asDays.sent[0]?.receipts?.[0]?.note ?? '', wordingIn('reasons:icsCutOff'));
    }
    assert.equal(school.writes.length, before);
  });

  it('are not of an event, a group and a tag at once', async () => {
    const pairs = [
      { evid: 1, groupid: 1 },
      { evid: 1, tag: 'school' },
      { groupid: 1, tag: 'school' },
    ];
    const before = school.device.log.length;
    for (const mark of ['skip', 'unskip', 'exclude', 'unexclude']) {
      for (const pair of pairs) {
        const { caught } = await school.ask(mark, { dates: '2030-09-11', ...pair });
        assert.equal(caught[0]?.error?.code, 'INVALID_PARAMETER', `${mark} ${JSON.stringify(pair)}`);
      }
    }
    assert.equal(school.device.log.length, before);
  });
});
