import assert from 'node:assert/strict';
import { alertNamed } from '../../src/runtime/alert/named-alert';
import { action, alertNode, alertOf, eachWithPlace, type Place, short } from '../fixtures/alert-node';
import { ask } from '../fixtures/flow';
import { act, caughtOf, formOf, outcomesOf, receiptsOf } from '../fixtures/site';
import { wordingIn } from '../fixtures/wording';

describe('algo-alert: a drill and an alert in earnest', () => {
  let { site, wall } = {} as Place;
  const flow = eachWithPlace((output) => {
    ({ site, wall } = output);
  });
  const text = (words: string) => ({
    operation: 'screen/text-start',
    form: formOf({ textContent: words }),
  });

  it('sends nothing of a drill while the same alert is on in earnest, and its clear ends nothing', async () => {
    const alert = alertNode([text('Lockdown'), action('strobe/start')]);
    await flow(alert);
    const before = alertOf(await site.ask(alert.id, { device: 'Wall' }));
    const sent = wall.operationNames.length;
    const drill = await site.ask(alert.id, { device: ['Wall', 'Attic'], drill: true });
    assert.deepEqual([caughtOf(drill), drill.sent.length], [[], 1]);
    assert.deepEqual(receiptsOf(drill).map(short), [
      'Wall screen/text-start skipped',
      'Wall strobe/start skipped',
      'Attic screen/text-start skipped',
      'Attic strobe/start skipped',
    ]);
    for (const { note, error } of receiptsOf(drill)) {
      assert.match(String(note), wordingIn('reasons:onInEarnest'));
      assert.equal(error, undefined);
    }
    assert.deepEqual(alertOf(drill), before);
    const cleared = await site.ask(alert.id, { operation: 'clear', drill: true });
    assert.deepEqual([caughtOf(cleared), receiptsOf(cleared), alertOf(cleared)], [[], [], before]);
    assert.deepEqual((await alertNamed(String(alert.name)).clear({ drill: true })).alert, before);
    assert.equal(wall.operationNames.length, sent);
    await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(wall.operationNames.slice(sent), ['strobe/stop', 'screen-text/stop']);
  });

  it('leaves the queue of a device to others where a drill is held back', async () => {
    const alert = alertNode([text('Lockdown')]);
    const flash = act('strobe/start', { target: 'device', device: 'wall' });
    await site.start([wall.config({ queueLimit: 1 }), alert, flash]);
    await site.ask(alert.id, { device: 'Wall' });
    for (const drill of [true, true, true]) await site.ask(alert.id, { device: 'Wall', drill });
    assert.deepEqual(outcomesOf(await site.ask('strobe/start')), ['Wall accepted']);
    await site.ask(alert.id, { operation: 'clear' });
  });

  it('makes an alert earnest that is started in earnest while it is a drill', async () => {
    const alert = alertNode([text('Lockdown')]);
    await flow(alert);
    await site.ask(alert.id, { device: 'Wall', drill: true });
    assert.equal(alertOf(await site.ask(alert.id, { device: 'Wall' })).drill, false);
    await site.ask(alert.id, { operation: 'clear', drill: true });
    assert.equal(alertOf(await site.ask(alert.id, { operation: 'state' })).state, 'active');
    assert.deepEqual(
      wall.requests.map(({ parameters }) => parameters.textContent),
      ['DRILL: Lockdown', 'Lockdown'],
    );
    await site.ask(alert.id, { operation: 'clear' });
  });

  it('begins its texts with the text of the node, and never with none', async () => {
    const texts = ['\u00dcBUNG:', ' ', '${NO_SUCH_TEXT}', undefined];
    const drills = texts.map((drillText) => alertNode([text('Lockdown')], { drill: true, drillText }));
    await flow(...drills);
    for (const { id } of drills) {
      await site.ask(id, { device: 'Wall' });
      await site.ask(id, { operation: 'clear' });
    }
    assert.deepEqual(
      wall.requests.flatMap(({ parameters }) => parameters.textContent ?? []),
      ['\u00dcBUNG: Lockdown', ...Array(3).fill('DRILL: Lockdown')],
    );
  });

  it('leaves a place to an alert in earnest, whatever the priority of a drill', async () => {
    const drill = alertNode([text('Lockdown')], { priority: 10, drill: true });
    const weather = alertNode([text('Storm')], { priority: 0 });
    await flow(drill, weather);
    await site.ask(weather.id, { device: 'Wall' });
    const [held] = receiptsOf(await site.ask(drill.id, { device: 'Wall' }));
    assert.equal(held?.outcome, 'skipped');
    assert.match(String(held?.note), wordingIn('reasons:earnestFirst', { alert: String(weather.name) }));
    await site.ask(weather.id, { operation: 'clear' });
    await site.ask(weather.id, { device: 'Wall' });
    assert.deepEqual(
      wall.requests.map(({ parameters }) => parameters.textContent),
      ['Storm', 'DRILL: Lockdown', 'Storm'],
    );
    for (const { id } of [weather, drill]) await site.ask(id, { operation: 'clear' });
    assert.deepEqual(wall.operationNames.slice(3), ['screen-text/start', 'screen-text/stop']);
  });

  it('refuses a clear that may be that of a drill or not', async () => {
    const alert = alertNode([action('strobe/start')]);
    await flow(alert);
    await site.ask(alert.id, { device: 'Wall' });
    const odd = await site.ask(alert.id, { operation: 'clear', drill: 'perhaps' });
    assert.deepEqual([caughtOf(odd), alertOf(odd)?.state], [['INVALID_PARAMETER'], undefined]);
    await site.ask(alert.id, { operation: 'clear' });
  });

  it('says in its own words that a message cannot carry what leaves, and has done it', async () => {
    const alert = alertNode([action('strobe/start')], { target: 'device', device: 'wall' });
    await flow(alert);
    const way = await ask(alert.id, Object.freeze({ _msgid: 'frozen' }));
    assert.deepEqual([way.caught[0]?.error?.code, way.sent.length], ['PROTOCOL', 0]);
    assert.match(
      String(way.caught[0]?.error?.message),
      /: the message cannot carry its receipts: strobe\/start; the outcome is accepted; /,
    );
    const asked = await ask(alert.id, Object.freeze({ _msgid: 'state', operation: 'state' }));
    assert.match(String(asked.caught[0]?.error?.message), /: the message cannot carry its receipts: alert; /);
    assert.equal(alertNamed(String(alert.name)).state().state, 'active');
    await site.ask(alert.id, { operation: 'clear' });
  });
});
