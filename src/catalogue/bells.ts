import { bell, bells, dayList, tag } from './bell-fields';
import type { Field, Operation, OperationGroup } from './operation';
import type { Phrase } from './phrases';
import { eventFields, evid, groupid } from './schedule-fields';
import { scheduleOrder, scheduler } from './scheduler';

const { audio, auto_remove, color, dtmf, enabled, mgroup, zone } = eventFields;

const days = {
  type: 'integer',
  title: 'Days',
  description: 'Number of days.',
  minimum: 1,
  maximum: 3660,
} as const satisfies Field;

const from = {
  type: 'string',
  title: 'First day',
  description: 'The first day. The default is today.',
  format: 'date',
  examples: ['2026-09-01'],
} as const satisfies Field;

const made = {
  inOrderOf: scheduleOrder,
  section: '4.13',
  firmware: '5.7',
  products: { models: ['8301', '8305'] },
  urgent: false,
  answer: 'json',
} as const;

const reads = {
  ...made,
  route: 'GET /api/schedules',
  composedOf: ['scheduler/get', 'scheduler/range'],
  repeatable: true,
} as const;

const writes = {
  ...made,
  route: 'POST /api/schedules',
  composedOf: ['scheduler/get', 'scheduler/apply'],
  repeatable: false,
  confirm: { by: 'scheduler/range', compare: 'schedule' },
  options: ['confirmWrite'],
} as const;

const marks = {
  fields: {
    dates: dayList,
    evid: { ...evid, description: 'Number of one event; -1 selects all events.', minimum: -1 },
    groupid: { ...groupid, description: 'Number of the group.' },
    tag: {
      ...tag,
      description: 'Tag of the events. Without event, group and tag, all events are selected.',
    },
  },
  required: ['dates'],
  rules: [
    {
      when: { required: ['evid'] },
      must: {
        properties: {
          groupid: { not: {}, because: 'withEvid' satisfies Phrase },
          tag: { not: {}, because: 'withEvid' satisfies Phrase },
        },
      },
    },
    {
      when: { required: ['groupid'] },
      must: { properties: { tag: { not: {}, because: 'withGroupid' satisfies Phrase } } },
    },
  ],
} as const satisfies Partial<Operation>;

const bellsNeedTag = {
  when: { required: ['bells'] },
  must: { required: ['tag'], because: 'withBells' satisfies Phrase },
} as const;

/** Maximum length of the text of a calendar, in characters. */
export const maxCalendarLength = 8_000_000;

const operations = [
  {
    ...writes,
    ...marks,
    id: 'skip',
    title: 'Skip days',
    description:
      'Nothing rings on these days; the calendar shows the bells as skipped. For a day that is off for once, such as a snow day.',
  },
  {
    ...writes,
    ...marks,
    id: 'unskip',
    title: 'Restore skipped days',
    description: 'Bells that were skipped on these days ring again.',
  },
  {
    ...writes,
    ...marks,
    id: 'exclude',
    title: 'Exclude days',
    description:
      'Nothing rings on these days; the calendar does not show the bells. For days that are known ahead, such as holidays; set up the bells first.',
  },
  {
    ...writes,
    ...marks,
    id: 'unexclude',
    title: 'Restore excluded days',
    description: 'Bells that were excluded on these days ring again.',
  },
  {
    ...writes,
    id: 'ring',
    title: 'Ring once',
    description: 'Rings once, after a given number of seconds.',
    fields: {
      audio,
      delay: {
        type: 'integer',
        title: 'Delay',
        description: 'Delay from now. The default is 10 s; a shorter delay might be too late for the device.',
        minimum: 0,
        unit: 's',
        foremost: true,
        examples: [10],
      },
      name: { ...bell.properties.name, description: 'Name in the calendar. The default is Ring.' },
      zone,
      color,
      dtmf,
      enabled,
      mgroup,
      tag: { ...tag, description: 'Label that selects several events together.' },
      auto_remove: {
        ...auto_remove,
        description: 'Deletes the event after it has rung. The default is yes.',
      },
    },
    required: ['audio'],
  },
  {
    ...writes,
    id: 'sync',
    title: 'Sync bells',
    description:
      'Creates, changes and deletes events until the events with the tag match these bells. Sends nothing if they match already.',
    fields: {
      tag,
      bells,
      dryRun: {
        type: 'boolean',
        title: 'Dry run',
        description: 'Sends nothing; the response is the plan.',
      },
    },
    required: ['tag', 'bells'],
  },
  {
    ...reads,
    id: 'preview',
    title: 'Preview schedule',
    description:
      'Lists when bells ring on each day, in plain words. With bells: as if these were the bells of the tag.',
    fields: {
      from,
      days: { ...days, description: 'Number of days. The default is 14.', foremost: true, examples: [14] },
      bells,
      tag,
    },
    required: [],
    rules: [bellsNeedTag],
  },
  {
    ...writes,
    id: 'import',
    title: 'Import a calendar',
    description:
      'Reads an iCalendar text and turns it into bells, or into days without bells; set up the bells first.',
    fields: {
      ics: {
        type: 'string',
        title: 'Calendar',
        description: 'The text of an iCalendar file (.ics).',
        minLength: 1,
        maxLength: maxCalendarLength,
      },
      as: {
        type: 'string',
        title: 'Import as',
        description:
          'As bells of a tag, as days without bells (exclude), or as days without bells that the calendar shows as skipped (skip).',
        enum: ['bells', 'exclude', 'skip'],
      },
      tag: { ...tag, description: `${tag.description} For days: only the events with it are meant.` },
      audio: { ...audio, description: 'Name of the audio file of all these bells.' },
      match: {
        type: 'any',
        title: 'Only with',
        description: 'Only entries with this text, or with one of a list.',
        foremost: true,
        examples: ['No school'],
      },
      without: {
        type: 'any',
        title: 'Not with',
        description: 'No entries with this text, or with one of a list.',
        foremost: true,
        examples: ['First day of school'],
      },
      from: {
        ...from,
        description: 'The first day that counts. For days without bells the default is today.',
      },
      until: {
        ...from,
        title: 'Last day',
        description: 'The last day that counts. For days without bells the default is a year later.',
        examples: ['2027-07-16'],
      },
    },
    required: ['ics', 'as'],
    rules: [
      {
        when: { required: ['as'], properties: { as: { enum: ['bells'] } } },
        must: { required: ['tag', 'audio'], because: 'bells' satisfies Phrase },
      },
    ],
  },
  {
    ...reads,
    id: 'export',
    title: 'Export a calendar',
    description: 'Exports the bells as an iCalendar text.',
    answer: 'text',
    fields: { from, days: { ...days, description: 'Number of days. The default is 366.', examples: [366] } },
    required: [],
  },
] as const satisfies readonly Operation[];

export const bellScheduler = {
  resource: scheduler.resource,
  operations: [...scheduler.operations, ...operations],
} as const satisfies OperationGroup;
