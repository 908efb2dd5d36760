/** The flow under test: every action node, with its target from the message and with one of its own. */
import { everyGroup } from '../../src/catalogue';
import { type GroupProfile, groups, type Profile } from './fleet';
import { wayNode, ways } from './ways';

type Node = Record<string, unknown> & { id: string; type: string };

export interface Flow {
  readonly flows: Node[];
  readonly credentials: Record<string, { password: string }>;
}

/** What a flow needs to know of a device that runs. */
export interface Running {
  readonly profile: Profile;
  readonly address: string;
  readonly fingerprint: string;
}

const onTab = { z: 'tab', x: 100, y: 100 };
const fromMessage = { operation: 'msg', parametersType: 'msg', parameters: 'payload' };

/** Nodes that do more than the operation, by id: their resource and their option. */
export const optional: Readonly<Record<string, readonly [resource: string, option: string]>> = {
  'settings-confirm': ['settings', 'confirmWrite'],
  'settings-reload': ['settings', 'reloadAfter'],
  'files-confirm': ['files', 'confirmWrite'],
  'files-same': ['files', 'skipUnchanged'],
  'audio-confirm': ['audio', 'confirmWrite'],
  'system-back': ['system', 'waitUntilBack'],
};

export const resources: readonly string[] = everyGroup.map(({ resource }) => resource);

/** The node of a resource that has one device, and that device's place in the fleet. */
export const staticNode = (resource: string): string => `static-${resource}`;
export const staticDevice = (resource: string, count: number): number => {
  const place = (resources.indexOf(resource) * 3) % count;
  // A row is no node of its own.
  return place % 10 === 1 ? place - 1 : place;
};

/** The node of a resource that works its parameters out, so that they come later than those of others. */
export const lateNode = (resource: string): string => `late-${resource}`;

const deviceNode = (index: number): string => `device${index}`;

function actions(count: number): Node[] {
  const node = (id: string, resource: string, more: object): Node => ({
    ...onTab,
    ...fromMessage,
    id,
    type: `algo-${resource}`,
    target: 'msg',
    wires: [['out']],
    ...more,
  });
  return [
    ...resources.map((resource) => node(resource, resource, {})),
    ...resources.map((resource) =>
      node(staticNode(resource), resource, {
        target: 'device',
        device: deviceNode(staticDevice(resource, count)),
      }),
    ),
    ...resources.map((resource) =>
      node(lateNode(resource), resource, { parametersType: 'jsonata', parameters: '$merge([payload, {}])' }),
    ),
    ...resources.flatMap((resource) =>
      Object.entries(ways).map(([way, { group, ...options }]) =>
        node(wayNode(way, resource), resource, {
          ...options,
          ...(group !== undefined && { target: 'group', group }),
        }),
      ),
    ),
    ...Object.entries(optional).map(([id, [resource, option]]) => node(id, resource, { [option]: true })),
  ];
}

function watching({ profile: { index, watched } }: Running): Node[] {
  if (!watched) return [];
  return ['algo-status', 'algo-relay-input', 'algo-console-events'].map((type) => ({
    ...onTab,
    id: `${type}${index}`,
    type,
    device: deviceNode(index),
    interval: 1,
    initial: true,
    adaptive: false,
    misses: 3,
    ...(type === 'algo-relay-input' && { input: 'relay', edge: 'both' }),
    wires: [[], []],
  }));
}

function deviceConfig({ profile, address, fingerprint }: Running, changed: ReadonlySet<number>): Node {
  const { index, name, auth, tags, model, letDeviceDecide, certificate } = profile;
  return {
    id: deviceNode(index),
    type: 'algo-device',
    name,
    address,
    auth,
    certificate,
    fingerprint,
    tags: tags.join(', '),
    timeout: changed.has(index) ? profile.timeout + 0.1 : profile.timeout,
    model: model ?? '',
    firmware: model ? '5.7' : '',
    letDeviceDecide,
    ...(profile.queueLimit !== undefined && { queueLimit: profile.queueLimit }),
  };
}

/** Its rows share what they have in common; a change of one changes them all. */
function groupConfig(
  { id, name, devices, tags, rows, maxParallel, dryRun }: GroupProfile,
  fleet: readonly Running[],
  changed: ReadonlySet<number>,
): Node {
  const own = rows ? fleet.filter(({ profile }) => profile.row) : [];
  const listed = own.map(({ profile, address }) => ({
    name: profile.name,
    address,
    tags: profile.tags.join(', '),
  }));
  const isChanged = own.some(({ profile: { index } }) => changed.has(index));
  return {
    id,
    type: 'algo-group',
    name,
    devices: devices.filter((index) => index < fleet.length).map(deviceNode),
    tags: tags.join(','),
    rows: rows ? [...listed, { name: 'Bad Row', address: 'http://user:secret@127.0.0.1' }] : [],
    auth: 'standard',
    certificate: 'any',
    timeout: isChanged ? 1.1 : 1,
    letDeviceDecide: true,
    ...(maxParallel !== undefined && { maxParallel }),
    ...(dryRun && { dryRun }),
  };
}

/** Devices that cannot be addressed, each for another reason. `pinned` is the address of one that speaks TLS. */
function nobodies(pinned: string): Node[] {
  const device = (id: string, name: string, more: object): Node => ({
    id,
    type: 'algo-device',
    name,
    address: 'http://127.0.0.1:1',
    auth: 'none',
    timeout: 1,
    letDeviceDecide: true,
    ...more,
  });
  return [
    device('nobody1', 'Twin', {}),
    device('nobody2', 'Twin', {}),
    device('nobody3', 'No Password', { auth: 'standard' }),
    device('nobody4', 'Nothing Listens', {}),
    device('nobody5', 'Wrong Pin', { address: pinned, certificate: 'pin', fingerprint: 'AB'.repeat(32) }),
  ];
}

/**
 * @param changed the devices whose settings differ from those of the first deploy
 */
export function flowOf(
  fleet: readonly Running[],
  pinned: string,
  password: string,
  changed: ReadonlySet<number> = new Set(),
): Flow {
  const acting = actions(fleet.length);
  const flows: Node[] = [
    { id: 'tab', type: 'tab', label: 'soak' },
    ...fleet.filter(({ profile }) => !profile.row).map((running) => deviceConfig(running, changed)),
    ...groups.map((group) => groupConfig(group, fleet, changed)),
    ...nobodies(pinned),
    ...acting,
    ...fleet.flatMap(watching),
    {
      ...onTab,
      id: 'watch-house',
      type: 'algo-status',
      target: 'group',
      group: 'group-house',
      interval: 3,
      wires: [[], []],
    },
    { ...onTab, id: 'out', type: 'soak-sink', role: 'out' },
    { ...onTab, id: 'catch', type: 'catch', scope: null, uncaught: false, wires: [['caught']] },
    { ...onTab, id: 'caught', type: 'soak-sink', role: 'caught' },
    {
      ...onTab,
      id: 'complete',
      type: 'complete',
      scope: acting.map(({ id }) => id),
      wires: [['completed']],
    },
    { ...onTab, id: 'completed', type: 'soak-sink', role: 'completed' },
  ];
  const locked = fleet.filter(({ profile: { auth, row } }) => auth !== 'none' && !row);
  const ids = [...locked.map(({ profile: { index } }) => deviceNode(index)), ...groups.map(({ id }) => id)];
  const credentials = ids.map((id) => [id, { password }]);
  return { flows, credentials: Object.fromEntries(credentials) };
}
