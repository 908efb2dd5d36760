import { absent, refused, rejected, type Transcript, unsupported } from './transcript';

const controller = { model: '8063', firmware: '5.7' };
const intercom = { model: '8201', firmware: '5.5' };
const done = { status: 200 };

/** 4.4 Door control. */
export const transcripts: readonly Transcript[] = [
  {
    title: 'the door behind a remote door controller is locked',
    section: '4.4',
    device: controller,
    ask: { operation: 'door/lock', parameters: { doorid: 'netdc1' } },
    request: { line: 'POST /api/controls/door/lock', json: { doorid: 'netdc1' } },
    answer: done,
  },
  {
    title: 'an intercom locks with its own relay',
    section: '4.4',
    device: { model: '8028', firmware: '3.3' },
    ask: { operation: 'door/lock', parameters: { doorid: 'local' } },
    request: { line: 'POST /api/controls/door/lock', json: { doorid: 'local' } },
    answer: done,
  },
  {
    title: 'a door is unlocked until it is locked again',
    section: '4.4',
    device: { model: '8039', firmware: '5.7' },
    ask: { operation: 'door/unlock', parameters: { doorid: 'local' } },
    request: { line: 'POST /api/controls/door/unlock', json: { doorid: 'local' } },
    answer: done,
  },
  {
    title: 'a door is unlocked for a while, the seconds travel as a string',
    section: '4.4',
    device: controller,
    ask: { operation: 'door/munlock', parameters: { doorid: 'netdc1', duration: 5 } },
    request: { line: 'POST /api/controls/door/munlock', json: { doorid: 'netdc1', duration: '5' } },
    answer: done,
  },
  {
    title: 'a momentary unlock takes its seconds as a string too, from firmware 5.5 on',
    section: '4.4',
    device: intercom,
    ask: { operation: 'door/munlock', parameters: { doorid: 'local', duration: '30' } },
    request: { line: 'POST /api/controls/door/munlock', json: { doorid: 'local', duration: '30' } },
    answer: done,
  },

  ...refused('door/lock', '4.4', controller, [
    ['the door is missing', {}, 'doorid'],
    ['the door is misspelt', { doorId: 'local' }, 'doorId'],
    ['a door that does not exist', { doorid: 'garage' }, 'doorid', 'netdc1', 'local', 'garage'],
    ['capitals count', { doorid: 'Local' }, 'doorid', 'netdc1', 'local', 'Local'],
    ['a number is no door', { doorid: 1 }, 'doorid', 'netdc1', 'local'],
    ['null is not a value', { doorid: null }, 'doorid', 'null'],
  ]),
  ...refused('door/unlock', '4.4', controller, [
    ['the door is missing', {}, 'doorid'],
    ['a duration belongs to munlock', { doorid: 'local', duration: 5 }, 'duration'],
    ['an empty string is no door', { doorid: '' }, 'doorid', 'netdc1', 'local'],
    ['a list is no door', { doorid: ['local'] }, 'doorid'],
  ]),
  ...refused('door/munlock', '4.4', controller, [
    ['the seconds are missing', { doorid: 'local' }, 'duration'],
    ['the door is missing', { duration: 5 }, 'doorid'],
    ['seconds are not negative', { doorid: 'local', duration: -5 }, 'duration', '-5'],
    ['seconds are whole', { doorid: 'local', duration: 1.5 }, 'duration', '1.5'],
    ['seconds are digits', { doorid: 'local', duration: 'five' }, 'duration', 'five'],
    ['an empty string is no time', { doorid: 'local', duration: '' }, 'duration'],
    ['a boolean is no time', { doorid: 'local', duration: true }, 'duration', 'true'],
    ['null is not a value', { doorid: 'local', duration: null }, 'duration', 'null'],
    ['an object is no time', { doorid: 'local', duration: { seconds: 5 } }, 'duration'],
  ]),
  unsupported('door/lock', '4.4', { model: '8301', firmware: '5.7' }, { doorid: 'local' }, '8301', '8063'),
  unsupported('door/unlock', '4.4', { model: '8190', firmware: '5.7' }, { doorid: 'local' }, '8190', '8063'),
  unsupported(
    'door/munlock',
    '4.4',
    { model: '8063', firmware: '5.4' },
    { doorid: 'local', duration: 5 },
    '5.4',
    '5.5',
  ),

  ...rejected('POST /api/controls/door/lock', '4.4', controller, [
    ['the door is missing', {}, /doorid/],
    ['there is no body', undefined, /body|doorid/i],
    ['a door that does not exist', { doorid: 'garage' }, /doorid/],
    ['a door is a string', { doorid: 1 }, /doorid/],
    ['a field that it does not know', { doorid: 'local', door: 'local' }, /door\b/],
    ['a list is no body', [{ doorid: 'local' }], /object|body/i],
  ]),
  ...rejected('POST /api/controls/door/unlock', '4.4', controller, [
    ['the door is missing', {}, /doorid/],
    ['a duration belongs to munlock', { doorid: 'local', duration: '5' }, /duration/],
    ['null is no door', { doorid: null }, /doorid/],
  ]),
  ...rejected('POST /api/controls/door/munlock', '4.4', controller, [
    ['the seconds are missing', { doorid: 'local' }, /duration/],
    ['the seconds are a string', { doorid: 'local', duration: 5 }, /duration/],
    ['seconds are digits', { doorid: 'local', duration: 'five' }, /duration/],
    ['seconds are not negative', { doorid: 'local', duration: '-5' }, /duration/],
    ['the door is missing', { duration: '5' }, /doorid/],
  ]),
  {
    title: 'a body that is not JSON is turned down',
    section: '4',
    device: controller,
    request: {
      line: 'POST /api/controls/door/unlock',
      body: Buffer.from('{"doorid":"local"'),
      type: 'application/json',
    },
    answer: { status: 400, words: /JSON/i },
  },
  {
    title: 'a JSON body without its content type is turned down',
    section: '4',
    device: controller,
    request: {
      line: 'POST /api/controls/door/unlock',
      body: Buffer.from('{"doorid":"local"}'),
      type: 'text/plain',
    },
    answer: { status: 400, words: /application\/json|content.?type/i },
  },
  {
    title: 'a door is not locked by asking for it',
    section: '4.4',
    device: controller,
    request: { line: 'GET /api/controls/door/lock' },
    answer: { status: 405 },
  },
  {
    title: 'a door is not locked by a PUT',
    section: '4.4',
    device: controller,
    request: { line: 'PUT /api/controls/door/lock', json: { doorid: 'local' } },
    answer: { status: 405 },
  },
  absent('POST /api/controls/door/open', '4.4', controller, { doorid: 'local' }),
  absent('POST /api/controls/door', '4.4', controller, { doorid: 'local' }),
  absent('POST /controls/door/lock', '4.4', controller, { doorid: 'local' }),
  absent('POST /api/controls/door/lock', '4.4', { model: '8301', firmware: '5.7' }, { doorid: 'local' }),
  absent('POST /api/controls/door/unlock', '4.4', { model: '8190', firmware: '5.7' }, { doorid: 'local' }),
  absent(
    'POST /api/controls/door/munlock',
    '4.4',
    { model: '8063', firmware: '5.4' },
    { doorid: 'local', duration: '5' },
  ),
];
