import assert from 'node:assert/strict';
import { calendar, inZone } from './calendar-text';
import { School } from './school';

const entry = (name: string, start: string, ...more: string[]) => [
  `SUMMARY:${name}`,
  `DTSTART${start}`,
  ...more,
];

const zoned = entry('Zoned', ';TZID=America/New_York:20301202T093000');
const utc = entry('UTC', ':20301202T143000Z');
const alias = entry('Alias', ';TZID=Etc/UTC:20301202T143000');
const floating = entry('Floating', ':20301202T093000');

/** The virtual device's wall clock is that of UTC. */
describe('the times of a calendar, and a device whose wall clock is not that of Node-RED', () => {
  let school: School;
  beforeEach(async () => {
    school = await School.open();
  });
  afterEach(() => school.close());

  const given = (...entries: string[][]) => ({
    ics: calendar(...entries),
    as: 'bells',
    tag: 'school',
    audio: 'bell-na.wav',
    from: '2030-12-01',
  });
  const written = () =>
    school.writes.flatMap(({ events = [] }) =>
      (events as Record<string, unknown>[]).map(
        (event) => `${event.name} ${event.start_date} ${event.start_time}`,
      ),
    );
  const leftOut = (payload: unknown) =>
    (payload as { notImported: { name: string; reason: string }[] }).notImported;

  it('are not written converted: those bells are not imported, and how to change that is said', async () => {
    const local = entry('Local', ';TZID=Asia/Tokyo:20301202T101500');
    const answer = await inZone('Asia/Tokyo', () =>
      school.answer('import', given(zoned, utc, alias, floating, local)),
    );
    assert.deepEqual(written(), ['Floating 2030-12-02 09:30', 'Local 2030-12-02 10:15']);
    const left = leftOut(answer);
    assert.deepEqual(
      left.map(({ name }) => name),
      ['Zoned', 'UTC', 'Alias'],
    );
    for (const { reason } of left)
      assert.match(reason, /device's wall clock is at UTC\+00:00 and Node-RED's is at UTC\+09:00: .* TZ /);
  });

  it('are not written converted to UTC, as a container has it, which the device has not', async () => {
    // Half an hour is a zone, too.
    const answer = await inZone('Asia/Kolkata', () => school.answer('import', given(utc, floating)));
    assert.deepEqual(written(), ['Floating 2030-12-02 09:30']);
    assert.match(leftOut(answer)[0]?.reason ?? '', /UTC\+00:00 .* UTC\+05:30/);
  });

  it('send nothing where every bell would have to be converted', async () => {
    const { sent, caught } = await inZone('Asia/Tokyo', () => school.ask('import', given(zoned, utc)));
    assert.deepEqual([sent.length, caught[0]?.error?.code], [0, 'INVALID_PARAMETER']);
    assert.deepEqual(
      leftOut(caught[0]?.payload).map(({ name }) => name),
      ['Zoned', 'UTC'],
    );
    assert.deepEqual(written(), []);
  });

  it('are converted where both wall clocks are the same', async () => {
    const answer = await inZone('UTC', () => school.answer('import', given(zoned, utc, alias, floating)));
    assert.deepEqual(leftOut(answer), []);
    assert.deepEqual(written(), [
      'Zoned 2030-12-02 14:30',
      'UTC 2030-12-02 14:30',
      'Alias 2030-12-02 14:30',
      'Floating 2030-12-02 09:30',
    ]);
  });

  it('become days as before', async () => {
    const ics = calendar(zoned, entry('Whole', ';VALUE=DATE:20301203'));
    await inZone('Asia/Tokyo', async () => {
      await school.answer('sync', {
        tag: 'school',
        bells: [{ name: 'B', time: '08:00', days: 'daily', audio: 'bell-na.wav' }],
      });
      const answer = await school.answer('import', {
        ics,
        as: 'skip',
        from: '2030-12-01',
        until: '2030-12-31',
      });
      assert.deepEqual(leftOut(answer), []);
    });
    const { skip } = school.writes.at(-1) as { skip: { date: string }[] };
    assert.deepEqual(skip.map(({ date }) => date).toSorted(), ['2030-12-02', '2030-12-03']);
  });
});
