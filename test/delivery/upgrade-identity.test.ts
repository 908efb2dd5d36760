import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, Site } from '../fixtures/site';

describe('delivery: the identity after an upgrade', () => {
  let site: Site;
  let gate: FakeDevice;

  beforeEach(async () => {
    site = new Site();
    gate = await site.device('Gate');
    await site.start([
      gate.config({ model: '', firmware: '' }),
      act('system/upgrade-start', { device: 'gate' }),
      act('door/munlock', { device: 'gate' }),
    ]);
  });
  afterEach(() => site.end());

  const asked = () => gate.requests.filter(({ operationName }) => operationName === 'info/about').length;

  for (const [what, behavior] of [
    ['accepts it', 200],
    ['gives no answer', 'reset'],
  ] as const)
    it(`is read again if the device ${what}, also without a wait`, async () => {
      await site.ask('door/munlock');
      await site.ask('door/munlock');
      assert.equal(asked(), 1);
      gate.behavior = ({ operationName }) => (operationName === 'upgrade/start' ? behavior : 200);
      await site.ask('system/upgrade-start');
      for (let i = 0; i < 3; i += 1) await site.ask('door/munlock');
      assert.equal(asked(), 2);
    });
});
