import { everyGroup } from '../../src/catalogue';

/** The rows of each dialog in their order, typed from section 4 of the interface document. */

const text = [
  'textBg',
  'textBgColor',
  'textColor',
  'textFont',
  'textPosition',
  'textScroll',
  'textScrollSpeed',
  'textSize',
];
const strobe = ['strobeFlash', 'strobeColor', 'strobeColor2', 'strobeLedlvl'];
const always = ['stopAfter', ...strobe];
const onTemplates = ['showWeather', ...always];
const clock = ['clockSize', 'clockPosition', 'date', 'datePosition', 'dateSize', 'dateColor', 'clockBgImage'];
const state = ['state.mode', 'state.address', 'state.port', 'state.type', 'state.group'];
const school = ['icon1', 'icon2', 'clockFormat', 'clockSeconds', 'colorScheme'];
const timeDate = [
  'image1',
  'font',
  'textColor',
  'clockFgColor',
  'clockFormat',
  'clockFont',
  'clockSeconds',
  ...onTemplates,
];
const dualClock = ['image1', 'icon1', 'clockSeconds', 'clockSecondsAnalog', 'dualClock1Color'];
const weather = ['clockFormat', 'clockSeconds', 'headline', 'showExtra', ...onTemplates];

/** The rows of each operation by resource; those of screen/start are `shown`. */
export const rows: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  door: { lock: ['doorid'], unlock: ['doorid'], munlock: ['doorid', 'duration'] },
  tone: {
    start: ['path', 'loop', 'duration', 'interval', 'mcast', 'playback', ...state],
    stop: ['path'],
    'upload-play': ['content', 'duration', 'interval', 'loop', 'mcast', 'playback', ...state],
    'test-start': [],
    'test-loop': [],
    'test-stop': [],
  },
  strobe: { start: ['pattern', 'color1', 'color2', 'ledlvl', 'duration'], stop: [] },
  screen: { stop: [], 'text-start': ['textContent', 'duration', 'persistent', ...text], 'text-stop': [] },
  call: { start: ['extension', 'tone', 'interval', 'maxdur', 'dtmf'], stop: [], page: ['extension'] },
  relay: { enable: [], disable: [], menable: ['duration'], '24v-enable': [], '24v-disable': [] },
  console: { activate: ['id'], stop: ['type'], status: [] },
  emergency: { start: ['announcement'], stop: [] },
  scheduler: {
    get: [],
    range: ['events', 'days'],
    apply: ['events', 'groups', 'delete', 'exclude', 'remove_exclude', 'skip', 'remove_skip'],
  },
  settings: { get: ['name'], put: [], restore: ['confirm'] },
  files: {
    list: ['path'],
    get: ['path'],
    download: ['path'],
    put: ['path', 'content'],
    delete: ['path'],
    md5sum: ['path'],
  },
  audio: {
    'rx-start': ['port'],
    'rx-stop': [],
    'noise-update': ['level'],
    'mcast-update': ['mode', 'address', 'port', 'type', 'group'],
  },
  system: { reboot: [], reload: [], 'upgrade-check': [], 'upgrade-start': [] },
  info: {
    about: [],
    status: [],
    tonelist: [],
    'input-relay': [],
    'input-relay1': [],
    'input-relay2': [],
    'noise-level': [],
  },
  request: { request: ['method', 'path', 'body', 'contentType'] },
};

/** The rows of each choice of screen/start (4.8), in the order of the select. */
export const shown: Readonly<Record<string, readonly string[]>> = {
  image: ['image1', ...always],
  'by-name': ['screenName', ...always],
  'image-text': ['image1', 'text1', ...text, ...always],
  'digital-clock': [
    ...['clockFormat', 'clockSeconds', 'clockBgColor', 'clockFgColor', 'clockFont'],
    ...clock,
    ...always,
  ],
  'analog-clock': [
    ...['clockSecondsAnalog', 'analogBgColor', 'analogFgColor', 'analogSecondsColor'],
    ...clock,
    ...always,
  ],
  'flashing-images': ['image1', 'image2', ...always],
  slideshow: ['duration', 'slideNames', 'overrideStrobe', ...always],
  school_time: [...school, ...onTemplates],
  school_date_time: [...school, 'layout', ...onTemplates],
  hospital_scrolling_text: ['icon1', 'text1', 'scrollSpeed', ...onTemplates],
  hospital_text: ['icon1', 'text1', ...onTemplates],
  hospital_time: ['icon1', 'clockFormat', 'clockSeconds', ...onTemplates],
  announcement: ['text1', 'text2', ...onTemplates],
  dont_forget: ['text1', 'text2', 'text3', ...onTemplates],
  reminder: ['text1', 'text2', 'text3', ...onTemplates],
  today_is: ['text1', 'image1', ...onTemplates],
  time_date_bg: timeDate,
  time_date_bg2: timeDate,
  dualclock1: [...dualClock, 'analogSecondsColor', ...onTemplates],
  dualclock1_nocorner: [...dualClock, 'analogSecondsColor', ...onTemplates],
  dualclock2: [...dualClock, ...onTemplates],
  dualclock3: [...dualClock, 'analogSecondsColor', ...onTemplates],
  calendar_time_date: ['icon1', 'colorScheme', ...onTemplates],
  calendar_time_image: ['icon1', 'colorScheme', 'image1', ...onTemplates],
  calendar_analog_clock: ['icon1', 'colorScheme', ...onTemplates],
  weather_current: weather,
  weather_hourly: weather,
  weather_weekly: weather,
};

/** The options of the nodes of the contract, and the operations that have them (docs/contract.md 2.2; sections 4.1 to 4.3). */
const options: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  settings: { confirmWrite: ['put'], reloadAfter: ['put', 'apply'], waitUntilBack: ['restore'] },
  files: { confirmWrite: ['put'], skipUnchanged: ['put'] },
  audio: { confirmWrite: ['noise-update'] },
  scheduler: { confirmWrite: ['skip', 'unskip', 'exclude', 'unexclude', 'ring', 'sync', 'import'] },
  system: { waitUntilBack: ['reboot', 'reload', 'upgrade-start'] },
};

/** The options of a node and the operations that have them; of one that nobody typed, by the catalogue. */
export function optionsOf(resource: string): Readonly<Record<string, readonly string[]>> {
  if (resource in rows) return options[resource] ?? {};
  const found: Record<string, string[]> = {};
  for (const { id, options: own = [] } of everyGroup.find((one) => one.resource === resource)?.operations ??
    []) {
    for (const option of own) found[option] = [...(found[option] ?? []), id];
  }
  return found;
}
