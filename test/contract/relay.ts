import { absent, refused, rejected, type Transcript, unsupported } from './transcript';

const controller = { model: '8063', firmware: '5.7' };
const early = { model: '8063', firmware: '5.0' };
const done = { status: 200 };

/** 4.7 Relay control. */
export const transcripts: readonly Transcript[] = [
  {
    title: 'the output relay closes',
    section: '4.7',
    device: early,
    ask: { operation: 'relay/enable', parameters: {} },
    request: { line: 'POST /api/controls/relay/enable' },
    leaves: { relay: 'enabled' },
    answer: done,
  },
  {
    title: 'the output relay opens',
    section: '4.7',
    device: early,
    before: [{ line: 'POST /api/controls/relay/enable' }],
    ask: { operation: 'relay/disable', parameters: {} },
    request: { line: 'POST /api/controls/relay/disable' },
    leaves: { relay: 'disabled' },
    answer: done,
  },
  {
    title: 'the output relay closes for a while, whose seconds are an integer here',
    section: '4.7',
    device: { model: '8063', firmware: '5.6' },
    ask: { operation: 'relay/menable', parameters: { duration: '15' } },
    request: { line: 'POST /api/controls/relay/menable', json: { duration: 15 } },
    leaves: { relay: 'enabled' },
    answer: done,
  },
  {
    title: 'the 24 V output is switched on',
    section: '4.7',
    device: early,
    ask: { operation: 'relay/24v-enable', parameters: {} },
    request: { line: 'POST /api/controls/24v/enable' },
    leaves: { aux24v: 'enabled' },
    answer: done,
  },
  {
    title: 'the 24 V output is switched off',
    section: '4.7',
    device: early,
    before: [{ line: 'POST /api/controls/24v/enable' }],
    ask: { operation: 'relay/24v-disable', parameters: {} },
    request: { line: 'POST /api/controls/24v/disable' },
    leaves: { aux24v: 'disabled' },
    answer: done,
  },

  ...refused('relay/menable', '4.7', controller, [
    ['the seconds are missing', {}, 'duration'],
    ['seconds are whole', { duration: 1.5 }, 'duration', '1.5'],
    ['seconds are not negative', { duration: -1 }, 'duration', '-1'],
    ['an object is no time', { duration: {} }, 'duration'],
  ]),
  ...refused('relay/enable', '4.7', controller, [['enable takes no time', { duration: 5 }, 'duration']]),
  ...refused('relay/disable', '4.7', controller, [['disable takes nothing', { relay: 1 }, 'relay']]),
  ...refused('relay/24v-enable', '4.7', controller, [['it takes nothing', { duration: 5 }, 'duration']]),
  ...refused('relay/24v-disable', '4.7', controller, [['it takes nothing', { voltage: 24 }, 'voltage']]),
  unsupported('relay/enable', '4.7', { model: '8301', firmware: '5.7' }, {}, '8301', '8063'),
  unsupported('relay/24v-enable', '4.7', { model: '8039', firmware: '5.7' }, {}, '8039', '8063'),
  unsupported('relay/menable', '4.7', { model: '8063', firmware: '5.5' }, { duration: 5 }, '5.5', '5.6'),
  unsupported('relay/disable', '4.7', { model: '8063', firmware: '4.1' }, {}, '4.1', '5.0'),

  ...rejected('POST /api/controls/relay/menable', '4.7', controller, [
    ['the seconds are missing', {}, /duration/],
    ['there is no body', undefined, /body|duration/i],
    ['the seconds are an integer', { duration: '15' }, /duration/],
    ['the seconds are whole', { duration: 1.5 }, /duration/],
    ['the seconds are not negative', { duration: -1 }, /duration/],
    ['a field that it does not know', { duration: 15, relay: 1 }, /relay/],
  ]),
  ...rejected('POST /api/controls/relay/enable', '4.7', controller, [
    ['it takes no body', { duration: 5 }, /body|duration/i],
  ]),
  absent('POST /api/controls/relay/menable', '4.7', { model: '8063', firmware: '5.5' }, { duration: 5 }),
  absent('POST /api/controls/relay/enable', '4.7', { model: '8301', firmware: '5.7' }),
  absent('POST /api/controls/24v/enable', '4.7', { model: '8063', firmware: '4.1' }),
  absent('POST /api/controls/24v/disable', '4.7', { model: '8301', firmware: '5.7' }),
  absent('POST /api/controls/relay/disable', '4.7', { model: '8063', firmware: '4.1' }),
];
