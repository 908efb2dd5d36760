import assert from 'node:assert/strict';
import type { FlowNode } from '../fixtures/node-red';
import { wording } from '../fixtures/wording';
import type { Editor } from './editor';
import { editorSession } from './session';

type Form = Readonly<Record<string, { readonly type: string; readonly value: string }>>;

const text = (value: string) => ({ type: 'str', value });
const seconds = (value: string) => ({ type: 'num', value });
const yes = { type: 'bool', value: 'true' };
const from = (type: string, value: string) => ({ type, value });

/** What a node holds, and what is to be read on it. */
const labels: readonly [words: string, type: string, operation: string, form: Form, more?: object][] = [
  [
    'Show: Weekly weather 600 s → Hall',
    'screen',
    'start',
    {
      type: text('template'),
      template: text('weather_weekly'),
      clockFormat: text('12h'),
      stopAfter: seconds('600'),
    },
  ],
  [
    'Show: Single image map.png → Hall',
    'screen',
    'start',
    { type: text('image'), image1: text('map.png'), strobeFlash: text('slow'), strobeColor: text('red') },
  ],
  [
    `Show: ${wording('screen:operation.start.variant.by-name')} Welcome → Hall`,
    'screen',
    'start',
    { screenName: text('Welcome') },
  ],
  ['Show → Hall', 'screen', 'start', {}],
  [
    'Show a text Stay inside 45 s → Hall',
    'screen',
    'text-start',
    {
      textContent: text('Stay inside'),
      duration: seconds('45'),
      textColor: text('red'),
      textFont: text('din'),
    },
  ],
  [
    'Play a tone chime.wav Loop 120 s → Hall',
    'tone',
    'start',
    {
      path: text('chime.wav'),
      loop: yes,
      duration: seconds('120'),
      interval: seconds('5'),
      'state.address': text('224.0.2.60'),
    },
  ],
  [
    'Play a tone msg.tone → Hall',
    'tone',
    'start',
    { path: from('msg', 'tone'), loop: from('bool', 'false') },
  ],
  ['Play a tone ${TONE} → Hall', 'tone', 'start', { path: from('env', 'TONE') }],
  [
    'Play a tone msg.payload.tone → Hall',
    'tone',
    'start',
    {},
    { parametersType: 'msg', parameters: 'payload.tone' },
  ],
  ['Upload and play msg.payload → Hall', 'tone', 'upload-play', { content: from('msg', 'payload') }],
  [
    'Write settings audio.page.vol -9dB sip.u1.pwd → Hall',
    'settings',
    'put',
    { 'audio.page.vol': text('-9dB'), 'sip.u1.pwd': text('hunter2') },
  ],
  [`${wording('settings:operation.restore.title')} → Hall`, 'settings', 'restore', { confirm: yes }],
  [
    'Apply changes Events Delete → Hall',
    'scheduler',
    'apply',
    { events: from('json', '[]'), delete: from('json', '[]') },
  ],
  ['Sync bells → Hall', 'scheduler', 'sync', { tag: text('bells'), bells: from('json', '[]') }],
  ['Sync bells term 1 → Hall', 'scheduler', 'sync', { tag: text('term 1'), bells: from('json', '[]') }],
  [
    `${wording('door:operation.unlock.title')} local 10 s → Hall`,
    'door',
    'unlock',
    { doorid: text('local') },
    { endAfter: '10' },
  ],
  ['Lock local → Hall', 'door', 'lock', { doorid: text('local') }, { endAfter: '10' }],
  ['door msg.operation → Hall', 'door', 'msg', {}],
  [
    'Flash slow red high → Hall',
    'strobe',
    'start',
    { pattern: text('slow'), color1: text('red'), ledlvl: text('high') },
  ],
];

const node = { id: '', z: 'tab', name: '', x: 300, wires: [[], []], target: 'device', device: 'hall' };
const hand = { ...node, type: 'algo-virtual', virtual: 'virtual', parametersType: 'json' };
const remote = {
  ...node,
  type: 'algo-remote',
  sites: 'north, south',
  devices: '',
  ttl: '60',
  broker: 'broker',
};

const others: readonly [words: string, node: FlowNode][] = [
  [
    'add a fault latency 1000 → Model',
    { ...hand, operation: 'fault', parameters: '{"kind":"latency","ms":1000,"count":1}' },
  ],
  [
    'open or close an input relay closed → Model',
    { ...hand, operation: 'input', parameters: '{"name":"relay","state":"closed"}' },
  ],
  [
    'change the API password → Model',
    { ...hand, operation: 'password', parameters: '{"password":"hunter2"}' },
  ],
  ['virtual → Model', { ...hand, operation: 'msg', parametersType: 'msg', parameters: 'payload' }],
  [
    'Strobe: Flash +1 → Hall',
    {
      ...node,
      type: 'algo-alert',
      actions: [
        { operation: 'strobe/start', form: {} },
        { operation: 'tone/start', form: {} },
      ],
    },
  ],
  ['alert', { ...node, type: 'algo-alert', actions: [] }],
  [
    `${wording('remote:action.start')} Lockdown → north, south`,
    { ...remote, job: { alert: 'Lockdown', action: 'start' } },
  ],
  [
    `${wording('remote:action.clear')} Lockdown → msg.site`,
    { ...remote, sites: '', job: { alert: 'Lockdown', action: 'clear' } },
  ],
  ['Strobe: Flash → north, south', { ...remote, job: { operation: 'strobe/start', form: {} } }],
  ['remote', { ...remote, job: {} }],
];

const nodes = [
  ...labels.map(([words, resource, operation, form, more]) => ({
    words,
    node: { ...node, type: `algo-${resource}`, operation, parametersType: 'form', form, ...more },
  })),
  ...others.map(([words, one]) => ({ words, node: one })),
].map(({ words, node: one }, index) => ({
  words,
  node: { ...one, id: `node ${index}`, y: 60 + 40 * index },
}));

const flow: readonly FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Labels', disabled: true },
  {
    id: 'virtual',
    type: 'algo-virtual-device',
    name: 'Model',
    model: '8301',
    firmware: '5.7',
    auth: 'none',
    port: 0,
  },
  { id: 'hall', type: 'algo-device', name: 'Hall', address: '192.0.2.1', auth: 'none' },
  ...nodes.map(({ node: one }) => one),
];

describe('what stands on a node without a name', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  for (const { words, node: one } of nodes) {
    it(`is "${words}"`, async () => {
      const id = JSON.stringify(one.id);
      assert.equal(await editor.page.evaluate(`RED.utils.getNodeLabel(RED.nodes.node(${id}))`), words);
    });
  }
});
