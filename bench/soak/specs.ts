/**
 * Every operation as a message can ask for it, by hand from the contract: what is sent, how its request is told
 * from all others, what it starts or stops, and whether it may be sent twice.
 */

/** How a request is told: by a word or number of its own in it, by its line and body alone, or not at all. */
type Identity = 'word' | 'number' | 'line' | 'none';

export interface OperationSpec {
  readonly name: string;
  readonly operation: string;
  /** Method and path; with a star at its end the path goes on. */
  readonly line: string;
  readonly parameters: (id: number) => Readonly<Record<string, unknown>>;
  readonly identity: Identity;
  /** The body, where that is all there is to tell it by. */
  readonly body: string;
  readonly deviceOutput?: string;
  readonly role?: 'start' | 'stop';
  /** Whether doing it twice is doing it once (docs/field-notes.md, section 6); what is on neither list is not. */
  readonly repeatable: boolean;
}

type Extra = Partial<Pick<OperationSpec, 'name' | 'deviceOutput' | 'role' | 'body'>>;
type Fields = Readonly<Record<string, unknown>>;

/** The word by which a request is told, wherever it may stand. */
export const wordOf = (id: number): string => `soak${id}z`;

const rx = /soak(\d{1,6})z/;
/** The fields that hold a message's number, where no word may stand. */
const numbers = /"(?:pattern|port|level)":"?-?(\d{1,6})"?[,}]/;
/** Where there is another, this may be when the device ends it. */
const durations = /"duration":"?(\d{1,6})"?[,}]/;

function spec(
  operation: string,
  line: string,
  identity: Identity,
  parameters: (id: number) => Fields,
  repeatable: boolean,
  extra: Extra = {},
): OperationSpec {
  return { name: operation, operation, line, identity, parameters, repeatable, body: '', ...extra };
}

const safe = true;
const unsafe = false;
const nothing = () => ({});
const control = (path: string): string => `POST /api/controls/${path}`;

function doors(doorid: string): OperationSpec[] {
  const given = { doorid };
  const deviceOutput = `door ${doorid}`;
  const body = JSON.stringify(given);
  const of = (spec: string) => ({ name: `door/${spec} ${doorid}`, deviceOutput, body });
  return [
    spec('door/lock', control('door/lock'), 'line', () => given, safe, { ...of('lock'), role: 'stop' }),
    spec('door/unlock', control('door/unlock'), 'line', () => given, safe, {
      ...of('unlock'),
      role: 'start',
    }),
    spec(
      'door/munlock',
      control('door/munlock'),
      'number',
      (id) => ({ doorid, duration: String(id) }),
      unsafe,
      { ...of('munlock'), role: 'start' },
    ),
  ];
}

const wav = (id: number): Buffer => {
  const head = Buffer.from(
    '524946463400000057415645666d74201000000001000100803e0000007d0000020010006461746110000000',
    'hex',
  );
  return Buffer.concat([head, Buffer.from(wordOf(id).padEnd(16, '\0'))]);
};

const bell = (id: number): Fields => ({
  event_type: 'play_tone',
  name: wordOf(id),
  audio: 'bell-na.wav',
  start_date: '2026-09-01',
  start_time: '08:00',
  rrule: 'FREQ=DAILY',
  color: '#ff8800',
});

const starts = (deviceOutput: string): Extra => ({ deviceOutput, role: 'start' });
const stops = (deviceOutput: string): Extra => ({ deviceOutput, role: 'stop' });

const emergencies = Array.from({ length: 10 }, (_, index) => {
  const given = { announcement: index + 1 };
  return spec('emergency/start', control('emergency-alert/start'), 'line', () => given, safe, {
    name: `emergency/start ${index + 1}`,
    body: JSON.stringify(given),
    ...starts('emergency'),
  });
});

const consoleStops = ['all', 'emergency', 'nonEmergency', 'call', 'pageMic', 'pageTone'].map((type) =>
  spec('console/stop', control('console/event/stop'), 'line', () => ({ type }), safe, {
    name: `console/stop ${type}`,
    body: JSON.stringify({ type }),
    // A button may start anything, which only this ends for sure.
    ...(type === 'all' && stops('console')),
  }),
);

