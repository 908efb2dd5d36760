import { refused, type Transcript } from './transcript';

const adapter = { model: '8301', firmware: '5.7' };
const done = { status: 200 };
const octets = Buffer.from('0001feff', 'hex');
const wav = Buffer.from('RIFF\x04\0\0\0WAVE', 'latin1');
const form = Buffer.concat([
  Buffer.from('--edge\r\nContent-Disposition: form-data; name="tone"; filename="a.wav"\r\n'),
  Buffer.from('Content-Type: audio/wav\r\n\r\n'),
  wav,
  Buffer.from('\r\n--edge--\r\n'),
]);

/** `algo-request`, docs/contract.md 2.2: any signed request. It has no operation, so `request` alone names it. */
export const transcripts: readonly Transcript[] = [
  {
    title: 'a path with a query',
    section: '5',
    device: adapter,
    ask: {
      operation: 'request',
      parameters: { method: 'GET', path: '/api/schedules?events=2026-09-01&days=2' },
    },
    request: { line: 'GET /api/schedules?events=2026-09-01&days=2' },
    answer: { status: 200, json: { format: 'v2.0', events: {} }, varies: { events: /^\{.*\}$/ } },
  },
  {
    title: 'a read without a body',
    section: '5',
    device: adapter,
    before: [{ line: 'PUT /api/settings', json: { 'audio.page.vol': '-18dB' } }],
    ask: { operation: 'request', parameters: { method: 'GET', path: '/api/settings/audio.page.vol' } },
    request: { line: 'GET /api/settings/audio.page.vol' },
    answer: { status: 200, json: { 'audio.page.vol': '-18dB' } },
  },
  {
    title: 'an object goes out as JSON',
    section: '5',
    device: adapter,
    ask: {
      operation: 'request',
      parameters: {
        method: 'POST',
        path: '/api/controls/tone/start',
        body: { path: 'chime.wav', loop: false },
      },
    },
    request: { line: 'POST /api/controls/tone/start', json: { path: 'chime.wav', loop: false } },
    leaves: 'tone',
    answer: done,
  },
  {
    title: 'a string goes out as it is, with the type it is given',
    section: '5',
    device: adapter,
    ask: {
      operation: 'request',
      parameters: {
        method: 'POST',
        path: '/api/controls/tone/start',
        body: '{"path":"page-notif.wav", "loop":false}',
        contentType: 'application/json',
      },
    },
    request: {
      line: 'POST /api/controls/tone/start',
      body: Buffer.from('{"path":"page-notif.wav", "loop":false}'),
      type: 'application/json',
    },
    leaves: { tone: { path: 'page-notif.wav', loop: false } },
    answer: done,
  },
  {
    title: 'a buffer goes out as it is, with the type it is given',
    section: '5',
    device: adapter,
    ask: {
      operation: 'request',
      parameters: {
        method: 'PUT',
        path: '/api/files/tones/a%20b.bin',
        body: octets,
        contentType: 'application/octet-stream',
      },
    },
    request: { line: 'PUT /api/files/tones/a%20b.bin', body: octets, type: 'application/octet-stream' },
    leaves: { 'tones/a b.bin': octets },
    answer: done,
  },
  {
    title: 'a form in parts goes out as it is, and its body is not signed',
    section: '5',
    device: adapter,
    ask: {
      operation: 'request',
      parameters: {
        method: 'POST',
        path: '/api/controls/tone/upload-play',
        body: form,
        contentType: 'multipart/form-data; boundary=edge',
      },
    },
    request: {
      line: 'POST /api/controls/tone/upload-play',
      parts: [{ name: 'tone', type: 'audio/wav', body: wav }],
    },
    leaves: { uploaded: true },
    answer: done,
  },
  {
    title: 'a DELETE may have a body, and its path a slash at the end',
    section: '5',
    device: adapter,
    before: [{ line: 'PUT /api/files/tones/a%20b.bin', body: octets, type: 'application/octet-stream' }],
    ask: {
      operation: 'request',
      parameters: { method: 'DELETE', path: '/api/files/', body: { path: 'tones/a b.bin' } },
    },
    request: { line: 'DELETE /api/files/', json: { path: 'tones/a b.bin' } },
    leaves: { 'tones/a b.bin': undefined },
    answer: done,
  },

  ...refused('request', '5', adapter, [
    ['the method is missing', { path: '/api/info/about' }, 'method'],
    ['the path is missing', { method: 'GET' }, 'path'],
    ['a method of another kind', { method: 'PATCH', path: '/api/info/about' }, 'method', 'GET', 'PATCH'],
    ['a method in small letters', { method: 'get', path: '/api/info/about' }, 'method', 'GET', 'get'],
    ['a path begins with a slash', { method: 'GET', path: 'api/info/about' }, 'path', '/'],
    ['a path leads to no other host', { method: 'GET', path: '//evil.example/api' }, 'path', '/'],
    ['a path is no address', { method: 'GET', path: 'https://evil.example/api' }, 'path'],
    ['a misspelt parameter', { method: 'GET', path: '/api/info/about', query: 'a=1' }, 'query'],
  ]),
];
