import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { act, outcomesOf } from '../fixtures/site';
import { ample, remote } from './flow';
import { Running } from './running';
import { endOf } from './sites';

const [{ form }] = [act('strobe/start') as NodeConfig & { form: object }];

const lockdown = {
  id: 'lockdown',
  type: 'algo-alert',
  z: 'tab',
  x: 1,
  y: 1,
  name: 'Lockdown',
  target: 'device',
  device: 'a',
  actions: [{ operation: 'strobe/start', form }],
  wires: [[], []],
} as NodeConfig;

describe('what a centre asks for while a site is away', () => {
  let running: Running;
  let device: FakeDevice;

  beforeEach(async () => {
    running = await Running.start();
    device = await running.world.device('A', '8138');
  });
  afterEach(() => running.end());

  /** Both are on the broker before the site is there. */
  const ask = async (first: string, second: string) => {
    const { world, listener } = running;
    const ways = [world.send(first)];
    await listener.until(() => listener.seen.some(({ topic }) => topic.includes('/job/')));
    ways.push(world.send(second));
    await listener.until(() => new Set(jobs()).size >= 2);
    await running.site(device, { allow: 'tone', alerts: 'Lockdown' }, lockdown);
    for (const way of ways) await endOf(world, way);
    return ways.map((way) => outcomesOf(way)[0]);
  };
  const jobs = () => running.listener.seen.flatMap(({ topic }) => (topic.includes('/job/') ? topic : []));

  it('ends an alert that is cleared a moment after it was started', async () => {
    const alert = (id: string, action: string) =>
      remote(id, { alert: 'Lockdown', action }, { devices: '', ttl: ample });
    await running.centre(alert('start', 'start'), alert('clear', 'clear'));
    await ask('start', 'clear');
    const rest = device.operationNames.slice(device.operationNames.lastIndexOf('strobe/start') + 1);
    assert.ok(
      !device.operationNames.includes('strobe/start') || rest.includes('strobe/stop'),
      device.operationNames.join(),
    );
  });

  it('ends with what was asked last: a tone that is stopped, and one that is started after a stop', async () => {
    const tone = (id: string, operation: string) => {
      const job = { operation: `tone/${operation}`, parametersType: 'json', parameters: '{}' };
      const parameters = operation === 'start' ? '{"path":"0.wav","loop":true}' : '{}';
      return remote(id, { ...job, parameters }, { ttl: ample });
    };
    await running.centre(tone('start', 'start'), tone('stop', 'stop'));
    await ask('start', 'stop');
    assert.equal(device.operationNames.at(-1), 'tone/stop');
  });
});
