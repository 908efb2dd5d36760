import { absent, refused, rejected, type Transcript, unsupported } from './transcript';

const adapter = { model: '8301', firmware: '5.7' };
const line = 'POST /api/settings/action/restore';

/** 4.2 Device management: factory defaults. */
export const transcripts: readonly Transcript[] = [
  {
    title: 'the factory defaults come back, once that is confirmed; the confirmation stays here',
    section: '4.2',
    device: { model: '8301', firmware: '5.4' },
    ask: { operation: 'settings/restore', parameters: { confirm: true } },
    request: { line },
    leaves: { 'admin.web.api': '0', power: 'restarting' },
    answer: {
      status: 200,
      json: { Restore: 'Restoring to default' },
      varies: { Restore: /\S/ },
    },
  },

  ...refused('settings/restore', '4.2', adapter, [
    ['the confirmation is missing', {}, 'confirm'],
    ['false is no confirmation', { confirm: false }, 'confirm', 'true', 'false'],
    ['yes is no confirmation', { confirm: 'yes' }, 'confirm', 'true', 'yes'],
    ['1 is no confirmation', { confirm: 1 }, 'confirm', 'true', '1'],
    ['nothing else is taken', { confirm: true, all: true }, 'all'],
  ]),
  unsupported(
    'settings/restore',
    '4.2',
    { model: '8301', firmware: '5.3.4' },
    { confirm: true },
    '5.3.4',
    '5.4',
  ),

  ...rejected(line, '4.2', adapter, [['a restore takes no body', { confirm: true }, /body|confirm/i]]),
  absent(line, '4.2', { model: '8301', firmware: '5.3.4' }),
];
