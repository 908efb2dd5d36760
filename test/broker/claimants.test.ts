import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import { outcomesOf } from '../fixtures/site';
import { ample } from './flow';
import { Running } from './running';
import { askMany, endOf, ready, tally, unsafe, waitForRequests } from './sites';

describe('many sites, one job and several who want it', () => {
  let running: Running;

  beforeEach(async () => {
    running = await Running.start();
  });
  afterEach(() => running.end());

  /** Of each job, how many instances have claimed it. */
  const claimants = (): number[] => {
    const byJob = new Map<string, Set<string>>();
    for (const { topic, payload } of running.listener.seen) {
      if (!topic.includes('/claim/') || payload === '') continue;
      const all = byJob.get(topic) ?? new Set<string>();
      byJob.set(topic, all.add((JSON.parse(payload) as { instance: string }).instance));
    }
    return [...byJob.values()].map(({ size }) => size);
  };

  it('does each once where two instances of one rank claim at the same moment', async () => {
    const { world, listener } = running;
    const device = await world.device('A');
    await Promise.all([running.site(device), running.site(device)]);
    await running.centre(unsafe);
    await ready(listener, 2);
    // Without two claimants of one job, there was nothing to decide.
    for (let from = 0; !claimants().includes(2); from += 60) {
      const found = await tally(world, device, askMany(world, 60, ample, from), from);
      assert.deepEqual(found, Array(60).fill('A accepted 1'));
    }
  });

  it('does within a second what may take a second, or never', async () => {
    const { world, listener } = running;
    const device = await world.device('A');
    await running.site(device);
    await running.centre(unsafe);
    await ready(listener, 1);
    const found: string[] = [];
    // A machine that is busy may bring the first ones too late.
    for (let index = 0; index < 12 || !found.includes('A accepted 1'); index += 1) {
      const way = world.send('r', { payload: { path: `${index}.wav`, loop: false }, ttl: 1 });
      await endOf(world, way);
      const done = device.requests.filter(({ parameters }) => parameters.path === `${index}.wav`).length;
      found.push(`${outcomesOf(way)[0]} ${done}`);
    }
    // A broker counts whole seconds: of a single one nothing may be left. A busy one may say so after the second.
    const right = ['A accepted 1', 'A expired 0', 'A unknown 0', 'A unknown 1'];
    const wrong = found.filter((one) => !right.includes(one));
    assert.deepEqual(wrong, []);
  });

  it('never writes what had a second and waited longer at its device', async () => {
    const { world, listener } = running;
    const device = await world.device('A');
    await running.site(device);
    await running.centre(unsafe);
    await ready(listener, 1);
    device.behavior = () => 'hold';
    const first = world.send('r', { payload: { path: 'first.wav', loop: false }, ttl: ample });
    await waitForRequests(world, device, 1);
    const second = await endOf(
      world,
      world.send('r', { payload: { path: 'second.wav', loop: false }, ttl: 1 }),
    );
    // The broker of a busy machine may say too late that nobody has claimed it.
    assert.match(outcomesOf(second).join(), /^A (?:expired|unknown)$/);
    device.releaseAll();
    assert.deepEqual(outcomesOf(await endOf(world, first)), ['A accepted']);
    const third = world.send('r', { payload: { path: 'third.wav', loop: false }, ttl: ample });
    assert.deepEqual(outcomesOf(await endOf(world, third)), ['A accepted']);
    assert.deepEqual(
      device.requests.flatMap(({ parameters: { path } }) => path ?? []),
      ['first.wav', 'third.wav'],
    );
  });

  const count = process.env.ALGO_EVERYTHING ? 5_000 : 1_000;
  it(`does ${count} in a row, each once, and loses none`, async () => {
    const { world, listener } = running;
    const devices: FakeDevice[] = await world.devices('A', 'B', 'C', 'D', 'E');
    await running.site(devices);
    await running.centre({ ...unsafe, devices: '' });
    await ready(listener, 1);
    const outcomes = new Map<string, number>();
    const lane = async (first: number, step: number) => {
      for (let index = first; index < count; index += step) {
        const device = devices[index % devices.length]?.name;
        const way = world.send('r', { payload: { path: `${index}.wav`, loop: false }, device, ttl: ample });
        const [outcome = ''] = outcomesOf(await endOf(world, way));
        outcomes.set(outcome.slice(2), (outcomes.get(outcome.slice(2)) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 100 }, (_, first) => lane(first, 100)));
    assert.deepEqual([...outcomes], [['accepted', count]]);
    const paths = world.requests.flatMap(({ parameters: { path } }) =>
      path === undefined ? [] : [String(path)],
    );
    assert.equal(paths.length, count);
    assert.equal(new Set(paths).size, count);
    await listener.until(
      () => ![...listener.retained.keys()].some((topic) => !/\/(result|state)\//.test(topic)),
    );
  });
});
