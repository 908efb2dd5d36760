import { absent, refused, rejected, type Transcript, unsupported } from './transcript';

const adapter = { model: '8301', firmware: '5.7' };
const speaker = { model: '8188', firmware: '5.7' };
const done = { status: 200 };
const ringing = {
  line: 'POST /api/controls/call/start',
  json: { extension: '101', tone: 'chime.wav' },
} as const;

/** 4.6 Call control. */
export const transcripts: readonly Transcript[] = [
  {
    title: 'an extension is called and hears a tone',
    section: '4.6',
    device: { model: '8063', firmware: '3.3' },
    ask: { operation: 'call/start', parameters: { extension: '101', tone: 'chime.wav' } },
    request: { line: 'POST /api/controls/call/start', json: { extension: '101', tone: 'chime.wav' } },
    leaves: 'call',
    answer: done,
  },
  {
    title: 'a call with all its options, whose numbers are strings on the wire',
    section: '4.6',
    device: adapter,
    ask: {
      operation: 'call/start',
      parameters: { extension: 101, tone: 'gong.wav', interval: 2, maxdur: 60, dtmf: '1,,2A*#' },
    },
    request: {
      line: 'POST /api/controls/call/start',
      json: { extension: '101', tone: 'gong.wav', interval: '2', maxdur: '60', dtmf: '1,,2A*#' },
    },
    leaves: 'call',
    answer: done,
  },
  {
    title: 'fifteen characters of dtmf are allowed',
    section: '8',
    device: adapter,
    ask: {
      operation: 'call/start',
      parameters: { extension: '0100', tone: 'gong.wav', dtmf: '0123456789ABCD,' },
    },
    request: {
      line: 'POST /api/controls/call/start',
      json: { extension: '0100', tone: 'gong.wav', dtmf: '0123456789ABCD,' },
    },
    leaves: 'call',
    answer: done,
  },
  {
    title: 'a call is ended',
    section: '4.6',
    device: { model: '8301', firmware: '3.3' },
    before: [ringing],
    ask: { operation: 'call/stop', parameters: {} },
    request: { line: 'POST /api/controls/call/stop' },
    leaves: { call: null },
    answer: done,
  },
  {
    title: 'what can be called from can be ended',
    section: '4.6',
    device: { model: '8305', firmware: '5.7' },
    before: [ringing],
    ask: { operation: 'call/stop', parameters: {} },
    request: { line: 'POST /api/controls/call/stop' },
    leaves: { call: null },
    answer: done,
  },
  {
    title: 'a speaker opens an extension for an audio stream',
    section: '4.6',
    device: { model: '8188', firmware: '5.3.4' },
    ask: { operation: 'call/page', parameters: { extension: 200 } },
    request: { line: 'POST /api/controls/call/page', json: { extension: '200' } },
    leaves: 'call',
    answer: done,
  },

  ...refused('call/start', '4.6', adapter, [
    ['the extension is missing', { tone: 'chime.wav' }, 'extension'],
    ['the tone is missing', { extension: '101' }, 'tone'],
    ['the tone is called tone here', { extension: '101', path: 'chime.wav' }, 'path'],
    [
      'sixteen characters of dtmf',
      { extension: '101', tone: 'chime.wav', dtmf: '0123456789012345' },
      'dtmf',
      '15',
    ],
    ['dtmf has no E', { extension: '101', tone: 'chime.wav', dtmf: '12E' }, 'dtmf', '12E'],
    ['dtmf has no blank', { extension: '101', tone: 'chime.wav', dtmf: '1 2' }, 'dtmf', '1 2'],
    ['a pause is not negative', { extension: '101', tone: 'chime.wav', interval: -1 }, 'interval', '-1'],
    ['seconds are digits', { extension: '101', tone: 'chime.wav', maxdur: '1:00' }, 'maxdur', '1:00'],
    ['an extension is not null', { extension: null, tone: 'chime.wav' }, 'extension', 'null'],
  ]),
  ...refused('call/page', '4.6', speaker, [
    ['the extension is missing', {}, 'extension'],
    ['a page plays no tone', { extension: '200', tone: 'chime.wav' }, 'tone'],
  ]),
  ...refused('call/stop', '4.6', adapter, [['stop takes nothing', { extension: '101' }, 'extension']]),
  unsupported(
    'call/start',
    '4.6',
    { model: '8301', firmware: '5.6' },
    { extension: '101', tone: 'chime.wav', dtmf: '1' },
    'dtmf',
    '5.7',
  ),
  unsupported(
    'call/start',
    '4.6',
    { model: '8128', firmware: '5.7' },
    { extension: '101', tone: 'chime.wav' },
    '8128',
    '8301',
  ),
  unsupported('call/page', '4.6', { model: '8301', firmware: '5.7' }, { extension: '200' }, '8301'),
  unsupported('call/page', '4.6', { model: '8188', firmware: '5.0' }, { extension: '200' }, '5.0', '5.3.4'),

  ...rejected('POST /api/controls/call/start', '4.6', adapter, [
    ['the extension is missing', { tone: 'chime.wav' }, /extension/],
    ['the tone is missing', { extension: '101' }, /tone/],
    ['an extension is a string', { extension: 101, tone: 'chime.wav' }, /extension/],
    ['an interval is a string', { extension: '101', tone: 'chime.wav', interval: 2 }, /interval/],
    ['a maxdur is a string', { extension: '101', tone: 'chime.wav', maxdur: 60 }, /maxdur/],
    ['a maxdur is whole seconds', { extension: '101', tone: 'chime.wav', maxdur: 'long' }, /maxdur/],
    ['too much dtmf', { extension: '101', tone: 'chime.wav', dtmf: '0123456789012345' }, /dtmf/],
    ['a field that it does not know', { extension: '101', tone: 'chime.wav', loop: true }, /loop/],
  ]),
  ...rejected('POST /api/controls/call/start', '4.6', { model: '8301', firmware: '5.6' }, [
    ['dtmf came with 5.7', { extension: '101', tone: 'chime.wav', dtmf: '1' }, /dtmf/],
  ]),
  ...rejected('POST /api/controls/call/page', '4.6', speaker, [
    ['an extension is a string', { extension: 200 }, /extension/],
  ]),
  absent('POST /api/controls/call/page', '4.6', { model: '8301', firmware: '5.7' }, { extension: '200' }),
  absent('POST /api/controls/call/page', '4.6', { model: '8188', firmware: '5.0' }, { extension: '200' }),
  absent('POST /api/controls/call/stop', '4.6', { model: '8450', firmware: '5.7' }),
  absent(
    'POST /api/controls/call/start',
    '4.6',
    { model: '8128', firmware: '5.7' },
    { extension: '101', tone: 'chime.wav' },
  ),
];
