import { absent, refused, rejected, type Transcript, unsupported } from './transcript';

const scheduler = { model: '8301', firmware: '5.7' };
const other = { model: '8305', firmware: '5.7' };
const line = 'POST /api/schedules';
const weekdays = 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR';

const bell = {
  event_type: 'play_tone',
  name: 'Morning Bell',
  audio: 'bell-na.wav',
  start_date: '2026-09-01',
  start_time: '08:00',
  rrule: weekdays,
  color: '#ff8800',
};
const tagged = { ...bell, tag: 'bells' };
const entry = {
  method: 'POST',
  target: 'https://192.0.2.9',
  path: '/api/controls/strobe/stop',
  header: '%DEVICE_HEADERS%',
  payload: '{}',
};
const alarm = {
  event_type: 'api_call',
  name: 'Strobes off',
  audio: 'chime.wav',
  extension: 100,
  start_date: '2026-09-01',
  start_time: '16:00:30',
  rrule: 'FREQ=DAILY;COUNT=3',
  api_call: [entry],
};
const group = { name: 'Term', color: '#0088ff', start_date: '2026-09-01', rrule: weekdays };
const create = (event: object) => ({ line, json: { events: [event] } }) as const;
const without = (record: Readonly<Record<string, unknown>>, field: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== field));

const echoed = (key: string, words: RegExp, sample: unknown) => ({
  status: 200,
  json: { [key]: sample },
  varies: { [key]: words },
});

/** An `apply` whose body goes out as it was given. */
const applied = (
  title: string,
  body: Readonly<Record<string, unknown>>,
  extra: Partial<Transcript> = {},
) => ({
  title,
  section: '4.13',
  device: scheduler,
  ask: { operation: 'scheduler/apply', parameters: body },
  request: { line, json: body } as const,
  answer: {
    status: 200,
    json: body,
    varies: Object.fromEntries(Object.keys(body).map((key) => [key, /^\[.+\]$/])),
  },
  ...extra,
});

