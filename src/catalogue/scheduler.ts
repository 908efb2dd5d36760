import type { Field, OperationGroup, Products } from './operation';
import { actid, eventFields, evid, groupFields, groupid, tag } from './schedule-fields';
import { eventRules, groupRules, nestedEventRules } from './schedule-rules';

const products = { models: ['8301', '8305'] } as const satisfies Products;

const event = {
  type: 'object',
  title: 'Event',
  description: 'A scheduled event.',
  properties: eventFields,
  isRecord: true,
} as const satisfies Field;

const group = {
  type: 'object',
  title: 'Group',
  description: 'Events with a common start date and recurrence.',
  properties: {
    ...groupFields,
    events: {
      type: 'array',
      title: 'Events',
      description: 'The events of the group.',
      items: { ...event, rules: nestedEventRules },
    },
  },
  isRecord: true,
  rules: groupRules,
} as const satisfies Field;

const known = {
  evid: { ...evid, description: 'Number of an event.' },
  groupid: { ...groupid, description: 'Number of a group.' },
  tag: { ...tag, description: 'Tag of the events.', minLength: 1 },
} as const;

const onDay = {
  ...known,
  evid: { ...evid, description: 'Number of an event; -1 means every event of the day.', minimum: -1 },
} as const;

const day = {
  type: 'object',
  title: 'Day',
  description: 'An event, a group or the events with a tag, and a day.',
  properties: {
    ...onDay,
    date: {
      type: 'string',
      title: 'Date',
      description: 'The day.',
      format: 'date',
      examples: ['2026-12-24'],
    },
  },
  required: ['date'],
  exactlyOne: ['evid', 'groupid', 'tag'],
  isRecord: true,
} as const satisfies Field;

const excluded = {
  ...day,
  properties: {
    ...onDay,
    exdate: {
      type: 'string',
      title: 'Date',
      description: 'The day to exclude.',
      format: 'date',
      examples: ['2026-12-24'],
    },
  },
  required: ['exdate'],
} as const satisfies Field;

const deleted = {
  type: 'object',
  title: 'Record',
  description: 'An event, an API call, a group with its events, or the events with a tag.',
  properties: { ...known, actid: { ...actid, description: 'Number of an API call.' } },
  exactlyOne: ['evid', 'actid', 'groupid', 'tag'],
  isRecord: true,
} as const satisfies Field;

const list = { type: 'array' } as const;

/**
 * The `inOrderOf` of all operations of the scheduler: a message with a short list, which is ready to send
 * sooner, must not overtake an earlier message with a long list.
 */
export const scheduleOrder = 'schedule';

export const scheduler = {
  resource: 'scheduler',
  operations: [
    {
      id: 'get',
      title: 'Read whole schedule',
      description:
        'Returns the events and groups as they are stored, with their rules. You can edit the response and apply it.',
      section: '4.13',
      route: 'GET /api/schedules',
      firmware: '5.7',
      products,
      repeatable: true,
      urgent: false,
      inOrderOf: scheduleOrder,
      answer: 'json',
      fields: {},
      required: [],
    },
    {
      id: 'range',
      title: 'Read date range',
      description: 'Returns the events that the device has on each of these days, with the skipped events.',
      section: '4.13',
      route: 'GET /api/schedules?events={events}&days={days}',
      firmware: '5.7',
      products,
      repeatable: true,
      urgent: false,
      inOrderOf: scheduleOrder,
      answer: 'json',
      fields: {
        events: {
          type: 'string',
          title: 'First day',
          description: 'The first day; empty means today.',
          format: 'start-date',
          examples: ['2026-09-01'],
        },
        days: {
          type: 'integer',
          title: 'Days',
          description: 'Number of days. The default is one.',
          minimum: 1,
          examples: [7],
        },
      },
      required: ['events'],
    },
    {
      id: 'apply',
      title: 'Apply changes',
      description:
        'Creates, changes, deletes, excludes and skips in one request. If one change fails, the device makes no change.',
      section: '4.13',
      route: 'POST /api/schedules',
      firmware: '5.7',
      products,
      repeatable: false,
      urgent: false,
      inOrderOf: scheduleOrder,
      answer: 'json',
      fields: {
        events: {
          ...list,
          title: 'Events',
          description:
            'Events to create. Events with their number are changed: only the given fields change.',
          items: { ...event, rules: eventRules },
        },
        groups: {
          ...list,
          title: 'Groups',
          description: 'Groups to create, with their events. Groups with their number are changed.',
          items: group,
        },
        delete: {
          ...list,
          title: 'Delete',
          description: 'Events, calls or groups to delete. Deleting a group deletes its events.',
          items: deleted,
        },
        exclude: {
          ...list,
          title: 'Exclude',
          description: 'Days without the event; the calendar does not show it.',
          items: excluded,
        },
        remove_exclude: {
          ...list,
          title: 'Restore excluded',
          description: 'Excluded days to restore.',
          items: day,
        },
        skip: {
          ...list,
          title: 'Skip',
          description: 'Days without the event; the calendar shows it as skipped.',
          items: day,
        },
        remove_skip: {
          ...list,
          title: 'Restore skipped',
          description: 'Skipped days to restore.',
          items: day,
        },
        format: {
          type: 'string',
          title: 'Format',
          description: 'Format name from the response that contains the whole database. It is not sent.',
          enum: ['v2.0'],
          sent: false,
        },
      },
      required: [],
      atLeast: 1,
    },
  ],
} as const satisfies OperationGroup;
