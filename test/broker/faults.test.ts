import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FakeDevice } from '../fixtures/fake-device';
import { RedProcess } from '../fixtures/red-process';
import { outcomesOf, Site } from '../fixtures/site';
import { ample, broker, flash, remote } from './flow';
import { Listener } from './listener';
import { Mosquitto } from './mosquitto';
import { askMany, endOf, ready, siteProcess, startCentre, tally, unsafe, waitForRequests } from './sites';

const tone = remote(
  'r',
  {
    operation: 'tone/start',
    form: { path: { type: 'str', value: '0.wav' }, loop: { type: 'bool', value: 'false' } },
  },
  { ttl: ample, wires: [['receipts'], ['file']] },
);

/** Done once or not at all, and told so. */
const sound = ['A accepted 1', 'A unknown 1', 'A unknown 0'];

describe('many sites, when something dies', () => {
  let mosquitto: Mosquitto;
  let listener: Listener;
  let world: Site;
  let device: FakeDevice;
  let processes: RedProcess[];

  const startSite = async (more: Record<string, unknown> = {}, preload?: string) => {
    const process = await siteProcess(mosquitto.port, device, more);
    processes.push(process);
    await process.start(preload);
    return process;
  };

  beforeEach(async () => {
    processes = [];
    mosquitto = await Mosquitto.start();
    listener = await Listener.open(mosquitto.port);
    world = new Site();
    device = await world.device('A');
  });
  afterEach(async () => {
    for (const process of processes) await process.clear();
    await world.end();
    await listener.end();
    await mosquitto.end();
  });

  it('does each job once when the instance that has them is killed', async () => {
    const first = await startSite();
    await startSite({ rank: 1 });
    await startCentre(world, mosquitto.port, unsafe);
    await ready(listener, 2);
    const ways = askMany(world, 80);
    await waitForRequests(world, device, 20);
    await first.stop('SIGKILL');
    const found = await tally(world, device, ways);
    assert.deepEqual(
      found.filter((one) => !sound.includes(one)),
      [],
    );
    assert.ok(found.filter((one) => one === 'A accepted 1').length >= 60, found.join());
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`does each job once when the broker is ended with ${signal} and started again`, async () => {
      await startSite();
      await startCentre(world, mosquitto.port, unsafe);
      await ready(listener, 1);
      const ways = askMany(world, 80);
      await waitForRequests(world, device, 20);
      await mosquitto.stop(signal);
      await mosquitto.start();
      const found = await tally(world, device, ways);
      assert.deepEqual(
        found.filter((one) => one !== 'A accepted 1'),
        [],
      );
    });
  }

  it('finds nothing to do when it was frozen for 15 s, and does what comes then', async () => {
    const frozen = await startSite();
    await startCentre(world, mosquitto.port, unsafe, remote('safe', flash));
    await ready(listener, 1);
    frozen.signal('SIGSTOP');
    const since = Date.now();
    const ways = [world.send('safe', { ttl: 3 }), ...askMany(world, 1, 3)];
    const [safeOne, ...others] = (await Promise.all(ways.map((way) => endOf(world, way)))).map(outcomesOf);
    // A sign of life that was under way when it was frozen comes after the job: then it may have done what is safe.
    assert.match(String(safeOne), /^A (?:expired|unknown)$/);
    // The broker of a busy machine may say too late that nobody has claimed it.
    for (const outcomes of others) assert.match(String(outcomes), /^A (?:expired|unknown)$/);
    while (Date.now() - since < 15_000) await new Promise((resolve) => setTimeout(resolve, 500));
    frozen.signal('SIGCONT');
    const after = await endOf(world, world.send('safe', { ttl: ample }));
    assert.deepEqual(outcomesOf(after), ['A accepted']);
    assert.deepEqual(device.operationNames, ['strobe/stop']);
  });

  it('counts no time by the clocks of centre and site', async () => {
    await startSite({}, 'clock-hour-ahead');
    await startCentre(world, mosquitto.port, unsafe);
    await ready(listener, 1);
    assert.deepEqual(await tally(world, device, askMany(world, 5)), Array(5).fill('A accepted 1'));
  });

  it('tells the results when the centre was killed and is back', async () => {
    const centre = await RedProcess.prepare([
      broker('centre broker', mosquitto.port),
      tone,
      {
        id: 'file',
        type: 'file',
        z: 'tab',
        x: 1,
        y: 1,
        filename: 'late.jsonl',
        filenameType: 'str',
        appendNewline: true,
        overwriteFile: 'false',
        encoding: 'utf8',
        wires: [[]],
      } as never,
    ]);
    processes.push(centre);
    await startSite();
    await centre.start();
    await ready(listener, 1);
    device.behavior = () => 'hold';
    const telling = centre.sendAndReadOutcomes('r').catch(() => []);
    await waitForRequests(world, device, 1);
    await centre.stop('SIGKILL');
    await telling;
    device.releaseAll();
    await listener.until(() =>
      listener.seen.some(({ topic, payload }) => topic.includes('/result/') && payload !== ''),
    );
    await centre.start();
    await listener.until(() => ![...listener.retained.keys()].some((topic) => topic.includes('/job/')));
    const file = path.join(centre.userDir, 'late.jsonl');
    let late = '';
    while (late === '') {
      await new Promise((resolve) => setTimeout(resolve, 100));
      late = await readFile(file, 'utf8').catch(() => '');
    }
    assert.equal(JSON.parse(late.split('\n')[0] ?? '').outcome, 'accepted');
    assert.deepEqual(device.operationNames, ['tone/start']);
    assert.doesNotMatch(centre.output, /unknown entries/);
  });

  it('has published no job of a request that the centre would not know after it was killed', async () => {
    const centre = await RedProcess.prepare([broker('centre broker', mosquitto.port), tone]);
    processes.push(centre);
    await startSite();
    await centre.start('kill-at-step', { ALGO_KILL_AT_STEP: '1', ALGO_SLOW_DISK_MS: '300' });
    await ready(listener, 1);
    await centre.waitForOutput(/Connected to broker/);
    centre.signal('SIGWINCH');
    await centre.waitForOutput(/^armed/m);
    const forgotten = centre.sendAndReadOutcomes('r').catch(() => []);
    await centre.ended;
    await forgotten;
    await centre.start();
    // The broker gets all that the first process has published before it gets this.
    assert.deepEqual(await centre.sendAndReadOutcomes('r'), ['A accepted']);
    const jobs = listener.seen.filter(({ topic, payload }) => topic.includes('/job/') && payload !== '');
    assert.equal(new Set(jobs.map(({ topic }) => topic)).size, 1);
  });
});
