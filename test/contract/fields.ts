/** design.md 2.2, typed by hand: every operation of every node; `request` has none. */
export const operations = [
  ['door', 'lock', 'unlock', 'munlock'],
  ['tone', 'start', 'stop', 'upload-play', 'test-start', 'test-loop', 'test-stop'],
  ['strobe', 'start', 'stop'],
  ['screen', 'start', 'stop', 'text-start', 'text-stop'],
  ['call', 'start', 'stop', 'page'],
  ['relay', 'enable', 'disable', 'menable', '24v-enable', '24v-disable'],
  ['console', 'activate', 'stop', 'status'],
  ['emergency', 'start', 'stop'],
  ['scheduler', 'get', 'range', 'apply'],
  ['settings', 'get', 'put', 'restore'],
  ['files', 'list', 'get', 'download', 'put', 'delete', 'md5sum'],
  ['audio', 'rx-start', 'rx-stop', 'noise-update', 'mcast-update'],
  ['system', 'reboot', 'reload', 'upgrade-check', 'upgrade-start'],
  ['info', 'about', 'status', 'tonelist', 'input-relay', 'input-relay1', 'input-relay2', 'noise-level'],
].flatMap(([noun, ...ids]) => ids.map((id) => `${noun}/${id}`));

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
const entry = 'actid method target path header payload name';
const dotted = (prefix: string, names: string): string =>
  names
    .split(' ')
    .map((name) => `${prefix}.${name}`)
    .join(' ');

/** Section 4 and 2.6a, typed by hand: every field of every operation that has any. */
export const fields: Readonly<Record<string, string>> = {
  'door/lock': 'doorid',
  'door/unlock': 'doorid',
  'door/munlock': 'doorid duration',
  'tone/start': `path loop duration interval mcast playback state ${dotted('state', 'mode address port type group')}`,
  'tone/stop': 'path',
  'tone/upload-play': `content duration interval loop mcast playback state ${dotted('state', 'mode address port type group')}`,
  'strobe/start': 'pattern color1 color2 ledlvl duration',
  'screen/start':
    `type image1 image2 screenName text1 text2 text3 ${text} duration slideNames overrideStrobe template stopAfter ` +
    'strobeFlash strobeColor strobeColor2 strobeLedlvl clockFormat clockSeconds clockSecondsAnalog clockSize ' +
    'clockPosition clockBgColor clockFgColor date datePosition dateSize dateColor analogBgColor analogFgColor ' +
    'analogSecondsColor clockFont clockBgImage showWeather icon1 icon2 colorScheme layout scrollSpeed font ' +
    'dualClock1Color headline showExtra',
  'screen/text-start': `textContent duration persistent ${text}`,
  'call/start': 'extension tone interval maxdur dtmf',
  'call/page': 'extension',
  'relay/menable': 'duration',
  'console/activate': 'id',
  'console/stop': 'type',
  'emergency/start': 'announcement',
  'scheduler/range': 'events days',
  'scheduler/apply': [
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
  'settings/get': 'name',
  'settings/restore': 'confirm',
  'files/list': 'path',
  'files/get': 'path',
  'files/download': 'path',
  'files/put': 'path content',
  'files/delete': 'path',
  'files/md5sum': 'path',
  'audio/rx-start': 'port',
  'audio/noise-update': 'level',
  'audio/mcast-update': 'mode address port type group',
  request: 'method path body contentType',
};
