import assert from 'node:assert/strict';
import { wording } from '../fixtures/wording';
import { type Answer, lesson, lunch, School } from './school';

describe('a device whose clock is a day off', () => {
  const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const day = 86_400_000;

  for (const ahead of [1, -1]) {
    it(`${ahead > 0 ? 'ahead' : 'behind'} begins its bells on its own today, and is warned of`, async () => {
      const school = await School.open();
      try {
        await school.device.carryOut('clock', { ahead: (ahead * day) / 1000 });
        const before = Date.now();
        const { sent } = await school.ask('sync', {
          tag: 'school',
          bells: [{ name: 'A', time: '08:00', days: 'daily', audio: 'bell-na.wav' }],
        });
        const [{ start_date } = {}] = (school.writes[0]?.events as Answer[] | undefined) ?? [];
        const { warnings = [] } = (sent[0]?.payload ?? {}) as { warnings?: string[] };
        assert.deepEqual(warnings, [
          wording(`reasons:${ahead > 0 ? 'deviceAhead' : 'deviceBehind'}`, { time: '1 day' }),
        ]);
        assert.equal(sent[0]?.receipts?.[0]?.note, warnings[0]);
        const { sent: skipped } = await school.ask('skip', { dates: '2030-09-09' });
        assert.equal(skipped[0]?.receipts?.[0]?.note, warnings[0]);
        const { events } = await school.answer('preview', { days: 1 });
        const today = Object.keys(events as object)[0];
        const own = [before, Date.now()].map((ms) => date(ms + ahead * day));
        for (const one of [start_date, today]) assert.ok(own.includes(String(one)), `${one}`);
      } finally {
        await school.close();
      }
    });
  }

  it('calls past what is past there', async () => {
    const school = await School.open();
    try {
      await school.device.carryOut('clock', { ahead: 2 * 86_400 });
      const tomorrow = date(Date.now() + day);
      const once = { name: 'A', time: '08:00', days: 'once', audio: 'bell-na.wav', from: tomorrow };
      const { warnings } = await school.answer('sync', { tag: 'school', bells: [once] });
      assert.ok((warnings as string[]).includes(wording('reasons:allPast', { place: '"A" (bells[0])' })));
    } finally {
      await school.close();
    }
  });
});

describe('29 February and the 31st', () => {
  it('ring when they are there', async () => {
    const school = await School.open();
    try {
      const event = { event_type: 'play_tone', name: 'Leap', audio: 'gong.wav', start_time: '09:00' };
      await school.answer('apply', {
        events: [{ ...event, start_date: '2028-02-29', rrule: 'FREQ=YEARLY' }],
      });
      const leap = { ...lesson, days: 'once', from: '2032-02-29' };
      const daily = {
        ...lunch,
        days: 'daily',
        from: '2031-02-27',
        until: '2031-03-01',
        except: '2031-02-28',
      };
      await school.answer('sync', { tag: 'school', bells: [leap, daily] });
      const names = async (from: string, days: number) =>
        Object.entries(await school.calendar(from, days)).flatMap(([on, list]) =>
          list.map((one) => `${on} ${one}`),
        );
      assert.deepEqual(await names('2031-02-26', 6), ['2031-02-27 12:00 Lunch', '2031-03-01 12:00 Lunch']);
      assert.deepEqual(await names('2032-02-28', 3), ['2032-02-29 08:00 Lesson', '2032-02-29 09:00 Leap']);
      assert.deepEqual(await names('2033-02-28', 2), []);
      for (const from of ['2030-02-29', '2100-02-29', '2031-04-31']) {
        const { caught } = await school.ask('sync', { tag: 'school', bells: [{ ...leap, from }] });
        assert.equal(caught[0]?.error?.code, 'INVALID_PARAMETER', from);
      }
    } finally {
      await school.close();
    }
  });
});
