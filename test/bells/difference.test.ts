import assert from 'node:assert/strict';
import { readBells } from '../../src/bells/bell';
import { dayOf } from '../../src/bells/calendar';
import { changesOf } from '../../src/bells/difference';

const start = dayOf('2030-09-02') ?? assert.fail();
const given = {
  name: 'A',
  time: '08:00',
  days: 'mon,wed',
  audio: 'bell-na.wav',
  until: '2031-07-18',
  except: ['2030-09-04', '2030-10-07'],
  color: '#abcdef',
  zone: 2,
};
const event = {
  evid: 1,
  event_type: 'play_tone',
  name: 'A',
  audio: 'bell-na.wav',
  start_date: '2030-09-02',
  start_time: '08:00',
  rrule: 'FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20310718',
  exdate: '2030-09-04,2030-10-07',
  color: '#abcdef',
  zone: 2,
  enabled: 1,
  tag: 't',
};

describe('what has to change about an event', () => {
  async function changes(fields: object) {
    const { bells } = await readBells([given]);
    const [bell = assert.fail()] = bells;
    return changesOf({ ...event, ...fields }, bell, bell.when(start) ?? assert.fail());
  }

  const same: readonly object[] = [
    {},
    { start_time: '08:00:00' },
    { rrule: 'UNTIL=20310718T235959Z;BYDAY=WE,MO;FREQ=WEEKLY;INTERVAL=1' },
    { rrule: 'freq=weekly;byday=mo,we;until=20310718;' },
    { exdate: ' 2030-10-07, 2030-09-04 ,2030-10-07' },
    { color: '#ABCDEF', zone: '2' },
    { rdate: '' },
    { enabled: true, duration: 4, greyed_out_date: '2030-09-09' },
    { enabled: undefined, dtmf: 1 },
  ];
  for (const fields of same) {
    it(`is nothing where the device writes ${JSON.stringify(fields)}`, async () => {
      assert.deepEqual(await changes(fields), {});
    });
  }

  it('is a rule that is longer than any that is read, which is not taken apart', async () => {
    const rrule = `${event.rrule}${';INTERVAL=1'.repeat(200)}`;
    assert.deepEqual(await changes({ rrule }), { rrule: event.rrule });
  });

  const others: readonly [fields: object, change: object][] = [
    [{ start_time: '08:00:30' }, { start_time: '08:00' }],
    [{ rrule: 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20310718' }, { rrule: 'FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20310718' }],
    [
      { rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20310718' },
      { rrule: 'FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20310718' },
    ],
    [
      { rrule: 'FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20310719' },
      { rrule: 'FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20310718' },
    ],
    [{ exdate: '2030-09-04' }, { exdate: '2030-09-04,2030-10-07' }],
    [{ rdate: '2030-09-07' }, { rdate: '' }],
    [
      { audio: 'gong.wav', zone: 3 },
      { audio: 'bell-na.wav', zone: 2 },
    ],
    [{ enabled: 0 }, { enabled: 1 }],
    [{ auto_remove: 1 }, { auto_remove: 0 }],
    [{ enabled: 'false' }, { enabled: 1 }],
    [{ event_type: 'sip_call' }, { event_type: 'play_tone' }],
  ];
  for (const [fields, change] of others) {
    it(`is ${JSON.stringify(change)} where it has ${JSON.stringify(fields)}`, async () => {
      assert.deepEqual(await changes(fields), change);
    });
  }
});
