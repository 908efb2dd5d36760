import type { FlowNode } from '../fixtures/node-red';

const device = (id: string, name: string, tags: string, address: string): FlowNode => ({
  ...{
    id,
    type: 'algo-device',
    name,
    virtual: '',
    address,
    auth: 'none',
    certificate: 'any',
    fingerprint: '',
  },
  ...{
    tls: '',
    timeout: 10,
    model: '',
    firmware: '',
    letDeviceDecide: false,
    tags,
    queueLimit: '',
    dryRun: false,
  },
});

export const group = {
  ...{ id: 'group', type: 'algo-group', name: 'School', devices: ['lobby'], tags: 'north', auth: 'standard' },
  rows: [{ name: 'Gym', address: '192.0.2.50', tags: '', fingerprint: '' }],
  ...{
    certificate: 'verify',
    tls: '',
    timeout: 10,
    letDeviceDecide: false,
    queueLimit: '',
    dryRun: false,
    maxParallel: '',
  },
};

export const flow: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Groups', disabled: true },
  device('lobby', 'Lobby', 'north, entrances', '192.0.2.1'),
  device('yard', 'Yard', 'north', '192.0.2.2'),
  device('attic', 'Attic', 'south', '192.0.2.3'),
  group,
];

/** Rows as a spreadsheet has them; some of them wrong, by their lines. */
export const lines = (count: number, wrong: Readonly<Record<number, string>> = {}) =>
  Array.from(
    { length: count },
    (_, place) => wrong[place + 1] ?? `Room ${place}\t10.1.${place >> 8}.${place & 255}`,
  );
