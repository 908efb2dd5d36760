import type { Field } from './operation';
import type { Phrase } from './phrases';
import { eventFields } from './schedule-fields';

export const dayList = {
  type: 'any',
  title: 'Days',
  description:
    'A date, a list of dates and { "start", "end" } with both included, or such an object; dates as in 2026-12-24.',
} as const satisfies Field;

export const tag = {
  type: 'string',
  title: 'Tag',
  description: 'Label of the events that this flow owns. Events without it are not touched.',
  minLength: 1,
  examples: ['bells'],
  pick: 'tag',
} as const satisfies Field;

const { audio, color, dtmf, enabled, extension, zone } = eventFields;

/** A bell becomes one event of the device (docs/contract.md, section 2.7). */
export const bell = {
  type: 'object',
  title: 'Bell',
  description: 'Something that rings at a time of the day.',
  properties: {
    name: {
      type: 'string',
      title: 'Name',
      description: 'Name in the calendar.',
      minLength: 1,
      examples: ['First lesson'],
    },
    time: {
      type: 'string',
      title: 'Time',
      description: 'Time of day on the device.',
      format: 'time',
      examples: ['08:00'],
    },
    days: {
      type: 'any',
      limits: 'weekdays',
      title: 'Days',
      description: 'On which days: daily, once, or weekdays such as mon-fri or mon,wed, or a list of those.',
    },
    audio,
    from: {
      type: 'string',
      title: 'From',
      description: 'The first date. Without it the one that the event has, else today.',
      format: 'date',
      examples: ['2026-09-01'],
    },
    until: {
      type: 'string',
      title: 'Until',
      description: 'The last date, included.',
      format: 'date',
      examples: ['2027-07-16'],
    },
    except: {
      ...dayList,
      title: 'Except',
      description: `Days on which it does not ring. ${dayList.description}`,
    },
    zone,
    color,
    dtmf,
    enabled,
    type: {
      type: 'string',
      title: 'Type',
      description: 'A tone, a stream (8301 only) or a telephone call. The default is a tone.',
      enum: ['play_tone', 'stream_audio', 'sip_call'],
    },
    extension,
  },
  required: ['name', 'time', 'days'],
  rules: [
    {
      when: {
        not: { required: ['type'], properties: { type: { enum: ['stream_audio'] } } },
      },
      must: { required: ['audio'], because: 'toneOrCall' satisfies Phrase },
    },
    {
      when: { required: ['type'], properties: { type: { enum: ['sip_call'] } } },
      must: { required: ['extension'], because: 'call' satisfies Phrase },
    },
  ],
} as const satisfies Field;

export const bells = {
  type: 'array',
  title: 'Bells',
  description:
    'A list of bells, each with name, time, days and audio. An empty one deletes all with the tag.',
  items: bell,
} as const satisfies Field;
