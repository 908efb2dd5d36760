import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { act, given, outcomesOf, Site } from '../fixtures/site';

const device = 'entrance';

/** A node with constant parameters: they are there when its message is. */
const atOnce = (name: string): NodeConfig => act(name, { device });

/** A node whose parameters take a while, as Node-RED's JSONata always does. */
const later = (name: string): NodeConfig =>
  act(name, { device, parametersType: 'jsonata', parameters: JSON.stringify(given[name]) });

describe('nodes: the order at one device', () => {
  let site: Site;
  let entrance: FakeDevice;

  beforeEach(async () => {
    site = new Site();
    entrance = await site.device('Entrance');
    entrance.behavior = () => 'hold';
  });
  afterEach(() => site.end());

  const heard = (...names: string[]) =>
    site
      .until(names.join(), () => entrance.requests.length >= names.length)
      .then(() => {
        assert.deepEqual(
          entrance.requests.map(({ operationName }) => operationName),
          names,
        );
      });

  it('an unlock waits for a lock before it whose parameters take longer', async () => {
    await site.start([entrance.config(), later('door/lock'), atOnce('door/unlock')]);
    const ways = [site.send('door/lock'), site.send('door/unlock')];
    await heard('door/lock');
    entrance.release();
    await heard('door/lock', 'door/unlock');
    entrance.release();
    for (const way of ways) assert.deepEqual(outcomesOf(await site.ended(way)), ['Entrance accepted']);
  });

  it('an unlock whose parameters take longer than those of a lock after it is not sent', async () => {
    await site.start([entrance.config(), later('door/unlock'), atOnce('door/lock')]);
    const [unlock, lock] = [site.send('door/unlock'), site.send('door/lock')];
    assert.deepEqual(outcomesOf(await site.ended(unlock)), ['Entrance superseded']);
    await heard('door/lock');
    entrance.release();
    assert.deepEqual(outcomesOf(await site.ended(lock)), ['Entrance accepted']);
    await heard('door/lock');
  });

  it('a tone that waits for the model of its device is taken out by a stop', async () => {
    const unknown = entrance.config({ model: '', firmware: '' });
    await site.start([unknown, atOnce('tone/start'), atOnce('tone/stop')]);
    const play = site.send('tone/start');
    await heard('info/about');
    const hush = site.send('tone/stop');
    assert.deepEqual(outcomesOf(await site.ended(play)), ['Entrance superseded']);
    await heard('info/about', 'tone/stop');
    entrance.release('tone/stop');
    assert.deepEqual(outcomesOf(await site.ended(hush)), ['Entrance accepted']);
    await heard('info/about', 'tone/stop');
  });
});
