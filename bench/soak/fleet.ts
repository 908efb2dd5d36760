/** Who is there: devices of every temper, and names behind which there is none. */
import type { Target } from './history';
import { hash, Random } from './random';

export interface Profile {
  readonly index: number;
  readonly name: string;
  readonly auth: 'standard' | 'basic' | 'none';
  readonly tls: boolean;
  readonly certificate: 'any' | 'pin';
  readonly tags: readonly string[];
  /** Seconds that the device node waits for an answer. */
  readonly timeout: number;
  /** What the device node is told and what the device answers; absent: neither is a model that is known. */
  readonly model?: string;
  readonly letDeviceDecide: boolean;
  /** How many of its answers are faults, from 0 to 1. */
  readonly faultFactor: number;
  /** After how many idle milliseconds it closes a connection, unannounced; 0: never. */
  readonly idleMs: number;
  readonly watched: boolean;
  /** It is a row of a group. */
  readonly row: boolean;
  /** Node-RED, or the device itself, ends what is started there. */
  readonly ending: boolean;
  /** So many messages wait for it at most. */
  readonly queueLimit?: number;
}

export const password = 'a:soak wörd';

const models = ['8301', '8186', '8138', '8410', '8450', '8063', '8201'];

export function fleetOf(seed: number, count: number): Profile[] {
  const random = new Random(hash(seed, 'fleet'));
  return Array.from({ length: count }, (_, index) => {
    const kind = random.next();
    const row = index % 10 === 1;
    return {
      index,
      name: `Device ${String(index).padStart(3, '0')}`,
      auth: random.pick(
        row ? ['standard'] : (['standard', 'standard', 'standard', 'basic', 'none'] as const),
      ),
      tls: index % 8 === 3,
      certificate: index % 16 === 3 && !row ? 'pin' : 'any',
      tags: [`floor${index % 7}`, ...(index % 5 === 0 ? ['outside'] : [])],
      timeout: index % 6 === 5 && !row ? 4 : 1,
      ...(kind < 0.2 && !row && { model: random.pick(models) }),
      letDeviceDecide: kind > 0.5 || row,
      faultFactor: random.pick([0.05, 0.2, 0.3, 0.5]),
      idleMs: random.pick([0, 0, 0, 5, 30, 200, 1000]),
      watched: index % 5 === 2,
      row,
      ending: index % 10 === 4,
      ...(index % 10 === 6 && { queueLimit: 2 }),
    };
  });
}

/** Names that lead nowhere, with the code that says so. */
export const nobody: readonly Target[] = [
  { name: 'Nobody', code: 'NOT_CONFIGURED' },
  { name: 'Twin', code: 'NOT_CONFIGURED' },
  { name: 'No Password', code: 'NOT_CONFIGURED' },
  { name: 'Nothing Listens', code: 'UNREACHABLE' },
  { name: 'Wrong Pin', code: 'TLS_UNTRUSTED' },
  { name: 'Bad Row', code: 'NOT_CONFIGURED' },
  { name: 'group:Hollow', code: 'NOT_CONFIGURED' },
  { name: 'group:Nowhere', code: 'NOT_CONFIGURED' },
];

/** The devices that carry a tag, by name, as they are addressed. */
export const tagged = (fleet: readonly Profile[], tag: string): Profile[] =>
  fleet.filter(({ tags }) => tags.includes(tag));

export const targetOf = ({ name, index }: Profile): Target => ({ name, device: index });

/** A group, and who belongs to it beside its rows. */
export interface GroupProfile {
  readonly id: string;
  readonly name: string;
  readonly devices: readonly number[];
  readonly tags: readonly string[];
  readonly rows?: true;
  readonly maxParallel?: number;
  readonly dryRun?: true;
}

export const groups: readonly GroupProfile[] = [
  {
    id: 'group-house',
    name: 'House',
    devices: [9, 0, 3, 15],
    tags: ['outside', 'floor6'],
    rows: true,
    maxParallel: 8,
  },
  { id: 'group-pair', name: 'Pair', devices: [8, 7], tags: [], maxParallel: 1 },
  { id: 'group-drill', name: 'Drill', devices: [2, 9, 5], tags: ['floor3'], dryRun: true },
  { id: 'group-hollow', name: 'Hollow', devices: [], tags: ['nowhere'] },
];

/** The members of a group in the contract's order: devices and rows as listed, tagged ones by name, each once. */
export function membersOf(
  { devices, rows, tags, dryRun }: GroupProfile,
  fleet: readonly Profile[],
): Target[] {
  const listed = devices.map((index) => fleet[index]).filter((profile) => profile !== undefined);
  const own = rows ? fleet.filter(({ row }) => row) : [];
  const byTag = fleet.filter((profile) => profile.tags.some((tag) => tags.includes(tag)));
  const found = [...new Set([...listed, ...own])].map(targetOf);
  const others = byTag.filter((profile) => !listed.includes(profile) && !own.includes(profile)).map(targetOf);
  const bad = rows ? nobody.filter(({ name }) => name === 'Bad Row') : [];
  return [...found, ...bad, ...others].map((target) => ({ ...target, ...(dryRun && { dryRun }) }));
}
