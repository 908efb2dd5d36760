import assert from 'node:assert/strict';
import { wording, wordingIn } from '../fixtures/wording';
import { type Answer, lesson, lunch, School } from './school';

describe('the days of bells at a device', () => {
  let school: School;

  beforeEach(async () => {
    school = await School.open();
  });
  afterEach(() => school.close());

  const sync = (bells: unknown) => school.answer('sync', { tag: 'school', bells });
  const database = () => school.answer('get') as Promise<{ events: Answer[] }>;

  it('leave the days that are skipped, restored, excluded and restored as the device shows them', async () => {
    await sync([lesson, lunch]);
    const week = { start: '2030-09-09', end: '2030-09-10' };
    const days = ['2030-09-09', '2030-09-10'] as const;
    const echo = await school.answer('skip', { dates: week });
    assert.deepEqual(
      (echo.skip as Answer[]).map(({ evid, date }) => ({ evid, date })),
      days.map((date) => ({ evid: -1, date })),
    );
    assert.deepEqual((await school.calendar(days[1], 1))[days[1]], ['08:00 Lesson (skipped)']);
    await school.answer('unskip', { dates: [...days] });
    assert.deepEqual((await school.calendar(days[1], 1))[days[1]], ['08:00 Lesson']);
    const [{ evid } = {}] = (await database()).events;
    await school.answer('exclude', { dates: days[0], evid });
    assert.deepEqual((await school.calendar(days[0], 1))[days[0]], ['12:00 Lunch']);
    await school.answer('unexclude', { dates: days[0], evid });
    assert.deepEqual((await school.calendar(days[0], 1))[days[0]], ['08:00 Lesson', '12:00 Lunch']);
  });

  it('say so where no bell rings on them, since a bell that is added later rings', async () => {
    const notes = async (operation: string, payload: object) =>
      (await school.ask(operation, payload)).sent.flatMap(({ receipts = [] }) =>
        receipts.map(({ note }) => note),
      );
    const told = [wording('reasons:noBellThen')];
    const entry = ['BEGIN:VEVENT', 'SUMMARY:Break', 'DTSTART;VALUE=DATE:20300909', 'END:VEVENT'];
    const ics = ['BEGIN:VCALENDAR', ...entry, 'END:VCALENDAR'].join('\n');
    const imported = { ics, as: 'exclude', from: '2030-09-01', until: '2030-09-30' };
    assert.deepEqual(await notes('exclude', { dates: '2030-09-09' }), told);
    assert.deepEqual(await notes('skip', { dates: '2030-09-09' }), told);
    assert.deepEqual(await notes('import', imported), told);
    await sync([lunch]);
    const week = { dates: { start: '2030-09-09', end: '2030-09-15' } };
    assert.deepEqual(await notes('exclude', { dates: '2030-09-15' }), told);
    assert.deepEqual(await notes('exclude', week), [undefined], 'lunch rings on some of these days');
    assert.deepEqual(await notes('skip', { ...week, tag: 'school' }), [undefined]);
    assert.deepEqual(await notes('unexclude', week), [undefined]);
  });

  it('ring soon, once', async () => {
    const echo = (await school.answer('ring', { audio: 'gong.wav', delay: 30 })) as { events: Answer[] };
    assert.deepEqual(school.writes, [
      {
        events: [
          { event_type: 'play_tone', name: 'Ring', audio: 'gong.wav', delay: 30, rrule: '', auto_remove: 1 },
        ],
      },
    ]);
    assert.equal(typeof echo.events[0]?.evid, 'number');
  });

  it('ring perhaps, where the answer is lost for so long that it would be over', async () => {
    const outcome = async (kind: 'reset-before' | 'reset-after', given: object) => {
      await school.device.carryOut('fault', { kind, route: 'POST /api/schedules', count: 1 });
      const { sent, caught } = await school.ask('ring', { audio: 'gong.wav', ...given });
      return [...caught, ...sent][0]?.receipts?.[0]?.outcome;
    };
    assert.deepEqual(
      [
        await outcome('reset-after', { delay: 3_600 }),
        await outcome('reset-before', { delay: 3_600 }),
        await outcome('reset-before', { delay: 0, name: 'Over' }),
        await outcome('reset-before', { delay: 0, name: 'Kept', auto_remove: false }),
      ],
      ['confirmed', 'failed', 'unknown', 'failed'],
    );
  });

  it('are previewed as the device itself says, and as it would be', async () => {
    await sync([lesson, lunch]);
    const [one, two] = (await database()).events;
    await school.answer('skip', { dates: '2030-09-09', evid: two?.evid });
    await school.answer('exclude', { dates: '2030-09-09', evid: one?.evid });
    const range = await school.answer('range', { events: '2030-09-09', days: 3 });
    assert.deepEqual(await school.answer('preview', { from: '2030-09-09', days: 3 }), range);
    const written = school.writes.length;
    const would = await school.answer('preview', {
      from: '2030-09-09',
      days: 3,
      tag: 'school',
      bells: [
        { ...lesson, time: '07:50' },
        lunch,
        { ...lesson, name: 'New', time: '07:55', color: '#123456' },
      ],
    });
    const record = (event: Answer | undefined, skipped: number) => ({
      evid: event?.evid,
      color: event?.color,
      name: event?.name,
      start_time: event?.start_time,
      skipped,
    });
    const fresh = { evid: null, color: '#123456', name: 'New', start_time: '07:55', skipped: 0 };
    const early = record({ ...one, start_time: '07:50' }, 0);
    assert.deepEqual(would, {
      format: 'v2.0',
      events: {
        '2030-09-09': [fresh, record(two, 1)],
        '2030-09-10': [early, fresh],
        '2030-09-11': [early, fresh, record(two, 0)],
      },
    });
    assert.equal(school.writes.length, written);
  });
});

