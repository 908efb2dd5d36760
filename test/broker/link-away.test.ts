import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import type { RedProcess } from '../fixtures/red-process';
import { act, caughtOf, type Way } from '../fixtures/site';
import { Cutter } from './cutter';
import { ample, remote } from './flow';
import { Running } from './running';
import { endOf, ready } from './sites';

const { form } = act('strobe/start') as NodeConfig & { form: object };

/** The lockdown of the site, which a person at the site starts, too. */
const lockdown = {
  id: 'lockdown',
  type: 'algo-alert',
  name: 'Lockdown',
  operation: '',
  target: 'device',
  device: 'a',
  actions: [{ operation: 'strobe/start', form }],
  wires: [['receipts'], []],
} as NodeConfig;

const about = { devices: '', ttl: ample };
const alert = (action: string) => remote(action, { alert: 'Lockdown', action }, about);
const door = (operation: string) => {
  const parameters = JSON.stringify({ doorid: 'local' });
  return remote(operation, { operation: `door/${operation}`, parametersType: 'json', parameters }, about);
};

describe('a site whose link to the broker is away', () => {
  let running: Running;
  let link: Cutter;
  let site: RedProcess;
  let devices: FakeDevice[];

  beforeEach(async () => {
    running = await Running.start();
    link = await Cutter.to(running.mosquitto.port);
    running.port = link.port;
  });
  afterEach(async () => {
    await running.end();
    await link.end();
  });

  const start = async (names: readonly string[], model: string) => {
    const { world, listener } = running;
    devices = [];
    for (const name of names) devices.push(await world.device(name, model));
    site = await running.site(devices, { allow: 'door', alerts: 'Lockdown' }, lockdown);
    await running.centre(alert('start'), alert('clear'), door('unlock'), door('lock'));
    await ready(listener, 1);
  };
  /** Sends it, and waits until the broker has it. */
  const ask = async (id: string, message: Record<string, unknown> = {}) => {
    const { world, listener } = running;
    const before = new Set(jobs()).size;
    const way = world.send(id, message);
    await listener.until(() => new Set(jobs()).size > before);
    return way;
  };
  const jobs = () => running.listener.seen.flatMap(({ topic }) => (topic.includes('/job/') ? topic : []));
  const operationNames = () =>
    devices.map((device) =>
      device.operationNames.filter((operationName) => !operationName.startsWith('info/')),
    );
  /** The site is asked for something, and answers: it has done all that came before. */
  const outcome = async (way: Way) => {
    await endOf(running.world, way);
    const message = way.sent[0] ?? way.caught[0];
    return (message?.sites as Record<string, { outcome: string }> | undefined)?.north?.outcome;
  };

  for (const [how, away, back] of [
    ['cut', () => link.cut(), () => link.mend()],
    ['stalled', () => link.stall(), () => link.goOn()],
  ] as const) {
    for (const isOn of [false, true]) {
      const since = isOn ? 'started again' : 'started';
      it(`keeps a lockdown that was ${since} at the site after the all-clear: ${how}`, async () => {
        await start(['A'], '8138');
        if (isOn) await site.sendAndReadOutcomes('lockdown');
        away();
        const clear = await ask('clear');
        // The link is away for longer than a message is on its way: the centre asks once more after 5 s.
        await running.listener.until(() => jobs().length >= 2);
        await site.sendAndReadOutcomes('lockdown');
        back();
        assert.equal(await outcome(clear), 'superseded');
        assert.deepEqual(caughtOf(clear), ['SUPERSEDED']);
        assert.deepEqual(operationNames(), [isOn ? ['strobe/start', 'strobe/start'] : ['strobe/start']]);
        // An all-clear that is asked now ends it.
        const later = await ask('clear');
        assert.equal(await outcome(later), 'accepted');
        assert.equal(operationNames()[0]?.at(-1), 'strobe/stop');
      });
    }
  }

  it('ends an alert that the centre has started and cleared meanwhile', async () => {
    await start(['A'], '8138');
    link.cut();
    const ways = [await ask('start'), await ask('clear')];
    link.mend();
    const ends = [await outcome(ways[0] as Way), await outcome(ways[1] as Way)];
    assert.deepEqual(ends, ['superseded', 'accepted']);
    // Nothing of it is on, and nothing of it comes later. A further stop changes nothing.
    assert.equal(await outcome(await ask('clear')), 'accepted');
    assert.ok(operationNames().every((names) => !names.includes('strobe/start')));
  });

  it('leaves every door locked that the centre has unlocked and locked meanwhile', async () => {
    await start(['A', 'B', 'C', 'D', 'E', 'F'], '8063');
    link.cut();
    const ways: Way[] = [];
    for (const operation of ['unlock', 'lock'])
      for (const { name } of devices) ways.push(await ask(operation, { device: name }));
    link.mend();
    const ends = [];
    for (const way of ways) ends.push(await outcome(way));
    assert.deepEqual(
      operationNames().map((one) => one.at(-1)),
      devices.map(() => 'door/lock'),
    );
    assert.deepEqual(ends, [...devices.map(() => 'superseded'), ...devices.map(() => 'accepted')]);
  });
});
