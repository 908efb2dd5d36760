import assert from 'node:assert/strict';
import type { Receipt } from '../../src/runtime/message/receipt';
import {
  action,
  alertNode,
  alertOf,
  eachWithPlace,
  eventLinesOf,
  eventsBy,
  type Place,
  short,
  shown,
  states,
} from '../fixtures/alert-node';
import { statusesOf } from '../fixtures/flow';
import { caughtOf, receiptLog, receiptsOf } from '../fixtures/site';

describe('algo-alert in a flow', () => {
  let { site, wall, door } = {} as Place;
  const flow = eachWithPlace((output) => {
    ({ site, wall, door } = output);
  });
  const all = { device: ['Wall', 'Door'] };
  const lockdown = [action('strobe/start'), action('screen/text-start'), action('relay/enable')];

  it('starts every action at every target, and clears in reverse what was accepted and nothing else', async () => {
    const alert = alertNode(lockdown);
    await flow(alert);
    const started = await site.ask(alert.id, all);
    assert.deepEqual(receiptsOf(started).map(short), [
      'Wall strobe/start accepted',
      'Wall screen/text-start accepted',
      'Wall relay/enable skipped',
      'Door strobe/start skipped',
      'Door screen/text-start skipped',
      'Door relay/enable accepted',
    ]);
    assert.deepEqual(caughtOf(started), []);
    const { since, ...state } = alertOf(started);
    assert.deepEqual(state, {
      name: alert.name,
      state: 'active',
      priority: 5,
      drill: false,
      active: ['Wall', 'Door'],
      unknown: [],
      failed: [],
      pending: [],
      by: null,
      clearedBy: null,
      dryRun: 0,
      acknowledged: [],
    });
    assert.equal(new Date(String(since)).toISOString(), since);
    await shown(alert.id, 'status.on');
    assert.deepEqual(statusesOf(alert.id).at(-1), { fill: 'red', shape: 'dot', text: 'status.on' });
    site.requests.length = 0;
    const cleared = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short), [
      'Wall screen/text-stop accepted',
      'Wall strobe/stop accepted',
      'Door relay/disable accepted',
    ]);
    assert.deepEqual(wall.operationNames.slice(-2), ['screen-text/stop', 'strobe/stop']);
    assert.equal(alertOf(cleared).state, 'idle');
    assert.equal(alertOf(cleared).since, null);
    await site.until('the end is told', () => eventLinesOf(site, alert.name).at(-1) === 'cleared');
    assert.deepEqual(eventsBy(site, alert.name), ['started', 'cleared']);
    await shown(alert.id, 'status.idle');
    assert.deepEqual(statusesOf(alert.id).at(-1), { fill: 'grey', shape: 'dot', text: 'status.idle' });
    const again = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual([receiptsOf(again), caughtOf(again), again.sent.length], [[], [], 1]);
  });

  it('retries pending stops immediately when it is cleared again', async () => {
    const alert = alertNode(lockdown);
    await flow(alert);
    await site.ask(alert.id, all);
    wall.behavior = ({ operationName: name }) => (name.endsWith('/stop') ? 503 : 200);
    const [first, second] = [await site.ask(alert.id, { operation: 'clear' }), wall.operationNames.length];
    assert.deepEqual(alertOf(first).pending, ['Wall']);
    wall.behavior = () => 200;
    const again = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(again).map(short), [
      'Wall screen/text-stop accepted',
      'Wall strobe/stop accepted',
    ]);
    assert.deepEqual(wall.operationNames.slice(second), ['screen-text/stop', 'strobe/stop']);
    assert.equal(alertOf(again).state, 'idle');
  });

  it('sends everything again when it is started while it is on, new texts included', async () => {
    const text = { operation: 'screen/text-start', form: { textContent: { type: 'msg', value: 'text' } } };
    const alert = alertNode([text], { priority: 'level', priorityType: 'msg' });
    await flow(alert);
    const first = await site.ask(alert.id, { device: 'Wall', text: 'Stay in' });
    const second = await site.ask(alert.id, { device: 'Wall', text: 'Come out', level: 7 });
    assert.deepEqual(
      wall.requests
        .filter((one) => one.operationName === 'screen-text/start')
        .map((one) => one.parameters.textContent),
      ['Stay in', 'Come out'],
    );
    assert.equal(alertOf(second).since, alertOf(first).since);
    assert.equal(alertOf(second).priority, 7);
    await site.ask(alert.id, { operation: 'clear' });
    await site.until('the end is told', () => eventLinesOf(site, alert.name).at(-1) === 'cleared');
    assert.deepEqual(eventsBy(site, alert.name), ['started', 'updated', 'cleared']);
    assert.equal(wall.operationNames.filter((one) => one === 'screen-text/stop').length, 1);
  });

  it('does not end what was refused, and ends what may have been done', async () => {
    const alert = alertNode(lockdown);
    await flow(alert);
    wall.behavior = ({ operationName: of }) =>
      of === 'strobe/start' ? 400 : of === 'screen-text/start' ? 'reset' : 200;
    const started = await site.ask(alert.id, { device: 'Wall' });
    assert.deepEqual(
      receiptsOf(started).map(({ outcome }) => outcome),
      ['failed', 'unknown', 'skipped'],
    );
    assert.equal(caughtOf(started).length, 1);
    const { active, unknown, failed } = alertOf(started);
    assert.deepEqual([active, unknown, failed], [[], ['Wall'], ['Wall']]);
    wall.behavior = () => 200;
    const cleared = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short), ['Wall screen/text-stop accepted']);
  });

  it('lets the message go on after the first try of a clear, and owes the rest until the device takes it', async () => {
    const alert = alertNode([action('strobe/start')]);
    await flow(alert);
    await site.ask(alert.id, { device: 'Wall' });
    wall.behavior = () => 503;
    const cleared = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short), ['Wall strobe/stop failed']);
    assert.deepEqual(caughtOf(cleared), []);
    assert.deepEqual([alertOf(cleared).state, alertOf(cleared).pending], ['clearing', ['Wall']]);
    await shown(alert.id, 'status.clearing');
    assert.deepEqual(statusesOf(alert.id).at(-1), { fill: 'yellow', shape: 'ring', text: 'status.clearing' });
    wall.behavior = () => 200;
    await site.until('it is cleared', () => eventLinesOf(site, alert.name).at(-1) === 'cleared');
    const stops = site
      .inbox('log')
      .map(({ payload }) => payload as Receipt & { nodeId: string })
      .filter((one) => one.operation === 'strobe/stop');
    assert.deepEqual(
      stops.map(({ outcome, nodeId }) => `${outcome} ${nodeId}`),
      [`failed ${alert.id}`, `accepted ${alert.id}`],
    );
  });

  it('owes it over a redeploy, too', async () => {
    const alert = alertNode([action('strobe/start')]);
    const nodes = [wall.config(), door.config(), states, ...receiptLog(), alert];
    await site.start(nodes);
    await site.ask(alert.id, { device: 'Wall' });
    wall.behavior = () => 503;
    await site.ask(alert.id, { operation: 'clear' });
    await site.redeploy(nodes, 'full');
    const asked = alertOf(await site.ask(alert.id, { operation: 'state' }));
    assert.deepEqual([asked.state, asked.pending], ['clearing', ['Wall']]);
    wall.behavior = () => 200;
    await site.until('it is cleared', () => eventLinesOf(site, alert.name).at(-1) === 'cleared');
  });

  it('stays on over a redeploy, whatever it is to do after a restart, and sends nothing again', async () => {
    const alert = alertNode([action('strobe/start')], { afterRestart: 'clear' });
    const nodes = [wall.config(), door.config(), states, ...receiptLog(), alert];
    await site.start(nodes);
    await site.ask(alert.id, { device: 'Wall' });
    await site.redeploy(nodes, 'full');
    assert.equal(alertOf(await site.ask(alert.id, { operation: 'state' })).state, 'active');
    assert.deepEqual(wall.operationNames, ['strobe/start']);
    await shown(alert.id, 'status.on');
    assert.equal(statusesOf(alert.id).at(-1)?.text, 'status.on');
    await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(wall.operationNames, ['strobe/start', 'strobe/stop']);
  });

  it('is cleared by the deploy that takes its node out', async () => {
    const alert = alertNode([action('strobe/start')]);
    const nodes = [wall.config(), door.config(), states, ...receiptLog()];
    await site.start([...nodes, alert]);
    await site.ask(alert.id, { device: 'Wall' });
    await site.redeploy(nodes);
    await site.until('it is ended', () => wall.operationNames.at(-1) === 'strobe/stop');
  });
});
