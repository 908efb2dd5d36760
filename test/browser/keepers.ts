import type { FlowNode } from './node-red';

const common = { z: 'tab', wires: [[]], name: '', target: 'device', device: 'device', group: '' };
const byForm = { ...common, parametersType: 'form', parameters: 'payload' };

/** Nodes that must leave a visit to their dialog exactly as they were. */
export const keepers: readonly FlowNode[] = [
  {
    ...byForm,
    id: 'every-type',
    type: 'algo-tone',
    operation: 'start',
    form: {
      'state.port': { value: 'ports[0]', type: 'msg' },
      path: { type: 'str', value: 'chime.wav' },
      loop: { type: 'bool', value: 'false' },
      duration: { type: 'num', value: '30' },
      interval: { type: 'jsonata', value: '$max([pause, 1])' },
      mcast: { type: 'flow', value: 'multicast' },
      playback: { type: 'global', value: 'local' },
      'state.mode': { type: 'str', value: 'sender' },
      'state.address': { type: 'env', value: 'ZONE' },
      'state.type': { type: 'str', value: 'poly' },
      'state.group': { type: 'str', value: '7' },
    },
  },
  {
    ...byForm,
    id: 'oddities',
    type: 'algo-door',
    operation: 'munlock',
    form: {
      doorid: { type: 'str', value: 'back gate' },
      duration: { type: 'date', value: 'iso' },
      other: { type: 'json', value: '{"a":1}' },
    },
  },
  {
    ...byForm,
    id: 'environment',
    type: 'algo-tone',
    operation: 'start',
    form: { path: { type: 'str', value: '${TONE}' }, loop: { type: 'bool', value: '${LOOP}' } },
  },
  {
    ...byForm,
    id: 'bare-values',
    type: 'algo-door',
    operation: 'munlock',
    form: { doorid: { type: 'str', value: 'local' }, duration: { type: 'num', value: 5 } },
  },
  {
    ...byForm,
    id: 'new-operation',
    type: 'algo-door',
    operation: 'slam',
    form: { force: { type: 'num', value: '9' } },
  },
  {
    ...byForm,
    id: 'no-row',
    type: 'algo-scheduler',
    operation: 'apply',
    form: { delete: { type: 'json', value: '[{"evid":7}]' }, format: { type: 'str', value: 'v2.0' } },
  },
  { ...byForm, id: 'group', type: 'algo-door', target: 'group', group: 'g1', operation: 'lock', form: {} },
  {
    ...common,
    id: 'by-message',
    type: 'algo-door',
    operation: 'msg',
    parametersType: 'msg',
    parameters: 'door',
    form: {},
  },
  {
    ...common,
    id: 'other-source',
    type: 'algo-door',
    operation: 'lock',
    parametersType: 'cloud',
    parameters: 'x',
    form: {},
  },
].map((node, index) => ({ ...node, x: 240, y: 80 + 60 * index }));

export const flow: readonly FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Dialogs' },
  {
    id: 'virtual',
    type: 'algo-virtual-device',
    name: 'Virtual 8301',
    model: '8301',
    firmware: '5.7',
    auth: 'none',
    port: 0,
  },
  {
    id: 'device',
    type: 'algo-device',
    name: 'Hall',
    address: '${HALL}',
    auth: '${AUTH}',
    certificate: 'pin',
    fingerprint: '${PRINT}',
    tls: '',
    timeout: '${LIMIT}',
    tags: '',
    model: '',
    firmware: '',
    letDeviceDecide: '${ANYTHING}',
    virtual: '',
  },
  {
    ...byForm,
    id: 'door',
    type: 'algo-door',
    x: 600,
    y: 80,
    operation: 'unlock',
    form: { doorid: { type: 'str', value: 'local' } },
  },
  ...keepers,
];
