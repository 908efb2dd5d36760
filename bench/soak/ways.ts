/** What nodes want of the delivery, by hand from the contract (2.5). */
import { type OperationSpec, specNamed, specs } from './specs';

export interface Way {
  readonly split?: true;
  /** Seconds, all of them. */
  readonly ttl?: number;
  readonly retryFor?: number;
  readonly endAfter?: number;
  /** The id of the group that the node sends to. */
  readonly group?: string;
}

/** Each resource has a node of each of them, called `<way>-<resource>`. */
export const ways: Readonly<Record<string, Way>> = {
  split: { split: true },
  brief: { ttl: 0.3 },
  patient: { retryFor: 3 },
  ending: { endAfter: 2 },
  group: { group: 'group-house' },
  crowd: { group: 'group-house', split: true, ttl: 5, retryFor: 1 },
};

export const wayNode = (way: string, resource: string): string => `${way}-${resource}`;

/** A node's way; most have none. */
export const wayOf = (node: string): Way => ways[node.slice(0, Math.max(0, node.indexOf('-')))] ?? {};

/** A node that sends to a group, and is started again with it. */
export const sendsToGroup = (node: string): boolean => wayOf(node).group !== undefined;

const endable =
  /^(?:door\/unlock|relay\/(?:24v-)?enable$|tone\/(?:start|test-loop)|call\/(?:start|page)|strobe\/start|screen\/(?:start|text-start)|audio\/rx-start|emergency\/start)/;

/** Whether `endAfter` can be kept for what it starts. */
export const isEndable = (spec: string): boolean => endable.test(spec);

/** What ends that: where it is to be ended, such a request may be asked for by no message. */
export const endingStops: readonly OperationSpec[] = specs.filter(
  ({ role, deviceOutput }) =>
    role === 'stop' && specs.some((one) => one.deviceOutput === deviceOutput && isEndable(one.name)),
);

/** For how long what is safe or was not done is tried again, in seconds. */
export function retryOf(node: string, spec: string): number {
  const { operation, role } = specNamed(spec);
  const isStop = role === 'stop' || /^(?:emergency\/start|console\/stop)$/.test(operation);
  return wayOf(node).retryFor ?? (isStop ? 10 : 0);
}

const patientSpec = /^(?:settings|files|scheduler|system|info|console\/status|audio\/(?:noise|mcast))/;

/** After how many seconds a message is not sent any more; 0: never, undefined: this is not known. */
export function ttlOf(node: string, spec: string, own: number | undefined): number | undefined {
  const said = own ?? wayOf(node).ttl;
  if (said !== undefined) return said;
  if (patientSpec.test(spec)) return /settings|files|scheduler|system/.test(spec) ? 0 : undefined;
  return spec.startsWith('request') ? undefined : 60;
}
