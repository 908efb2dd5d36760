/** Section 4.8.2, typed by hand. */
export const templates = [
  'school_time',
  'school_date_time',
  'hospital_scrolling_text',
  'hospital_text',
  'hospital_time',
  'announcement',
  'dont_forget',
  'reminder',
  'today_is',
  'time_date_bg',
  'time_date_bg2',
  'dualclock1',
  'dualclock1_nocorner',
  'dualclock2',
  'dualclock3',
  'calendar_time_date',
  'calendar_time_image',
  'calendar_analog_clock',
  'weather_current',
  'weather_hourly',
  'weather_weekly',
];

const text = 'textBg textBgColor textColor textFont textPosition textScroll textScrollSpeed textSize';
const event =
  'event_type evid name audio extension start_date start_time rrule rdate exdate color enabled auto_remove delay ' +
  'dtmf duration greyed_out_date mgroup zone tag';
const bell = 'name time days audio from until except zone color dtmf enabled type extension';
const entry = 'actid method target path header payload name';
const dotted = (prefix: string, names: string): string =>
  names
    .split(' ')
    .map((name) => `${prefix}.${name}`)
    .join(' ');

/** What flows may rely on of an operation. */
export interface Promised {
  /** Its fields, with blanks between them; those inside of others dotted. */
  readonly fields?: string;
  /** Fields that came later than the operation itself, with the firmware that brought them. */
  readonly since?: Readonly<Record<string, string>>;
  /** What it starts or ends: messages about the same thing reach a device in their order. */
  readonly deviceOutput?: string;
  /** It ends its device output. */
  readonly ends?: true;
  /** It is safe to send it twice. */
  readonly repeatable?: true;
  /** It goes before everything else. */
  readonly urgent?: true;
  /** What the device answers, where the document shows it. */
  readonly answer?: 'json' | 'text' | 'file';
  /** It may take this long at least. */
  readonly seconds?: number;
}

/**
 * What flows may rely on, typed by hand from docs/contract.md and sections 2.6a and 4: every operation of every node.
 * `request` is a node without operations. Nothing here may go; what is new stands here as soon as it is promised.
 */
