import assert from 'node:assert/strict';
import { alertNamed } from '../../src/runtime/alert/named-alert';
import {
  action,
  alertNode,
  alertOf,
  eachWithPlace,
  eventLinesOf,
  hasShown,
  type Place,
  short,
  shown,
} from '../fixtures/alert-node';
import { statusesOf, stopFlow } from '../fixtures/flow';
import { caughtOf, receiptsOf } from '../fixtures/site';
import { wording } from '../fixtures/wording';

describe('algo-alert: refusals, dry runs and devices found by name', () => {
  let { site, wall } = {} as Place;
  const flow = eachWithPlace((output) => {
    ({ site, wall } = output);
  });

  it('sends nothing if a group or a device is on dry run', async () => {
    const alert = alertNode([action('strobe/start')], { target: 'group', group: 'all' });
    await flow(alert, { id: 'all', type: 'algo-group', name: 'All', devices: ['wall'], dryRun: true });
    assert.deepEqual(receiptsOf(await site.ask(alert.id)).map(short), ['Wall strobe/start dry-run']);
    assert.deepEqual(receiptsOf(await site.ask(alert.id, { operation: 'clear' })).map(short), [
      'Wall strobe/stop dry-run',
    ]);
    assert.deepEqual(wall.operationNames, []);
  });

  for (const [what, message, more, pattern] of [
    ...[false, 'clear', 'All-Clear', 'stop', 'OFF', 'end', 'idle', 'False\n'].map(
      (payload) =>
        [
          `a message without an operation that was meant to end it (${payload})`,
          { payload },
          {},
          /to end the alert, set msg\.operation to clear/,
        ] as const,
    ),
    ['an operation that it has not', { operation: 'stop' }, {}, /msg\.operation .*"stop"/],
    [
      'a priority that there is not',
      { level: 11 },
      { priority: 'level', priorityType: 'msg' },
      /msg\.level .* 11/,
    ],
    ['a priority of the node that there is not', {}, { priority: 11 }, /priority .* 11/],
    ['a drill that is neither', { drill: 'perhaps' }, {}, /msg\.drill .*"perhaps"/],
    ['no actions', {}, { actions: [] }, / actions /],
    [
      'an action that it has not',
      {},
      { actions: [{ operation: 'system/reboot' }] },
      /actions\[0\]\.operation .*"system\/reboot"/,
    ],
    ['a time that is none', {}, { endAfter: 'soon' }, /endAfter .*"soon"/],
  ] as const) {
    it(`refuses ${what}, and sends nothing`, async () => {
      const alert = alertNode([action('strobe/start')], more);
      await flow(alert);
      const way = await site.ask(alert.id, { device: 'Wall', ...message });
      assert.deepEqual([caughtOf(way), way.sent.length, wall.operationNames], [['INVALID_PARAMETER'], 0, []]);
      assert.match(String(way.caught[0]?.error?.message), pattern);
      assert.equal(alertOf(await site.ask(alert.id, { operation: 'state' })).state, 'idle');
    });
  }

  it('is started by a message without an operation, whatever else its payload is', async () => {
    const alert = alertNode([action('strobe/start')]);
    await flow(alert);
    for (const payload of [undefined, '', true, 0, 'fire', 'stopped', {}, [], Buffer.from('off')]) {
      const way = await site.ask(alert.id, { device: 'Wall', payload });
      assert.deepEqual(receiptsOf(way).map(short), ['Wall strobe/start accepted'], String(payload));
    }
    await site.ask(alert.id, { device: 'Wall', operation: 'clear', payload: 'clear' });
    assert.equal(wall.operationNames.at(-1), 'strobe/stop');
  });

  it('starts the other actions where one has a form that cannot be read, and is not on where none has', async () => {
    const wrong = { operation: 'strobe/start', form: { pattern: { type: 'num', value: '' } } };
    const [half, none] = [alertNode([wrong, action('screen/text-start')]), alertNode([wrong])];
    await flow(half, none);
    const way = await site.ask(half.id, { device: 'Wall' });
    assert.deepEqual(
      receiptsOf(way).map(({ outcome }) => outcome),
      ['failed', 'accepted'],
    );
    assert.deepEqual([caughtOf(way), way.sent.length], [['INVALID_PARAMETER'], 1]);
    assert.deepEqual([alertOf(way).active, alertOf(way).failed], [[], ['Wall']]);
    await site.ask(half.id, { operation: 'clear' });
    assert.equal(wall.operationNames.at(-1), 'screen-text/stop');
    const refused = await site.ask(none.id, { device: 'Wall' });
    assert.deepEqual([caughtOf(refused), refused.sent.length], [['INVALID_PARAMETER'], 0]);
    await hasShown(none.id, wording('reasons:notNumber', { name: 'pattern' }));
    // The other alert changes, which does not hide the error.
    await site.ask(half.id, { device: 'Wall' });
    await shown(half.id, 'status.on');
    await shown(none.id, wording('reasons:notNumber', { name: 'pattern' }));
    assert.equal(alertOf(await site.ask(none.id, { operation: 'state' })).state, 'idle');
    assert.equal(statusesOf(none.id).at(-1)?.fill, 'red');
    for (const { id } of [none, half]) await site.ask(id, { operation: 'clear' });
    await shown(none.id, 'status.idle');
  });

  it('says which target there is not', async () => {
    const alert = alertNode([action('strobe/start')]);
    await flow(alert);
    const way = await site.ask(alert.id, { device: ['Attic', 'Wall'] });
    assert.deepEqual(receiptsOf(way).map(short), ['Attic strobe/start failed', 'Wall strobe/start accepted']);
    assert.deepEqual(caughtOf(way), ['NOT_CONFIGURED']);
    await shown(alert.id, 'status.on');
    assert.equal(statusesOf(alert.id).at(-1)?.text, 'status.on');
    await site.ask(alert.id, { operation: 'clear' });
  });

  it('takes its messages in their order, also where a form takes a while to be read', async () => {
    const slow = {
      operation: 'screen/text-start',
      form: { textContent: { type: 'jsonata', value: '$string("Slow")' } },
    };
    const alert = alertNode([slow]);
    await flow(alert);
    const started = site.send(alert.id, { device: 'Wall' });
    const cleared = site.send(alert.id, { operation: 'clear' });
    await site.ended(started);
    await site.ended(cleared);
    await site.until('it is over', () => eventLinesOf(site, alert.name).at(-1) !== 'started');
    assert.equal(wall.operationNames.at(-1), wall.operationNames.length > 0 ? 'screen-text/stop' : undefined);
    assert.equal(alertOf(await site.ask(alert.id, { operation: 'state' })).state, 'idle');
  });

  it('can be started, asked and cleared by its name', async () => {
    const alert = alertNode([action('strobe/start')]);
    await flow(alert);
    const named = alertNamed(String(alert.name));
    const started = await named.start({ device: 'Wall' });
    assert.deepEqual(
      [started.receipts.map(short), started.error],
      [['Wall strobe/start accepted'], undefined],
    );
    assert.equal(named.state().state, 'active');
    assert.deepEqual(
      (await named.start({ device: 'Attic' })).error?.message,
      'no device has this name: strobe/start at "Attic"; nothing was sent',
    );
    assert.deepEqual((await named.clear()).receipts.map(short), ['Wall strobe/stop accepted']);
    assert.throws(() => alertNamed('Nobody'), {
      code: 'NOT_CONFIGURED',
      message: /"Nobody"/,
    });
    assert.throws(() => alertNamed(String(alert.name).toLowerCase()), { code: 'NOT_CONFIGURED' });
    assert.throws(
      () => alertNamed('x'.repeat(9_000)),
      ({ message }: Error) => message.length < 200,
    );
    const refused = await named.start({ device: 'Wall' }, { priority: 11 });
    assert.deepEqual(
      [(refused.error as { code?: string }).code, refused.receipts, refused.alert.state],
      ['INVALID_PARAMETER', [], 'idle'],
    );
    await stopFlow();
    assert.throws(() => alertNamed(String(alert.name)), { code: 'NOT_CONFIGURED' });
  });
});
