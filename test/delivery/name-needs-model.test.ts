import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { VirtualDevice, type VirtualDeviceOptions } from '../../src/virtual-device/device';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, codesOf, outcomesOf, receiptsOf, Site, type Way } from '../fixtures/site';
import { wordingIn } from '../fixtures/wording';

/** A device alone, or as a row of a group. */
const places = ['device', 'row'] as const;

describe('delivery: a name that needs the model', () => {
  let site: Site;
  let virtual: VirtualDevice | undefined;

  beforeEach(() => {
    site = new Site();
  });
  afterEach(async () => {
    await site.end();
    await virtual?.stop();
    virtual = undefined;
  });

  /** A node that starts a strobe by name at this address. */
  async function start(
    place: (typeof places)[number],
    address: string,
    more: Record<string, unknown> = {},
    given: Parameters<typeof act>[1] = {},
  ): Promise<void> {
    const { retryFor, ...login } = more;
    const common = { auth: 'standard', certificate: 'verify', ...login };
    const [config, target] =
      place === 'device'
        ? [{ id: 'place', type: 'algo-device', name: 'Gym', address, ...common }, { device: 'place' }]
        : [
            { id: 'place', type: 'algo-group', rows: [{ name: 'Gym', address, tags: '' }], ...common },
            { target: 'group', group: 'place' },
          ];
    const parameters = { pattern: 'fast', ...given };
    const node = act('strobe/start', { ...target, given: parameters, ...(retryFor ? { retryFor } : {}) });
    await site.start([config, node], { place: { password: 'hunter2' } });
  }

  async function virtualDevice(options: VirtualDeviceOptions = {}): Promise<string> {
    virtual = new VirtualDevice({ model: '8128', password: 'hunter2', ...options });
    return virtual.start();
  }
  const ask = () => site.ask('strobe/start');
  const messageOf = (way: Way) => String(receiptsOf(way)[0]?.error?.message);

  for (const place of places) {
    describe(place === 'device' ? 'at a device' : 'at a row of a group', () => {
      const failsWith = async (code: string, cause: RegExp) => {
        // The second one too: what was asked in vain before is asked again.
        for (const way of [await ask(), await ask()]) {
          assert.deepEqual(codesOf(way), [code], messageOf(way));
          assert.deepEqual(outcomesOf(way), ['Gym failed']);
          assert.match(messageOf(way), cause);
          assert.match(messageOf(way), wordingIn('reasons:modelNotAsked'));
        }
      };

      it('says that the device is off', async () => {
        const gym = await site.device('Gym');
        await gym.close();
        await start(place, gym.address, { auth: 'none' });
        await failsWith('UNREACHABLE', wordingIn('reasons:refusesConnections'));
      });

      it('says that the password is another one', async () => {
        const address = await virtualDevice({ password: 'hunter3' });
        await start(place, address);
        await failsWith('AUTHENTICATION', /password/);
      });

      it('says that the certificate is not trusted', async () => {
        const address = await virtualDevice({ tls: true });
        await start(place, address);
        await failsWith('TLS_UNTRUSTED', /certificate/);
      });

      it('says that the scheme is another one', async () => {
        const address = await virtualDevice({ tls: true });
        await start(place, address.replace('https:', 'http:'));
        await failsWith('PROTOCOL', /https/);
      });

      it('says that there is no TLS', async () => {
        const address = await virtualDevice();
        await start(place, address.replace('http:', 'https:'));
        await failsWith('UNREACHABLE', /http:/);
      });

      it('is sent when the device comes back while it is tried again', async () => {
        const gym = await site.device('Gym', '8128');
        await gym.close();
        await start(place, gym.address, { auth: 'none', retryFor: 20 });
        const way = site.send('strobe/start');
        await sleep(600);
        assert.equal(way.isEnded, false);
        await gym.open();
        await site.ended(way);
        assert.deepEqual(outcomesOf(way), ['Gym accepted']);
        assert.equal(gym.requests.at(-1)?.parameters.pattern, 13);
      });
    });
  }

  describe('at a device that answers', () => {
    let gym: FakeDevice;
    beforeEach(async () => {
      gym = await site.device('Gym', '8128');
    });
    const about = 'info/about';

    it('is sent when it says who it is later on', async () => {
      gym.behavior = ({ operationName }) => (operationName === about && gym.requests.length <= 2 ? 503 : 200);
      await start('device', gym.address, { auth: 'none', retryFor: 20 });
      assert.deepEqual(outcomesOf(await ask()), ['Gym accepted']);
      assert.equal(gym.requests.at(-1)?.parameters.pattern, 13);
    });

    it('says that it is busy', async () => {
      gym.behavior = ({ operationName }) => (operationName === about ? 503 : 200);
      await start('device', gym.address, { auth: 'none' });
      for (const way of [await ask(), await ask()]) assert.deepEqual(codesOf(way), ['REFUSED']);
      assert.deepEqual(gym.operationNames, []);
    });

    it('was not done, and says that the question had no answer', async () => {
      gym.behavior = ({ operationName }) => (operationName === about ? 'hold' : 200);
      await start('device', gym.address, { auth: 'none', timeout: 1 });
      const way = await ask();
      assert.deepEqual([codesOf(way), outcomesOf(way)], [['TIMEOUT'], ['Gym failed']]);
      assert.deepEqual(gym.operationNames, []);
    });

    it('is not supported where that refuses to say who it is', async () => {
      gym.behavior = ({ operationName }) => (operationName === about ? 404 : 200);
      await start('device', gym.address, { auth: 'none', retryFor: 20 });
      for (const way of [await ask(), await ask()]) {
        assert.deepEqual(codesOf(way), ['NOT_SUPPORTED']);
        assert.match(messageOf(way), wordingIn('reasons:modelUnknown'));
      }
    });

    it('is not supported where nobody knows the model that it says', async () => {
      gym.model = '9999';
      await start('device', gym.address, { auth: 'none', retryFor: 20 });
      for (const way of [await ask(), await ask()]) assert.deepEqual(codesOf(way), ['NOT_SUPPORTED']);
    });

    it('is skipped where the model has no strobe', async () => {
      gym.model = '8180';
      await start('device', gym.address, { auth: 'none' });
      const way = await ask();
      assert.deepEqual([codesOf(way), outcomesOf(way)], [['NOT_SUPPORTED'], ['Gym skipped']]);
    });

    it('asks for the model also where the device decides', async () => {
      await start('device', gym.address, { auth: 'none', letDeviceDecide: true });
      assert.deepEqual(outcomesOf(await ask()), ['Gym accepted']);
      assert.equal(gym.requests.at(-1)?.parameters.pattern, 13);
    });

    it('is taken out by a stop while the model is asked for', async () => {
      gym.behavior = ({ operationName }) => (operationName === about ? 'hold' : 200);
      const strobe = { device: 'gym', given: { pattern: 'fast' } };
      await site.start([
        gym.config({ model: '', firmware: '' }),
        act('strobe/start', strobe),
        act('strobe/stop', { device: 'gym' }),
      ]);
      const way = site.send('strobe/start');
      await site.until('the model is asked for', () => gym.held.length > 0);
      const stopped = await site.ask('strobe/stop');
      gym.releaseAll();
      await site.ended(way);
      assert.deepEqual([outcomesOf(stopped), outcomesOf(way)], [['Gym accepted'], ['Gym superseded']]);
      assert.deepEqual(gym.operationNames, ['strobe/stop']);
    });

    it('may be a brightness', async () => {
      await start('device', gym.address, { auth: 'none' }, { pattern: 13, ledlvl: 'high' });
      gym.behavior = ({ operationName }) => (operationName === about ? 401 : 200);
      assert.deepEqual(codesOf(await ask()), ['AUTHENTICATION']);
      assert.deepEqual(gym.operationNames, []);
    });
  });
});
