import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, Site } from '../fixtures/site';

describe('delivery: endAfter at a device that is a node, and a row of a group', () => {
  let site: Site;
  let device: FakeDevice;
  let serial = 0;
  const toGate = { device: '' };
  const toRow = { target: 'msg' };
  beforeEach(async () => {
    site = new Site();
    device = await site.device('Gate');
    // An end whose answer the end of a test cut off is still pending, and would be sent to the next one's device.
    serial += 1;
    device.id = `two-names-${serial}`;
    toGate.device = device.id;
  });
  afterEach(() => site.end());

  const rows = () => ({
    id: `rows-${serial}`,
    type: 'algo-group',
    name: 'Rows',
    auth: 'none',
    rows: [{ name: 'Row', address: device.address.replace('http', 'HTTP'), tags: '' }],
  });
  const count = (operationName: string) =>
    device.operationNames.filter((one) => one === operationName).length;
  const comes = (operationName: string) =>
    site.until(`${operationName} comes`, () => count(operationName) > 0);
  /** Something else that ends when what should not come would have come. */
  const meanwhile = () => act('relay/enable', { ...toGate, endAfter: 2 });

  it('is replaced by a later start by the other name, and that one ends after its own time', async () => {
    const long = { ...act('relay/24v-enable', { ...toRow, endAfter: 3 }), id: 'long' };
    const short = { ...act('relay/24v-enable', { ...toGate, endAfter: 1 }), id: 'short' };
    await site.start([device.config(), rows(), short, long, meanwhile()]);
    await site.ask('short');
    await site.ask('long', { device: 'Row' });
    await site.ask('relay/enable');
    await comes('relay/disable');
    assert.equal(count('24v/disable'), 0);
    await comes('24v/disable');
    assert.equal(count('24v/disable'), 1);
  });

  it('is canceled by a stop, and by a start that is to last, by the other name', async () => {
    const [stop, start] = [act('relay/24v-disable', toRow), act('door/unlock', toRow)];
    const short = { ...act('relay/24v-enable', { ...toGate, endAfter: 1 }), id: 'short' };
    const open = { ...act('door/unlock', { ...toGate, endAfter: 1 }), id: 'open' };
    await site.start([device.config(), rows(), short, open, stop, start, meanwhile()]);
    await site.ask('short');
    await site.ask('open');
    await site.ask('relay/24v-disable', { device: 'Row' });
    await site.ask('door/unlock', { device: 'Row' });
    await site.ask('relay/enable');
    await comes('relay/disable');
    assert.deepEqual([count('24v/disable'), count('door/lock')], [1, 0]);
  });
});
