import { absent, refused, rejected, type Transcript, unsupported } from './transcript';

const console8450 = { model: '8450', firmware: '5.6' };
const stopped = { status: 200, text: 'Stopped 0 event(s).', words: /\d/ };
const press = (id: string) => ({ line: 'POST /api/controls/console/button/activate', json: { id } }) as const;
const stop = (type: string, extra: Partial<Transcript> = {}): Transcript => ({
  title: `events of the type ${type} are stopped and counted`,
  section: '4.11',
  device: console8450,
  ask: { operation: 'console/stop', parameters: { type } },
  request: { line: 'POST /api/controls/console/event/stop', json: { type } },
  answer: stopped,
  ...extra,
});

/** 4.11 8450 console. */
export const transcripts: readonly Transcript[] = [
  {
    title: 'a console button is pressed',
    section: '4.11',
    device: console8450,
    ask: { operation: 'console/activate', parameters: { id: 'lockdown' } },
    request: { line: 'POST /api/controls/console/button/activate', json: { id: 'lockdown' } },
    leaves: { console: [{ type: 'emergency' }] },
    answer: { status: 200 },
  },
  {
    title: 'a button may have a number for a name',
    section: '4.11',
    device: console8450,
    ask: { operation: 'console/activate', parameters: { id: 7 } },
    request: { line: 'POST /api/controls/console/button/activate', json: { id: '7' } },
    leaves: { console: [{ type: 'call' }] },
    answer: { status: 200 },
  },
  stop('all', { before: [press('lockdown'), press('7')], leaves: { console: [] } }),
  stop('emergency', { before: [press('lockdown'), press('7')], leaves: { console: [{ type: 'call' }] } }),
  stop('nonEmergency', {
    before: [press('lockdown'), press('7')],
    leaves: { console: [{ type: 'emergency' }] },
  }),
  stop('call', { before: [press('7')], leaves: { console: [] } }),
  stop('pageMic'),
  stop('pageTone'),
  {
    title: 'nothing is active on an idle console',
    section: '4.11',
    device: console8450,
    ask: { operation: 'console/status', parameters: {} },
    request: { line: 'GET /api/console/event/status' },
    answer: { status: 200, json: { active: [] } },
  },

  ...refused('console/activate', '4.11', console8450, [
    ['the button is missing', {}, 'id'],
    ['the button is called id', { button: 'lockdown' }, 'button'],
    ['a list is no button', { id: ['lockdown'] }, 'id'],
  ]),
  ...refused('console/stop', '4.11', console8450, [
    ['the type is missing', {}, 'type'],
    ['capitals count', { type: 'nonemergency' }, 'type', 'nonEmergency', 'nonemergency'],
    ['a type that does not exist', { type: 'page' }, 'type', 'pageMic', 'pageTone', 'page'],
  ]),
  ...refused('console/status', '4.11', console8450, [['status takes nothing', { type: 'all' }, 'type']]),
  unsupported(
    'console/activate',
    '4.11',
    { model: '8301', firmware: '5.7' },
    { id: 'lockdown' },
    '8301',
    '8450',
  ),
  unsupported('console/stop', '4.11', { model: '8450', firmware: '5.5' }, { type: 'all' }, '5.5', '5.6'),
  unsupported('console/status', '4.11', { model: '8410', firmware: '5.7' }, {}, '8410', '8450'),

  ...rejected('POST /api/controls/console/button/activate', '4.11', console8450, [
    ['the button is missing', {}, /id/],
    ['a button is a string', { id: 7 }, /id/],
    ['a field that it does not know', { id: 'lockdown', screen: 1 }, /screen/],
  ]),
  ...rejected('POST /api/controls/console/event/stop', '4.11', console8450, [
    ['the type is missing', {}, /type/],
    ['a type that it does not know', { type: 'page' }, /type/],
    ['there is no body', undefined, /body|type/i],
  ]),
  absent('GET /api/console/event/status', '4.11', { model: '8301', firmware: '5.7' }),
  absent(
    'POST /api/controls/console/event/stop',
    '4.11',
    { model: '8450', firmware: '5.5' },
    { type: 'all' },
  ),
];
