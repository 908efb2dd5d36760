import assert from 'node:assert/strict';
import { ConcurrencyLimiter } from '../../src/runtime/message/concurrency-limiter';
import { action, alertNode, states } from '../fixtures/alert-node';
import { act, outcomesOf, Site } from '../fixtures/site';

describe('delivery: a device whose starts wait for their share of the targets at a time', () => {
  let site: Site;
  const { clock } = ConcurrencyLimiter;
  beforeEach(() => {
    site = new Site();
    // No target loses its place.
    ConcurrencyLimiter.clock = { monotonic: () => 0, after: () => () => {} };
  });
  afterEach(async () => {
    ConcurrencyLimiter.clock = clock;
    await site.end();
  });

  it('gets what is urgent meanwhile, and the starts in their order after it', async () => {
    const [hung, healthy] = [await site.device('Hung', '8410'), await site.device('Healthy', '8410')];
    hung.behavior = () => 'hold';
    const alert = alertNode(
      ['strobe/start', 'screen/text-start'].map((name) => action(name)),
      { target: 'group', group: 'both' },
    );
    await site.start([
      hung.config({ timeout: 3600 }),
      healthy.config(),
      { id: 'both', type: 'algo-group', name: 'Both', devices: [hung.id, healthy.id], maxParallel: 1 },
      states,
      alert,
      act('emergency/stop', { target: 'device', device: healthy.id }),
    ]);
    const started = site.send(alert.id);
    await site.until('the first device hangs', () => hung.held.length === 2);
    assert.deepEqual(outcomesOf(await site.ask('emergency/stop')), ['Healthy accepted']);
    assert.equal(healthy.operationNames.length, 1);
    hung.behavior = () => 200;
    hung.releaseAll();
    await site.ended(started);
    assert.deepEqual(healthy.operationNames.slice(1).sort(), ['screen-text/start', 'strobe/start']);
    await site.ask(alert.id, { operation: 'clear' });
  });

  it('gets no start that was stopped meanwhile', async () => {
    const [hung, healthy] = [await site.device('Hung', '8410'), await site.device('Healthy', '8410')];
    hung.behavior = () => 'hold';
    const group = { target: 'group', group: 'both' };
    await site.start([
      hung.config({ timeout: 3600 }),
      healthy.config(),
      { id: 'both', type: 'algo-group', name: 'Both', devices: [hung.id, healthy.id], maxParallel: 1 },
      act('strobe/start', group),
      act('strobe/stop', { target: 'device', device: healthy.id }),
    ]);
    const started = site.send('strobe/start');
    await site.until('the first device hangs', () => hung.held.length === 1);
    assert.deepEqual(outcomesOf(await site.ask('strobe/stop')), ['Healthy accepted']);
    hung.releaseAll();
    assert.deepEqual(outcomesOf(await site.ended(started)), ['Hung accepted', 'Healthy superseded']);
    assert.deepEqual(healthy.operationNames, ['strobe/stop']);
  });
});
