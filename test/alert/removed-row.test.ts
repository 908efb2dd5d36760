import assert from 'node:assert/strict';
import { action, alertNode, states } from '../fixtures/alert-node';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, outcomesOf, receiptLog, Site } from '../fixtures/site';

describe('a row that is removed from its group while something is on there', () => {
  let site: Site;
  let gate: FakeDevice;
  let hall: FakeDevice;
  beforeEach(async () => {
    site = new Site();
    [gate, hall] = [await site.device('Gate', '8063'), await site.device('Hall', '8063')];
  });
  afterEach(() => site.end());

  const toGroup = { target: 'group', group: 'rows' };
  const alert = alertNode([action('door/unlock')], toGroup);
  const group = (rows: readonly unknown[]) => ({
    ...{ id: 'rows', type: 'algo-group', name: 'Rows', auth: 'none' },
    rows,
  });
  const row = (device: FakeDevice, more = {}) => device.row({ model: '8063', ...more });

  it('is stopped by a clear, with the login of the group', async () => {
    const nodes = [states, ...receiptLog(), alert];
    await site.start([group([row(gate), row(hall)]), ...nodes]);
    await site.ask(alert.id);
    await site.redeploy([group([row(hall)]), ...nodes], 'full');
    const way = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(outcomesOf(way).sort(), ['Gate accepted', 'Hall accepted']);
    assert.deepEqual(gate.operationNames, ['door/unlock', 'door/lock']);
  });

  it('is stopped by an auto-stop', async () => {
    const open = act('door/unlock', { ...toGroup, endAfter: '0.6' });
    await site.start([group([row(gate), row(hall)]), ...receiptLog(), open]);
    await site.ask('door/unlock');
    await site.redeploy([group([row(hall)]), ...receiptLog(), open], 'full');
    await site.until('it is locked', () => gate.operationNames.includes('door/lock'));
  });

  it('is no target any more', async () => {
    const open = act('door/unlock', toGroup);
    await site.start([group([row(gate), row(hall)]), states, ...receiptLog(), alert, open]);
    await site.ask(alert.id);
    await site.redeploy([group([row(hall)]), states, ...receiptLog(), alert, open], 'full');
    await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(outcomesOf(await site.ask('door/unlock')), ['Hall accepted']);
  });

  it('gets nothing if it had a password of its own', async () => {
    const nodes = [states, ...receiptLog(), alert];
    const own = { ...group([row(gate, { passwordKey: 1 }), row(hall)]), auth: 'basic' };
    const rows = { password: 'shared', rowPassword1: 'own' };
    await site.start([own, ...nodes], { rows });
    await site.ask(alert.id);
    await site.redeploy([{ ...own, rows: [row(hall)] }, ...nodes], 'full');
    const way = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(outcomesOf(way).sort(), ['Hall accepted', 'rows/Gate failed']);
    assert.deepEqual(gate.operationNames, ['door/unlock']);
  });
});
