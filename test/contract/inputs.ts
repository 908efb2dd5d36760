import { absent, refused, type Transcript, unsupported } from './transcript';

const idle = (name: string) => ({
  status: 200,
  json: { [name]: 'idle' },
  varies: { [name]: /^(idle|Disabled)$/i },
});

/** 4.1 Device information: relay inputs and ambient noise. */
export const transcripts: readonly Transcript[] = [
  {
    title: 'the relay input of an adapter',
    section: '2.5',
    device: { model: '8301', firmware: '3.3' },
    ask: { operation: 'info/input-relay', parameters: {} },
    request: { line: 'GET /api/info/input.relay.status' },
    answer: idle('input.relay.status'),
  },
  {
    title: 'the first input of a door controller',
    section: '4.1',
    device: { model: '8063', firmware: '4.1' },
    ask: { operation: 'info/input-relay1', parameters: {} },
    request: { line: 'GET /api/info/input.relay1.status' },
    answer: idle('input.relay1.status'),
  },
  {
    title: 'the second input of a door controller',
    section: '4.1',
    device: { model: '8063', firmware: '4.1' },
    ask: { operation: 'info/input-relay2', parameters: {} },
    request: { line: 'GET /api/info/input.relay2.status' },
    answer: idle('input.relay2.status'),
  },
  {
    title: 'the ambient noise that was told is read back',
    section: '4.1',
    device: { model: '8190', firmware: '5.7' },
    before: [
      { line: 'PUT /api/settings', json: { 'audio.noise.use': '1' } },
      { line: 'POST /api/controls/noise/update', json: { level: '-42' } },
    ],
    ask: { operation: 'info/noise-level', parameters: {} },
    request: { line: 'GET /api/info/audio.noise.level' },
    answer: {
      status: 200,
      json: { 'audio.noise.level': '-42dB' },
      varies: { 'audio.noise.level': /^-42\b/ },
    },
  },
  {
    title: 'a paging adapter that was told the ambient noise shows it',
    section: '4.1',
    device: { model: '8301', firmware: '5.7' },
    before: [{ line: 'POST /api/controls/noise/update', json: { level: '-42' } }],
    ask: { operation: 'info/noise-level', parameters: {} },
    request: { line: 'GET /api/info/audio.noise.level' },
    answer: {
      status: 200,
      json: { 'audio.noise.level': '-42dB' },
      varies: { 'audio.noise.level': /^-42\b/ },
    },
  },
  {
    title: 'the ambient noise around a console',
    section: '4.1',
    device: { model: '8450', firmware: '5.7' },
    ask: { operation: 'info/noise-level', parameters: {} },
    request: { line: 'GET /api/info/audio.noise.level' },
    answer: {
      status: 200,
      json: { 'audio.noise.level': '-50dB' },
      varies: { 'audio.noise.level': /^/ },
    },
  },

  ...refused('info/input-relay', '4.1', { model: '8301', firmware: '5.7' }, [
    ['it takes nothing', { input: 1 }, 'input'],
  ]),
  ...refused('info/input-relay1', '4.1', { model: '8063', firmware: '5.7' }, [
    ['it takes nothing', { input: 1 }, 'input'],
  ]),
  ...refused('info/input-relay2', '4.1', { model: '8063', firmware: '5.7' }, [
    ['it takes nothing', { input: 2 }, 'input'],
  ]),
  ...refused('info/noise-level', '4.1', { model: '8190', firmware: '5.7' }, [
    ['it takes nothing', { level: '-42' }, 'level'],
  ]),
  unsupported('info/input-relay', '4.1', { model: '8450', firmware: '5.7' }, {}, '8450'),
  unsupported('info/input-relay1', '4.1', { model: '8301', firmware: '5.7' }, {}, '8301', '8063'),
  unsupported('info/input-relay2', '4.1', { model: '8063', firmware: '3.3' }, {}, '3.3', '4.1'),
  unsupported('info/noise-level', '4.1', { model: '8063', firmware: '5.7' }, {}, '8063'),

  absent('GET /api/info/input.relay.status', '4.1', { model: '8450', firmware: '5.7' }),
  absent('GET /api/info/input.relay1.status', '4.1', { model: '8301', firmware: '5.7' }),
  absent('GET /api/info/input.relay2.status', '4.1', { model: '8063', firmware: '3.3' }),
  absent('GET /api/info/input.relay3.status', '4.1', { model: '8063', firmware: '5.7' }),
  absent('GET /api/info/audio.noise.level', '4.1', { model: '8063', firmware: '5.7' }),
];
