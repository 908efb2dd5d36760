import assert from 'node:assert/strict';
import { books } from '.';
import { hmac, md5 } from './wire';

/** design.md 2.2, typed by hand: every operation of every node; `request` has none. */
const operations = [
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
const templates = [
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
const fields: Readonly<Record<string, string>> = {
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

/** The dotted names in an object; lists are looked through. */
function namesIn(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => namesIn(item, prefix));
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    `${prefix}${name}`,
    ...namesIn(inner, `${prefix}${name}.`),
  ]);
}

const transcripts = Object.values(books).flat();
const sent = transcripts.filter(({ ask, request }) => ask && request);

describe('the transcripts as they were typed', () => {
  it('name each operation of the contract, and nothing else', () => {
    const asked = new Set(sent.map(({ ask }) => ask?.operation));
    assert.equal(operations.length, 55);
    assert.deepEqual([...asked].sort(), ['request', ...operations].sort());
  });

  it('refuse something of each operation', () => {
    const refused = new Set(transcripts.filter(({ refusal }) => refusal).map(({ ask }) => ask?.operation));
    assert.deepEqual([...refused].sort(), distinct(sent.map(({ ask }) => ask?.operation)).sort());
  });

  it('give each field of each operation', () => {
    for (const [operation, names] of Object.entries(fields)) {
      const given = new Set(
        sent.filter(({ ask }) => ask?.operation === operation).flatMap(({ ask }) => namesIn(ask?.parameters)),
      );
      assert.deepEqual(
        names.split(' ').filter((name) => !given.has(name)),
        [],
        operation,
      );
    }
  });

  it('show each template', () => {
    assert.equal(templates.length, 21);
    const shown = sent.map(({ ask }) => ask?.parameters.template).filter((name) => name !== undefined);
    assert.deepEqual(distinct(shown).sort(), [...templates].sort());
  });

  it('refuse at least sixty times before the wire, and send 150 requests', () => {
    const refusals = transcripts.filter(({ refusal }) => refusal).length;
    const requests = transcripts.filter(({ request }) => request).length;
    const turnedDown = transcripts.filter(({ answer }) => (answer?.status ?? 0) >= 400).length;
    console.log(`      ${transcripts.length} transcripts, ${requests} requests (${turnedDown} turned down)`);
    console.log(`      ${sent.length} sent for a flow, ${refusals} refused before the wire`);
    assert.ok(refusals >= 60 && requests >= 150 && turnedDown >= 60);
  });

  it('either send or refuse, and say where that is written', () => {
    for (const { title, section, ask, request, answer, refusal } of transcripts) {
      assert.match(section, /^\d(\.\d+)*a?$/, title);
      assert.equal(Boolean(request), Boolean(answer), title);
      assert.equal(Boolean(request), !refusal, title);
      assert.ok(request ?? ask, title);
    }
  });
});

describe('the signature of the transcripts', () => {
  const body = '{"path":"page-notif.wav", "loop":false}';

  it('is the published one for a body', () => {
    assert.equal(md5(Buffer.from(body)), '6e43c05d82f71e77c586e29edb93b129');
    assert.equal(
      hmac('algo', [
        'POST',
        '/api/controls/tone/start',
        '6e43c05d82f71e77c586e29edb93b129',
        'application/json',
        '1601312252',
        '49936',
      ]),
      '2e109d7aeed54a1cb04c6b72b1d854f442cf1ca15eb0af32f2512dd77ab6b330',
    );
  });

  it('is the published one without a body', () => {
    assert.equal(
      hmac('algo', ['GET', '/api/settings/audio.page.vol', '1601312835', '881767496']),
      'c5b349415bce0b9e1b8122829d32fbe0a078791b311c4cf40369c7ab4eb165a8',
    );
  });
});

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Set(values)];
}
