import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import { codesOf, outcomesOf, Site } from '../fixtures/site';
import { ample, broker, coreMqtt, flash, inbox, remote, site } from './flow';
import { Listener } from './listener';
import { Mosquitto } from './mosquitto';
import { endOf, ready } from './sites';

const acl = 'topic readwrite algo/v2/north/#\ntopic read algo/#\n';

describe('a job that the broker refuses', () => {
  let mosquitto: Mosquitto;
  let listener: Listener;
  let world: Site;
  let device: FakeDevice;

  beforeEach(async () => {
    mosquitto = await Mosquitto.start(['acl_file DIRECTORY/acl'], { acl });
    listener = await Listener.open(mosquitto.port);
    world = new Site();
    device = await world.device('A');
    const brokers = [broker('centre broker', mosquitto.port), broker('site broker', mosquitto.port)];
    const remotes = [remote('north', flash), remote('south', flash, { sites: ['south'] })];
    const all = [
      ...brokers,
      device.config({ letDeviceDecide: true }),
      ...['jobs', 'states', 'late'].map(inbox),
    ];
    await world.start([...all, site('n'), ...remotes], {}, [coreMqtt()]);
    await ready(listener, 1);
  });
  afterEach(async () => {
    await world.end();
    await listener.end();
    await mosquitto.end();
  });

  it('is told once and never published again, and the other sites are asked as before', async () => {
    const refusals = () => mosquitto.output.match(/Denied PUBLISH .*algo\/v2\/south\/job/g)?.length ?? 0;
    const refused = await endOf(world, world.send('south', { ttl: ample }));
    assert.deepEqual([outcomesOf(refused), codesOf(refused)], [['A failed'], ['REFUSED']]);
    const north = await endOf(world, world.send('north', { ttl: ample }));
    assert.deepEqual(outcomesOf(north), ['A accepted']);
    const before = refusals();
    await mosquitto.stop();
    await mosquitto.start();
    const after = await endOf(world, world.send('north', { ttl: ample }));
    assert.deepEqual(outcomesOf(after), ['A accepted']);
    assert.deepEqual([before, refusals()], [1, 0]);
    assert.deepEqual(world.inbox('late'), []);
  });
});
