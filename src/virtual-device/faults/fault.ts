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
  'not-upgraded',
] as const;

export type FaultKind = (typeof faultKinds)[number];

const maxMs = 3_600_000;

const chance: Check<number> = rule(
  'a number above 0, up to 1',
  (value) => typeof value === 'number' && value > 0 && value <= 1,
);

/** A method, a path or both: `*`, `/api/info/*`, `POST`, `POST /api/controls/door/*`. */
const route: Check<string> = matching(
  'like "POST /api/controls/door/*", "GET" or "*"',
  /^(?:\*|[A-Z]+|(?:[A-Z]+ )?\/\S*)$/,
);

const fields = {
  kind: required(oneOf(...faultKinds)),
  /** The affected requests; default: all requests. */
  route: optional(route),
  /** Number of affected requests after which the fault ends; default: no limit. */
  count: optional(integerFrom(1, 1_000_000)),
  /** Probability that the fault affects a request, above 0 and up to 1; default: 1. */
  chance: optional(chance),
  /** Latency in milliseconds: the value (fixed), the minimum (uniform) or the mean (exponential). */
  ms: optional(integerFrom(0, maxMs)),
  /** Maximum of a uniform latency, in milliseconds. */
  toMs: optional(integerFrom(0, maxMs)),
  distribution: optional(oneOf('fixed', 'uniform', 'exponential')),
  bytesPerSecond: optional(integerFrom(1, 1_000_000_000)),
  contentType: optional(nonEmptyText),
  status: optional(integerFrom(400, 599)),
};

export type FaultRule = ObjectOf<typeof fields>;

export interface Fault extends FaultRule {
  readonly id: number;
  readonly struck: number;
}

const ownFields: Readonly<Partial<Record<FaultKind, readonly string[]>>> = {
  latency: ['ms', 'toMs', 'distribution'],
  bandwidth: ['bytesPerSecond'],
  'content-type': ['contentType'],
  status: ['status'],
};
const sharedFields: readonly string[] = ['kind', 'route', 'count', 'chance'];

/** Fields that belong to another kind of fault are rejected. */
export const faultRule: Check<FaultRule> = object(fields, (rule) => {
  const known = [...sharedFields, ...(ownFields[rule.kind] ?? [])];
  const odd = Object.keys(rule).find((name) => !known.includes(name));
  if (odd !== undefined) return `${odd} does not belong to ${rule.kind}`;
  if (rule.kind === 'latency' && rule.ms === undefined) return 'ms is missing';
  if (rule.kind === 'bandwidth' && rule.bytesPerSecond === undefined) return 'bytesPerSecond is missing';
  if (rule.distribution === 'uniform' && (rule.toMs ?? -1) < (rule.ms ?? 0))
    return 'toMs is missing, or less than ms';
  return undefined;
});

/** The route of a fault that concerns one operation only. */
const ownRoutes: Readonly<Partial<Record<FaultKind, string>>> = {
  'not-upgraded': 'POST /api/controls/upgrade/start',
};

export function concerns({ kind, route }: FaultRule, method: string, target: string): boolean {
  const wanted = route ?? ownRoutes[kind] ?? '*';
  if (wanted === '*') return true;
  const [first = '', second] = wanted.split(' ');
  const path = second ?? (first.startsWith('/') ? first : undefined);
  if (!first.startsWith('/') && first !== method) return false;
  if (path === undefined) return true;
  const asked = target.split('?', 1)[0] ?? '';
  return path.endsWith('*') ? asked.startsWith(path.slice(0, -1)) : asked === path;
}
