import {
  audioName,
  type Check,
  either,
  flag,
  integer,
  integerFrom,
  list,
  matching,
  maxMistakes,
  naturalNumber,
  nonEmptyText,
  type ObjectOf,
  object,
  oneOf,
  optional,
  required,
  rule,
  seconds,
  text,
  textThat,
} from '../checks/checks';
import { hexColorPattern } from '../checks/colors';
import { readJsonText } from '../wire/json-text';
import { dayOf } from './days';
import { refuseRule } from './rule';

export const maxApiCalls = 5;

const date: Check<string> = textThat('a date YYYY-MM-DD', (value) => dayOf(value) !== undefined);

/** Comma-separated dates, or an empty text (docs/readings.md). */
const dates: Check<string> = (value, name, device) => {
  if (typeof value !== 'string' || value === '') return text(value, name, device);
  const wrong = value.split(',').filter((one) => dayOf(one) === undefined);
  return wrong.slice(0, maxMistakes).flatMap((one) => date(one, name, device));
};

const time = matching('a time HH:MM or HH:MM:SS', /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/);
const hexColor = matching('a color #rrggbb', hexColorPattern);
const toggle = either(flag, oneOf(0, 1), 'true, false, 0 or 1');

const rrule: Check<string> = (value, name, device) => {
  if (typeof value !== 'string') return text(value, name, device);
  const problem = refuseRule(value);
  return problem === undefined ? [] : [`${name} ${problem}`];
};

const anyList: Check<readonly unknown[]> = rule('a list', (value) => Array.isArray(value));

const jsonText: Check<string> = textThat('a JSON document in a string', (value) => {
  try {
    readJsonText(Buffer.from(value));
    return true;
  } catch {
    return false;
  }
});

const eventFields = {
  event_type: optional(oneOf('play_tone', 'stream_audio', 'sip_call', 'api_call')),
  evid: optional(integer),
  name: optional(text),
  audio: optional(audioName),
  extension: optional(naturalNumber),
  start_date: optional(date),
  start_time: optional(time),
  rrule: optional(rrule),
  rdate: optional(dates),
  exdate: optional(dates),
  color: optional(hexColor),
  enabled: optional(toggle),
  auto_remove: optional(toggle),
  delay: optional(seconds),
  dtmf: optional(naturalNumber),
  duration: optional(seconds),
  greyed_out_date: optional(dates),
  mgroup: optional(integerFrom(1, 25)),
  zone: optional(naturalNumber),
  tag: optional(text),
  api_call: optional(anyList),
};
export type EventFields = ObjectOf<typeof eventFields>;
const event: Check<EventFields> = object(eventFields);

export const callMethod = matching('an HTTP method', /^[A-Z]+$/);
export const callPath = matching('a path without protocol or host', /^(?!\/\/|[a-z][a-z0-9+.-]*:)\S+$/i);

const callFields = {
  actid: optional(integer),
  method: optional(callMethod),
  target: optional(nonEmptyText),
  path: optional(callPath),
  header: optional(text),
  payload: optional(either(jsonText, oneOf(''), 'a JSON document in a string')),
  name: optional(text),
};
export type CallFields = ObjectOf<typeof callFields>;
/** The entries of `api_call`, which are checked only for events of the type `api_call`. */
export const apiCalls: Check<readonly CallFields[]> = list(object(callFields), maxApiCalls);

const groupFields = {
  groupid: optional(integer),
  name: optional(text),
  color: optional(hexColor),
  start_date: optional(date),
  rrule: optional(rrule),
  rdate: optional(dates),
  events: optional(list(event)),
};
export type GroupFields = ObjectOf<typeof groupFields>;

export interface Selector {
  readonly evid?: number;
  readonly groupid?: number;
  readonly actid?: number;
  readonly tag?: string;
}

const selectors = { evid: optional(integer), groupid: optional(integer), tag: optional(nonEmptyText) };

const dated = object({ ...selectors, date: required(date) }, (entry) =>
  refuseSelector(entry, 'evid, groupid, tag'),
);
const excluding = object({ ...selectors, exdate: required(date) }, (entry) =>
  refuseSelector(entry, 'evid, groupid, tag'),
);
const deletion: Check<Selector> = object({ ...selectors, actid: optional(integer) }, (entry) =>
  entry.evid === -1 ? 'evid -1 cannot be deleted' : refuseSelector(entry, 'evid, actid, groupid, tag'),
);

const bodyFields = {
  events: optional(list(event)),
  groups: optional(list(object(groupFields))),
  delete: optional(list(deletion)),
  exclude: optional(list(excluding)),
  remove_exclude: optional(list(dated)),
  skip: optional(list(dated)),
  remove_skip: optional(list(dated)),
};
export type ScheduleBody = ObjectOf<typeof bodyFields>;

/**
 * The check of the form of a POST (section 4.13). Rules that depend on the database are checked when the
 * request is carried out.
 */
export const scheduleBody: Check<ScheduleBody> = object(bodyFields, (body) =>
  Object.keys(body).length === 0 ? 'the body holds no operation' : undefined,
);

function refuseSelector(selector: Selector, words: string): string | undefined {
  const { evid, groupid, actid, tag } = selector;
  const given = [evid, groupid, actid, tag].filter((value) => value !== undefined);
  return given.length === 1 ? undefined : `each entry must hold exactly one of ${words}`;
}
