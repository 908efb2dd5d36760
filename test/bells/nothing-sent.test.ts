import assert from 'node:assert/strict';
import { wordingIn } from '../fixtures/wording';
import { School } from './school';

const lesson = { name: 'Lesson', time: '08:00', days: 'mon-fri', audio: 'bell-na.wav', from: '2030-09-02' };
const ics = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'DTSTART;VALUE=DATE:20300902', 'END:VEVENT', 'END:VCALENDAR'];

const messages: Readonly<Record<string, object>> = {
  sync: { tag: 'school', bells: [lesson] },
  skip: { dates: '2030-09-02' },
  exclude: { dates: '2030-09-02' },
  ring: { audio: 'gong.wav' },
  import: { ics: ics.join('\n'), as: 'skip', from: '2030-09-01', until: '2030-09-30' },
};

describe('a schedule of which the first reading is lost', () => {
  let school: School;

  beforeEach(async () => {
    school = await School.open();
  });
  afterEach(() => school.close());

  for (const [operation, payload] of Object.entries(messages)) {
    it(`is not changed by ${operation}, and the receipt says so`, async () => {
      for (const kind of ['reset-before', 'half', 'garbage'] as const) {
        const id = school.device.controls.addFault({ kind, route: 'GET /api/schedules' });
        const { sent, caught } = await school.ask(operation, payload);
        const { outcome, error } = caught[0]?.receipts?.[0] ?? {};
        assert.deepEqual(
          [sent.length, caught.length, outcome, error?.code],
          [0, 1, 'failed', 'PROTOCOL'],
          kind,
        );
        assert.match(error?.message ?? '', wordingIn('reasons:nothingChanged'));
        assert.deepEqual(school.writes, []);
        school.device.controls.removeFault(id);
      }
    });
  }
});

describe('what is refused for its size', () => {
  let school: School;

  before(async () => {
    school = await School.open();
  });
  after(() => school.close());

  it('is not looked into: a list of bells', async () => {
    let looks = 0;
    const bell = {
      ...lesson,
      get name(): string {
        looks += 1;
        return 'Lesson';
      },
    };
    const { caught } = await school.ask('sync', { tag: 'school', bells: Array(100_000).fill(bell) });
    const { message = '' } = caught[0]?.receipts?.[0]?.error ?? {};
    assert.match(message, wordingIn('phrases:tooMuch', { place: 'bells' }));
    // The Catch node gets a copy of the message.
    assert.ok(looks <= 1, `${looks} looks`);
    assert.deepEqual(school.writes, []);
  });

  it('is not looked into: a calendar', async () => {
    const text = 'x\n'.repeat(4_000_001);
    const days = { from: '2030-09-02', until: '2030-09-01' };
    const { caught } = await school.ask('import', { ics: text, as: 'skip', ...days });
    const { message = '' } = caught[0]?.receipts?.[0]?.error ?? {};
    assert.match(message, wordingIn('phrases:textOfAtMost', { count: 8_000_000 }));
    // That the days go back is another finding of the same check.
    assert.doesNotMatch(message, wordingIn('phrases:untilIsBefore'));
  });
});
