import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import { codesOf, outcomesOf, Site } from '../fixtures/site';
import { Cutter } from './cutter';
import { ample, broker, coreMqtt, flash, inbox, remote, site } from './flow';
import { Listener } from './listener';
import { Mosquitto } from './mosquitto';
import { askMany, endOf, ready, tally, unsafe } from './sites';

describe('many sites, when the network does something', () => {
  let world: Site;
  let device: FakeDevice;
  const ends: (() => Promise<unknown>)[] = [];

  const own = async (...lines: Parameters<typeof Mosquitto.start>) => {
    const mosquitto = await Mosquitto.start(...lines);
    const listener = await Listener.open(mosquitto.port);
    ends.push(
      () => mosquitto.end(),
      () => listener.end(),
    );
    return { port: mosquitto.port, listener };
  };
  /** A centre and a site, each at its own broker. */
  const start = (centrePort: number, sitePort: number) =>
    world.start(
      [
        broker('centre broker', centrePort),
        broker('site broker', sitePort),
        device.config({ letDeviceDecide: true }),
        ...['jobs', 'states', 'late'].map(inbox),
        site('n'),
        unsafe,
        remote('safe', flash),
      ],
      {},
      [coreMqtt()],
    );
  const bridge = (port: number, version: string) => [
    'connection up',
    `address 127.0.0.1:${port}`,
    'topic algo/# both 1',
    `bridge_protocol_version ${version}`,
    'restart_timeout 1',
  ];

  beforeEach(async () => {
    world = new Site();
    device = await world.device('A');
  });
  afterEach(async () => {
    await world.end();
    for (const end of ends.splice(0).reverse()) await end();
  });

  it('does each job once when acknowledgements are cut off', async () => {
    const { port, listener } = await own();
    const cutter = await Cutter.to(port);
    ends.push(() => cutter.end());
    await start(port, cutter.port);
    await ready(listener, 1);
    cutter.cuts = 3;
    const found = await tally(world, device, askMany(world, 10));
    assert.deepEqual(found, Array(10).fill('A accepted 1'));
    assert.equal(cutter.cuts, 0);
  });

  it('goes over a bridge that speaks MQTT 5', async () => {
    const centre = await own();
    const north = await own(bridge(centre.port, 'mqttv50'));
    await start(centre.port, north.port);
    await ready(centre.listener, 1);
    assert.deepEqual(await tally(world, device, askMany(world, 3)), Array(3).fill('A accepted 1'));
  });

  it('does nothing that came over a bridge which loses the expiry', async () => {
    const centre = await own();
    const north = await own(bridge(centre.port, 'mqttv311'));
    await start(centre.port, north.port);
    await ready(centre.listener, 1);
    const way = await endOf(world, world.send('safe', { ttl: ample }));
    assert.deepEqual(outcomesOf(way), ['A failed']);
    assert.match(String(way.caught[0]?.error?.message), /it has no expiry/);
    assert.deepEqual(device.operationNames, []);
  });

  it('says that the broker refuses the job', async () => {
    const { port } = await own(['acl_file DIRECTORY/acl'], { acl: 'topic read algo/#\n' });
    await start(port, port);
    const way = await endOf(world, world.send('safe', { ttl: ample }));
    assert.deepEqual(outcomesOf(way), ['A failed']);
    assert.deepEqual(codesOf(way), ['REFUSED']);
    assert.deepEqual(device.operationNames, []);
  });
});
