import assert from 'node:assert/strict';
import { action, alertNode, states } from '../fixtures/alert-node';
import { makeCertificate } from '../fixtures/certificates';
import type { NodeConfig } from '../fixtures/flow';
import { OneConnectionDevice } from '../fixtures/one-connection-device';
import { act, outcomesOf, Site } from '../fixtures/site';

const onTab = { z: 'tab', x: 100, y: 100 };
const kinds = ['waits', 'is refused', 'is reset', 'is reset at its request'] as const;

describe('delivery: watched devices that serve one connection only', () => {
  let site: Site;
  let devices: OneConnectionDevice[];
  let configs: NodeConfig[];

  beforeEach(async () => {
    site = new Site();
    devices = [];
    configs = [];
    for (const certificate of [undefined, await makeCertificate()]) {
      for (const kind of kinds) {
        const device = new OneConnectionDevice(kind, certificate);
        const id = `device-${devices.length}`;
        const address = await device.open();
        devices.push(device);
        configs.push(
          // The time-out never helps.
          {
            id,
            type: 'algo-device',
            name: `${certificate ? 'https' : 'http'} ${kind}`,
            address,
          } as NodeConfig,
          { ...onTab, id: `watch-${id}`, type: 'algo-status', device: id, interval: 0.2, wires: [[], []] },
        );
        Object.assign(configs.at(-2) ?? {}, {
          auth: 'none',
          certificate: 'any',
          model: '8410',
          firmware: '5.7',
          timeout: 3600,
        });
      }
    }
  });
  afterEach(async () => {
    await site.end();
    await Promise.all(devices.map((device) => device.close()));
  });

  const all = { target: 'several', targets: kinds.concat(kinds).map((_kind, index) => `device-${index}`) };
  const accepted = () =>
    configs.filter(({ type }) => type === 'algo-device').map(({ name }) => `${name} accepted`);
  const path = (one: string) => one.replace('emergency', 'emergency-alert');
  const isWatched = (device: OneConnectionDevice) =>
    device.until(() => device.requests.includes('info/status'));

  for (const hangs of [false, true]) {
    it(`get an emergency and its stop while a reading ${hangs ? 'hangs' : 'comes and goes'}`, async () => {
      if (hangs) for (const device of devices) device.hanging.add('info/status');
      await site.start([...configs, act('emergency/start', all), act('emergency/stop', all)]);
      await Promise.all(devices.map(isWatched));
      for (const operation of ['emergency/start', 'emergency/stop']) {
        assert.deepEqual(outcomesOf(await site.ask(operation)), accepted());
        for (const { requests } of devices)
          assert.equal(requests.filter((one) => one === path(operation)).length, 1);
      }
    });
  }

  it('get an alert with two actions, and its clear', async () => {
    const alert = alertNode([action('strobe/start'), action('screen/start')], all);
    await site.start([...configs, states, alert]);
    await Promise.all(devices.map(isWatched));
    for (const operation of ['start', 'clear']) {
      const way = await site.ask(alert.id, { operation });
      const wrong = outcomesOf(way).filter((outcome) => !outcome.endsWith('accepted'));
      assert.deepEqual(wrong, []);
    }
    for (const { requests } of devices)
      assert.deepEqual(requests.filter((one) => !one.startsWith('info/')).sort(), [
        'screen/start',
        'screen/stop',
        'strobe/start',
        'strobe/stop',
      ]);
  });
});