const screens: OperationSpec[] = [
  (id: number) => ({ type: 'image', image1: `${wordOf(id)}.png` }),
  (id: number) => ({ screenName: wordOf(id) }),
  (id: number) => ({ type: 'image', image1: 'map.png', text1: wordOf(id), textScroll: false }),
  (id: number) => ({ type: 'digitalClock', clockBgImage: wordOf(id) }),
  (id: number) => ({ type: 'blitz', image1: 'a.png', image2: wordOf(id) }),
  (id: number) => ({ duration: 5, slideNames: wordOf(id), overrideStrobe: false }),
  (id: number) => ({ type: 'template', template: 'announcement', text1: wordOf(id), strobeFlash: 15 }),
].map((parameters, index) =>
  spec('screen/start', control('screen/start'), 'word', parameters, safe, {
    name: `screen/start ${index + 1}`,
    ...starts('screen'),
  }),
);

export const specs: readonly OperationSpec[] = [
  ...doors('local'),
  ...doors('netdc1'),
  spec(
    'tone/start',
    control('tone/start'),
    'word',
    (id) => ({ path: `${wordOf(id)}.wav`, loop: id % 2 === 0 }),
    unsafe,
    starts('tone'),
  ),
  spec('tone/stop', control('tone/stop'), 'line', nothing, safe, stops('tone')),
  spec('tone/upload-play', control('tone/upload-play'), 'word', (id) => ({ content: wav(id) }), unsafe, {
    ...starts('tone'),
    name: 'tone/upload-play raw',
  }),
  spec(
    'tone/upload-play',
    control('tone/upload-play'),
    'word',
    (id) => ({ content: wav(id), loop: false }),
    unsafe,
    { ...starts('tone'), name: 'tone/upload-play form' },
  ),
  spec('tone/test-start', control('test/start'), 'line', nothing, unsafe, starts('test')),
  spec('tone/test-loop', control('test/loop'), 'line', nothing, unsafe, starts('test')),
  spec('tone/test-stop', control('test/stop'), 'line', nothing, safe, stops('test')),
  spec(
    'strobe/start',
    control('strobe/start'),
    'number',
    (id) => ({ pattern: id, color1: 'red', ledlvl: '255' }),
    safe,
    starts('strobe'),
  ),
  spec('strobe/stop', control('strobe/stop'), 'line', nothing, safe, stops('strobe')),
  ...screens,
  spec('screen/stop', control('screen/stop'), 'line', nothing, safe, stops('screen')),
  spec(
    'screen/text-start',
    control('screen-text/start'),
    'word',
    (id) => ({ textContent: wordOf(id) }),
    safe,
    starts('text'),
  ),
  spec('screen/text-stop', control('screen-text/stop'), 'line', nothing, safe, stops('text')),
  spec(
    'call/start',
    control('call/start'),
    'word',
    (id) => ({ extension: wordOf(id), tone: 'chime.wav' }),
    unsafe,
    starts('call'),
  ),
  spec(
    'call/page',
    control('call/page'),
    'word',
    (id) => ({ extension: wordOf(id) }),
    unsafe,
    starts('call'),
  ),
  spec('call/stop', control('call/stop'), 'line', nothing, safe, stops('call')),
  spec('relay/enable', control('relay/enable'), 'line', nothing, safe, starts('relay')),
  spec(
    'relay/menable',
    control('relay/menable'),
    'number',
    (id) => ({ duration: id }),
    unsafe,
    starts('relay'),
  ),
  spec('relay/disable', control('relay/disable'), 'line', nothing, safe, stops('relay')),
  spec('relay/24v-enable', control('24v/enable'), 'line', nothing, unsafe, starts('24v')),
  spec('relay/24v-disable', control('24v/disable'), 'line', nothing, safe, stops('24v')),
  spec(
    'console/activate',
    control('console/button/activate'),
    'word',
    (id) => ({ id: wordOf(id) }),
    unsafe,
    starts('console'),
  ),
  ...consoleStops,
  spec('console/status', 'GET /api/console/event/status', 'none', nothing, safe),
  ...emergencies,
  spec('emergency/stop', control('emergency-alert/stop'), 'line', nothing, safe, stops('emergency')),
  spec('scheduler/get', 'GET /api/schedules', 'none', nothing, safe),
  spec(
    'scheduler/range',
    'GET /api/schedules*',
    'none',
    (id) => ({ events: '2026-09-01', days: (id % 30) + 1 }),
    safe,
  ),
  spec('scheduler/apply', 'POST /api/schedules', 'word', (id) => ({ events: [bell(id)] }), unsafe),
  spec('settings/get', 'GET /api/settings/*', 'word', (id) => ({ name: `soak.${wordOf(id)}` }), safe),
  spec('settings/put', 'PUT /api/settings', 'word', (id) => ({ [`soak.${wordOf(id)}`]: String(id) }), safe),
  spec('settings/restore', 'POST /api/settings/action/restore', 'line', () => ({ confirm: true }), unsafe),
  spec('files/list', 'GET /api/files/*', 'word', (id) => ({ path: wordOf(id) }), safe),
  spec('files/get', 'GET /api/files/*', 'word', (id) => ({ path: `tones/${wordOf(id)}.wav` }), safe),
  spec(
    'files/download',
    'POST /api/files/download',
    'word',
    (id) => ({ path: `tones/${wordOf(id)}.wav` }),
    unsafe,
  ),
  spec(
    'files/put',
    'PUT /api/files/*',
    'word',
    (id) => ({ path: `tones/${wordOf(id)}.wav`, content: wav(id) }),
    safe,
  ),
  spec('files/delete', 'DELETE /api/files/', 'word', (id) => ({ path: `tones/${wordOf(id)}.wav` }), unsafe),
  spec('files/md5sum', 'GET /api/file-md5sum/*', 'word', (id) => ({ path: `tones/${wordOf(id)}.wav` }), safe),
  spec('audio/rx-start', control('rx/start'), 'number', (id) => ({ port: String(id) }), safe, starts('rx')),
  spec('audio/rx-stop', control('rx/stop'), 'line', nothing, safe, stops('rx')),
  spec('audio/noise-update', control('noise/update'), 'number', (id) => ({ level: String(-id) }), safe),
  spec(
    'audio/mcast-update',
    'POST /api/state/mcast/update/',
    'number',
    (id) => ({ mode: 'sender', address: '224.0.2.60', port: String(id), type: 'rtp' }),
    safe,
  ),
  spec('system/reboot', control('reboot'), 'line', nothing, unsafe),
  spec('system/reload', control('reload'), 'line', nothing, unsafe),
  spec('system/upgrade-check', control('upgrade/check'), 'line', nothing, unsafe),
  spec('system/upgrade-start', control('upgrade/start'), 'line', nothing, unsafe),
  spec('info/about', 'GET /api/info/about', 'none', nothing, safe),
  spec('info/status', 'GET /api/info/status', 'none', nothing, safe),
  spec('info/tonelist', 'GET /api/info/tonelist', 'none', nothing, safe),
  spec('info/input-relay', 'GET /api/info/input.relay.status', 'none', nothing, safe),
  spec('info/input-relay1', 'GET /api/info/input.relay1.status', 'none', nothing, safe),
  spec('info/input-relay2', 'GET /api/info/input.relay2.status', 'none', nothing, safe),
  spec('info/noise-level', 'GET /api/info/audio.noise.level', 'none', nothing, safe),
  spec(
    'request',
    'POST /api/soak/*',
    'word',
    (id) => ({ method: 'POST', path: `/api/soak/${wordOf(id)}`, body: { id } }),
    unsafe,
    { name: 'request POST' },
  ),
  spec(
    'request',
    'GET /api/soak/*',
    'word',
    (id) => ({ method: 'GET', path: `/api/soak/${wordOf(id)}?n=${id}` }),
    safe,
    { name: 'request GET' },
  ),
];

const byName = new Map(specs.map((each) => [each.name, each]));

export function specNamed(name: string): OperationSpec {
  const found = byName.get(name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return found;
}

/** What tells a request: its message's number, or its line and body. */
export interface Identified {
  readonly message?: number;
  readonly key: string;
}

/** Whom a request belongs to, as far as it says so itself. */
export function identify(method: string, path: string, body: string): Identified {
  const key = `${method} ${path} ${body}`;
  const word = rx.exec(`${path} ${body}`)?.[1];
  const number =
    word ?? (/controls|mcast/.test(path) ? (numbers.exec(body) ?? durations.exec(body))?.[1] : undefined);
  return number === undefined ? { key } : { key, message: Number(number) };
}

/** The key of an operation whose requests do not name their message; undefined where they do, or where all look alike. */
export const keyOf = ({ identity, line, body }: OperationSpec): string | undefined =>
  identity === 'line' ? `${line} ${body}` : undefined;

/** Whether a request is the operation itself, and not a read before or after it. */
export function isMainRequest({ line }: OperationSpec, method: string, path: string): boolean {
  const asked = `${method} ${path}`;
  return line.endsWith('*') ? asked.startsWith(line.slice(0, -1)) : asked === line;
}