describe('bells that are read back', () => {
  let school: School;

  beforeEach(async () => {
    school = await School.open({ confirmWrite: true });
  });
  afterEach(() => school.close());

  const outcomes = async (operation: string, payload: object) =>
    (await school.ask(operation, payload)).sent.flatMap(({ receipts = [] }) =>
      receipts.map(({ outcome }) => outcome),
    );

  it('are confirmed, and so are days and rings', async () => {
    const sync = { tag: 'school', bells: [lesson, { ...lunch, color: '#ABCDEF', enabled: true }] };
    assert.deepEqual(await outcomes('sync', sync), ['confirmed']);
    for (const mark of ['skip', 'unskip', 'exclude', 'unexclude']) {
      assert.deepEqual(await outcomes(mark, { dates: '2030-09-09' }), ['confirmed'], mark);
    }
    assert.deepEqual(await outcomes('ring', { audio: 'gong.wav' }), ['confirmed']);
    assert.deepEqual(await outcomes('sync', sync), ['accepted'], 'nothing had to be sent');
  });

  it('keep the yes of a device that cannot be asked any more, with a note', async () => {
    school.device.on('request', ({ method }) => {
      if (method === 'POST') void school.device.carryOut('fault', { kind: 'reset-before', route: 'GET' });
    });
    const { sent, caught } = await school.ask('sync', { tag: 'school', bells: [lesson] });
    assert.deepEqual(caught, []);
    const [receipt] = sent[0]?.receipts ?? [];
    assert.equal(receipt?.outcome, 'accepted');
    assert.match(String(receipt?.note), wordingIn('reasons:notReadBack'));
  });
});

describe('bells that the device refuses', () => {
  it('leave with its words and the plan, and the schedule is as it was', async () => {
    const school = await School.open({}, { model: '8305' });
    try {
      await school.answer('sync', { tag: 'school', bells: [lesson] });
      const before = await school.answer('get');
      const bells = [
        { ...lesson, time: '08:05' },
        { ...lunch, audio: undefined, type: 'stream_audio' },
      ];
      const { sent, caught } = await school.ask('sync', { tag: 'school', bells });
      assert.equal(sent.length, 0);
      const [{ error, payload, receipts = [] } = assert.fail()] = caught;
      assert.equal(error?.code, 'REFUSED');
      assert.match(String(error?.message), /stream_audio exists on the 8301 only/);
      assert.equal(receipts[0]?.outcome, 'failed');
      assert.deepEqual((payload as Answer).updated, [bells[0]]);
      assert.deepEqual(await school.answer('get'), before);
    } finally {
      await school.close();
    }
  });
});

describe('bells that are wrong by the thousand', () => {
  it('make an error that a person can read', async () => {
    const school = await School.open();
    try {
      for (const one of [{ days: 'mon-fry' }, { time: '25:00' }]) {
        const bells = Array.from({ length: 5_000 }, () => ({ ...lesson, ...one }));
        const { caught } = await school.ask('sync', { tag: 'school', bells });
        const sentence = String(caught[0]?.error?.message);
        assert.ok(sentence.includes('bells[49]') && !sentence.includes('bells[50]'), sentence);
        assert.match(
          sentence,
          wordingIn('reasons:next', {
            before: wording('phrases:more', { count: 4950 }),
            next: wording('reasons:nothingSent'),
          }),
        );
      }
    } finally {
      await school.close();
    }
  });
});
