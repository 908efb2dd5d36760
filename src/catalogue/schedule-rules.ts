import type { Rule } from './operation';
import type { Phrase } from './phrases';

const isNew = { not: { required: ['evid'] } } as const;

const isNewWithoutDelay = { not: { anyOf: [{ required: ['evid'] }, { required: ['delay'] }] } } as const;

/**
 * The condition under which the device uses the entries of `api_call`: the device ignores these entries in
 * events of other types (section 2.6a).
 */
const callsCount = {
  not: {
    required: ['event_type'],
    properties: { event_type: { enum: ['play_tone', 'stream_audio', 'sip_call'] } },
  },
} as const;

const callRules = [
  {
    if: { required: ['actid'] },
    else: { required: ['method', 'target', 'path', 'header'], because: 'newCall' satisfies Phrase },
  },
  {
    if: {
      anyOf: [
        { required: ['actid'] },
        { not: { required: ['method'], properties: { method: { enum: ['POST', 'PUT'] } } } },
      ],
    },
    else: {
      required: ['payload'],
      properties: { payload: { minLength: 1 } },
      because: 'newPostOrPut' satisfies Phrase,
    },
  },
] as const;

const everyEvent: readonly Rule[] = [
  { when: isNew, must: { required: ['event_type', 'name'], because: 'newEvent' satisfies Phrase } },
  {
    when: {
      ...isNew,
      required: ['event_type'],
      properties: { event_type: { enum: ['play_tone', 'sip_call', 'api_call'] } },
    },
    must: { required: ['audio'], because: 'newSound' satisfies Phrase },
  },
  {
    when: {
      ...isNew,
      required: ['event_type'],
      properties: { event_type: { enum: ['sip_call', 'api_call'] } },
    },
    must: { required: ['extension'], because: 'newDialing' satisfies Phrase },
  },
  {
    when: { ...isNew, required: ['event_type'], properties: { event_type: { enum: ['api_call'] } } },
    must: {
      required: ['api_call'],
      properties: { api_call: { minItems: 1, because: 'newApiCall' satisfies Phrase } },
      because: 'newApiCall' satisfies Phrase,
    },
  },
  {
    when: { required: ['delay'] },
    must: {
      properties: {
        start_date: { not: {}, because: 'withDelay' satisfies Phrase },
        start_time: { not: {}, because: 'withDelay' satisfies Phrase },
      },
    },
  },
  { when: callsCount, must: { properties: { api_call: { items: { allOf: callRules } } } } },
  {
    when: { allOf: [isNew, callsCount] },
    must: {
      properties: {
        api_call: {
          items: {
            properties: { actid: { not: {}, because: 'numbered' satisfies Phrase } },
          },
        },
      },
    },
  },
];

export const eventRules: readonly Rule[] = [
  ...everyEvent,
  {
    when: isNewWithoutDelay,
    must: { required: ['start_date', 'start_time'], because: 'noDelay' satisfies Phrase },
  },
  { when: isNew, must: { required: ['rrule'], because: 'newEvent' satisfies Phrase } },
];

export const nestedEventRules: readonly Rule[] = [
  ...everyEvent,
  {
    when: isNewWithoutDelay,
    must: { required: ['start_time'], because: 'noDelay' satisfies Phrase },
  },
];

export const groupRules: readonly Rule[] = [
  {
    when: { not: { required: ['groupid'] } },
    must: { required: ['name', 'start_date', 'rrule', 'events'], because: 'newGroup' satisfies Phrase },
  },
];
