import assert from 'node:assert/strict';
import { calendar } from './calendar-text';
import { type Answer, School } from './school';

const once = { days: 'once', time: '08:00', audio: 'bell-na.wav' };

describe('what a message leaves out', () => {
  let school: School;

  beforeEach(async () => {
    school = await School.open();
  });
  afterEach(() => school.close());

  it('is ten seconds for what rings soon, under the name Ring', async () => {
    await school.answer('ring', { audio: 'gong.wav' });
    const [{ delay, name } = {}] = (school.writes[0]?.events as Answer[] | undefined) ?? [];
    assert.deepEqual([delay, name], [10, 'Ring']);
  });

  it('is fourteen days for a preview, from a date or today', async () => {
    for (const given of [{ from: '2030-09-02' }, {}, { from: '2030-09-02', tag: 't', bells: [] }]) {
      const { events } = await school.answer('preview', given);
      assert.equal(Object.keys(events as object).length, 14, JSON.stringify(given));
    }
    const { events } = await school.answer('preview', { from: '2030-09-02' });
    assert.deepEqual(Object.keys(events as object).slice(0, 1), ['2030-09-02']);
  });

  it('is 366 days for an export', async () => {
    const bells = [
      { ...once, name: 'Last', from: '2031-09-02' },
      { ...once, name: 'After', from: '2031-09-03' },
    ];
    await school.answer('sync', { tag: 't', bells });
    const { sent } = await school.ask('export', { from: '2030-09-02' });
    const text = String(sent[0]?.payload);
    assert.ok(text.includes('SUMMARY:Last') && !text.includes('SUMMARY:After'), text);
  });

  it('is a year for days of a calendar', async () => {
    const ics = calendar(['DTSTART;VALUE=DATE:20310902'], ['DTSTART;VALUE=DATE:20310903']);
    await school.answer('import', { ics, as: 'exclude', from: '2030-09-02' });
    assert.deepEqual(school.writes, [{ exclude: [{ evid: -1, exdate: '2031-09-02' }] }]);
  });
});