/** 4.13 Scheduler. */
export const transcripts: readonly Transcript[] = [
  {
    title: 'an empty database is read',
    section: '2.6a',
    device: scheduler,
    ask: { operation: 'scheduler/get', parameters: {} },
    request: { line: 'GET /api/schedules' },
    answer: { status: 200, json: { format: 'v2.0', groups: [], events: [] } },
  },
  {
    title: 'what was created is read',
    section: '2.6a',
    device: scheduler,
    before: [create(bell)],
    request: { line: 'GET /api/schedules' },
    answer: {
      status: 200,
      json: { format: 'v2.0', groups: [], events: [{ ...bell, evid: 1 }] },
      varies: { events: /^\[\{(?=.*"evid":\d+)(?=.*"name":"Morning Bell").*\}\]$/ },
    },
  },
  {
    title: 'a week is asked for',
    section: '4.13',
    device: other,
    before: [create(bell)],
    ask: { operation: 'scheduler/range', parameters: { events: '2026-09-01', days: 7 } },
    request: { line: 'GET /api/schedules?events=2026-09-01&days=7' },
    answer: {
      status: 200,
      json: {
        format: 'v2.0',
        events: {
          '2026-09-01': [
            { evid: 1, color: '#ff8800', name: 'Morning Bell', start_time: '08:00', skipped: 0 },
          ],
        },
      },
      varies: { events: /^\{.*"2026-09-01":\[\{(?=.*"name":"Morning Bell")(?=.*"skipped":0)/ },
    },
  },
  {
    title: 'one day is asked for',
    section: '4.13',
    device: scheduler,
    before: [create(bell)],
    ask: { operation: 'scheduler/range', parameters: { events: '2026-09-02' } },
    request: { line: 'GET /api/schedules?events=2026-09-02' },
    answer: {
      status: 200,
      json: { format: 'v2.0', events: { '2026-09-02': [] } },
      varies: { events: /^\{"2026-09-02":\[\{.*\}\]\}$/ },
    },
  },
  {
    title: 'today is an empty date',
    section: '4.13',
    device: scheduler,
    ask: { operation: 'scheduler/range', parameters: { events: '', days: '2' } },
    request: { line: 'GET /api/schedules?events=&days=2' },
    answer: { status: 200, json: { format: 'v2.0', events: {} }, varies: { events: /^\{.*\}$/ } },
  },
  applied(
    'a bell is created',
    { events: [bell] },
    {
      leaves: { events: ['Morning Bell'] },
      answer: echoed('events', /^\[\{(?=.*"evid":\d+)(?=.*"name":"Morning Bell").*\}\]$/, [
        { ...bell, evid: 1 },
      ]),
    },
  ),
  applied('a bell is created with every option', {
    events: [
      {
        ...bell,
        start_time: '08:00:30',
        rdate: '2026-12-24',
        exdate: '2026-10-03,2026-11-01',
        enabled: 1,
        auto_remove: 0,
        dtmf: 123,
        zone: 2,
        mgroup: 25,
        tag: 'bells',
      },
    ],
  }),
  {
    title: 'digits and words become the integers and booleans of the wire',
    section: '2.6a',
    device: scheduler,
    ask: {
      operation: 'scheduler/apply',
      parameters: { events: [{ ...bell, enabled: 'false', auto_remove: true, zone: '2', dtmf: '5' }] },
    },
    request: {
      line,
      json: { events: [{ ...bell, enabled: false, auto_remove: true, zone: 2, dtmf: 5 }] },
    },
    answer: echoed('events', /"evid":\d+/, []),
  },
  applied('a bell rings once, its color is left to the device', {
    events: [without({ ...bell, rrule: '' }, 'color')],
  }),
  applied('a bell rings in half a minute', {
    events: [
      { event_type: 'play_tone', name: 'Soon', audio: 'gong.wav', rrule: '', color: '#00ff00', delay: 30 },
    ],
  }),
  applied('an 8301 streams audio', {
    events: [
      {
        event_type: 'stream_audio',
        name: 'Break music',
        start_date: '2026-09-01',
        start_time: '10:00',
        rrule: 'FREQ=DAILY;INTERVAL=2;UNTIL=20261224',
        color: '#112233',
        zone: 1,
      },
    ],
  }),
  applied('a call is scheduled', {
    events: [{ ...bell, event_type: 'sip_call', name: 'Call the office', extension: 101, dtmf: 9 }],
  }),
  applied('an API call is scheduled', {
    events: [{ ...alarm, color: '#445566', duration: 5, api_call: [{ ...entry, name: 'first' }] }],
  }),
  applied('a GET needs no payload', {
    events: [
      { ...alarm, api_call: [{ ...without(entry, 'payload'), method: 'GET', path: '/api/info/status' }] },
    ],
  }),
  applied('an event may hold five API calls', {
    events: [{ ...alarm, api_call: [entry, entry, entry, entry, entry] }],
  }),
  applied(
    'an event is updated, any subset will do',
    { events: [{ evid: 1, name: 'Early Bell' }] },
    {
      before: [create(bell)],
      leaves: { events: ['Early Bell'] },
    },
  ),
  applied(
    'an API call is updated by its own id',
    { events: [{ evid: 1, api_call: [{ actid: 1, path: '/api/controls/reload' }] }] },
    { before: [create(alarm)] },
  ),
  applied('a group is created, nested events may lack their rule and date', {
    groups: [
      {
        ...group,
        rdate: '2026-12-24',
        events: [without(without(bell, 'rrule'), 'start_date'), without(alarm, 'rrule')],
      },
    ],
  }),
  applied(
    'a group is updated',
    { groups: [{ groupid: 1, name: 'Winter term' }] },
    {
      before: [{ line, json: { groups: [{ ...group, events: [bell] }] } }],
    },
  ),
  applied(
    'several operations at once',
    {
      exclude: [{ tag: 'bells', exdate: '2026-10-05' }],
      events: [{ ...bell, name: 'Evening Bell', start_time: '16:00' }],
    },
    { before: [create(tagged)] },
  ),
  applied(
    'events are deleted by their tag',
    { delete: [{ tag: 'bells' }] },
    { before: [create(tagged)], leaves: { events: [] } },
  ),
  applied(
    'an event is deleted by its id',
    { delete: [{ evid: 1 }] },
    { before: [create(bell)], leaves: { events: [] } },
  ),
  applied('an API call is deleted by its id', { delete: [{ actid: 1 }] }, { before: [create(alarm)] }),
  applied(
    'a group is deleted with all its events',
    { delete: [{ groupid: 1 }] },
    {
      before: [{ line, json: { groups: [{ ...group, events: [bell] }] } }],
    },
  ),
  applied('a day is excluded', { exclude: [{ evid: 1, exdate: '2026-09-02' }] }, { before: [create(bell)] }),
  applied(
    'an excluded day comes back',
    { remove_exclude: [{ evid: 1, date: '2026-09-02' }] },
    {
      before: [create(bell), { line, json: { exclude: [{ evid: 1, exdate: '2026-09-02' }] } }],
    },
  ),
  applied('a day is skipped', { skip: [{ tag: 'bells', date: '2026-09-02' }] }, { before: [create(tagged)] }),
  applied(
    'a group is skipped',
    { skip: [{ groupid: 1, date: '2026-09-02' }] },
    {
      before: [{ line, json: { groups: [{ ...group, events: [bell] }] } }],
    },
  ),
  applied(
    'everything on a day is skipped, and what that is is told',
    { skip: [{ evid: -1, date: '2026-09-02' }] },
    {
      before: [create(bell)],
      answer: echoed(
        'skip',
        /^\[\{(?=.*"evid":-1)(?=.*"affected_events":\[\{.*"name":"Morning Bell").*\}\]$/,
        [
          {
            evid: -1,
            date: '2026-09-02',
            affected_events: [{ evid: 1, name: 'Morning Bell', skipped: 1 }],
          },
        ],
      ),
    },
  ),
  applied(
    'a skipped day comes back',
    { remove_skip: [{ tag: 'bells', date: '2026-09-02' }] },
    {
      before: [create(tagged), { line, json: { skip: [{ tag: 'bells', date: '2026-09-02' }] } }],
    },
  ),
  applied(
    'a group is excluded on a day',
    { exclude: [{ groupid: 1, exdate: '2026-09-02' }] },
    { before: [{ line, json: { groups: [{ ...group, events: [bell] }] } }] },
  ),
  applied(
    'a group and everything with a tag come back on a day',
    {
      remove_exclude: [
        { groupid: 1, date: '2026-09-02' },
        { tag: 'bells', date: '2026-09-03' },
      ],
    },
    {
      before: [
        { line, json: { groups: [{ ...group, events: [bell] }], events: [tagged] } },
        {
          line,
          json: {
            exclude: [
              { groupid: 1, exdate: '2026-09-02' },
              { tag: 'bells', exdate: '2026-09-03' },
            ],
          },
        },
      ],
    },
  ),
  applied(
    'a skipped event comes back on a day',
    { remove_skip: [{ evid: 1, date: '2026-09-02' }] },
    { before: [create(bell), { line, json: { skip: [{ evid: 1, date: '2026-09-02' }] } }] },
  ),
  applied(
    'a skipped group comes back on a day',
    { remove_skip: [{ groupid: 1, date: '2026-09-02' }] },
    {
      before: [
        { line, json: { groups: [{ ...group, events: [bell] }] } },
        { line, json: { skip: [{ groupid: 1, date: '2026-09-02' }] } },
      ],
    },
  ),
  {
    title: 'what get answered goes back as it is, but for format and what the device generates',
    section: '2.6a',
    device: scheduler,
    before: [create(bell)],
    ask: {
      operation: 'scheduler/apply',
      parameters: {
        format: 'v2.0',
        groups: [],
        events: [
          { ...bell, evid: 1, duration: 4, greyed_out_date: '2026-09-02', enabled: 1, auto_remove: 0 },
        ],
      },
    },
    request: {
      line,
      json: { groups: [], events: [{ ...bell, evid: 1, enabled: 1, auto_remove: 0 }] },
    },
    answer: echoed('events', /"Morning Bell"/, [bell]),
  },

  ...refused('scheduler/get', '4.13', scheduler, [['get takes nothing', { tag: 'bells' }, 'tag']]),
  ...refused('scheduler/range', '4.13', scheduler, [
    ['a date is year-month-day', { events: '01.09.2026' }, 'events', '01.09.2026'],
    ['days are whole', { events: '2026-09-01', days: 1.5 }, 'days', '1.5'],
    ['the field is called days', { events: '2026-09-01', day: 7 }, 'day'],
  ]),
  ...refused('scheduler/apply', '4.13', scheduler, [
    [
      'a day to exclude is one date',
      { exclude: [{ evid: 1, exdate: '2026-09-02,2026-09-03' }] },
      'exclude[0].exdate',
    ],
    ['an integer is exact', { delete: [{ evid: 2 ** 53 }] }, 'delete[0].evid'],
    ['an integer is no power of ten', { delete: [{ evid: 1e21 }] }, 'delete[0].evid'],
    ['a new event has no keys of its own', { events: [{ ...bell, note: 'x' }] }, 'events[0].note'],
    ['nothing to apply', {}, undefined],
    ['a key in no table', { event: [bell] }, 'event'],
    ['another format', { format: 'v1.0', events: [bell] }, 'format', 'v2.0', 'v1.0'],
    ['events are a list', { events: bell }, 'events'],
    ['the type is missing', { events: [without(bell, 'event_type')] }, 'events[0].event_type'],
    [
      'a type that does not exist',
      { events: [{ ...bell, event_type: 'ring' }] },
      'events[0].event_type',
      'play_tone',
      'ring',
    ],
    ['the name is missing', { events: [without(bell, 'name')] }, 'events[0].name'],
    ['the audio is missing', { events: [without(bell, 'audio')] }, 'events[0].audio'],
    [
      'the date is missing, in the third event',
      { events: [bell, bell, without(bell, 'start_date')] },
      'events[2].start_date',
    ],
    ['the time is missing', { events: [without(bell, 'start_time')] }, 'events[0].start_time'],
    ['the rule is missing', { events: [without(bell, 'rrule')] }, 'events[0].rrule'],
    [
      'a rule has a frequency',
      { events: [{ ...bell, rrule: 'BYDAY=MO' }] },
      'events[0].rrule',
      'FREQ',
      'BYDAY=MO',
    ],
    [
      'a rule is not hourly',
      { events: [{ ...bell, rrule: 'FREQ=HOURLY' }] },
      'events[0].rrule',
      'FREQ=HOURLY',
    ],
    ['a rule has no blank', { events: [{ ...bell, rrule: 'FREQ=DAILY; COUNT=2' }] }, 'events[0].rrule'],
    [
      'a date is year-month-day',
      { events: [{ ...bell, start_date: '1.9.2026' }] },
      'events[0].start_date',
      '1.9.2026',
    ],
    [
      'a time has two digits each',
      { events: [{ ...bell, start_time: '8:00' }] },
      'events[0].start_time',
      '8:00',
    ],
    ['a color is hexadecimal', { events: [{ ...bell, color: 'orange' }] }, 'events[0].color', 'orange'],
    ['enabled is a boolean, 0 or 1', { events: [{ ...bell, enabled: 2 }] }, 'events[0].enabled', '2'],
    ['the device works out the duration', { events: [{ ...bell, duration: 4 }] }, 'events[0].duration'],
    [
      'the device works out the greyed-out days',
      { events: [{ ...bell, greyed_out_date: '2026-09-02' }] },
      'events[0].greyed_out_date',
    ],
    ['a misspelt key', { events: [{ ...bell, colour: '#ff8800' }] }, 'events[0].colour'],
    ['a misspelt key of an event', { events: [{ evid: 1, enabeld: false }] }, 'events[0].enabeld'],
    ['null', { events: [{ evid: 1, dtmf: null }] }, 'events[0].dtmf', 'null'],
    [
      'a delay has no date',
      { events: [{ ...without(bell, 'start_time'), delay: 30 }] },
      'events[0]',
      'delay',
    ],
    ['a poly group ends at 25', { events: [{ ...bell, mgroup: 26 }] }, 'events[0].mgroup', '25', '26'],
    ['a zone is an integer', { events: [{ ...bell, zone: 'all' }] }, 'events[0].zone', 'all'],
    ['a call needs its extension', { events: [{ ...bell, event_type: 'sip_call' }] }, 'events[0].extension'],
    ['an API call needs its calls', { events: [without(alarm, 'api_call')] }, 'events[0].api_call'],
    [
      'an API call needs its extension, as listed',
      { events: [without(alarm, 'extension')] },
      'events[0].extension',
    ],
    [
      'six API calls are one too many',
      { events: [{ ...alarm, api_call: [entry, entry, entry, entry, entry, entry] }] },
      'events[0].api_call',
      '5',
    ],
    [
      'an API call needs its target',
      { events: [{ ...alarm, api_call: [without(entry, 'target')] }] },
      'events[0].api_call[0].target',
    ],
    [
      'an API call needs its method',
      { events: [{ ...alarm, api_call: [entry, without(entry, 'method')] }] },
      'events[0].api_call[1].method',
    ],
    [
      'an API call needs its path',
      { events: [{ ...alarm, api_call: [without(entry, 'path')] }] },
      'events[0].api_call[0].path',
    ],
    [
      'an API call needs its header',
      { events: [{ ...alarm, api_call: [without(entry, 'header')] }] },
      'events[0].api_call[0].header',
    ],
    [
      'a POST needs its payload',
      { events: [{ ...alarm, api_call: [without(entry, 'payload')] }] },
      'events[0].api_call[0].payload',
    ],
    [
      'a payload is JSON in a string',
      { events: [{ ...alarm, api_call: [{ ...entry, payload: 'level=1' }] }] },
      'events[0].api_call[0].payload',
      'JSON',
    ],
    ['a group needs its events', { groups: [group] }, 'groups[0].events'],
    [
      'a group needs its rule',
      { groups: [{ ...without(group, 'rrule'), events: [bell] }] },
      'groups[0].rrule',
    ],
    [
      'a nested event needs its time',
      { groups: [{ ...group, events: [without(bell, 'start_time')] }] },
      'groups[0].events[0].start_time',
    ],
    ['everything is not deleted at once', { delete: [{ evid: -1 }] }, 'delete[0].evid', '-1'],
    ['a deletion says what', { delete: [{}] }, 'delete[0]'],
    ['a skip needs its date', { skip: [{ evid: 1 }] }, 'skip[0].date'],
    ['a skip says what', { skip: [{ date: '2026-09-02' }] }, 'skip[0]'],
    ['an exclusion needs its exdate', { exclude: [{ evid: 1, date: '2026-09-02' }] }, 'exclude[0].exdate'],
    [
      'its removal needs its date',
      { remove_exclude: [{ evid: 1, exdate: '2026-09-02' }] },
      'remove_exclude[0].date',
    ],
    [
      'a day is a date',
      { remove_skip: [{ tag: 'bells', date: 'tomorrow' }] },
      'remove_skip[0].date',
      'tomorrow',
    ],
  ]),
  unsupported('scheduler/get', '4.13', { model: '8186', firmware: '5.7' }, {}, '8186', '8301'),
  unsupported('scheduler/range', '4.13', { model: '8301', firmware: '5.6' }, { events: '' }, '5.6', '5.7'),
  unsupported(
    'scheduler/apply',
    '4.13',
    { model: '8063', firmware: '5.7' },
    { events: [bell] },
    '8063',
    '8301',
  ),

  ...rejected(line, '4.13', scheduler, [
    ['nothing to apply', {}, /./],
    ['a key in no table', { event: [bell] }, /event/],
    ['the name is missing', { events: [without(bell, 'name')] }, /name/],
    ['a type that it does not know', { events: [{ ...bell, event_type: 'ring' }] }, /event_type|ring/],
    ['a rule with a blank', { events: [{ ...bell, rrule: 'FREQ=DAILY; COUNT=2' }] }, /rrule/],
    ['a rule without a frequency', { events: [{ ...bell, rrule: 'BYDAY=MO' }] }, /rrule/],
    ['a date of another kind', { events: [{ ...bell, start_date: '1.9.2026' }] }, /start_date/],
    ['a delay with a date', { events: [{ ...bell, delay: 30 }] }, /delay|start_date/],
    [
      'six API calls',
      { events: [{ ...alarm, api_call: [entry, entry, entry, entry, entry, entry] }] },
      /api_call/,
    ],
    ['a field that it does not know', { events: [{ ...bell, colour: '#ff8800' }] }, /colour/],
    ['a skip without its date', { skip: [{ evid: -1 }] }, /date/],
    [
      'an extension is an integer',
      { events: [{ ...bell, event_type: 'sip_call', extension: '101' }] },
      /extension/,
    ],
  ]),
  ...rejected(line, '2.6a', other, [
    [
      'only the 8301 streams audio',
      { events: [{ ...without(bell, 'audio'), event_type: 'stream_audio' }] },
      /stream_audio|event_type/,
    ],
  ]),
  {
    title: 'if one operation fails nothing is done: the request is turned down',
    section: '7',
    device: scheduler,
    request: { line, json: { events: [bell, without(bell, 'name')] } },
    answer: { status: 400, words: /name/ },
  },
  absent('GET /api/schedules', '4.13', { model: '8186', firmware: '5.7' }),
  absent('GET /api/schedules', '4.13', { model: '8301', firmware: '5.6' }),
  absent(line, '4.13', { model: '8063', firmware: '5.7' }, { events: [bell] }),
];
