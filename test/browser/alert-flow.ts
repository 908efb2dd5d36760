import type { FlowNode } from '../fixtures/node-red';

const virtual = (id: string, name: string, model: string): FlowNode[] => [
  { id: `virtual-${id}`, type: 'algo-virtual-device', name, model, firmware: '5.7', auth: 'none', port: 0 },
  {
    ...{ id, type: 'algo-device', name, virtual: `virtual-${id}`, address: '', auth: 'none' },
    ...{ certificate: 'any', fingerprint: '', tls: '', timeout: 10, model: '', firmware: '' },
    ...{ letDeviceDecide: false, tags: '', queueLimit: '', dryRun: false },
  },
];

/** What a person stored for a field, as text. */
export const entry = (type: string, value: string) => ({ type, value });

export const strobe = {
  operation: 'strobe/start',
  form: { pattern: entry('str', 'slow'), color1: entry('str', 'red'), ledlvl: entry('str', 'high') },
};
export const words = { operation: 'screen/text-start', form: { textContent: entry('msg', 'payload.text') } };
export const relay = { operation: 'relay/enable', form: {} };

const alert = (id: string, actions: unknown, more: object = {}): FlowNode => ({
  ...{ id, type: 'algo-alert', z: 'tab', name: id, target: 'group', device: '', group: 'all', actions },
  ...{
    priority: 5,
    endAfter: '',
    afterRestart: 'keep',
    retryAlert: 'true',
    drill: false,
    x: 200,
    y: 100,
    wires: [[], []],
  },
  ...more,
});

/** Alerts of all kinds: untouched, written by hand, wrong, and not a list at all. */
export const flow: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Alerts', disabled: true },
  ...virtual('wall', 'Wall', '8410'),
  ...virtual('lobby', 'Lobby', '8138'),
  ...virtual('gate', 'Gate', '8063'),
  {
    ...{ id: 'all', type: 'algo-group', name: 'All', devices: ['wall', 'lobby', 'gate'], tags: '' },
    ...{ rows: [{ name: 'Gym', address: '192.0.2.50', tags: '', fingerprint: '' }], auth: 'none' },
    ...{ certificate: 'any', tls: '', timeout: 10, letDeviceDecide: false, queueLimit: '', dryRun: false },
    maxParallel: '',
  },
  alert('three', [strobe, words, relay]),
  alert('empty', [], { name: '', y: 200 }),
  // Written before the newer properties were there.
  alert('old', [strobe], { afterRestart: undefined, retryAlert: undefined, drill: undefined, y: 600 }),
  alert('variable', '${ACTIONS}', {
    priority: '${PRIORITY}',
    drill: '${DRILL}',
    afterRestart: '${AFTER}',
    retryAlert: '${RETRY}',
    y: 300,
  }),
  alert('text', JSON.stringify([strobe]), { target: 'msg', y: 400 }),
  alert(
    'wrong',
    [
      {
        operation: 'strobe/start',
        form: { ...strobe.form, pattern: entry('num', '-1'), loud: entry('bool', 'true') },
      },
      { operation: 'system/reboot', form: {} },
      { ...relay, comment: 'by hand' },
    ],
    { y: 500 },
  ),
];
