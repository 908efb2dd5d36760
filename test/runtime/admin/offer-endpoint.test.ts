import assert from 'node:assert/strict';
import { VirtualDevice } from '../../../src/virtual-device/device';
import { GuardedNodeRed, type Person } from './node-red-users';

describe('the endpoint behind what a dialog offers, in a real Node-RED', function () {
  this.timeout(120_000);
  let red: GuardedNodeRed;
  let device: VirtualDevice;

  before(async () => {
    device = new VirtualDevice({ model: '8301', password: 'hunter2' });
    const address = await device.start();
    red = await GuardedNodeRed.start([{ id: 'tab', type: 'tab', label: 'test' }]);
    await red.deploy([
      { id: 'tab', type: 'tab', label: 'test' },
      { id: 'bells', type: 'algo-device', name: 'Bells', address, credentials: { password: 'hunter2' } },
      { id: 'away', type: 'algo-device', address: '127.0.0.1:1', credentials: { password: 'hunter2' } },
    ]);
  });
  after(async () => {
    await red?.nodeRed.stop();
    await device?.stop();
  });

  const ask = (person: Person, id: string, body: object, headers = {}) =>
    red.post(person, `algo/devices/${id}/offer`, body, headers);

  it('says what a device has to whoever may look', async () => {
    for (const person of ['boss', 'guest'] as const) {
      const { status, body } = await ask(person, 'bells', { what: 'tones' });
      assert.equal(status, 200);
      const { offers } = body as { offers: { value: string }[] };
      assert.ok(offers.some(({ value }) => value === 'warble4-trill.wav'));
      assert.ok(offers.length >= 13);
    }
  });

  it('says nothing to strangers and to pages of other sites', async () => {
    assert.equal((await ask('nobody', 'bells', { what: 'tones' })).status, 401);
    assert.equal(
      (await ask('boss', 'bells', { what: 'tones' }, { origin: 'http://evil.example' })).status,
      403,
    );
  });

  it('knows only devices that are deployed, and only what it offers', async () => {
    for (const [id, what] of [
      ['tab', 'tones'],
      ['192.0.2.1', 'tones'],
      ['bells', 'constructor'],
      ['bells', 'secrets'],
    ])
      assert.equal((await ask('boss', String(id), { what })).status, 404, id);
  });

  it('says why a device does not answer, and keeps to folders', async () => {
    const { status, body } = await ask('boss', 'away', { what: 'tones' });
    assert.deepEqual([status, body.code, body.offers], [200, 'UNREACHABLE', []]);
    const outside = await ask('boss', 'bells', { what: 'files', folder: '../../etc' });
    assert.deepEqual([outside.status, outside.body.code], [200, undefined]);
  });
});
