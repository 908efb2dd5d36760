import { everyGroup } from '../../src/catalogue';
import type { TestCertificate } from '../fixtures/certificates';
import type { FlowNode } from '../fixtures/node-red';

/** All secrets that are set, by the place at which they are set. No text of the package contains one of them. */
export const secrets = {
  device: 'Kq7/device+pw?1',
  basic: 'Kq7/basic+pw?2',
  group: 'Kq7/group+pw?3',
  row: 'Kq7/row+pw?4',
  url: 'Kq7@urlpw5',
  virtual: 'Kq7/virtual+pw?6',
  webhook: 'Kq7/webhook+pw?7',
  webhookToken: 'Kq7webhooktoken8',
  siteKey: `Kq7site9${'k'.repeat(35)}`,
  centre: 'Kq7/centre+pw?10',
  broker: 'Kq7/broker+pw?11',
  passphrase: 'Kq7/tls+pw?12',
  setting: 'Kq7/setting+pw?13',
  written: 'Kq7/written+pw?14',
  call: 'Kq7calltoken15',
} as const;

/** Values of the environment, which no exported flow has. */
export const environment = {
  ALGO_SECRET_ADDRESS: `http://admin:${secrets.url}@127.0.0.1:1`,
  ALGO_SECRET_SETTING: secrets.setting,
};

const place = { z: 'tab', x: 100, y: 100 };
const variable = (name: keyof typeof environment) => `\${${name}}`;

export const targets = ['Standard', 'Basic', 'Row', 'Own row', 'Login', 'TLS', 'Virtual'] as const;

/** The configuration nodes, with everything that can be secret. */
function configurations(addresses: readonly string[], { cert, key }: TestCertificate): FlowNode[] {
  const [standard, basic, row, ownRow, secure] = addresses;
  return [
    {
      ...{ id: 'gate', type: 'algo-device', name: 'Standard', address: standard, letDeviceDecide: true },
      credentials: { password: secrets.device },
    },
    {
      ...{
        id: 'lobby',
        type: 'algo-device',
        name: 'Basic',
        address: basic,
        auth: 'basic',
        letDeviceDecide: true,
      },
      credentials: { password: secrets.basic },
    },
    {
      ...{ id: 'login', type: 'algo-device', name: 'Login', address: variable('ALGO_SECRET_ADDRESS') },
      credentials: { password: secrets.device },
    },
    {
      ...{ id: 'secure', type: 'algo-device', name: 'TLS', address: secure, tls: 'tls', certificate: 'any' },
      credentials: { password: secrets.device },
    },
    {
      ...{ id: 'tls', type: 'tls-config', name: 'TLS' },
      credentials: { certdata: cert, keydata: key, passphrase: secrets.passphrase },
    },
    {
      ...{ id: 'group', type: 'algo-group', name: 'Group', devices: ['gate'], letDeviceDecide: true },
      rows: [
        { name: 'Row', address: row },
        { name: 'Own row', address: ownRow, passwordKey: 1 },
      ],
      credentials: { password: secrets.group, rowPassword1: secrets.row },
    },
    {
      ...{ id: 'box', type: 'algo-virtual-device', name: 'Box', model: '8301', port: 0 },
      credentials: { password: secrets.virtual },
    },
    { id: 'virtual', type: 'algo-device', name: 'Virtual', virtual: 'box' },
    {
      ...{ id: 'broker', type: 'mqtt-broker', name: 'Broker', broker: '127.0.0.1', port: '1' },
      ...{ clientid: '', autoConnect: true, usetls: false, protocolVersion: '5', keepalive: '60' },
      credentials: { user: 'algo', password: secrets.broker },
    },
  ];
}

const devices = { target: 'several', targets: ['group:Group', 'gate', 'lobby'] };
const fromMessage = {
  target: 'msg',
  operation: 'msg',
  parametersType: 'msg',
  parameters: 'values',
  retryFor: '0',
};

