import type { NodeAPI } from 'node-red';
import { wordsOf } from '../../client/errors';
import { backgroundClock } from '../../time/clock';
import type { OverviewAsked, OverviewKnown, OverviewLease, OverviewNews } from '../admin/answers';
import { textIn } from '../admin/dialog-values';
import type { Identity } from '../device/identity';
import { deviceById, everyDevice, everyGroup, registryVersion } from '../device/registry';
import { askWhoTheyAre } from './ask';
import { Overview } from './overview';
import { standingOf } from './standing';
import { Watchers } from './watchers';

const topic = 'algo/overview';

/** By Node-RED's events: tests start several in one process. */
const known = new WeakMap<NodeAPI['events'], Watchers>();

/** Somebody who may looks, or still looks. Which line to the editor is theirs is said on that line. */
export async function answerWatch(RED: NodeAPI, body: unknown): Promise<OverviewLease> {
  const { lease } = Object(body) as { lease?: unknown };
  return { lease: watchersOf(RED).lease(lease) };
}

/** Asks devices who they are, those that are given by their ids. What they say is told to those who look. */
export async function answerAsk(body: unknown): Promise<OverviewAsked> {
  const { ids } = Object(body) as { ids?: unknown };
  const devices = (Array.isArray(ids) ? ids : []).flatMap((id) => deviceById(textIn(id)) ?? []);
  return { asked: askWhoTheyAre(devices) };
}

/** Which models devices are, as far as that is known: nobody is asked. */
export async function answerKnown(body: unknown): Promise<OverviewKnown> {
  const { ids } = Object(body) as { ids?: unknown };
  const known = (Array.isArray(ids) ? ids : []).flatMap((id): [string, Identity][] => {
    const device = deviceById(textIn(id));
    return device?.knownIdentity.model === undefined ? [] : [[device.id, device.knownIdentity]];
  });
  return { known: Object.fromEntries(known) };
}

function watchersOf(RED: NodeAPI): Watchers {
  const watchers = known.get(RED.events) ?? begin(RED);
  known.set(RED.events, watchers);
  return watchers;
}

function begin(RED: NodeAPI): Watchers {
  const onFault = (fault: unknown) =>
    RED.log.error(`[algo-device] a fault in this package: ${wordsOf(fault)}`);
  const watchers = new Watchers({
    overview: new Overview({
      devices: everyDevice,
      groups: everyGroup,
      version: registryVersion,
      standing: () => standingOf(RED),
    }),
    timing: backgroundClock,
    // To one editor only: what is published without a session goes to everybody who is connected.
    tell: (session: string, data: OverviewNews) => void RED.events.emit('comms', { topic, data, session }),
    onFault,
  });
  RED.events.on(`comms:message:${topic}`, (message: unknown) => {
    const { session, data } = Object(message) as { session?: unknown; data?: unknown };
    const { lease, over } = Object(data) as { lease?: unknown; over?: unknown };
    // Whatever was thrown here would end Node-RED.
    if (typeof lease !== 'string') return;
    if (over === true) watchers.release(lease);
    else if (typeof session === 'string') watchers.attach(lease, session);
  });
  RED.events.on('comms:connection-removed', (connection: unknown) => {
    watchers.detach(String(Object(connection).session));
  });
  return watchers;
}
