import type { Fields } from '../catalogue/operation';
import { eventFields, groupFields } from '../catalogue/schedule-fields';
import type { Schema } from '../catalogue/schema';
import { fieldSchema, mapValues } from './json-schema';

const text: Schema = { type: 'string' };
const texts = list(text);

/** Description of each field of a status (section 2.3). Each model sends only some of the fields. */
const status: Readonly<Record<string, string>> = {
  'Device Name': 'The name that was given to it.',
  'SIP Registration': 'State of the registration, for example Successful or No Account.',
  'Call Status': 'Idle, Ringing, Connected, Recording Message or Playing Delayed Page.',
  'Next Scheduled Action':
    'Schedule, action, date, time and perhaps tone of what comes next, or No Actions Scheduled.',
  'Next Scheduled Event': 'Schedule, date, time and audio of what comes next, or No Events Scheduled.',
  'Proxy Status': 'Single proxy mode, or which of the servers is in use and how each is.',
  'Provisioning Status': 'Disabled, Successful or None Found.',
  MAC: 'MAC address.',
  IPv4: 'IPv4 address, and the gateway if there is one.',
  IPv6: 'IPv6 address, and the gateway if there is one.',
  'Switch Port ID': 'Port of the network switch.',
  'Date / Time': 'Date and time of the device, for example Tue Sep 1 07:30:00 GMT 2026.',
  'Current Action': 'Action of the scheduler: None or Streaming Audio.',
  'Multicast Mode': 'Disabled, or Receiver or Transmitter with Active or Idle; more may follow.',
  'OAuth Profile Status': 'Active, or what is wrong.',
  Volume: 'Volume of pages, as level and decibels.',
  'Relay Input Status': 'Disabled, or state, mode and action of the relay input, and tampering.',
  Temperature: 'Temperature of the device.',
  'Stand (Docking Station)': 'State of the handset of an 8450: connected, and in use.',
  'Panic Button Status': 'Location, description and state of each panic button.',
  'Virtual Panic Button Status': 'Location, description and state of each virtual panic button.',
  'Action Button': 'Pressed or Idle.',
  Console: 'Activity of the 8450, for example Idle or Emergency Alert Active.',
  'Weather Status': 'State of the weather service and of the location.',
  'Last Weather Update': 'When the weather was last fetched.',
};

const about: Readonly<Record<string, string>> = {
  'Product Name': 'The model, in words of the maker.',
  'Firmware Version': 'For example 5.7.',
  'MAC Address': 'MAC address.',
  'Hardware Info': 'Revision of the hardware.',
  'Manufacturer Certificate': "State of the maker's certificate, for example Installed.",
};

const evid: Schema = { type: 'integer', description: 'Number of the event.' };
const groupid: Schema = { type: 'integer', description: 'Number of the group.' };
const event = { $ref: '#/components/schemas/ScheduledEvent' };
const group = { $ref: '#/components/schemas/ScheduledGroup' };

export const records: Readonly<Record<string, Schema>> = {
  ScheduledEvent: object({ ...record(eventFields), evid }),
  ScheduledGroup: object({ ...record(groupFields), groupid, events: list(event) }),
};

const instance = {
  evid,
  color: { ...text, description: 'Its color in the calendar.' },
  name: { ...text, description: 'Name in the calendar.' },
  start_time: { ...text, description: 'Time of day.' },
  skipped: { enum: [0, 1], description: '1: the event is skipped on this day.' },
} as const satisfies Record<string, Schema>;

const affected = object({
  ...instance,
  recurrent: { description: 'Recurrence of the event.' },
  group: { ...text, description: 'Name of its group, where it is in one.' },
  group_color: { ...text, description: 'Color of its group.' },
  groupid,
});

/**
 * The applied operations, which the device repeats in its answer. An operation for all events of a day adds
 * `affected_events` (section 4.13).
 */
const carriedOut = list(object({ affected_events: list(affected) }));

const fileList = object({ filelist: { ...texts, description: 'Names of the files.' } }, ['filelist']);

/**
 * Schema of each answer with content, keyed by `resource/operation`, as in the interface document. For
 * `files/get`, only the answer for a folder is described. A device can add fields.
 */
export const answers: Readonly<Record<string, Schema>> = {
  'console/stop': { ...text, description: 'Number of events that were stopped, perhaps in words.' },
  'console/status': object({ active: list(object({ type: text }, ['type'])) }, ['active']),
  'scheduler/get': object({ format: { enum: ['v2.0'] }, groups: list(group), events: list(event) }, [
    'groups',
    'events',
  ]),
  'scheduler/range': object(
    {
      format: { enum: ['v2.0'] },
      events: {
        type: 'object',
        description: 'Events of each day, by its date (YYYY-MM-DD).',
        additionalProperties: list(object(instance, ['evid', 'name', 'skipped'])),
      },
    },
    ['events'],
  ),
  'scheduler/apply': object({
    events: list(event),
    groups: list(group),
    delete: carriedOut,
    exclude: carriedOut,
    remove_exclude: carriedOut,
    skip: carriedOut,
    remove_skip: carriedOut,
  }),
  'settings/get': {
    type: 'object',
    description: 'The value by the name of the setting.',
    additionalProperties: text,
  },
  'settings/restore': object({ Restore: text }, ['Restore']),
  'files/list': fileList,
  'files/get': fileList,
  'files/download': fileList,
  'files/md5sum': object(
    {
      md5sum: { ...text, pattern: '^[0-9a-fA-F]{32}$', examples: ['5eb63bbbe01eeed093cb22bb8f5acdc3'] },
    },
    ['md5sum'],
  ),
  'system/upgrade-check': object(
    { version: { ...text, description: 'updated, or the version that is there.' } },
    ['version'],
  ),
  'system/upgrade-start': object(
    {
      status: { ...text, description: 'updated, upgrading with the version, or a sentence.' },
      url: { ...text, description: 'Address of the firmware download.' },
    },
    ['status'],
  ),
  'info/about': { ...object(described(about)), additionalProperties: text },
  'info/status': object(described(status)),
  'info/tonelist': object({ tonelist: { ...texts, description: 'Names of the tone files.' } }, ['tonelist']),
  'info/input-relay': single('input.relay.status', 'idle, active and perhaps more, or Disabled.'),
  'info/input-relay1': single('input.relay1.status', 'idle, active and perhaps more, or Disabled.'),
  'info/input-relay2': single('input.relay2.status', 'idle, active and perhaps more, or Disabled.'),
  'info/noise-level': single('audio.noise.level', 'Ambient noise in decibels.'),
};

function object(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function single(name: string, description: string): Schema {
  return object({ [name]: { ...text, description } }, [name]);
}

function list(items: Schema): Schema {
  return { type: 'array', items };
}

function described(fields: Readonly<Record<string, string>>): Record<string, Schema> {
  return mapValues(fields, (description) => ({ ...text, description }));
}

/**
 * Returns schemas for a record in an answer. The schemas have no limits, since an answer can exceed the
 * limits of a request.
 */
function record(fields: Fields): Record<string, Schema> {
  return mapValues(fields, (field) => {
    const { title, description, type, enum: values, items } = fieldSchema(field);
    const inside = field.items?.properties;
    return {
      title,
      description,
      ...(type !== undefined && { type }),
      ...(field.type === 'flag' && { enum: values }),
      ...(items !== undefined && { items: inside ? object(record(inside)) : items }),
    };
  });
}
