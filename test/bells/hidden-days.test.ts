import assert from 'node:assert/strict';
import { wording } from '../fixtures/wording';
import { type Answer, School } from './school';

const lesson = { name: 'Lesson', time: '08:00', days: 'mon-fri', audio: 'bell-na.wav' };
const doubt = wording('reasons:mayStaySilent', { places: '"Lesson" (bells[0])' });

describe('days that were excluded where nothing rang', () => {
  let school: School;
  let saturday: string;
  let tuesday: string;

  /** The first such day from a week ahead on; 0 is Sunday. */
  const next = (weekday: number) => {
    const day = new Date(Date.now() + 7 * 86_400_000);
    while (day.getUTCDay() !== weekday) day.setUTCDate(day.getUTCDate() + 1);
    return day.toISOString().slice(0, 10);
  };

  beforeEach(async () => {
    [saturday, tuesday] = [next(6), next(2)];
    school = await School.open();
  });
  afterEach(() => school.close());

  const sync = (bells: unknown, more: object = {}) =>
    school.answer('sync', { tag: 'school', bells, ...more });
  const warned = (date: string) => [
    wording('reasons:staysSilent', { place: '"Lesson" (bells[0])', dates: date }),
  ];
  const noteOf = async (operation: string, payload: object) =>
    (await school.ask(operation, { tag: 'school', ...payload })).sent[0]?.receipts?.[0]?.note;

  it('are told of when it would ring there: before, that it may be, and after, which', async () => {
    await sync([lesson]);
    await school.answer('exclude', { dates: saturday, tag: 'school' });
    const bells = [{ ...lesson, days: 'daily' }];
    assert.equal(await noteOf('sync', { bells, dryRun: true }), doubt);
    assert.equal(await noteOf('preview', { bells }), doubt);
    assert.deepEqual((await sync(bells)).warnings, warned(saturday));
    assert.deepEqual(await school.calendar(saturday, 1), { [saturday]: [] });
    assert.deepEqual((await sync(bells)).warnings, []);
    await school.answer('unexclude', { dates: saturday, tag: 'school' });
    assert.deepEqual(await school.calendar(saturday, 1), { [saturday]: ['08:00 Lesson'] });
  });

  it('come after the other warnings about the bells in the note of a preview', async () => {
    await sync([lesson]);
    await school.answer('exclude', { dates: saturday, tag: 'school' });
    const bells = [{ ...lesson, days: 'daily', audio: 'nowhere.wav' }];
    const note = String(await noteOf('preview', { bells }));
    assert.match(note, /^"Lesson" \(bells\[0\]\): .*nowhere\.wav/);
    assert.ok(note.includes(doubt), note);
    const { warnings } = await sync(bells, { dryRun: true });
    assert.ok(note.includes(String(Object(warnings)[0])), note);
  });

  it('are told of when a rule went and came again', async () => {
    await sync([lesson]);
    await school.answer('exclude', { dates: tuesday });
    await sync([{ ...lesson, days: 'mon' }]);
    assert.deepEqual((await sync([lesson])).warnings, warned(tuesday));
  });

  it('are told of when an exception hid them too, and when it was switched off', async () => {
    await sync([{ ...lesson, except: tuesday }]);
    await school.answer('exclude', { dates: tuesday, tag: 'school' });
    assert.deepEqual((await sync([lesson])).warnings, warned(tuesday));
    await sync([{ ...lesson, enabled: false }]);
    assert.deepEqual((await sync([lesson])).warnings, warned(tuesday));
  });

  it('are not spoken of where nothing is in doubt', async () => {
    await sync([lesson]);
    await school.answer('exclude', { dates: saturday, tag: 'school' });
    for (const bells of [[{ ...lesson, time: '08:05' }], [{ ...lesson, days: 'mon' }]]) {
      assert.equal(await noteOf('sync', { bells, dryRun: true }), undefined);
      const asked = school.device.log.length;
      assert.deepEqual((await sync(bells)).warnings, []);
      const last = school.device.log.slice(asked).at(-1);
      assert.equal(last?.method, 'POST', 'nothing is read after it');
    }
    const renamed = await sync([{ ...lesson, name: 'Other', days: 'daily' }]);
    assert.deepEqual(renamed.warnings, []);
    assert.deepEqual(await school.calendar(saturday, 1), { [saturday]: ['08:00 Other'] });
  });

  it('leave a change done that could not be looked at afterwards', async () => {
    await sync([lesson]);
    const bells = [{ ...lesson, days: 'daily' }];
    school.device.on('request', ({ method }) => {
      if (method === 'POST')
        void school.device.carryOut('fault', { kind: 'status', status: 500, route: 'GET' });
    });
    const { sent, caught } = await school.ask('sync', { tag: 'school', bells });
    assert.deepEqual(caught, []);
    const [receipt] = sent[0]?.receipts ?? [];
    assert.equal(receipt?.outcome, 'accepted');
    assert.ok(receipt?.note?.startsWith(doubt), receipt?.note);
    assert.deepEqual((sent[0]?.payload as Answer | undefined)?.updated, bells);
  });
});
