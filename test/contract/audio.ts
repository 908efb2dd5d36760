import { absent, refused, rejected, type Transcript, unsupported } from './transcript';

const adapter = { model: '8301', firmware: '5.7' };
const done = { status: 200 };
const mcast = 'POST /api/state/mcast/update/';

/** 4.2 and 4.5: streams, ambient noise, multicast. */
export const transcripts: readonly Transcript[] = [
  {
    title: 'a device listens for an audio stream',
    section: '4.5',
    device: { model: '8301', firmware: '5.3.4' },
    ask: { operation: 'audio/rx-start', parameters: { port: 50010 } },
    request: { line: 'POST /api/controls/rx/start', json: { port: '50010' } },
    leaves: 'rx',
    answer: done,
  },
  {
    title: 'a device stops listening',
    section: '4.5',
    device: { model: '8301', firmware: '5.3.4' },
    before: [{ line: 'POST /api/controls/rx/start', json: { port: '50010' } }],
    ask: { operation: 'audio/rx-stop', parameters: {} },
    request: { line: 'POST /api/controls/rx/stop' },
    leaves: { rx: null },
    answer: done,
  },
  {
    title: 'the ambient noise is told to a speaker',
    section: '4.5',
    device: { model: '8190', firmware: '5.4' },
    ask: { operation: 'audio/noise-update', parameters: { level: -42 } },
    request: { line: 'POST /api/controls/noise/update', json: { level: '-42' } },
    leaves: { noiseLevel: '-42' },
    answer: done,
  },
  {
    title: 'the console is told the ambient noise too',
    section: '4.5',
    device: { model: '8450', firmware: '5.7' },
    ask: { operation: 'audio/noise-update', parameters: { level: '-30' } },
    request: { line: 'POST /api/controls/noise/update', json: { level: '-30' } },
    leaves: { noiseLevel: '-30' },
    answer: done,
  },
  {
    title: 'multicast goes to a poly group',
    section: '4.2',
    device: { model: '8301', firmware: '5.0' },
    ask: {
      operation: 'audio/mcast-update',
      parameters: { mode: 'sender', address: '224.0.1.116', port: 5001, type: 'poly', group: 3 },
    },
    request: {
      line: mcast,
      json: { mode: 'sender', address: '224.0.1.116', port: '5001', type: 'poly', group: 3 },
    },
    leaves: 'multicast',
    answer: done,
  },
  {
    title: 'multicast goes out as RTP',
    section: '4.2',
    device: adapter,
    ask: {
      operation: 'audio/mcast-update',
      parameters: { mode: 'sender', address: '224.0.2.60', port: '50002', type: 'rtp' },
    },
    request: { line: mcast, json: { mode: 'sender', address: '224.0.2.60', port: '50002', type: 'rtp' } },
    leaves: 'multicast',
    answer: done,
  },

  ...refused('audio/rx-start', '4.5', adapter, [
    ['the port is missing', {}, 'port'],
    ['a port is not null', { port: null }, 'port', 'null'],
    ['the port is called port', { Port: '50010' }, 'Port'],
  ]),
  ...refused('audio/rx-stop', '4.5', adapter, [['stop takes nothing', { port: '50010' }, 'port']]),
  ...refused('audio/noise-update', '4.5', { model: '8190', firmware: '5.7' }, [
    ['the level is missing', {}, 'level'],
    ['a list is no level', { level: [-42] }, 'level'],
  ]),
  ...refused('audio/mcast-update', '4.2', adapter, [
    ['the mode is missing', { address: '224.0.2.60', port: '50002', type: 'rtp' }, 'mode'],
    ['the address is missing', { mode: 'sender', port: '50002', type: 'rtp' }, 'address'],
    ['the port is missing', { mode: 'sender', address: '224.0.2.60', type: 'rtp' }, 'port'],
    ['the type is missing', { mode: 'sender', address: '224.0.2.60', port: '50002' }, 'type'],
    [
      'the mode is only sender',
      { mode: 'receiver', address: '224.0.2.60', port: '50002', type: 'rtp' },
      'mode',
      'sender',
      'receiver',
    ],
    [
      'a type that does not exist',
      { mode: 'sender', address: '224.0.2.60', port: '50002', type: 'RTP' },
      'type',
      'rtp',
      'poly',
      'RTP',
    ],
    [
      'the group ends at 25',
      { mode: 'sender', address: '224.0.2.60', port: '50002', type: 'poly', group: 26 },
      'group',
      '25',
      '26',
    ],
    [
      'a group belongs to poly',
      { mode: 'sender', address: '224.0.2.60', port: '50002', type: 'rtp', group: 1 },
      undefined,
      'group',
      'poly',
      'rtp',
    ],
  ]),
  unsupported('audio/rx-start', '4.5', { model: '8450', firmware: '5.7' }, { port: '50010' }, '8450'),
  unsupported('audio/rx-start', '4.5', { model: '8301', firmware: '5.0' }, { port: '50010' }, '5.0', '5.3.4'),
  unsupported(
    'audio/noise-update',
    '4.5',
    { model: '8063', firmware: '5.7' },
    { level: '-42' },
    '8063',
    '8190',
  ),
  unsupported(
    'audio/mcast-update',
    '4.2',
    { model: '8450', firmware: '5.7' },
    { mode: 'sender', address: '224.0.2.60', port: '50002', type: 'rtp' },
    '8450',
  ),
  unsupported(
    'audio/mcast-update',
    '4.2',
    { model: '8301', firmware: '4.1' },
    { mode: 'sender', address: '224.0.2.60', port: '50002', type: 'rtp' },
    '4.1',
    '5.0',
  ),

  ...rejected('POST /api/controls/rx/start', '4.5', adapter, [
    ['the port is missing', {}, /port/],
    ['a port is a string', { port: 50010 }, /port/],
  ]),
  ...rejected('POST /api/controls/noise/update', '4.5', { model: '8190', firmware: '5.7' }, [
    ['the level is missing', {}, /level/],
    ['a level is a string', { level: -42 }, /level/],
  ]),
  ...rejected(mcast, '4.2', adapter, [
    ['the mode is missing', { address: '224.0.2.60', port: '50002', type: 'rtp' }, /mode/],
    ['a port is a string', { mode: 'sender', address: '224.0.2.60', port: 50002, type: 'rtp' }, /port/],
    [
      'a group without poly',
      { mode: 'sender', address: '224.0.2.60', port: '50002', type: 'rtp', group: 1 },
      /group/,
    ],
    [
      'a group beyond 25',
      { mode: 'sender', address: '224.0.2.60', port: '50002', type: 'poly', group: 26 },
      /group/,
    ],
    [
      'a field that it does not know',
      { mode: 'sender', address: '224.0.2.60', port: '50002', type: 'rtp', ttl: 5 },
      /ttl/,
    ],
  ]),
  absent('POST /api/controls/rx/stop', '4.5', { model: '8450', firmware: '5.7' }),
  absent('POST /api/state/mcast/update', '4.2', adapter, {
    mode: 'sender',
    address: '224.0.2.60',
    port: '50002',
    type: 'rtp',
  }),
  absent('POST /api/controls/rx/start', '4.5', { model: '8450', firmware: '5.7' }, { port: '50010' }),
  absent('POST /api/controls/noise/update', '4.5', { model: '8063', firmware: '5.7' }, { level: '-42' }),
];
