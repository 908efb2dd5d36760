export const tab = { id: 'tab', type: 'tab', label: 'test' };
const onTab = { z: 'tab', x: 100, y: 100 };

/** An inject node that a test presses, wired to another node. */
export const presses = (id: string, to: string, payload: object = {}) => ({
  ...onTab,
  id,
  type: 'inject',
  props: Object.entries(payload).map(([p, v]) => ({ p, v, vt: 'str' })),
  repeat: '',
  once: false,
  wires: [[to]],
});

/** A node that plays something at a device. */
export const tone = (id: string, device: string) => ({
  ...onTab,
  id,
  type: 'algo-tone',
  target: 'device',
  device,
  operation: 'start',
  form: { path: { type: 'str', value: 'chime.wav' }, loop: { type: 'bool', value: 'false' } },
  ttl: '2',
  wires: [[]],
});

/** A device, one that is away, one with a login in its address, groups, an alert, and what a test presses. */
export const flowOf = (address: string, password: string) => [
  tab,
  { id: 'bells', type: 'algo-device', name: 'Bells', address, credentials: { password } },
  { id: 'away', type: 'algo-device', name: 'Away', address: '127.0.0.1:1', credentials: { password } },
  {
    id: 'login',
    type: 'algo-device',
    name: 'Login',
    address: `http://admin:${password}@127.0.0.1:1`,
    credentials: { password },
  },
  {
    id: 'hall',
    type: 'algo-group',
    name: 'Hall',
    devices: ['bells', 'away'],
    rows: [{ name: 'Gym', address: '192.0.2.50' }],
  },
  { id: 'none', type: 'algo-group', name: 'None', devices: [], rows: [] },
  { id: 'unset', type: 'algo-device', name: 'Unset', address: '${ALGO_NOWHERE}' },
  tone('play', 'bells'),
  tone('play away', 'away'),
  tone('play login', 'login'),
  presses('press', 'play'),
  presses('press away', 'play away'),
  presses('press login', 'play login'),
  {
    ...onTab,
    id: 'lockdown',
    type: 'algo-alert',
    name: 'Lockdown',
    target: 'device',
    device: 'bells',
    priority: 5,
    actions: [
      {
        operation: 'tone/start',
        form: { path: { type: 'str', value: 'chime.wav' }, loop: { type: 'bool', value: 'true' } },
      },
    ],
    wires: [[], []],
  },
  presses('start alert', 'lockdown', { operation: 'start' }),
  presses('acknowledge alert', 'lockdown', { operation: 'acknowledge', by: 'Anna', answer: 'safe' }),
  presses('clear alert', 'lockdown', { operation: 'clear', by: 'Ben' }),
  {
    ...tone('beep', 'bells'),
    name: 'Beep',
    form: { path: { type: 'str', value: 'chime.wav' }, loop: { type: 'bool', value: 'true' } },
    // The device ends by itself what is to end after whole seconds.
    endAfter: '3000.5',
  },
  presses('press beep', 'beep'),
];

/** Two nodes that check the same device: one has nothing to find, the other finds that the firmware is too old. */
export const supervisionOf = (device: string) => [
  ...[
    { id: 'lenient', firmware: '' },
    { id: 'strict', firmware: '99' },
  ].map((more) => ({
    ...{ ...onTab, type: 'algo-supervision', target: 'device', device, interval: '300', clock: '' },
    ...{ certificateDays: '', settings: {}, files: [], sip: false, wires: [[], []] },
    ...more,
  })),
  presses('mask', 'strict', { operation: 'mask', device, until: '3600' }),
];
