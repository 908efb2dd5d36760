import assert from 'node:assert/strict';
import { wordingIn } from '../fixtures/wording';
import { lesson, School } from './school';

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
        await school.device.carryOut('fault', { kind, route: 'GET /api/schedules' });
        const { sent, caught } = await school.ask(operation, payload);
        const { outcome, error } = caught[0]?.receipts?.[0] ?? {};
        assert.deepEqual(
          [sent.length, caught.length, outcome, error?.code],
          [0, 1, 'failed', 'PROTOCOL'],
          kind,
        );
        assert.match(error?.message ?? '', wordingIn('reasons:nothingChanged'));
        assert.deepEqual(school.writes, []);
        await school.device.carryOut('clear-faults');
      }
    });
  }
});
