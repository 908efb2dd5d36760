/** What is asked for in a run: all of it follows from the seed. */

import { groups, membersOf, nobody, type Profile, tagged, targetOf } from './fleet';
import { lateNode, optional, resources, staticDevice, staticNode } from './flow';
import type { Message, Target } from './history';
import { hash, Random } from './random';
import { type OperationSpec, specs } from './specs';
import { isEndable, sendsToGroup, wayNode, ways } from './ways';

/** A message and what a node is given of it. */
export interface Planned extends Message {
  readonly content: Readonly<Record<string, unknown>>;
}

interface Addressed {
  readonly targets: readonly Target[];
  /** `msg.device`; absent where the node has a device of its own. */
  readonly device?: string | readonly string[];
}

const resourceOf = ({ operation }: OperationSpec): string => operation.split('/')[0] ?? operation;

/** Restarts take long, and nothing else happens meanwhile. */
const rare = /^(?:settings\/restore|system\/(?!upgrade-check))/;

/** A list of names and tags: what is meant twice is addressed once, and what does not exist is in its place. */
function several(random: Random, fleet: readonly Profile[]): Addressed {
  const device: string[] = [];
  const targets = new Map<string, Target>();
  const lostOnes = random.shuffled(nobody);
  for (let left = random.between(1, 4); left > 0; left -= 1) {
    const kind = random.next();
    const lost = lostOnes.pop() ?? random.pick(nobody);
    const one = random.pick(fleet);
    const group = random.pick(groups.filter(({ name }) => name !== 'Hollow'));
    const [name, found]: readonly [string, readonly Target[]] =
      kind < 0.1
        ? ['tag:outside', tagged(fleet, 'outside').map(targetOf)]
        : kind < 0.25
          ? [`group:${group.name}`, membersOf(group, fleet)]
          : kind < 0.85
            ? [one.name, [targetOf(one)]]
            : [lost.name, [lost]];
    device.push(name);
    // A device that two targets name gets the dry run if one of the two is a dry run.
    for (const target of found) {
      const before = targets.get(target.name);
      if (before?.device === undefined) targets.set(target.name, before ?? target);
      else if (target.dryRun) targets.set(target.name, { ...before, dryRun: true });
    }
  }
  return { device, targets: [...targets.values()] };
}

function address(random: Random, fleet: readonly Profile[]): Addressed {
  const kind = random.next();
  if (kind < 0.8) {
    // Of what is ended by itself not every stop can be told from others.
    const one = random.pick(fleet.filter(({ ending }) => !ending));
    return { device: one.name, targets: [targetOf(one)] };
  }
  if (kind < 0.88) {
    const tag = `floor${random.between(0, 6)}`;
    const targets = tagged(fleet, tag).map(targetOf);
    if (targets.length > 0) return { device: `tag:${tag}`, targets };
  }
  if (kind < 0.91) {
    const group = random.pick(groups.filter(({ name }) => name !== 'Hollow'));
    return { device: `group:${group.name}`, targets: membersOf(group, fleet) };
  }
  if (kind < 0.97) return several(random, fleet);
  const lost = random.pick(nobody);
  return { device: lost.name, targets: [lost] };
}

/** Ways that any message may go. */
const common = Object.keys(ways).filter((way) => way !== 'ending' && !sendsToGroup(wayNode(way, '')));
const groupWays = Object.keys(ways).filter((way) => sendsToGroup(wayNode(way, '')));

/** The node that takes it: now and then one with an option, or one with delivery options. */
function nodeFor(random: Random, spec: OperationSpec): string {
  const resource = resourceOf(spec);
  const special = Object.entries(optional).flatMap(([id, [of]]) => (of === resource ? [id] : []));
  if (special.length > 0 && random.chance(0.3)) return random.pick(special);
  return random.chance(0.25) ? wayNode(random.pick(common), resource) : resource;
}

