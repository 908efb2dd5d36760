import assert from 'node:assert/strict';
import { english as say } from '../../src/catalogue/phrases';
import { because, findings, forbidden, missing, sent, unknown, wrong } from './check';

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
      assert.match(found, /\*\*\*/);
      assert.doesNotMatch(found, /YWRt/);
    }
  });

  it('go out as the device answered them, without what it works out itself', () => {
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

  it('go out in forms that no transcript has', () => {
    const nested = without(bell, 'start_date', 'rrule');
    const bodies: Record<string, unknown>[] = [
      { events: [{ ...apiCall, api_call: [{ ...without(entry, 'payload'), method: 'PATCH' }] }] },
      { events: [{ ...bell, extension: 1, rdate: '2026-09-05,2026-09-12', api_call: [{ actid: 3 }] }] },
      { events: [{ evid: 4, api_call: [{ actid: 9, method: 'POST' }] }] },
      { groups: [{ groupid: 2, events: [nested] }] },
      { remove_skip: [{ tag: 'holiday', date: '2028-02-29' }] },
    ];
    for (const body of bodies) assert.deepEqual(sent('scheduler/apply', body), body);
    const given = { events: [{ evid: '3', extension: '2001', auto_remove: '1', tag: 7 }] };
    const expected = { events: [{ evid: 3, extension: 2001, auto_remove: 1, tag: '7' }] };
    assert.deepEqual(sent('scheduler/apply', given), expected);
  });

  describe('are refused with the place of every finding', () => {
    const date = say('date');
    const time = say('time');
    const rule = say('rrule');
    const cases: [string, Record<string, unknown>, string[]][] = [
      [
        'when there is nothing to do',
        { format: 'v2.0' },
        [
          say('atLeastOne', {
            place: 'events or groups or delete or exclude or remove_exclude or skip or remove_skip',
          }),
        ],
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
          missing(
            'events[1].event_type',
            say('oneOf', { values: 'play_tone, stream_audio, sip_call, api_call' }),
            say('newEvent'),
          ),
          missing('events[1].name', say('text'), say('newEvent')),
          missing('events[1].rrule', rule, say('newEvent')),
          missing('events[2].start_date', date, say('noDelay')),
          missing('events[2].start_time', time, say('noDelay')),
          missing('events[2].audio', say('textNotEmpty'), say('newSound')),
          missing(
            'events[3].extension',
            say('orMore', { number: say('wholeNumber'), minimum: '0' }),
            say('newDialing'),
          ),
          missing(
            'events[3].api_call',
            say('listOfObjects', {
              list: say('listOfAtMost', { count: '5' }),
              names: 'actid, method, target, path, header, payload, name',
            }),
            say('newApiCall'),
          ),
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
          wrong('events[0].start_date', date, '"2026-02-30"'),
          wrong('events[0].start_time', time, '"24:00"'),
          wrong('events[0].rrule', rule, '"INTERVAL=2"'),
          wrong('events[0].color', say('hex-color'), '"red"'),
          wrong('events[0].enabled', say('flag'), '2'),
          wrong('events[0].exdate', say('dates'), '"2026-12-24, 2026-12-25"'),
          wrong(
            'events[0].mgroup',
            say('fromTo', { number: say('wholeNumber'), minimum: '1', maximum: '25' }),
            '26',
          ),
          unknown(
            'events[0].starttime',
            'event_type, evid, name, audio, extension, start_date, start_time, rrule, rdate, exdate, color, enabled, auto_remove, delay, dtmf, duration, greyed_out_date, mgroup, zone, tag, api_call',
          ),
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
          forbidden('events[0].start_date', because('withEvid', 'events[0].delay')),
          forbidden('events[0].start_time', because('withEvid', 'events[0].delay')),
          forbidden('events[1].start_time', because('withEvid', 'events[1].delay')),
        ],
      ],
      [
        'when a new event has what the device works out',
        { events: [{ ...bell, duration: 3, greyed_out_date: '2026-12-24' }] },
        [
          forbidden('events[0].duration', say('generated')),
          forbidden('events[0].greyed_out_date', say('generated')),
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
          wrong('groups[0].events[1].api_call[0].path', say('target-path'), '"https://192.0.2.7/api"'),
          wrong('groups[0].events[1].api_call[0].payload', say('json'), '"{"'),
          missing('groups[0].events[1].api_call[1].target', say('textNotEmpty'), say('newCall')),
          missing('groups[0].events[1].api_call[1].payload', say('json'), say('newPostOrPut')),
          forbidden('groups[0].events[1].api_call[2].actid', say('numbered')),
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
          wrong('events[0].api_call', say('listNotEmpty'), '[]', say('newApiCall')),
          wrong('events[1].api_call[0].method', say('method'), '"post"'),
        ],
      ],
      [
        'when a new group lacks what it needs',
        { groups: [{}] },
        [
          missing('groups[0].name', say('text'), say('newGroup')),
          missing('groups[0].start_date', date, say('newGroup')),
          missing('groups[0].rrule', rule, say('newGroup')),
          missing(
            'groups[0].events',
            say('listOfObjects', {
              list: say('list'),
              names:
                'event_type, evid, name, audio, extension, start_date, start_time, rrule, rdate, exdate, color, enabled, auto_remove, delay, dtmf, duration, greyed_out_date, mgroup, zone, tag, api_call',
            }),
            say('newGroup'),
          ),
        ],
      ],
      [
        'when a deletion means all events, nothing, or two things',
        { delete: [{ evid: -1 }, {}, { evid: 1, tag: 'x' }] },
        [
          wrong('delete[0].evid', say('orMore', { number: say('wholeNumber'), minimum: '0' }), '-1'),
          say('exactlyOne', { place: 'delete[1]', names: 'evid, actid, groupid, tag', got: '{}' }),
          say('exactlyOne', {
            place: 'delete[2]',
            names: 'evid, actid, groupid, tag',
            got: '{"evid":1,"tag":"x"}',
          }),
        ],
      ],
      [
        'when days are missing or under another name',
        { skip: [{ evid: 1 }], exclude: [{ tag: 'x', date: '2026-12-24' }], remove_skip: [7] },
        [
          missing('skip[0].date', date),
          missing('exclude[0].exdate', say('date')),
          unknown('exclude[0].date', 'evid, groupid, tag, exdate'),
          wrong('remove_skip[0]', say('object', { names: 'evid, groupid, tag, date' }), '7'),
        ],
      ],
    ];
    for (const [title, body, expected] of cases) {
      it(title, () => assert.deepEqual([...findings('scheduler/apply', body)].sort(), [...expected].sort()));
    }
  });

  it('are read for one day or more', () => {
    assert.deepEqual(findings('scheduler/range', { events: 'today', days: 0 }), [
      wrong('events', say('start-date'), '"today"'),
      wrong('days', say('orMore', { number: say('wholeNumber'), minimum: '1' }), '0'),
    ]);
    assert.deepEqual(findings('scheduler/range', {}), [missing('events', say('start-date'))]);
  });
});
