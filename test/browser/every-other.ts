import type { FlowNode } from '../fixtures/node-red';
import { wording } from '../fixtures/wording';

/** A dialog that no operation of the catalogue makes: what is stored, and the labels of the rows it shows. */
export interface Other {
  readonly node: FlowNode;
  readonly labels: readonly string[];
}

const place = { z: 'tab', x: 200, y: 100 };
const watching = {
  ...place,
  name: '',
  target: 'device',
  device: 'device',
  group: '',
  initial: true,
  misses: 3,
  adaptive: false,
  wires: [[], []],
};
const frame = (own: readonly string[]) => [
  'Name',
  'Watch',
  'Device',
  ...own,
  wording('shared:watch.interval'),
  wording('shared:watch.initial'),
  wording('shared:watch.misses'),
  'Adaptive',
];
const status = frame(['Report', 'Fields', 'Ignore', 'Counters']);
const relay = frame(['Input', 'Report', wording('relay-input:label.debounce')]);

const always = [
  'Name',
  'Tags',
  'Model',
  'Firmware',
  wording('device:label.letDeviceDecide'),
  wording('device:label.virtual'),
];
const device = {
  id: 'device',
  type: 'algo-device',
  name: 'Hall',
  virtual: '',
  address: '192.0.2.10',
  auth: 'standard',
  certificate: 'verify',
  fingerprint: '',
  tls: '',
  timeout: 10,
  model: '8301',
  firmware: '5.7',
  letDeviceDecide: false,
  queueLimit: '',
  dryRun: false,
  tags: 'north, entrances',
};
const print = Array.from({ length: 32 }, () => 'ab').join(':');

const others: readonly Other[] = [
  {
    node: {
      ...watching,
      id: 'status',
      type: 'algo-status',
      interval: 10,
      report: 'fields',
      fields: 'Volume, Call Status',
      ignore: '',
      counters: true,
    },
    labels: status,
  },
  {
    node: {
      ...watching,
      id: 'status by environment',
      type: 'algo-status',
      interval: '${A}',
      report: '${B}',
      fields: '${C}',
      ignore: '${D}',
      counters: '${E}',
      initial: '${F}',
      misses: '${G}',
      adaptive: '${H}',
    },
    labels: status,
  },
  {
    node: {
      ...watching,
      id: 'relay',
      type: 'algo-relay-input',
      interval: '0.5',
      input: 'relay2',
      edge: 'falling',
      debounce: 250,
      initial: false,
      adaptive: true,
    },
    labels: relay,
  },
  {
    node: {
      ...watching,
      id: 'relay by environment',
      type: 'algo-relay-input',
      interval: 1,
      input: '${A}',
      edge: '${B}',
      debounce: '${C}',
    },
    labels: relay,
  },
  {
    node: { ...watching, id: 'events', type: 'algo-console-events', interval: 2, misses: '5' },
    labels: frame([]),
  },
  {
    node: {
      ...place,
      id: 'by message',
      type: 'algo-virtual',
      name: 'Bad luck',
      virtual: 'virtual',
      operation: 'msg',
      parametersType: 'msg',
      parameters: 'payload',
      wires: [[]],
    },
    labels: ['Device', 'Operation', 'Parameters', 'Name'],
  },
  {
    node: {
      ...place,
      id: 'press',
      type: 'algo-virtual',
      name: '',
      virtual: 'virtual',
      operation: 'press',
      parametersType: 'json',
      parameters: '{"id":"a"}',
      wires: [[]],
    },
    labels: ['Device', 'Operation', 'Parameters', 'Id', 'Name'],
  },
];

const chosenByMessage: Other = {
  node: {
    ...place,
    id: 'door by message',
    type: 'algo-door',
    name: '',
    target: 'msg',
    device: '',
    group: '',
    operation: 'msg',
    parametersType: 'msg',
    parameters: 'payload.door',
    form: {},
    wires: [[]],
  },
  labels: ['Name', 'Send to', 'Operation', 'Parameters'],
};

export const configs: readonly Other[] = [
  { node: device, labels: ['Address', 'Authentication', 'Password', 'Certificate', ...always] },
  {
    node: {
      ...device,
      id: 'pinned',
      auth: 'none',
      certificate: 'pin',
      fingerprint: print,
      letDeviceDecide: true,
    },
    labels: ['Address', 'Authentication', 'Certificate', 'Fingerprint', ...always],
  },
  { node: { ...device, id: 'simulated', address: '', virtual: 'virtual' }, labels: always },
  {
    node: {
      id: 'virtual',
      type: 'algo-virtual-device',
      name: 'Practice',
      model: '8063',
      firmware: '5.6',
      auth: 'basic',
      port: 0,
    },
    labels: ['Name', 'Model', 'Firmware', 'Authentication', 'Password', 'Port'],
  },
];

export const dialogs = [...others, chosenByMessage, ...configs];