/** Starts of one device output that something ends: the node, now and then a message, or a later start that it is not. */
function* ended(random: Random): Generator<readonly [spec: OperationSpec, node: string]> {
  const deviceOutput = random.pick(specs.filter(({ name }) => isEndable(name))).deviceOutput;
  const those = specs.filter((spec) => spec.deviceOutput === deviceOutput);
  const [starts, stops] = ['start', 'stop'].map((role) => those.filter((spec) => spec.role === role));
  for (let left = random.between(1, 3); left > 0; left -= 1) {
    const kind = random.next();
    if (kind < 0.15) {
      const spec = random.pick(stops ?? []);
      yield [spec, resourceOf(spec)];
    } else {
      const spec = random.pick(starts ?? []);
      yield [
        spec,
        kind < 0.8 && isEndable(spec.name) ? wayNode('ending', resourceOf(spec)) : resourceOf(spec),
      ];
    }
  }
}

const deviceOutputs = [...new Set(specs.flatMap(({ deviceOutput }) => deviceOutput ?? []))];

/** Several messages about one device output in a row, to the same devices, with others in between. */
function scene(random: Random, deck: () => OperationSpec): OperationSpec[] {
  const deviceOutput = random.pick(deviceOutputs);
  const those = specs.filter((spec) => spec.deviceOutput === deviceOutput);
  return Array.from({ length: random.between(2, 7) }, () => {
    if (random.chance(0.15)) return deck();
    const role = random.chance(0.4) ? 'stop' : 'start';
    return random.pick(those.filter((spec) => spec.role === role));
  });
}

/** Each operation once, in any order, before the next comes twice; later the rare ones now and then only. */
function deckOf(random: Random): () => OperationSpec {
  let rest = random.shuffled(specs);
  return () => {
    if (rest.length === 0) {
      const often = specs.filter(({ operation }) => !rare.test(operation) || random.chance(0.3));
      rest = random.shuffled(often);
    }
    return rest.pop() ?? random.pick(specs);
  };
}

/**
 * @param count how many messages
 * @returns the messages in the order in which they are to be sent
 */
export function plan(seed: number, count: number, fleet: readonly Profile[]): Planned[] {
  const random = new Random(hash(seed, 'messages'));
  const deck = deckOf(random);
  const planned: Planned[] = [];
  const endings = fleet.filter(({ ending }) => ending);
  const house = groups.find(({ id }) => id === 'group-house');
  const add = (spec: OperationSpec, addressed: Addressed, node: string): void => {
    const id = planned.length + 1;
    const ttl = random.chance(0.05) ? random.pick([0, 0.05, 0.5, 2, 30]) : undefined;
    const [resource = '', operation] = spec.operation.split('/');
    planned.push({
      id,
      node,
      spec: spec.name,
      targets: addressed.targets,
      ...(ttl !== undefined && { ttl }),
      content: {
        soak: id,
        ...(resource !== spec.operation && { operation }),
        ...(addressed.device !== undefined && { device: addressed.device }),
        ...(ttl !== undefined && { ttl }),
        payload: spec.parameters(id),
      },
    });
  };
  while (planned.length < count) {
    const kind = random.next();
    if (kind < 0.04) {
      const resource = random.pick(resources);
      const profile = fleet[staticDevice(resource, fleet.length)];
      const those = specs.filter((spec) => resourceOf(spec) === resource && !rare.test(spec.operation));
      if (profile) add(random.pick(those), { targets: [targetOf(profile)] }, staticNode(resource));
    } else if (kind < 0.08 && endings.length > 0) {
      const one = random.pick(endings);
      for (const [spec, node] of ended(random))
        add(spec, { device: one.name, targets: [targetOf(one)] }, node);
    } else if (kind < 0.11) {
      const spec = deck();
      const node = wayNode(random.pick(groupWays), resourceOf(spec));
      if (house) add(spec, { targets: membersOf(house, fleet) }, node);
    } else if (kind < 0.55) {
      const addressed = address(random, fleet);
      for (const spec of scene(random, deck)) {
        const isLate = random.chance(0.3) && !/upload|files/.test(spec.name);
        add(spec, addressed, isLate ? lateNode(resourceOf(spec)) : resourceOf(spec));
      }
    } else {
      const spec = deck();
      add(spec, address(random, fleet), nodeFor(random, spec));
    }
  }
  return planned.slice(0, count);
}