export const promised: Readonly<Record<string, Promised>> = {
  'door/lock': { deviceOutput: 'door', ends: true, fields: 'doorid', repeatable: true, urgent: true },
  'door/unlock': { deviceOutput: 'door', fields: 'doorid', repeatable: true },
  'door/munlock': { deviceOutput: 'door', fields: 'doorid duration' },
  'tone/start': {
    deviceOutput: 'tone',
    fields: `path loop duration interval mcast playback state ${dotted('state', 'mode address port type group')}`,
    since: { duration: '5.7', mcast: '5.6', playback: '5.6', state: '5.6' },
  },
  'tone/stop': { deviceOutput: 'tone', ends: true, fields: 'path', repeatable: true, urgent: true },
  'tone/upload-play': {
    deviceOutput: 'tone',
    fields: `content duration interval loop mcast playback state ${dotted('state', 'mode address port type group')}`,
    seconds: 120,
  },
  'tone/test-start': { deviceOutput: 'test' },
  'tone/test-loop': { deviceOutput: 'test' },
  'tone/test-stop': { deviceOutput: 'test', ends: true, repeatable: true, urgent: true },
  'strobe/start': {
    deviceOutput: 'strobe',
    fields: 'pattern color1 color2 ledlvl duration',
    since: { duration: '5.7' },
    repeatable: true,
  },
  'strobe/stop': { deviceOutput: 'strobe', ends: true, repeatable: true, urgent: true },
  'screen/start': {
    deviceOutput: 'screen',
    fields:
      `type image1 image2 screenName text1 text2 text3 ${text} duration slideNames overrideStrobe template stopAfter ` +
      'strobeFlash strobeColor strobeColor2 strobeLedlvl clockFormat clockSeconds clockSecondsAnalog clockSize ' +
      'clockPosition clockBgColor clockFgColor date datePosition dateSize dateColor analogBgColor analogFgColor ' +
      'analogSecondsColor clockFont clockBgImage showWeather icon1 icon2 colorScheme layout scrollSpeed font ' +
      'dualClock1Color headline showExtra',
    since: { stopAfter: '5.7' },
    repeatable: true,
  },
  'screen/stop': { deviceOutput: 'screen', ends: true, repeatable: true, urgent: true },
  'screen/text-start': {
    deviceOutput: 'text',
    fields: `textContent duration persistent ${text}`,
    repeatable: true,
  },
  'screen/text-stop': { deviceOutput: 'text', ends: true, repeatable: true, urgent: true },
  'call/start': {
    deviceOutput: 'call',
    fields: 'extension tone interval maxdur dtmf',
    since: { dtmf: '5.7' },
  },
  'call/stop': { deviceOutput: 'call', ends: true, repeatable: true, urgent: true },
  'call/page': { deviceOutput: 'call', fields: 'extension' },
  'relay/enable': { deviceOutput: 'relay', repeatable: true },
  'relay/disable': { deviceOutput: 'relay', ends: true, repeatable: true, urgent: true },
  'relay/menable': { deviceOutput: 'relay', fields: 'duration' },
  'relay/24v-enable': { deviceOutput: '24v' },
  'relay/24v-disable': { deviceOutput: '24v', ends: true, urgent: true },
  'console/activate': { deviceOutput: 'console', fields: 'id' },
  'console/stop': {
    deviceOutput: 'console',
    ends: true,
    fields: 'type',
    repeatable: true,
    urgent: true,
    answer: 'text',
  },
  'console/status': { repeatable: true, answer: 'json' },
  'emergency/start': { deviceOutput: 'emergency', fields: 'announcement', repeatable: true, urgent: true },
  'emergency/stop': { deviceOutput: 'emergency', ends: true, repeatable: true, urgent: true },
  'scheduler/get': { repeatable: true, answer: 'json' },
  'scheduler/range': { fields: 'events days', repeatable: true, answer: 'json' },
  'scheduler/apply': {
    fields: [
      'events groups delete exclude remove_exclude skip remove_skip',
      dotted('events', `${event} api_call`),
      dotted('events.api_call', entry),
      dotted('groups', 'groupid name color start_date rrule rdate events'),
      dotted('delete', 'evid actid groupid tag'),
      dotted('exclude', 'evid groupid tag exdate'),
      dotted('remove_exclude', 'evid groupid tag date'),
      dotted('skip', 'evid groupid tag date'),
      dotted('remove_skip', 'evid groupid tag date'),
    ].join(' '),
    answer: 'json',
  },
  'settings/get': { fields: 'name', repeatable: true, answer: 'json' },
  'settings/put': { repeatable: true },
  'settings/restore': { fields: 'confirm', answer: 'json' },
  'files/list': { fields: 'path', repeatable: true, answer: 'json' },
  'files/get': { fields: 'path', repeatable: true, answer: 'file', seconds: 60 },
  'files/download': { fields: 'path', answer: 'file', seconds: 60 },
  'files/put': { fields: 'path content', repeatable: true, seconds: 60 },
  'files/delete': { fields: 'path' },
  'files/md5sum': { fields: 'path', repeatable: true, answer: 'json' },
  'audio/rx-start': { deviceOutput: 'rx', fields: 'port', repeatable: true },
  'audio/rx-stop': { deviceOutput: 'rx', ends: true, repeatable: true, urgent: true },
  'audio/noise-update': { fields: 'level', repeatable: true },
  'audio/mcast-update': { fields: 'mode address port type group', repeatable: true },
  'system/reboot': {},
  'system/reload': {},
  'system/upgrade-check': { answer: 'json', seconds: 60 },
  'system/upgrade-start': { answer: 'json', seconds: 60 },
  'info/about': { repeatable: true, answer: 'json' },
  'info/status': { repeatable: true, answer: 'json' },
  'info/tonelist': { repeatable: true, answer: 'json' },
  'info/input-relay': { repeatable: true, answer: 'json' },
  'info/input-relay1': { repeatable: true, answer: 'json' },
  'info/input-relay2': { repeatable: true, answer: 'json' },
  'info/noise-level': { repeatable: true, answer: 'json' },
  request: { fields: 'method path body contentType' },
};

/** What flows may rely on of the operations that are made of others, typed by hand from docs/contract.md, section 2.7. */
export const made: Readonly<Record<string, Promised>> = {
  'scheduler/skip': { fields: 'dates evid groupid tag', answer: 'json' },
  'scheduler/unskip': { fields: 'dates evid groupid tag', answer: 'json' },
  'scheduler/exclude': { fields: 'dates evid groupid tag', answer: 'json' },
  'scheduler/unexclude': { fields: 'dates evid groupid tag', answer: 'json' },
  'scheduler/ring': { fields: 'audio delay name zone color dtmf enabled auto_remove tag', answer: 'json' },
  'scheduler/sync': { fields: `tag bells dryRun ${dotted('bells', bell)}`, answer: 'json' },
  'scheduler/preview': {
    fields: `from days bells tag ${dotted('bells', bell)}`,
    repeatable: true,
    answer: 'json',
  },
  'scheduler/import': { fields: 'ics as tag audio from until', answer: 'json' },
  'scheduler/export': { fields: 'from days', repeatable: true, answer: 'text' },
  'settings/compare': { repeatable: true, answer: 'json' },
  'settings/apply': { repeatable: true, answer: 'json' },
  'settings/backup': { fields: 'names', repeatable: true, answer: 'json' },
};

/** The promised operations by name; `request` has none. */
export const operations = Object.keys(promised).filter((operationName) => operationName !== 'request');

/** The promised fields of an operation. */
export function fieldsOf(operationName: string): readonly string[] {
  return promised[operationName]?.fields?.split(' ') ?? [];
}
