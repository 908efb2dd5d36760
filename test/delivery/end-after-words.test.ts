import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, outcomesOf, receiptsOf, Site } from '../fixtures/site';

describe('delivery: endAfter of more than a day', () => {
  let site: Site;
  let device: FakeDevice;
  beforeEach(async () => {
    site = new Site();
    device = await site.device('Vault');
  });
  afterEach(() => site.end());

  for (const [seconds, expected] of [
    ['999999', 'the time until the auto-stop is 11 days 13 hours'],
    [86_401, 'the time until the auto-stop is 1 day'],
    [86_400, undefined],
    [5, undefined],
  ] as const) {
    it(`is ${expected ? '' : 'not '}said in the note of the receipt: ${seconds} s`, async () => {
      const unlock = act('door/unlock', { device: 'vault', endAfter: seconds });
      await site.start([device.config(), unlock, act('door/lock', { device: 'vault' })]);
      const way = await site.ask('door/unlock');
      assert.deepEqual(outcomesOf(way), ['Vault accepted']);
      assert.equal(receiptsOf(way)[0]?.note, expected);
      await site.ask('door/lock');
    });
  }

  it('is said where the device stops by itself, and where nothing is sent', async () => {
    const start = act('strobe/start', { device: 'vault', endAfter: 90_000 });
    device.model = '8138';
    await site.start([device.config(), start]);
    const started = await site.ask('strobe/start');
    assert.equal(receiptsOf(started)[0]?.note, 'the time until the auto-stop is 1 day 1 hour');
    assert.equal(device.requests.at(-1)?.parameters.duration, 90_000);
    await site.redeploy([device.config({ dryRun: true }), start]);
    const dry = await site.ask('strobe/start');
    assert.deepEqual(outcomesOf(dry), ['Vault dry-run']);
    assert.match(receiptsOf(dry)[0]?.note ?? '', /1 day 1 hour/);
  });
});
