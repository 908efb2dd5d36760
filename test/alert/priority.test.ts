import assert from 'node:assert/strict';
import type { Receipt } from '../../src/runtime/message/receipt';
import {
  action,
  alertNode,
  alertOf,
  eachWithPlace,
  eventLinesOf,
  type Place,
  short,
  states,
} from '../fixtures/alert-node';
import { act, caughtOf, formOf, receiptsOf } from '../fixtures/site';

describe('algo-alert: priority, drills and what ends by itself', () => {
  let { site, wall, door } = {} as Place;
  const flow = eachWithPlace((output) => {
    ({ site, wall, door } = output);
  });

  it('marks a drill in texts and on every receipt', async () => {
    const screen = { type: 'template', template: 'announcement', text1: 'Go', text2: 'Now' };
    const template = { operation: 'screen/start', form: formOf(screen) };
    const alert = alertNode([action('screen/text-start'), template], { drill: true });
    await flow(alert);
    const started = await site.ask(alert.id, { device: 'Wall' });
    assert.deepEqual(
      receiptsOf(started).map(({ drill }) => drill),
      [true, true],
    );
    assert.equal(alertOf(started).drill, true);
    assert.deepEqual(
      wall.requests.map(({ parameters }) => parameters.textContent ?? parameters.text1),
      ['DRILL: Fire', 'DRILL: Go'],
    );
    const { text1: _, ...rest } = wall.requests[1]?.parameters ?? {};
    assert.deepEqual(rest, { type: 'template', template: 'announcement', text2: 'Now' });
    const cleared = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(
      receiptsOf(cleared).map(({ drill }) => drill),
      [true, true],
    );
    const earnest = await site.ask(alert.id, { device: 'Wall', drill: false });
    assert.deepEqual(
      receiptsOf(earnest).map(({ drill }) => drill),
      [undefined, undefined],
    );
    await site.ask(alert.id, { operation: 'clear' });
    await site.until('the log has it', () => site.inbox('log').length === 8);
    assert.deepEqual(
      site.inbox('log').map(({ payload }) => (payload as Receipt).drill ?? false),
      [true, true, true, true, false, false, false, false],
    );
  });

  it('leaves a device output to the alert of higher priority, and takes it over when that is cleared', async () => {
    const fire = alertNode([action('strobe/start', { color1: 'red' })], { priority: 9 });
    const weather = alertNode([action('strobe/start', { color1: 'blue' })], { priority: 3 });
    await flow(fire, weather);
    await site.ask(fire.id, { device: 'Wall' });
    const held = await site.ask(weather.id, { device: 'Wall' });
    const [receipt] = receiptsOf(held);
    assert.deepEqual([receipt?.outcome, receipt?.address], ['skipped', wall.address]);
    assert.match(String(receipt?.note), new RegExp(`"${fire.name}"`));
    assert.deepEqual(
      [caughtOf(held), held.sent.length, alertOf(held).state, alertOf(held).active],
      [[], 1, 'active', []],
    );
    const cleared = await site.ask(fire.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short), ['Wall strobe/start accepted']);
    assert.deepEqual(
      wall.requests.map(({ operationName: of, parameters }) => `${of} ${parameters.color1}`),
      ['strobe/start red', 'strobe/start blue'],
    );
    assert.equal(alertOf(cleared).state, 'idle');
    await site.ask(weather.id, { operation: 'clear' });
    assert.equal(wall.operationNames.at(-1), 'strobe/stop');
  });

  it('gives way to an equal alert that is started later, and comes back', async () => {
    const [one, other] = [alertNode([action('strobe/start')]), alertNode([action('strobe/start')])];
    await flow(one, other);
    await site.ask(one.id, { device: 'Wall' });
    assert.equal(receiptsOf(await site.ask(other.id, { device: 'Wall' }))[0]?.outcome, 'accepted');
    assert.deepEqual(alertOf(await site.ask(one.id, { operation: 'state' })).active, []);
    await site.ask(other.id, { operation: 'clear' });
    assert.deepEqual(alertOf(await site.ask(one.id, { operation: 'state' })).active, ['Wall']);
    await site.ask(one.id, { operation: 'clear' });
    assert.deepEqual(wall.operationNames, ['strobe/start', 'strobe/start', 'strobe/start', 'strobe/stop']);
  });

  it('neither ends nor starts again a tone that does not loop', async () => {
    const chime = alertNode([action('tone/start', { loop: false })], { priority: 3 });
    const siren = alertNode([action('tone/start')], { priority: 9 });
    const speaker = await site.device('Speaker', '8301');
    await site.start([speaker.config(), states, chime, siren]);
    await site.ask(chime.id, { device: 'Speaker' });
    await site.ask(siren.id, { device: 'Speaker' });
    await site.ask(siren.id, { operation: 'clear' });
    await site.ask(chime.id, { operation: 'clear' });
    assert.deepEqual(speaker.operationNames, ['tone/start', 'tone/start', 'tone/stop']);
  });

  it('sounds after its start was lost, also where the device rejects the stop of a tone that it does not play', async () => {
    const speaker = await site.device('Speaker', '8301');
    const toSpeaker = { target: 'device', device: 'speaker' };
    const [storm, fire] = [3, 9].map((priority) =>
      alertNode([action('tone/start')], { ...toSpeaker, priority }),
    );
    assert.ok(storm && fire);
    await site.start([speaker.config(), states, storm, fire]);
    await site.ask(storm.id);
    speaker.behavior = () => 'reset';
    await site.ask(fire.id);
    speaker.behavior = ({ operationName: of }) => (of === 'tone/stop' ? 404 : 200);
    await site.ask(storm.id, { operation: 'clear' });
    await site.until('storm is over', () => eventLinesOf(site, storm.name).at(-1) === 'cleared');
    await site.until('fire sounds', () => speaker.operationNames.length === 4);
    assert.deepEqual(speaker.operationNames.slice(2), ['tone/stop', 'tone/start']);
    speaker.behavior = () => 200;
    await site.ask(fire.id, { operation: 'clear' });
  });

  it('ends an emergency announcement, and an unlocked door by its id', async () => {
    const speaker = await site.device('Speaker', '8301');
    const alert = alertNode([action('emergency/start'), action('door/unlock')]);
    await site.start([speaker.config(), door.config(), states, alert]);
    await site.ask(alert.id, { device: ['Speaker', 'Door'] });
    await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(speaker.operationNames, ['emergency-alert/start', 'emergency-alert/stop']);
    assert.deepEqual(
      door.requests.map(({ operationName: of, parameters }) => `${of} ${parameters.doorid}`),
      ['door/unlock local', 'door/lock local'],
    );
  });

  it('is cleared by Node-RED after its time', async () => {
    const alert = alertNode([action('strobe/start')], { endAfter: '0.3' });
    await flow(alert);
    await site.ask(alert.id, { device: 'Wall' });
    await site.until('it is cleared', () => eventLinesOf(site, alert.name).at(-1) === 'cleared');
    assert.deepEqual(wall.operationNames, ['strobe/start', 'strobe/stop']);
  });

  it('is not ended by an end that another node has pending there', async () => {
    const alert = alertNode([action('strobe/start')]);
    const flash = { ...act('strobe/start', { device: 'wall', endAfter: '0.5' }), id: 'flash' };
    const marker = { ...act('relay/enable', { device: 'door', endAfter: '0.6' }), id: 'marker' };
    const old = await site.device('Old', '8410', '5.5');
    await site.start([{ ...old.config(), id: 'wall' }, door.config(), states, alert, flash, marker]);
    await site.ask('flash');
    await site.ask('marker');
    await site.ask(alert.id, { device: 'Old' });
    await site.until('a later end has come', () => door.operationNames.includes('relay/disable'));
    assert.deepEqual(old.operationNames, ['strobe/start', 'strobe/start']);
    await site.ask(alert.id, { operation: 'clear' });
  });

  it('leaves alone what a node of a person has started there since', async () => {
    const alert = alertNode([action('strobe/start'), action('screen/text-start')]);
    const flash = { ...act('strobe/start', { device: 'wall', duringAlert: true }), id: 'flash' };
    await flow(alert, flash);
    await site.ask(alert.id, { device: 'Wall' });
    await site.ask('flash');
    await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(wall.operationNames.slice(3), ['screen-text/stop']);
  });

  it('still has what a node of a person has only interrupted there', async () => {
    const speaker = await site.device('Speaker', '8301');
    const alert = alertNode([action('tone/start')]);
    const given = { loop: false };
    const chime = { ...act('tone/start', { device: 'speaker', duringAlert: true, given }), id: 'chime' };
    await site.start([speaker.config(), states, alert, chime]);
    await site.ask(alert.id, { device: 'Speaker' });
    await site.ask('chime');
    await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(speaker.operationNames, ['tone/start', 'tone/start', 'tone/stop']);
  });

  it('stops a tone as the firmware wants it, also when a deploy has forgotten which one that is', async () => {
    const speaker = await site.device('Speaker', '8301');
    // From firmware 5.5 on nothing may be said of which tone it is.
    speaker.behavior = ({ operationName: of, parameters }) =>
      of === 'tone/stop' && 'path' in parameters ? 400 : 200;
    const alert = alertNode([action('tone/start')]);
    const unknown = speaker.config({ model: '', firmware: '' });
    await site.start([unknown, states, alert]);
    await site.ask(alert.id, { device: 'Speaker' });
    await site.redeploy([unknown, states, alert], 'full');
    await site.ask(alert.id, { operation: 'clear' });
    await site.until('it is cleared', () => eventLinesOf(site, alert.name).at(-1) === 'cleared');
    assert.deepEqual(speaker.requests.at(-1), {
      device: 'Speaker',
      operationName: 'tone/stop',
      parameters: {},
    });
  });
});
