import { absent, refused, rejected, type Transcript, unsupported } from './transcript';

const speaker = { model: '8186', firmware: '5.7' };
const old = { model: '8186', firmware: '3.3' };

/** 4.2 Device management, restore aside (settings.ts). */
export const transcripts: readonly Transcript[] = [
  {
    title: 'a device starts again',
    section: '4.2',
    device: old,
    ask: { operation: 'system/reboot', parameters: {} },
    request: { line: 'POST /api/controls/reboot' },
    leaves: { power: 'restarting' },
    answer: { status: 200 },
  },
  {
    title: 'a device loads its settings again',
    section: '4.2',
    device: old,
    ask: { operation: 'system/reload', parameters: {} },
    request: { line: 'POST /api/controls/reload' },
    leaves: { power: 'restarting' },
    answer: { status: 200 },
  },
  {
    title: 'a device looks for newer firmware',
    section: '4.2',
    device: { model: '8186', firmware: '4.1' },
    ask: { operation: 'system/upgrade-check', parameters: {} },
    request: { line: 'POST /api/controls/upgrade/check' },
    reads: true,
    answer: { status: 200, json: { version: 'updated' }, varies: { version: /^(updated|\d+\.\d+.*)$/ } },
  },
  {
    title: 'a device upgrades, if there is anything newer',
    section: '4.2',
    device: { model: '8186', firmware: '4.1' },
    ask: { operation: 'system/upgrade-start', parameters: {} },
    request: { line: 'POST /api/controls/upgrade/start' },
    leaves: { firmware: '5.7', power: 'restarting' },
    answer: {
      status: 200,
      json: { status: 'upgrading 5.7', url: 'https://firmware.invalid/8186-5.7' },
      varies: { status: /\S/, url: /^"?/ },
    },
  },

  ...refused('system/reboot', '4.2', speaker, [['a reboot takes nothing', { delay: 5 }, 'delay']]),
  ...refused('system/reload', '4.2', speaker, [['a reload takes nothing', { confirm: true }, 'confirm']]),
  ...refused('system/upgrade-check', '4.2', speaker, [['it takes nothing', { version: '5.7' }, 'version']]),
  ...refused('system/upgrade-start', '4.2', speaker, [['it takes nothing', { url: 'https://x' }, 'url']]),
  unsupported('system/upgrade-check', '4.2', old, {}, '3.3', '4.1'),
  unsupported('system/upgrade-start', '4.2', old, {}, '3.3', '4.1'),

  ...rejected('POST /api/controls/reboot', '4.2', speaker, [
    ['a reboot takes no body', { delay: 5 }, /body|delay/i],
  ]),
  absent('POST /api/controls/upgrade/check', '4.2', old),
  absent('POST /api/controls/upgrade/start', '4.2', old),
  absent('POST /api/controls/upgrade', '4.2', speaker),
  ...rejected('POST /api/controls/reload', '4.2', speaker, [
    ['a body is not asked for', { now: true }, /now|body/],
  ]),
];
