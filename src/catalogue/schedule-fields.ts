import type { Field, Fields } from './operation';

export const evid = {
  type: 'integer',
  title: 'Event',
  description: 'Number of an existing event. Without a number, an event is created.',
  minimum: 0,
  pick: 'event',
} as const satisfies Field;

export const actid = {
  type: 'integer',
  title: 'API call',
  description: 'Number of an existing API call. Without a number, an API call is created.',
  minimum: 0,
} as const satisfies Field;

export const groupid = {
  type: 'integer',
  title: 'Group',
  description: 'Number of an existing group. Without a number, a group is created.',
  minimum: 0,
  pick: 'group',
} as const satisfies Field;

export const tag = {
  type: 'string',
  title: 'Tag',
  description: 'Label that selects several events together.',
} as const satisfies Field;

const name = {
  type: 'string',
  title: 'Name',
  description: 'Name in the calendar.',
} as const satisfies Field;

const color = {
  type: 'string',
  title: 'Color',
  description: 'Color in the calendar. Default: the device chooses a color.',
  format: 'hex-color',
  examples: ['#1a2b3c'],
} as const satisfies Field;

const startDate = {
  type: 'string',
  title: 'Start date',
  description: 'The first day.',
  format: 'date',
  examples: ['2026-09-01'],
} as const satisfies Field;

const rrule = {
  type: 'string',
  title: 'Recurrence',
  description: 'Recurrence rule, as in calendars. Empty: no recurrence.',
  format: 'rrule',
  examples: ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
} as const satisfies Field;

const rdate = {
  type: 'string',
  title: 'Further dates',
  description: 'Additional days, outside the recurrence.',
  format: 'dates',
  examples: ['2026-09-05,2026-09-12'],
} as const satisfies Field;

const apiCallFields = {
  actid,
  method: {
    type: 'string',
    title: 'Method',
    description: 'Method of the request: GET, POST, PUT, DELETE or another method.',
    format: 'method',
    examples: ['POST'],
  },
  target: {
    type: 'string',
    title: 'Target',
    description: 'Address of the device to call.',
    minLength: 1,
    examples: ['192.0.2.7'],
  },
  path: {
    type: 'string',
    title: 'Path',
    description: 'Path on the called device.',
    format: 'target-path',
    examples: ['/api/controls/tone/start'],
  },
  header: {
    type: 'string',
    title: 'Header',
    description:
      'Header lines of the request. The text %DEVICE_HEADERS% becomes a standard authentication for another device.',
    examples: ['%DEVICE_HEADERS%'],
  },
  payload: {
    type: 'string',
    title: 'Payload',
    description: 'Body of the request: a JSON text. POST and PUT require a body.',
    format: 'json',
    examples: ['{"path":"chime.wav","loop":false}'],
  },
  name,
} as const satisfies Fields;

export const eventFields = {
  event_type: {
    type: 'string',
    title: 'Type',
    description:
      'Type of the event: a tone, a stream (8301 only), a telephone call or calls to the API of devices.',
    enum: ['play_tone', 'stream_audio', 'sip_call', 'api_call'],
    valueProducts: { stream_audio: { models: ['8301'] } },
  },
  evid,
  name,
  audio: {
    type: 'string',
    title: 'Audio',
    description: 'Name of an audio file on the device.',
    minLength: 1,
    examples: ['bell-na.wav'],
    pick: 'tone',
  },
  extension: {
    type: 'integer',
    title: 'Extension',
    description: 'The extension to call.',
    minimum: 0,
    examples: [2001],
  },
  start_date: startDate,
  start_time: {
    type: 'string',
    title: 'Start time',
    description: 'Time of day.',
    format: 'time',
    examples: ['07:30'],
  },
  rrule,
  rdate,
  exdate: {
    type: 'string',
    title: 'Excluded dates',
    description: 'Days without the event.',
    format: 'dates',
    examples: ['2026-12-24,2026-12-25'],
  },
  color,
  enabled: {
    type: 'flag',
    title: 'Enabled',
    description: 'Enables the event. The default is yes.',
  },
  auto_remove: {
    type: 'flag',
    title: 'Remove afterwards',
    description: 'Deletes the event, with all its days, after it has happened. The default is no.',
  },
  delay: {
    type: 'integer',
    title: 'Delay',
    description:
      'Delay from the creation of the event, better at least 10 s; do not combine it with date and time.',
    minimum: 0,
    unit: 's',
    examples: [60],
  },
  dtmf: {
    type: 'integer',
    title: 'DTMF',
    description: 'DTMF tone before the tone, if the device is set to play a DTMF tone for each alert.',
    minimum: 0,
  },
  duration: {
    type: 'integer',
    title: 'Duration',
    description: 'Duration of the event.',
    minimum: 0,
    unit: 's',
    generated: { id: 'evid', except: { event_type: ['api_call'] } },
  },
  greyed_out_date: {
    type: 'string',
    title: 'Skipped days',
    description: 'Days with skipped events.',
    generated: { id: 'evid' },
  },
  mgroup: {
    type: 'integer',
    title: 'Poly group',
    description: 'Polycom group, for the multicast types that have groups.',
    minimum: 1,
    maximum: 25,
  },
  zone: {
    type: 'integer',
    title: 'Multicast zone',
    description: 'Zone, for the multicast types that have zones.',
    minimum: 0,
  },
  tag,
  api_call: {
    type: 'array',
    title: 'API calls',
    description: 'The calls of an event of the type api_call.',
    maxItems: 5,
    items: {
      type: 'object',
      title: 'API call',
      description: 'One request to a device.',
      properties: apiCallFields,
      isRecord: true,
    },
  },
} as const satisfies Fields;

export const groupFields = {
  groupid,
  name,
  color,
  start_date: startDate,
  rrule,
  rdate,
} as const satisfies Fields;
