import assert from 'node:assert/strict';
import { action, alertNode, states } from '../fixtures/alert-node';
import { act, outcomesOf, receiptsOf, Site } from '../fixtures/site';

describe('delivery: a device at which the starts of an alert hang', () => {
  let site: Site;
  beforeEach(() => {
    site = new Site();
  });
  afterEach(() => site.end());

  it('gets the stop of another node, and the stops of the clear, before the starts have timed out', async () => {
    const device = await site.device('Gate', '8410');
    device.behavior = ({ operationName }) => (operationName.endsWith('/start') ? 'hold' : 200);
    const alert = alertNode(['strobe/start', 'screen/start', 'tone/start'].map((name) => action(name)));
    // The time-out never helps.
    await site.start([
      device.config({ timeout: 3600 }),
      states,
      alert,
      act('emergency/stop', { device: device.id }),
    ]);
    const started = site.send(alert.id, { device: 'Gate' });
    await site.until('two starts hang', () => device.held.length === 2);
    assert.deepEqual(outcomesOf(await site.ask('emergency/stop')), ['Gate accepted']);
    const cleared = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(
      receiptsOf(cleared).map(({ operation, outcome }) => `${operation} ${outcome}`),
      ['tone/stop accepted', 'screen/stop accepted', 'strobe/stop accepted'],
    );
    device.releaseAll();
    await site.ended(started);
  });
});
