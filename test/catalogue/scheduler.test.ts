import assert from 'node:assert/strict';
import { findings, sent } from './check';

/** An event that lacks nothing (2.6a, play_tone). */
const bell = {
  event_type: 'play_tone',
  name: 'Morning bell',
  audio: 'bell-na.wav',
  start_date: '2026-09-01',
  start_time: '07:55',
  rrule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  color: '#00ff00',
};

const entry = {
  method: 'POST',
  target: '192.0.2.7',
  path: '/api/controls/tone/start',
  header: '%DEVICE_HEADERS%',
  payload: '{"path":"chime.wav","loop":false}',
};

const apiCall = { ...bell, event_type: 'api_call', extension: 2001, api_call: [entry] };

function without<T extends object>(record: T, ...names: (keyof T)[]): Partial<T> {
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => !names.includes(name as keyof T)),
  ) as Partial<T>;
}

describe('schedules', () => {
  it('show no login in a sentence about what is wrong', () => {
    const header = 'Authorization: Basic YWRtaW46c2VjcmV0\r\nContent-Type: application/json';
    const calls = [
      header,
      [header],
      [{ ...entry, header: [header] }],
      [{ ...entry, header: { Authorization: 'Basic YWRtaW46c2VjcmV0' } }],
    ];
    for (const api_call of calls) {
      const found = findings('scheduler/apply', { events: [{ ...apiCall, api_call }] }).join();
      assert.match(found, /Basic \*\*\*/);
      assert.doesNotMatch(found, /YWRt/);
    }
  });

  describe('go out', () => {
    const nested = without(bell, 'start_date', 'rrule');
    const bodies: Record<string, Record<string, unknown>> = {
      'with a new event': { events: [bell] },
      'with a new event that the device gives a color': { events: [without(bell, 'color')] },
      'with an event that happens once': { events: [{ ...bell, rrule: '', start_time: '07:55:30' }] },
      'with an event that starts soon': {
        events: [{ ...without(bell, 'start_date', 'start_time'), delay: 20 }],
      },
      'with a stream': { events: [{ ...without(bell, 'audio'), event_type: 'stream_audio' }] },
      'with a telephone call': { events: [{ ...bell, event_type: 'sip_call', extension: 2001 }] },
      'with a call to a device': { events: [apiCall] },
      'with a call that needs no payload': {
        events: ['GET', 'PATCH'].map((method) => ({
          ...apiCall,
          api_call: [{ ...without(entry, 'payload'), method }],
        })),
      },
      'with fields that do not apply and entries that are ignored': {
        events: [
          { ...bell, extension: 1, mgroup: 25, rdate: '2026-09-05,2026-09-12', api_call: [{ actid: 3 }] },
        ],
      },
      'with a changed event, whatever is given of it': {
        events: [
          { evid: 3, enabled: 0 },
          { evid: 4, api_call: [{ actid: 9, method: 'POST' }] },
        ],
      },
      'with a group': {
        groups: [
          {
            name: 'School',
            start_date: '2026-09-01',
            rrule: 'FREQ=DAILY',
            color: '#ff0000',
            events: [nested],
          },
        ],
      },
      'with a changed group and a new event in it': { groups: [{ groupid: 2, events: [nested] }] },
      'with deletions': { delete: [{ evid: 3 }, { actid: 4 }, { groupid: 5 }, { tag: 'holiday' }] },
      'with days for everything': {
        exclude: [{ evid: -1, exdate: '2026-12-24' }],
        remove_exclude: [{ evid: -1, date: '2026-12-24' }],
        skip: [{ evid: -1, date: '2026-12-24' }],
        remove_skip: [
          { groupid: 1, date: '2026-12-24' },
          { tag: 'holiday', date: '2028-02-29' },
        ],
      },
    };
    for (const [title, body] of Object.entries(bodies)) {
      it(title, () => assert.deepEqual(sent('scheduler/apply', body), body));
    }

    it('with numbers and truth values brought to the types of the wire', () => {
      const given = { events: [{ evid: '3', extension: '2001', enabled: 'true', auto_remove: '1', tag: 7 }] };
      const expected = { events: [{ evid: 3, extension: 2001, enabled: true, auto_remove: 1, tag: '7' }] };
      assert.deepEqual(sent('scheduler/apply', given), expected);
    });

    it('as the device answered them, without what it works out itself', () => {
      const answer = {
        format: 'v2.0',
        groups: [
          {
            groupid: 1,
            name: 'School',
            color: '#ff0000',
            start_date: '2026-09-01',
            rrule: 'FREQ=DAILY',
            events: [{ ...without(bell, 'rrule'), evid: 2, duration: 4, greyed_out_date: '2026-12-24' }],
          },
        ],
        events: [
          { ...bell, evid: 3, duration: 4, greyed_out_date: '', exdate: '' },
          { ...apiCall, evid: 4, duration: 30, greyed_out_date: '', api_call: [{ ...entry, actid: 5 }] },
        ],
      };
      assert.deepEqual(sent('scheduler/apply', answer), {
        groups: [
          {
            groupid: 1,
            name: 'School',
            color: '#ff0000',
            start_date: '2026-09-01',
            rrule: 'FREQ=DAILY',
            events: [{ ...without(bell, 'rrule'), evid: 2 }],
          },
        ],
        events: [
          { ...bell, evid: 3, exdate: '' },
          { ...apiCall, evid: 4, duration: 30, api_call: [{ ...entry, actid: 5 }] },
        ],
      });
    });
  });

  describe('are refused with the place of every finding', () => {
    const date = 'a date such as 2026-05-31';
    const time = 'a time such as 07:30 or 07:30:15';
    const rule =
      'empty or a rule such as FREQ=WEEKLY;BYDAY=MO,FR without blanks, of FREQ (DAILY, WEEKLY, MONTHLY, YEARLY), INTERVAL, COUNT, UNTIL and BYDAY';
    const cases: [string, Record<string, unknown>, string[]][] = [
      [
        'when there is nothing to do',
        { format: 'v2.0' },
        [
          'events or groups or delete or exclude or remove_exclude or skip or remove_skip is missing: at least one must be given',
        ],
      ],
      [
        'when the format is another one',
        { format: 'v3.0', events: [bell] },
        ['format must be v2.0; got "v3.0"'],
      ],
      [
        'when new events lack what they need',
        {
          events: [
            bell,
            without(bell, 'event_type', 'name', 'rrule'),
            without(bell, 'start_date', 'start_time', 'audio'),
            without(apiCall, 'extension', 'api_call'),
          ],
        },
        [
          'events[1].event_type is missing for a new event; it is one of play_tone, stream_audio, sip_call, api_call',
          'events[1].name is missing for a new event; it is text',
          `events[1].rrule is missing for a new event; it is ${rule}`,
          `events[2].start_date is missing for a new event without a delay; it is ${date}`,
          `events[2].start_time is missing for a new event without a delay; it is ${time}`,
          'events[2].audio is missing for a new play_tone or sip_call or api_call event; it is text, not empty',
          'events[3].extension is missing for a new sip_call or api_call event; it is a whole number, 0 or more',
          'events[3].api_call is missing for a new api_call event; it is a list of at most 5 entries, each an object of actid, method, target, path, header, payload, name',
        ],
      ],
      [
        'when values are none',
        {
          events: [
            {
              ...bell,
              start_date: '2026-02-30',
              start_time: '24:00',
              rrule: 'INTERVAL=2',
              color: 'red',
              enabled: 2,
              exdate: '2026-12-24, 2026-12-25',
              mgroup: 26,
              starttime: '07:00',
            },
          ],
        },
        [
          `events[0].start_date must be ${date}; got "2026-02-30"`,
          `events[0].start_time must be ${time}; got "24:00"`,
          `events[0].rrule must be ${rule}; got "INTERVAL=2"`,
          'events[0].color must be a color code such as #1a2b3c; got "red"',
          'events[0].enabled must be true, false, 1 or 0; got 2',
          'events[0].exdate must be dates such as 2026-05-31, with commas between them; got "2026-12-24, 2026-12-25"',
          'events[0].mgroup must be a whole number from 1 to 25; got 26',
          'events[0].starttime is not a parameter here; known are event_type, evid, name, audio, extension, start_date, start_time, rrule, rdate, exdate, color, enabled, auto_remove, delay, dtmf, duration, greyed_out_date, mgroup, zone, tag, api_call',
        ],
      ],
      [
        'when a delay comes with a date, also on an old event',
        {
          events: [
            { ...bell, delay: 20 },
            { evid: 3, delay: 20, start_time: '07:00' },
          ],
        },
        [
          'events[0].start_date must not be given together with events[0].delay',
          'events[0].start_time must not be given together with events[0].delay',
          'events[1].start_time must not be given together with events[1].delay',
        ],
      ],
      [
        'when a new event has what the device works out',
        { events: [{ ...bell, duration: 3, greyed_out_date: '2026-12-24' }] },
        [
          'events[0].duration must not be given for a new record: the device works it out',
          'events[0].greyed_out_date must not be given for a new record: the device works it out',
        ],
      ],
      [
        'when calls in a group are incomplete',
        {
          groups: [
            {
              name: 'School',
              start_date: '2026-09-01',
              rrule: '',
              events: [
                bell,
                {
                  ...apiCall,
                  api_call: [
                    { ...entry, path: 'https://192.0.2.7/api', payload: '{' },
                    without(entry, 'target', 'payload'),
                    { ...entry, actid: 3 },
                  ],
                },
              ],
            },
          ],
        },
        [
          'groups[0].events[1].api_call[0].path must be a path such as /api/controls/tone/stop, without protocol and host; got "https://192.0.2.7/api"',
          'groups[0].events[1].api_call[0].payload must be a text that holds JSON; got "{"',
          'groups[0].events[1].api_call[1].target is missing for a new API call; it is text, not empty',
          'groups[0].events[1].api_call[1].payload is missing for a new POST or PUT; it is a text that holds JSON',
          'groups[0].events[1].api_call[2].actid must not be given in a new event: the device numbers its calls',
        ],
      ],
      [
        'when there is no call, or its method is not in capitals',
        {
          events: [
            { ...apiCall, api_call: [] },
            { ...apiCall, api_call: [{ ...without(entry, 'payload'), method: 'post' }] },
          ],
        },
        [
          'events[0].api_call must be a list, not empty for a new api_call event; got []',
          'events[1].api_call[0].method must be a method of HTTP in capitals, such as POST; got "post"',
        ],
      ],
      [
        'when there are six calls',
        { events: [{ ...apiCall, api_call: [entry, entry, entry, entry, entry, entry] }] },
        [
          'events[0].api_call must be a list of at most 5 entries, each an object of actid, method, target, path, header, payload, name; got 6 entries',
        ],
      ],
      [
        'when a new group lacks what it needs',
        { groups: [{}] },
        [
          'groups[0].name is missing for a new group; it is text',
          `groups[0].start_date is missing for a new group; it is ${date}`,
          `groups[0].rrule is missing for a new group; it is ${rule}`,
          'groups[0].events is missing for a new group; it is a list, each an object of event_type, evid, name, audio, extension, start_date, start_time, rrule, rdate, exdate, color, enabled, auto_remove, delay, dtmf, duration, greyed_out_date, mgroup, zone, tag, api_call',
        ],
      ],
      [
        'when a deletion means all events, nothing, or two things',
        { delete: [{ evid: -1 }, {}, { evid: 1, tag: 'x' }] },
        [
          'delete[0].evid must be a whole number, 0 or more; got -1',
          'delete[1] must have exactly one of evid, actid, groupid, tag; got {}',
          'delete[2] must have exactly one of evid, actid, groupid, tag; got {"evid":1,"tag":"x"}',
        ],
      ],
      [
        'when days are missing or under another name',
        { skip: [{ evid: 1 }], exclude: [{ tag: 'x', date: '2026-12-24' }], remove_skip: [7] },
        [
          `skip[0].date is missing; it is ${date}`,
          'exclude[0].exdate is missing; it is a date such as 2026-05-31',
          'exclude[0].date is not a parameter here; known are evid, groupid, tag, exdate',
          'remove_skip[0] must be an object of evid, groupid, tag, date; got 7',
        ],
      ],
    ];
    for (const [title, body, expected] of cases) {
      it(title, () => assert.deepEqual([...findings('scheduler/apply', body)].sort(), [...expected].sort()));
    }
  });

  it('are read for some days, from today on when the day is empty', () => {
    assert.deepEqual(sent('scheduler/range', { events: '', days: '7' }), { events: '', days: 7 });
    assert.deepEqual(sent('scheduler/range', { events: '2026-09-01' }), { events: '2026-09-01' });
    assert.deepEqual(findings('scheduler/range', { events: 'today', days: 0 }), [
      'events must be a date such as 2026-05-31, or empty for today; got "today"',
      'days must be a whole number, 1 or more; got 0',
    ]);
    assert.deepEqual(findings('scheduler/range', {}), [
      'events is missing; it is a date such as 2026-05-31, or empty for today',
    ]);
  });
});
