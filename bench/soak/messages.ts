/** What is asked for in a run: all of it follows from the seed. */
import { type Deed, deeds } from './deeds';
import { nobody, type Profile, tagged } from './fleet';
import { lateNode, nouns, optional, staticDevice, staticNode } from './flow';
import type { Message, Target } from './history';
import { hash, Random } from './random';

/** A message and what a node is given of it. */
export interface Planned extends Message {
  readonly content: Readonly<Record<string, unknown>>;
}

interface Addressed {
  readonly targets: readonly Target[];
  /** `msg.device`; absent where the node has a device of its own. */
  readonly device?: string | readonly string[];
}

const nounOf = ({ operation }: Deed): string => operation.split('/')[0] ?? operation;
const targetOf = ({ name, index }: Profile): Target => ({ name, device: index });

/** Restarts take long, and nothing else happens meanwhile. */
const rare = /^(?:settings\/restore|system\/(?!upgrade-check))/;

/** A list of names and tags: what is meant twice is addressed once, and what does not exist is in its place. */
function several(random: Random, fleet: readonly Profile[]): Addressed {
  const device: string[] = [];
  const targets = new Map<string, Target>();
  const lostOnes = random.shuffled(nobody);
  for (let left = random.between(1, 4); left > 0; left -= 1) {
    const kind = random.next();
    const who = kind < 0.15 ? tagged(fleet, 'outside') : kind < 0.85 ? [random.pick(fleet)] : [];
    const lost = who.length === 0 ? lostOnes.pop() : undefined;
    device.push(kind < 0.15 ? 'tag:outside' : (lost?.name ?? who[0]?.name ?? ''));
    for (const one of lost ? [lost] : who.map(targetOf)) {
      if (!targets.has(one.name)) targets.set(one.name, one);
    }
  }
  return { device, targets: [...targets.values()] };
}

function address(random: Random, fleet: readonly Profile[]): Addressed {
  const kind = random.next();
  if (kind < 0.83) {
    const one = random.pick(fleet);
    return { device: one.name, targets: [targetOf(one)] };
  }
  if (kind < 0.88) {
    const tag = `floor${random.between(0, 6)}`;
    const targets = tagged(fleet, tag).map(targetOf);
    if (targets.length > 0) return { device: `tag:${tag}`, targets };
  }
  if (kind < 0.97) return several(random, fleet);
  const lost = random.pick(nobody);
  return { device: lost.name, targets: [lost] };
}

/** The node that takes it: now and then one with an option, or one that has a device of its own. */
function nodeFor(random: Random, deed: Deed): string {
  const noun = nounOf(deed);
  const special = Object.entries(optional).flatMap(([id, [of]]) => (of === noun ? [id] : []));
  if (special.length > 0 && random.chance(0.3)) return random.pick(special);
  return noun;
}

const subjects = [...new Set(deeds.flatMap(({ subject }) => subject ?? []))];

/** Several messages about one subject in a row, to the same devices, with others in between. */
function scene(random: Random, deck: () => Deed): Deed[] {
  const subject = random.pick(subjects);
  const those = deeds.filter((deed) => deed.subject === subject);
  return Array.from({ length: random.between(2, 7) }, () => {
    if (random.chance(0.15)) return deck();
    const role = random.chance(0.4) ? 'stop' : 'start';
    return random.pick(those.filter((deed) => deed.role === role));
  });
}

/** Each deed once, in any order, before the next comes twice; later the rare ones now and then only. */
function deckOf(random: Random): () => Deed {
  let rest = random.shuffled(deeds);
  return () => {
    if (rest.length === 0) {
      const often = deeds.filter(({ operation }) => !rare.test(operation) || random.chance(0.3));
      rest = random.shuffled(often);
    }
    return rest.pop() ?? random.pick(deeds);
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
  const add = (deed: Deed, addressed: Addressed, node: string): void => {
    const id = planned.length + 1;
    const [noun = '', operation] = deed.operation.split('/');
    planned.push({
      id,
      node,
      deed: deed.name,
      targets: addressed.targets,
      content: {
        soak: id,
        ...(noun !== deed.operation && { operation }),
        ...(addressed.device !== undefined && { device: addressed.device }),
        payload: deed.parameters(id),
      },
    });
  };
  while (planned.length < count) {
    if (random.chance(0.04)) {
      const noun = random.pick(nouns);
      const profile = fleet[staticDevice(noun, fleet.length)];
      const those = deeds.filter((deed) => nounOf(deed) === noun && !rare.test(deed.operation));
      if (profile) add(random.pick(those), { targets: [targetOf(profile)] }, staticNode(noun));
    } else if (random.chance(0.5)) {
      const addressed = address(random, fleet);
      for (const deed of scene(random, deck)) {
        const isLate = random.chance(0.3) && !/upload|files/.test(deed.name);
        add(deed, addressed, isLate ? lateNode(nounOf(deed)) : nounOf(deed));
      }
    } else {
      const deed = deck();
      add(deed, address(random, fleet), nodeFor(random, deed));
    }
  }
  return planned.slice(0, count);
}
