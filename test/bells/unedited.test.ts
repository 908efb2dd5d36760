import assert from 'node:assert/strict';
import { School } from './school';

const bell = {
  event_type: 'play_tone',
  name: 'Morning',
  audio: 'bell-na.wav',
  start_date: '2030-09-02',
  start_time: '07:55',
  rrule: 'FREQ=DAILY',
};
const call = {
  method: 'GET',
  target: '192.0.2.7',
  path: '/api/info/about',
  header: '%DEVICE_HEADERS%',
};

describe('the answer of get', () => {
  let school: School;
  beforeEach(async () => {
    school = await School.open();
  });
  afterEach(() => school.close());

  it('can be applied without an edit, as a whole and record by record', async () => {
    const { event_type, name, audio, start_time } = bell;
    await school.answer('apply', {
      events: [
        bell,
        { ...bell, name: 'Stream', event_type: 'stream_audio' },
        { ...bell, name: 'Call', event_type: 'sip_call', extension: 12 },
        { ...bell, name: 'API', event_type: 'api_call', extension: 12, api_call: [call] },
      ],
      groups: [
        {
          name: 'Term',
          start_date: '2030-09-02',
          rrule: 'FREQ=DAILY',
          events: [{ event_type, name, audio, start_time }],
        },
      ],
    });
    await school.answer('skip', { dates: '2030-09-03' });
    const answer = await school.answer('get');
    const before = structuredClone(school.device.schedules);
    assert.ok(JSON.stringify(answer).includes('greyed_out_date'));
    await school.answer('apply', answer);
    for (const kind of ['events', 'groups'])
      for (const record of answer[kind] as object[]) await school.answer('apply', { [kind]: [record] });
    assert.deepEqual(school.device.schedules, before);
  });
});
