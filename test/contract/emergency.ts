import { absent, refused, rejected, type Transcript, unsupported } from './transcript';

const speaker = { model: '8196', firmware: '5.7' };
const done = { status: 200 };

/** 4.12 Emergency alerts. */
export const transcripts: readonly Transcript[] = [
  {
    title: 'the first announcement plays on a speaker',
    section: '4.12',
    device: speaker,
    ask: { operation: 'emergency/start', parameters: { announcement: 1 } },
    request: { line: 'POST /api/controls/emergency-alert/start', json: { announcement: 1 } },
    leaves: { emergency: 1 },
    answer: done,
  },
  {
    title: 'the tenth announcement shows on a display, digits will do',
    section: '4.12',
    device: { model: '8410', firmware: '5.7' },
    ask: { operation: 'emergency/start', parameters: { announcement: '10' } },
    request: { line: 'POST /api/controls/emergency-alert/start', json: { announcement: 10 } },
    leaves: { emergency: 10 },
    answer: done,
  },
  {
    title: 'an announcement goes out through an adapter',
    section: '4.12',
    device: { model: '8301', firmware: '5.7' },
    ask: { operation: 'emergency/start', parameters: { announcement: 5 } },
    request: { line: 'POST /api/controls/emergency-alert/start', json: { announcement: 5 } },
    leaves: { emergency: 5 },
    answer: done,
  },
  {
    title: 'all clear, on a visual alerter',
    section: '4.12',
    device: { model: '8138', firmware: '5.7' },
    before: [{ line: 'POST /api/controls/emergency-alert/start', json: { announcement: 1 } }],
    ask: { operation: 'emergency/stop', parameters: {} },
    request: { line: 'POST /api/controls/emergency-alert/stop' },
    leaves: { emergency: null },
    answer: done,
  },

  ...refused('emergency/start', '4.12', speaker, [
    ['the announcement is missing', {}, 'announcement'],
    ['there is no announcement 0', { announcement: 0 }, 'announcement', '1', '10', '0'],
    ['there is no announcement 11', { announcement: 11 }, 'announcement', '1', '10', '11'],
    ['an announcement is whole', { announcement: 1.5 }, 'announcement', '1.5'],
    ['an announcement is no word', { announcement: 'fire' }, 'announcement', 'fire'],
    ['a misspelt parameter must not vanish', { announcment: 1 }, 'announcment'],
    ['a boolean is no announcement', { announcement: true }, 'announcement', 'true'],
  ]),
  ...refused('emergency/stop', '4.12', speaker, [
    ['all clear takes nothing', { announcement: 1 }, 'announcement'],
  ]),
  unsupported('emergency/start', '4.12', { model: '8063', firmware: '5.7' }, { announcement: 1 }, '8063'),
  unsupported('emergency/start', '4.12', { model: '8450', firmware: '5.7' }, { announcement: 1 }, '8450'),
  unsupported(
    'emergency/start',
    '4.12',
    { model: '8301', firmware: '5.6' },
    { announcement: 1 },
    '5.6',
    '5.7',
  ),

  ...rejected('POST /api/controls/emergency-alert/start', '4.12', speaker, [
    ['the announcement is missing', {}, /announcement/],
    ['an announcement is an integer', { announcement: '1' }, /announcement/],
    ['there is no announcement 11', { announcement: 11 }, /announcement/],
    ['there is no announcement 0', { announcement: 0 }, /announcement/],
    ['a field that it does not know', { announcement: 1, loop: true }, /loop/],
  ]),
  absent(
    'POST /api/controls/emergency-alert/start',
    '4.12',
    { model: '8063', firmware: '5.7' },
    { announcement: 1 },
  ),
  absent(
    'POST /api/controls/emergency-alert/start',
    '4.12',
    { model: '8301', firmware: '5.6' },
    { announcement: 1 },
  ),
  absent('POST /api/controls/emergency-alert/stop', '4.12', { model: '8450', firmware: '5.7' }),
];
