import { absent, refused, type Transcript, unsupported } from './transcript';

const speaker = { model: '8190', firmware: '5.7' };
const line = 'POST /api/controls/tone/upload-play';
const done = { status: 200 };

/** Eight samples of silence: 16 kHz, mono, 16 bits. */
const wav = Buffer.from(
  `524946463400000057415645666d74201000000001000100803e0000007d0000020010006461746110000000${'00'.repeat(16)}`,
  'hex',
);
const mp3 = Buffer.from(`fff368c4${'00'.repeat(140)}`, 'hex');
const taggedMp3 = Buffer.concat([Buffer.from('49443304000000000000', 'hex'), mp3]);

/** 4.5.2 tone/upload-play: raw, and as a multipart form as soon as there is any `data`. */
export const transcripts: readonly Transcript[] = [
  {
    title: 'a WAV file is played with defaults',
    section: '4.5.2',
    device: speaker,
    ask: { operation: 'tone/upload-play', parameters: { content: wav } },
    request: { line, body: wav, type: 'audio/wav' },
    leaves: { uploaded: true },
    answer: done,
  },
  {
    title: 'an MP3 file is told from its frame sync',
    section: '4.5.2',
    device: { model: '8301', firmware: '5.7' },
    ask: { operation: 'tone/upload-play', parameters: { content: mp3 } },
    request: { line, body: mp3, type: 'audio/mpeg' },
    leaves: { uploaded: true },
    answer: done,
  },
  {
    title: 'an MP3 file is told from its tag, on an intercom',
    section: '4.5.2',
    device: { model: '8201', firmware: '5.7' },
    ask: { operation: 'tone/upload-play', parameters: { content: taggedMp3 } },
    request: { line, body: taggedMp3, type: 'audio/mpeg' },
    answer: done,
  },
  {
    title: 'one parameter makes it a form, whose body is not signed',
    section: '4.5.2',
    device: { model: '8138', firmware: '5.7' },
    ask: { operation: 'tone/upload-play', parameters: { content: wav, loop: false } },
    request: {
      line,
      parts: [
        { name: 'tone', type: 'audio/wav', body: wav },
        { name: 'data', type: 'application/json', json: { loop: false } },
      ],
    },
    leaves: { uploaded: true },
    answer: done,
  },
  {
    title: 'a visual alerter, which plays nothing else, stops it as a tone',
    section: '4.5',
    device: { model: '8138', firmware: '5.7' },
    before: [{ line, body: wav, type: 'audio/wav' }],
    ask: { operation: 'tone/stop', parameters: {} },
    request: { line: 'POST /api/controls/tone/stop' },
    leaves: { uploaded: false },
    answer: done,
  },
  {
    title: 'every parameter is in the part data',
    section: '4.5.2',
    device: speaker,
    ask: {
      operation: 'tone/upload-play',
      parameters: {
        content: mp3,
        duration: '60',
        interval: 2,
        loop: 'true',
        mcast: true,
        playback: false,
        state: { mode: 'sender', address: '224.0.1.116', port: 5001, type: 'poly', group: 7 },
      },
    },
    request: {
      line,
      parts: [
        { name: 'tone', type: 'audio/mpeg', body: mp3 },
        {
          name: 'data',
          type: 'application/json',
          json: {
            duration: 60,
            interval: 2,
            loop: true,
            mcast: true,
            playback: 'false',
            state: { mode: 'sender', address: '224.0.1.116', port: '5001', type: 'poly', group: 7 },
          },
        },
      ],
    },
    answer: done,
  },

  ...refused('tone/upload-play', '4.5.2', speaker, [
    ['the content is missing', { loop: false }, 'content'],
    ['a string is no audio', { content: 'RIFF....WAVE' }, 'content', 'buffer'],
    ['a picture is no audio', { content: Buffer.from('89504e470d0a1a0a', 'hex') }, 'content'],
    ['an empty buffer is no audio', { content: Buffer.alloc(0) }, 'content'],
    ['a RIFF that is no WAVE', { content: Buffer.from('RIFF\x04\0\0\0AVI ', 'latin1') }, 'content'],
    ['the path belongs to start', { content: wav, path: 'chime.wav' }, 'path'],
    ['yes is no boolean', { content: wav, loop: 'yes' }, 'loop', 'yes'],
    ['seconds are whole', { content: wav, duration: 1.5 }, 'duration', '1.5'],
    [
      'the group ends at 25',
      { content: wav, mcast: true, state: { type: 'poly', group: 26 } },
      'state.group',
      '25',
      '26',
    ],
  ]),
  unsupported(
    'tone/upload-play',
    '4.5.2',
    { model: '8301', firmware: '5.6' },
    { content: wav },
    '5.6',
    '5.7',
  ),
  unsupported('tone/upload-play', '4.5.2', { model: '8063', firmware: '5.7' }, { content: wav }, '8063'),

  {
    title: 'octets of no known audio type are turned down',
    section: '4.5.2',
    device: speaker,
    request: { line, body: wav, type: 'application/octet-stream' },
    answer: { status: 400, words: /audio|content.?type/i },
  },
  {
    title: 'JSON is no audio',
    section: '4.5.2',
    device: speaker,
    request: { line, json: { path: 'chime.wav' } },
    answer: { status: 400, words: /audio|content.?type|multipart/i },
  },
  {
    title: 'a form without its tone is turned down',
    section: '4.5.2',
    device: speaker,
    request: { line, parts: [{ name: 'data', type: 'application/json', json: { loop: false } }] },
    answer: { status: 400, words: /tone/ },
  },
  {
    title: 'a form whose data is no JSON by its type is turned down',
    section: '4.5.2',
    device: speaker,
    request: {
      line,
      parts: [
        { name: 'tone', type: 'audio/wav', body: wav },
        { name: 'data', type: 'text/plain', json: { loop: false } },
      ],
    },
    answer: { status: 400, words: /data|application\/json/ },
  },
  {
    title: 'a form whose data holds a wrong type is turned down',
    section: '4.5.2',
    device: speaker,
    request: {
      line,
      parts: [
        { name: 'tone', type: 'audio/wav', body: wav },
        { name: 'data', type: 'application/json', json: { loop: 'false' } },
      ],
    },
    answer: { status: 400, words: /loop/ },
  },
  {
    title: 'a form with its tone alone is played with defaults',
    section: '4.5.2',
    device: speaker,
    request: { line, parts: [{ name: 'tone', type: 'audio/wav', body: wav }] },
    answer: done,
  },
  {
    title: `${line} does not exist on 8301 with 5.6`,
    section: '4.5',
    device: { model: '8301', firmware: '5.6' },
    request: { line, body: wav, type: 'audio/wav' },
    answer: { status: 404 },
  },
  absent(line, '4.5', { model: '8450', firmware: '5.7' }),
];
