import type { FlowNode } from '../fixtures/node-red';
import { flow as alerts } from './alert-flow';
import { lesson } from './bells-flow';
import { distinct, sourced, type Visit, visits } from './every-form';
import { configs, type Other, dialogs as others } from './every-other';
import { group } from './group-flow';
import { emptyTab } from './ruled-flow';

const onTab = { z: 'tab', x: 200, y: 100, wires: [[], []], name: '' };

/** A form of each resource at least, and further ones that have many other rows: all rows are made alike. */
function formsWithMostFields(): FlowNode[] {
  const seen = new Set<string>();
  return [...visits]
    .sort((one, other) => other.rows.length - one.rows.length)
    .filter(({ node, rows }) => {
      const unseen = rows.filter((row) => !seen.has(row));
      if (seen.has(node.type) && unseen.length < 4) return false;
      for (const name of [node.type, ...rows]) seen.add(name);
      return true;
    })
    .map(({ node }) => node);
}

const bells: FlowNode = {
  ...{ ...onTab, id: 'bells', type: 'algo-scheduler', target: 'device', device: 'device', operation: 'sync' },
  ...{ parametersType: 'form', parameters: 'payload', wires: [[]] },
  form: { tag: { type: 'str', value: 'school' }, bells: { type: 'json', value: JSON.stringify([lesson]) } },
};

const bare: readonly FlowNode[] = [
  { ...onTab, id: 'untouched', type: 'algo-door', wires: [[]] },
  { ...onTab, id: 'receipts', type: 'algo-receipts', show: 'all', wires: [[]] },
  { ...onTab, id: 'site', type: 'algo-site', broker: 'broker', site: 'north', prefix: 'algo/v2', rank: '0' },
  {
    ...{ ...onTab, id: 'remote', type: 'algo-remote', broker: 'broker', sites: 'north', prefix: 'algo/v2' },
    ...{
      ttl: '60',
      job: { operation: 'strobe/start', parametersType: 'msg', parameters: 'payload' },
    },
  },
  {
    ...{ ...onTab, id: 'webhook', type: 'algo-webhook', path: '/bell', auth: 'basic', tolerance: '30' },
    ...{ from: ['device'], cooldown: '0', wires: [[], []] },
  },
  {
    ...{
      ...onTab,
      id: 'supervision',
      type: 'algo-supervision',
      target: 'device',
      device: 'device',
      sip: true,
    },
    ...{ settings: { 'audio.page.vol': '-12dB' }, files: ['tones/chime.wav'], wires: [[], []] },
  },
  {
    ...{ ...onTab, id: 'announce', type: 'algo-announce', target: 'device', device: 'device' },
    ...{ audio: 'payload', audioType: 'msg', chime: 'chime.wav', text: 'Bus 12', textType: 'str' },
    ...{ volume: '-12dB', repeat: '1', interval: '2', together: '5', overlap: 'queue', wires: [[], []] },
  },
  { ...onTab, id: 'several', type: 'algo-strobe', target: 'several', targets: ['device'] },
  // What nobody has chosen or written yet.
  {
    ...{ ...onTab, id: 'nothing chosen', type: 'algo-strobe', target: 'device', device: 'device' },
    ...{ operation: 'start', parametersType: 'form', form: {} },
  },
  {
    ...onTab,
    id: 'nothing named',
    type: 'algo-settings',
    operation: 'put',
    parametersType: 'form',
    form: {},
  },
  {
    ...onTab,
    id: 'alert for several',
    type: 'algo-alert',
    target: 'several',
    targets: ['device'],
    actions: [],
  },
];

const toJson = { t: 'set', p: 'x', pt: 'msg', to: '{}', tot: 'json' };
const broker: FlowNode = {
  ...{ id: 'broker', type: 'mqtt-broker', name: 'Broker', broker: '127.0.0.1', port: '1883', clientid: '' },
  ...{ autoConnect: false, usetls: false, protocolVersion: '5', keepalive: '60', cleansession: true },
  // Its dialog would add these.
  ...{ autoUnsubscribe: true, birthQos: '0', willQos: '0' },
};

/** Nodes of Node-RED itself, whose dialogs have what it brings to ours. */
export const coreNodes: readonly FlowNode[] = [
  { ...onTab, id: 'core request', type: 'http request', wires: [[]] },
  { ...onTab, id: 'core change', type: 'change', rules: [toJson], wires: [[]] },
  broker,
];

const kept = ['algo-alert', 'algo-group'];
const ofAlerts = alerts.filter(
  ({ id, type }) => kept.includes(type) && ['three', 'empty', 'all'].includes(id),
);

/** A node for every dialog that we have. */
export const ours: readonly FlowNode[] = [
  ...others.map(({ node }) => node).filter(({ id }) => !/environment/.test(id)),
  ...formsWithMostFields(),
  bells,
  ...bare,
  ...ofAlerts,
  { ...group, devices: ['device'] },
];

export const isConfig = ({ type }: FlowNode): boolean =>
  ['algo-group', broker.type].includes(type) || configs.some(({ node }) => node.type === type);

/** A dialog, and the rows that it shows when it opens, if they are typed from the document. */
export interface Dialog {
  readonly node: FlowNode;
  readonly visit?: Visit;
  readonly other?: Other;
}

const described: readonly Dialog[] = [
  ...[...distinct, ...sourced].map((visit) => ({ node: visit.node, visit })),
  ...others.map((other) => ({ node: other.node, other })),
];

/** Every dialog that is opened: each form, each other node, and those of `ours` whose rows nothing describes. */
export const dialogs: readonly Dialog[] = [
  ...described,
  ...ours.filter((node) => !described.some((one) => one.node === node)).map((node) => ({ node })),
];

export const flow: readonly FlowNode[] = [
  emptyTab,
  { id: 'tab', type: 'tab', label: 'All dialogs', disabled: true },
  ...dialogs.map(({ node }) => node),
  ...coreNodes,
];