/** Nodes that take messages, by their id. */
const asked: readonly FlowNode[] = [
  ...everyGroup.map(({ resource }) => ({
    ...{ id: resource, type: `algo-${resource}`, name: resource, ...fromMessage },
  })),
  {
    ...{ id: 'put', type: 'algo-settings', name: 'put', ...devices, operation: 'put', confirmWrite: true },
    ...{ parametersType: 'form', form: {} },
    retryFor: '0',
    others: [{ name: 'sip.u1.pwd', type: 'str', value: variable('ALGO_SECRET_SETTING') }],
  },
  {
    ...{ id: 'expression', type: 'algo-settings', name: 'expression', ...devices, operation: 'put' },
    ...{ parametersType: 'jsonata', parameters: '{"sip.u1.pwd": $number(values.pwd)}' },
  },
  {
    ...{ id: 'alert', type: 'algo-alert', name: 'Alert', ...devices },
    actions: [{ operation: 'strobe/start', parametersType: 'form', form: {} }],
  },
  {
    id: 'announce',
    type: 'algo-announce',
    name: 'Announce',
    ...devices,
    audio: 'chime.wav',
    audioType: 'str',
  },
  {
    ...{
      id: 'supervision',
      type: 'algo-supervision',
      name: 'Supervision',
      ...devices,
      interval: 3600,
      sip: true,
    },
    settings: { 'sip.u1.pwd': variable('ALGO_SECRET_SETTING') },
  },
  ...['status', 'relay-input', 'console-events'].map((kind) => ({
    ...{ id: kind, type: `algo-${kind}`, name: kind, target: 'group', group: 'group', interval: 3600 },
  })),
  {
    ...{ id: 'command', type: 'algo-virtual', name: 'command', virtual: 'box', operation: 'call' },
    ...{ parametersType: 'msg', parameters: 'values' },
  },
  {
    ...{ id: 'remote', type: 'algo-remote', name: 'Remote', broker: 'broker', sites: 'north', ttl: '1' },
    ...{ job: { operation: 'strobe/stop' }, credentials: { secret: secrets.centre } },
  },
];

/** Nodes that begin by themselves. */
const others: readonly FlowNode[] = [
  {
    ...{ id: 'site', type: 'algo-site', name: 'Site', broker: 'broker', site: 'north' },
    credentials: { key: secrets.siteKey },
  },
  { id: 'told', type: 'algo-receipts', name: 'told' },
  ...['standard', 'basic', 'token'].map((auth) => ({
    ...{ id: `hook ${auth}`, type: 'algo-webhook', name: auth, path: `/${auth}`, auth },
    credentials: { password: auth === 'token' ? secrets.webhookToken : secrets.webhook },
  })),
];

/** Writes a message, an error and all that it contains as one line, and says which message has ended. */
const write = `const { values, payload, device, operation, ...shown } = msg;
const all = msg.isAskedByName ? shown : { ...shown, payload, device, operation };
const options = { depth: 30, maxStringLength: Infinity, maxArrayLength: Infinity, breakLength: Infinity };
node.warn('told ' + util.inspect(all, options));
`;

/** The nodes with wires from `POST /send`, whose body names a node and has a message, and to what writes all of it. */
export function flow(addresses: readonly string[], certificate: TestCertificate): FlowNode[] {
  const ids = asked.map(({ id }) => id);
  const own = [...asked, ...others].map((node) => ({
    ...place,
    ...node,
    wires: [['written'], ['written'], ['written']],
  }));
  return [
    { id: 'tab', type: 'tab', label: 'test' },
    ...configurations(addresses, certificate),
    ...own,
    { ...place, id: 'in', type: 'http in', url: '/send', method: 'post', wires: [['choose']] },
    {
      ...{ ...place, id: 'choose', type: 'function', outputs: ids.length + 1 },
      func: `const to = ${JSON.stringify(ids)}.indexOf(msg.payload.to);
const outputs = Array(${ids.length + 1}).fill(null);
outputs[to] = msg.payload.message;
node.send(outputs);
outputs[to] = null;
outputs[${ids.length}] = msg;
node.send(outputs);`,
      wires: [...ids.map((id) => [id]), ['out']],
    },
    { ...place, id: 'out', type: 'http response', wires: [] },
    { ...place, id: 'written', type: 'function', func: write, wires: [] },
    { ...place, id: 'catch', type: 'catch', scope: null, uncaught: false, wires: [['ended']] },
    { ...place, id: 'complete', type: 'complete', scope: ids, wires: [['ended']] },
    { ...place, id: 'ended', type: 'function', func: `${write}node.warn('ended ' + msg.tag);`, wires: [] },
    { ...place, id: 'statuses', type: 'status', scope: null, wires: [['written']] },
  ];
}
