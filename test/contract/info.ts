import { absent, refused, type Transcript, unsupported } from './transcript';

const adapter = { model: '8301', firmware: '5.7' };

/** 4.1 Device information: what a device says about itself. */
export const transcripts: readonly Transcript[] = [
  {
    title: 'an adapter says what it is',
    section: '2.4',
    device: adapter,
    ask: { operation: 'info/about', parameters: {} },
    request: { line: 'GET /api/info/about' },
    answer: {
      status: 200,
      json: {
        'Product Name': 'Algo 8301 IP Paging Adapter & Scheduler',
        'Firmware Version': '5.7',
        'MAC Address': '00:22:ee:01:02:03',
        'Hardware Info': 'Rev A',
        'Manufacturer Certificate': 'Installed',
      },
      varies: {
        'Product Name': /\b8301\b/,
        'MAC Address': /^00:22:ee(:[0-9a-f]{2}){3}$/i,
        'Hardware Info': /\S/,
        'Manufacturer Certificate': /\S/,
      },
    },
  },
  {
    title: 'a door controller says what it is, from firmware 5.4 on',
    section: '2.4',
    device: { model: '8063', firmware: '5.4' },
    ask: { operation: 'info/about', parameters: {} },
    request: { line: 'GET /api/info/about' },
    answer: {
      status: 200,
      json: {
        'Product Name': 'Algo 8063 IP Door Controller',
        'Firmware Version': '5.4',
        'MAC Address': '00:22:ee:01:02:04',
        'Hardware Info': 'Rev B',
        'Manufacturer Certificate': 'Not Installed',
      },
      varies: {
        'Product Name': /\b8063\b/,
        'MAC Address': /^00:22:ee(:[0-9a-f]{2}){3}$/i,
        'Hardware Info': /\S/,
        'Manufacturer Certificate': /\S/,
      },
    },
  },
  {
    title: 'a device that nobody has spoken to is idle',
    section: '2.3',
    device: adapter,
    ask: { operation: 'info/status', parameters: {} },
    request: { line: 'GET /api/info/status' },
    answer: {
      status: 200,
      json: {
        'Device Name': 'Front office',
        'SIP Registration': 'No Account',
        'Call Status': 'Idle',
        MAC: '00:22:ee:01:02:03',
        IPv4: '192.0.2.5/24, Gateway: 192.0.2.1',
        'Date / Time': 'Mon Sep 28 17:07:18 GMT 2020',
      },
      varies: {
        'Device Name': /\S/,
        'SIP Registration': /No Account|Successful/,
        MAC: /^00:22:ee(:[0-9a-f]{2}){3}$/i,
        IPv4: /\S/,
        'Date / Time': /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat) [A-Z][a-z]{2} +\d{1,2} \d{2}:\d{2}:\d{2} GMT \d{4}$/,
      },
    },
  },
  {
    title: 'the tones that came with the device are listed',
    section: '2.2',
    device: { model: '8186', firmware: '5.0' },
    ask: { operation: 'info/tonelist', parameters: {} },
    request: { line: 'GET /api/info/tonelist' },
    answer: {
      status: 200,
      json: {
        tonelist: [
          'bell-na.wav',
          'bell-uk.wav',
          'buzzer.wav',
          'chime.wav',
          'dogs.wav',
          'gong.wav',
          'page-notif.wav',
          'speech-test.wav',
          'tone-1kHz-max.wav',
          'warble1-low.wav',
          'warble2-med.wav',
          'warble3-high.wav',
          'warble4-trill.wav',
        ],
      },
    },
  },

  ...refused('info/about', '4.1', adapter, [['about takes nothing', { name: 'MAC Address' }, 'name']]),
  ...refused('info/status', '4.1', adapter, [['status takes nothing', { field: 'MAC' }, 'field']]),
  ...refused('info/tonelist', '4.1', adapter, [['the tone list takes nothing', { path: 'tones' }, 'path']]),
  unsupported('info/about', '4.1', { model: '8301', firmware: '5.3.4' }, {}, '5.3.4', '5.4'),
  unsupported('info/status', '4.1', { model: '8301', firmware: '5.0' }, {}, '5.0', '5.4'),
  unsupported('info/tonelist', '4.1', { model: '8301', firmware: '4.1' }, {}, '4.1', '5.0'),

  absent('GET /api/info/about', '4.1', { model: '8301', firmware: '5.3.4' }),
  absent('GET /api/info/status', '4.1', { model: '8301', firmware: '5.3.4' }),
  absent('GET /api/info/tonelist', '4.1', { model: '8301', firmware: '4.1' }),
  absent('GET /api/info', '4.1', adapter),
  absent('GET /api/info/uptime', '4.1', adapter),
  absent('GET /api/info/about/', '4.1', adapter),
  {
    title: 'whoever looks in is told the product, without a signature (field notes, section 3)',
    section: '4',
    device: adapter,
    request: { line: 'GET /', signature: 'absent' },
    answer: { status: 200, words: /<title>Algo 8301<\/title>/ },
  },
  absent('GET /index.html', '4', adapter),
];
