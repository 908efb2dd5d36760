import type { FlowNode } from '../fixtures/node-red';
import { emptyTab } from './ruled-flow';

export const device = { type: 'algo-device', auth: 'none', certificate: 'verify', timeout: 10 };
const byForm = { z: 'tab', x: 200, y: 100, target: 'device', parametersType: 'form', wires: [[]] };
const text = (value: string) => ({ type: 'str', value });
const tone = {
  ...byForm,
  type: 'algo-tone',
  operation: 'start',
  form: { path: text('chime.wav'), loop: { type: 'bool', value: 'false' } },
};
const strobe = {
  ...byForm,
  type: 'algo-strobe',
  operation: 'start',
  form: { pattern: text('Triple Flash'), color1: text('red'), ledlvl: text('high') },
};
const seconds = (value: string) => ({ type: 'num', value });

/** Devices and groups that lack something, or not, and nodes that are for them. */
export const flow: FlowNode[] = [
  emptyTab,
  { id: 'tab', type: 'tab', label: 'Unsupported' },
  { ...device, id: 'old', name: 'Old', address: '192.0.2.1', model: '8301', firmware: '5.4' },
  { ...device, id: 'new', name: 'New', address: '192.0.2.2', model: '8301', firmware: '5.7' },
  {
    ...device,
    id: 'free',
    name: 'Free',
    address: '192.0.2.3',
    model: '8301',
    firmware: '5.4',
    letDeviceDecide: true,
  },
  { ...device, id: 'horn', name: 'Horn', address: '192.0.2.4', model: 'Algo 8190S', firmware: '5.7' },
  { ...device, id: 'lamp', name: 'Lamp', address: '192.0.2.5', model: '8128', firmware: '5.7' },
  ...['Attic', 'Cellar', 'Gym', 'Lobby'].map((name) => ({
    ...{ ...device, id: name, name, address: `192.0.2.${name.length}0`, model: '8301', firmware: '5.4' },
    tags: name === 'Gym' ? 'sport' : '',
  })),
  {
    id: 'all',
    type: 'algo-group',
    name: 'All',
    devices: ['new', 'Lobby', 'Attic'],
    rows: [],
    tags: 'sport',
    auth: 'none',
    maxParallel: 100,
  },
  { ...tone, id: 'play', device: 'old', form: { ...tone.form, duration: seconds('5') } },
  { ...tone, id: 'plain', device: 'old' },
  { ...strobe, id: 'flash all', target: 'group', group: 'all' },
  ...['Barn', 'Shed', 'Silo', 'Mill'].map((name) => ({
    ...{
      ...device,
      id: name,
      name,
      address: `198.51.100.${name.length}`,
      model: '8301',
      firmware: '5.7',
      d: true,
    },
    tags: 'farm',
  })),
  {
    ...{
      id: 'yard',
      type: 'algo-group',
      name: 'Yard',
      devices: ['Barn', 'new'],
      tags: '',
      auth: 'none',
      maxParallel: 100,
    },
    rows: [{ name: 'Gate', address: '203.0.113.1', tags: 'farm', fingerprint: '' }],
    d: true,
  },
  { ...tone, id: 'at the farm', target: 'several', targets: ['new', 'Barn'] },
  { ...strobe, id: 'flash', device: 'horn' },
  { ...tone, id: 'told', device: 'silent' },
  { ...tone, id: 'together', target: 'group', group: 'all', form: { ...tone.form, duration: seconds('5') } },
];
