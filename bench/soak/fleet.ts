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
  readonly temper: number;
  /** After how many idle milliseconds it closes a connection, unannounced; 0: never. */
  readonly idleMs: number;
  readonly watched: boolean;
}

export const password = 'a:soak wörd';

const models = ['8301', '8186', '8138', '8410', '8450', '8063', '8201'];

export function fleetOf(seed: number, count: number): Profile[] {
  const random = new Random(hash(seed, 'fleet'));
  return Array.from({ length: count }, (_, index) => {
    const kind = random.next();
    return {
      index,
      name: `Device ${String(index).padStart(3, '0')}`,
      auth: random.pick(['standard', 'standard', 'standard', 'basic', 'none'] as const),
      tls: index % 8 === 3,
      certificate: index % 16 === 3 ? 'pin' : 'any',
      tags: [`floor${index % 7}`, ...(index % 5 === 0 ? ['outside'] : [])],
      timeout: index % 6 === 5 ? 4 : 1,
      ...(kind < 0.2 && { model: random.pick(models) }),
      letDeviceDecide: kind > 0.5,
      temper: random.pick([0.05, 0.2, 0.3, 0.5]),
      idleMs: random.pick([0, 0, 0, 5, 30, 200, 1000]),
      watched: index % 5 === 2,
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
];

/** The devices that carry a tag, by name, as they are addressed. */
export const tagged = (fleet: readonly Profile[], tag: string): Profile[] =>
  fleet.filter(({ tags }) => tags.includes(tag));
