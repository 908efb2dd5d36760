import assert from 'node:assert/strict';
import { wording } from '../fixtures/wording';
import { type Answer, lesson, lunch, School } from './school';

describe('bells at a device', () => {
  let school: School;

  beforeEach(async () => {
    school = await School.open();
  });
  afterEach(() => school.close());

  const sync = (bells: unknown, more: object = {}) =>
    school.answer('sync', { tag: 'school', bells, ...more });
  const database = () => school.answer('get') as Promise<{ events: Answer[]; groups: Answer[] }>;

  it('are set up by one request, and a second time by none', async () => {
    const bells = [
      lesson,
      { ...lunch, until: '2030-10-31', except: ['2030-09-04', { start: '2030-10-07', end: '2030-10-13' }] },
    ];
    const answer = await sync(bells);
    assert.deepEqual(answer, {
      dryRun: false,
      created: bells,
      updated: [],
      deleted: [],
      unchanged: 0,
      warnings: [],
    });
    assert.deepEqual(school.writes, [
      {
        events: [
          {
            event_type: 'play_tone',
            name: 'Lesson',
            audio: 'bell-na.wav',
            start_date: '2030-09-02',
            start_time: '08:00',
            rrule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
            tag: 'school',
          },
          {
            event_type: 'play_tone',
            name: 'Lunch',
            audio: 'chime.wav',
            start_date: '2030-09-02',
            start_time: '12:00',
            rrule: 'FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20301031',
            exdate: '2030-09-04,2030-10-07,2030-10-09',
            tag: 'school',
          },
        ],
      },
    ]);
    const again = await sync(bells);
    assert.deepEqual(again, { ...answer, created: [], unchanged: 2 });
    assert.equal(school.writes.length, 1);
  });

  it('may call somebody, in a zone and with a tone before it', async () => {
    const call = { type: 'sip_call', extension: 2001, zone: 3, dtmf: 1, color: '#123456' };
    await sync([{ ...lesson, ...call }]);
    const { type, ...fields } = call;
    const [{ event_type, extension, zone, dtmf, color } = {}] = (await database()).events;
    assert.deepEqual({ extension, zone, dtmf, color }, fields);
    assert.equal(event_type, type);
    assert.equal((await sync([{ ...lesson, ...call }])).unchanged, 1);
  });

  it('begin on the first day on which they really ring', async () => {
    await sync([
      { ...lesson, days: 'sat', except: '2030-09-07' },
      { ...lunch, days: 'once', from: '2030-09-12' },
    ]);
    const { events } = await database();
    assert.deepEqual(
      events.map(({ start_date, rrule, exdate }) => ({ start_date, rrule, exdate })),
      [
        { start_date: '2030-09-14', rrule: 'FREQ=WEEKLY;BYDAY=SA', exdate: undefined },
        { start_date: '2030-09-12', rrule: '', exdate: undefined },
      ],
    );
  });

  it('keep their number and their skips when they change', async () => {
    await sync([lesson, lunch]);
    await school.answer('skip', { dates: '2030-09-09', tag: 'school' });
    const before = await database();
    const answer = await sync([{ ...lesson, time: '08:10' }, lunch]);
    assert.deepEqual(school.writes.at(-1), {
      events: [{ evid: before.events[0]?.evid, start_time: '08:10' }],
    });
    assert.deepEqual(answer.updated, [{ ...lesson, time: '08:10' }]);
    assert.equal(answer.unchanged, 1);
    assert.deepEqual(await school.calendar('2030-09-09', 1), {
      '2030-09-09': ['08:10 Lesson (skipped)', '12:00 Lunch (skipped)'],
    });
  });

  it('are matched by name and time, then by name', async () => {
    const twice = [lesson, { ...lesson, time: '09:00' }];
    await sync(twice);
    const [first, second] = (await database()).events;
    await sync([
      { ...lesson, time: '09:00', audio: 'gong.wav' },
      { ...lesson, time: '10:00' },
    ]);
    assert.deepEqual(school.writes.at(-1), {
      events: [
        { evid: second?.evid, audio: 'gong.wav' },
        { evid: first?.evid, start_time: '10:00' },
      ],
    });
  });

  it('that share a name and a time stay with the events that they have', async () => {
    const once = { ...lesson, days: 'once', audio: 'gong.wav' };
    await sync([{ ...once, time: '10:00' }, lesson]);
    const both = [lesson, once];
    await sync(both);
    const written = school.writes.length;
    assert.equal((await sync(both)).unchanged, 2);
    assert.equal((await sync([once, lesson])).unchanged, 2);
    assert.equal(school.writes.length, written);
    await sync([once]);
    const [{ evid } = {}] = (await database()).events;
    assert.deepEqual((await sync(both)).created, [lesson]);
    assert.equal((await database()).events.find(({ audio }) => audio === 'gong.wav')?.evid, evid);
  });

  it('that were renamed are deleted and created in one request', async () => {
    await sync([lesson]);
    const [{ evid } = {}] = (await database()).events;
    const answer = await sync([{ ...lesson, name: 'First lesson' }]);
    assert.deepEqual(answer.deleted, [{ name: 'Lesson', time: '08:00' }]);
    assert.deepEqual(school.writes.at(-1)?.delete, [{ evid }]);
    assert.equal(school.writes.length, 2);
  });

  it('own what has their tag and stands alone, and nothing else', async () => {
    const other = { event_type: 'play_tone', audio: 'gong.wav', start_time: '07:00' };
    await school.answer('apply', {
      events: [{ ...other, name: 'Other', start_date: '2030-09-02', rrule: '', tag: 'plant' }],
      groups: [
        {
          name: 'Group',
          start_date: '2030-09-02',
          rrule: 'FREQ=DAILY',
          events: [{ ...other, name: 'Inner', tag: 'school' }],
        },
      ],
    });
    await sync([lesson]);
    const before = await database();
    const answer = await sync([]);
    assert.deepEqual(answer.deleted, [{ name: 'Lesson', time: '08:00' }]);
    const after = await database();
    assert.deepEqual(after.groups, before.groups);
    assert.deepEqual(
      after.events.map(({ name }) => name),
      ['Other'],
    );
  });

  it('take an exclusion back that they lack, and switch on what was switched off', async () => {
    await sync([{ ...lesson, except: '2030-09-10', enabled: false }]);
    const [{ evid } = {}] = (await database()).events;
    await sync([lesson]);
    assert.deepEqual(school.writes.at(-1), { events: [{ evid, exdate: '', enabled: 1 }] });
    assert.deepEqual(await school.calendar('2030-09-10', 1), { '2030-09-10': ['08:00 Lesson'] });
  });

  it('without a first day keep the one that the event has', async () => {
    await sync([{ ...lesson, from: '2030-09-04' }]);
    const { from: _, ...undated } = lesson;
    assert.equal((await sync([undated])).unchanged, 1);
    assert.equal(school.writes.length, 1);
  });

  it('are only planned in a dry run', async () => {
    const answer = await sync([lesson], { dryRun: true });
    assert.deepEqual(answer.created, [lesson]);
    assert.equal(answer.dryRun, true);
    assert.deepEqual(school.writes, []);
  });

  it('that are wrong are all named at once, and nothing is sent', async () => {
    const { caught } = await school.ask('sync', {
      tag: 'school',
      bells: [
        lesson,
        { ...lesson, days: 'mon-fry' },
        { ...lesson, time: '25:00', except: ['2030-02-30', { start: '2030-05-02', end: '2030-05-01' }] },
        { ...lesson, audio: undefined },
        { ...lesson, until: '2030-09-01' },
        { ...lesson, days: 'sun', until: '2030-09-07' },
        { ...lesson, colour: 'red' },
      ],
    });
    const { error, receipts } = caught[0] ?? assert.fail();
    assert.equal(error?.code, 'INVALID_PARAMETER');
    // The sentence names the operation behind the reason.
    const sentence = String(error?.message).replace(': scheduler/sync', '');
    const wrong = (place: string, limits: 'weekdays' | 'time' | 'date', got: string) =>
      wording('phrases:wrong', { place, limits: wording(`phrases:${limits}`), got: `"${got}"` });
    for (const place of [
      wrong('bells[1].days', 'weekdays', 'mon-fry'),
      wrong('bells[2].time', 'time', '25:00'),
      wrong('bells[2].except[0]', 'date', '2030-02-30'),
      wording('phrases:spanBackwards', { place: 'bells[2].except[1]' }),
      wording('phrases:missingBecause', {
        place: 'bells[3].audio',
        because: wording('phrases:toneOrCall'),
        limits: wording('phrases:textNotEmpty'),
      }),
      wording('phrases:untilBeforeFrom', { place: 'bells[4]' }),
      wording('phrases:neverRings', { place: 'bells[5]' }),
      'bells[6].colour ',
    ]) {
      assert.ok(sentence.includes(place), `${place} is not in: ${sentence}`);
    }
    assert.equal(receipts?.[0]?.attempts, 0);
    assert.deepEqual(school.device.log, []);
  });

  it('may be right and odd: two in one minute, all in the past, audio that there is not', async () => {
    const bells = [
      lesson,
      { ...lunch, time: '08:00:30' },
      { ...lunch, time: '08:00', zone: 2 },
      { ...lunch, name: 'Old', time: '13:00', from: '2020-01-06', until: '2020-02-01' },
      { ...lunch, name: 'Odd', time: '14:00', audio: 'trumpet.wav' },
    ];
    // The virtual device would refuse the audio.
    const answer = await sync(bells, { dryRun: true });
    assert.deepEqual(answer.warnings, [
      wording('reasons:allPast', { place: '"Old" (bells[3])' }),
      wording('reasons:audioMissing', { place: '"Odd" (bells[4])', audio: 'trumpet.wav' }),
      wording('reasons:sameMinute', {
        place: '"Lunch" (bells[1])',
        other: '"Lesson" (bells[0])',
        time: '08:00',
        date: '2030-09-02',
      }),
    ]);
  });

  it('two at once are done one after the other', async () => {
    await Promise.all([sync([lesson, lunch]), sync([lesson, lunch])]);
    // The first of them is over; when this is, the other one is as well.
    await school.ask('get');
    assert.equal((school.device.schedules as { events: unknown[] }).events.length, 2);
    assert.equal(school.writes.length, 1);
  });
});
