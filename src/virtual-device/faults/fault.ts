import {
  type Check,
  integerFrom,
  matching,
  nonEmptyText,
  type ObjectOf,
  object,
  oneOf,
  optional,
  required,
  rule,
} from '../checks/checks';

/** What can go wrong with a request; the panel says each in words. */
export const faultKinds = [
  'latency',
  'lost',
  'unanswered',
  'reset-before',
  'reset-after',
  'half',
  'garbage',
  'content-type',
  'status',
  'bandwidth',
] as const;

export type FaultKind = (typeof faultKinds)[number];

const maxMs = 3_600_000;

const chance: Check<number> = rule(
  'a number above 0, up to 1',
  (value) => typeof value === 'number' && value > 0 && value <= 1,
);

/** `*`, `/api/info/*`, `POST`, `POST /api/controls/door/*`: a method, a path, or both. */
const route: Check<string> = matching(
  'like "POST /api/controls/door/*", "GET" or "*"',
  /^(?:\*|[A-Z]+|(?:[A-Z]+ )?\/\S*)$/,
);

const fields = {
  kind: required(oneOf(...faultKinds)),
  /** Which requests; all of them without it. */
  route: optional(route),
  /** After so many requests it is over. */
  count: optional(integerFrom(1, 1_000_000)),
  /** How likely it is to strike, from 0 to 1. */
  chance: optional(chance),
  /** Latency in milliseconds: all of it, the least of it (uniform) or its mean (exponential). */
  ms: optional(integerFrom(0, maxMs)),
  /** The most of a uniform latency. */
  toMs: optional(integerFrom(0, maxMs)),
  distribution: optional(oneOf('fixed', 'uniform', 'exponential')),
  bytesPerSecond: optional(integerFrom(1, 1_000_000_000)),
  contentType: optional(nonEmptyText),
  status: optional(integerFrom(400, 599)),
};

export type FaultRule = ObjectOf<typeof fields>;

export interface Fault extends FaultRule {
  readonly id: number;
  /** How many requests it has struck. */
  readonly struck: number;
}

const ownFields: Readonly<Partial<Record<FaultKind, readonly string[]>>> = {
  latency: ['ms', 'toMs', 'distribution'],
  bandwidth: ['bytesPerSecond'],
  'content-type': ['contentType'],
  status: ['status'],
};
const sharedFields: readonly string[] = ['kind', 'route', 'count', 'chance'];

/** A wish for a fault; fields of another kind are refused. */
export const faultWish: Check<FaultRule> = object(fields, (rule) => {
  const known = [...sharedFields, ...(ownFields[rule.kind] ?? [])];
  const odd = Object.keys(rule).find((name) => !known.includes(name));
  if (odd !== undefined) return `${odd} does not belong to ${rule.kind}`;
  if (rule.kind === 'latency' && rule.ms === undefined) return 'ms is missing';
  if (rule.kind === 'bandwidth' && rule.bytesPerSecond === undefined) return 'bytesPerSecond is missing';
  if (rule.distribution === 'uniform' && (rule.toMs ?? -1) < (rule.ms ?? 0))
    return 'toMs is missing, or less than ms';
  return undefined;
});

/** Whether a fault is meant for a request. */
export function concerns({ route: wanted = '*' }: FaultRule, method: string, target: string): boolean {
  if (wanted === '*') return true;
  const [first = '', second] = wanted.split(' ');
  const path = second ?? (first.startsWith('/') ? first : undefined);
  if (!first.startsWith('/') && first !== method) return false;
  if (path === undefined) return true;
  const asked = target.split('?', 1)[0] ?? '';
  return path.endsWith('*') ? asked.startsWith(path.slice(0, -1)) : asked === path;
}
