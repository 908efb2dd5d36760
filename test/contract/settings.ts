import { absent, refused, rejected, type Transcript } from './transcript';

const adapter = { model: '8301', firmware: '5.7' };
const old = { model: '8301', firmware: '3.3' };

/** 4.1 Configuration parameters. */
export const transcripts: readonly Transcript[] = [
  {
    title: 'a setting is read by its name',
    section: '2.1',
    device: old,
    before: [{ line: 'PUT /api/settings', json: { 'audio.page.vol': '-18dB' } }],
    ask: { operation: 'settings/get', parameters: { name: 'audio.page.vol' } },
    request: { line: 'GET /api/settings/audio.page.vol' },
    answer: { status: 200, json: { 'audio.page.vol': '-18dB' } },
  },
  {
    title: 'a setting is written',
    section: '4.1',
    device: old,
    ask: { operation: 'settings/put', parameters: { 'audio.page.vol': '-9dB' } },
    request: { line: 'PUT /api/settings', json: { 'audio.page.vol': '-9dB' } },
    leaves: { 'audio.page.vol': '-9dB' },
    answer: { status: 204 },
  },
  {
    title: 'several settings are written at once, numbers as strings',
    section: '4.1',
    device: adapter,
    ask: {
      operation: 'settings/put',
      parameters: { 'mcast.mode': 1, 'mcast.zone1': '224.0.2.60:50002', 'audio.noise.use': '0' },
    },
    request: {
      line: 'PUT /api/settings',
      json: { 'mcast.mode': '1', 'mcast.zone1': '224.0.2.60:50002', 'audio.noise.use': '0' },
    },
    leaves: { 'mcast.mode': '1', 'mcast.zone1': '224.0.2.60:50002', 'audio.noise.use': '0' },
    answer: { status: 204 },
  },
  {
    title: 'a setting may be emptied',
    section: '2.1',
    device: adapter,
    before: [{ line: 'PUT /api/settings', json: { 'sip.u1.user': '101' } }],
    ask: { operation: 'settings/put', parameters: { 'sip.u1.user': '' } },
    request: { line: 'PUT /api/settings', json: { 'sip.u1.user': '' } },
    leaves: { 'sip.u1.user': '' },
    answer: { status: 204 },
  },
  {
    title: 'the last value that was written is read',
    section: '1',
    device: adapter,
    before: [
      { line: 'PUT /api/settings', json: { 'mcast.mode': '1', 'mcast.tx.fixed': '1' } },
      { line: 'PUT /api/settings', json: { 'mcast.mode': '2' } },
    ],
    ask: { operation: 'settings/get', parameters: { name: 'mcast.mode' } },
    request: { line: 'GET /api/settings/mcast.mode' },
    answer: { status: 200, json: { 'mcast.mode': '2' } },
  },

  ...refused('settings/get', '4.1', adapter, [
    ['the name is missing', {}, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name is misspelt', { Name: 'audio.page.vol' }, 'Name'],
    ['a list is no name', { name: ['audio.page.vol'] }, 'name'],
    ['null is no name', { name: null }, 'name', 'null'],
    ['a name does not climb', { name: '..' }, 'name', '..'],
  ]),
  ...refused('settings/put', '4.1', adapter, [
    ['nothing to write', {}, undefined],
    ['a boolean, with a hint', { 'audio.mic.mute': true }, 'audio.mic.mute', '"1"', '"0"'],
    ['null is not a value', { 'audio.page.vol': null }, 'audio.page.vol', 'null'],
    ['an object is not a value', { audio: { 'page.vol': '0dB' } }, 'audio'],
    ['a list is not a value', { 'mcast.zone1': ['224.0.2.60', 50002] }, 'mcast.zone1'],
    ['infinity cannot be written', { 'mcast.mode': Number.POSITIVE_INFINITY }, 'mcast.mode'],
  ]),

  ...rejected('PUT /api/settings', '2.1', adapter, [
    ['a number, though values are strings', { 'mcast.mode': 1 }, /mcast\.mode/],
    ['a boolean', { 'audio.mic.mute': true }, /audio\.mic\.mute/],
    ['null', { 'audio.page.vol': null }, /audio\.page\.vol/],
    ['nested values', { config: { 'audio.page.vol': '0dB' } }, /config/],
    ['a list is no body', ['audio.page.vol'], /object|body/i],
    ['there is no body', undefined, /body/i],
  ]),
  {
    title: 'settings that are not JSON are turned down',
    section: '4',
    device: adapter,
    request: { line: 'PUT /api/settings', body: Buffer.from('audio.page.vol=0dB'), type: 'application/json' },
    answer: { status: 400, words: /JSON/i },
  },
  {
    title: 'settings are not read all at once',
    section: '4.1',
    device: adapter,
    request: { line: 'GET /api/settings' },
    answer: { status: 405 },
  },
  absent('PUT /api/setting', '4.1', adapter, { 'audio.page.vol': '0dB' }),
];
