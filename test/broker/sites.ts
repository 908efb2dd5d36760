import type { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';
import { outcomesOf, type Site, type Way } from '../fixtures/site';
import { ample, broker, coreMqtt, inbox, play, remote, site } from './flow';
import type { Listener } from './listener';

/** A site's Node-RED in a process of its own, with these devices. */
export async function siteProcess(
  port: number,
  devices: FakeDevice | readonly FakeDevice[],
  more: Record<string, unknown> = {},
  ...nodes: NodeConfig[]
): Promise<RedProcess> {
  return RedProcess.prepare([
    broker('site broker', port),
    ...[devices].flat().map((device) => device.config({ letDeviceDecide: true })),
    site('site', { wires: [[], []], ...more }),
    ...nodes,
  ]);
}

/** A centre in the process of the test. */
export async function startCentre(world: Site, port: number, ...nodes: NodeConfig[]): Promise<void> {
  await world.start([broker('centre broker', port), inbox('late'), ...nodes], {}, [coreMqtt()]);
}

/** Resolves when so many instances have said that they are ready. */
export async function ready(listener: Listener, count: number): Promise<void> {
  await listener.until(() => {
    const stateMessages = listener.seen.filter(({ topic }) => topic.includes('/state/'));
    const states = stateMessages.map(
      ({ payload }) => JSON.parse(payload) as { instance: string; ready: boolean },
    );
    return new Set(states.flatMap((one) => (one.ready ? one.instance : []))).size >= count;
  });
}

/** Sends so many jobs that must not be done twice. */
export function askMany(world: Site, count: number, ttl = ample, from = 0): Way[] {
  return Array.from({ length: count }, (_, index) =>
    world.send('r', { payload: { path: `${from + index}.wav`, loop: false }, ttl }),
  );
}

/** How often each job was done, and how each ended, in the order of the jobs. */
export async function tally(
  world: Site,
  device: FakeDevice,
  ways: readonly Way[],
  from = 0,
): Promise<string[]> {
  for (const way of ways) await endOf(world, way);
  return ways.map((way, index) => {
    const done = device.requests.filter(({ parameters }) => parameters.path === `${from + index}.wav`).length;
    return `${outcomesOf(way)[0]} ${done}`;
  });
}

/** Also where that takes longer than most of what tests wait for. */
export async function endOf(world: Site, way: Way): Promise<Way> {
  while (!way.isEnded) await world.until('it ends', () => way.isEnded).catch(() => {});
  return way;
}

export const unsafe = remote('r', play);

/** Resolves when a device has received this number of operations. */
export async function waitForRequests(world: Site, device: FakeDevice, count: number): Promise<void> {
  await world.until(`${count} operations`, () => device.operationNames.length >= count);
}
