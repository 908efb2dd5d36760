import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import type { Receipt } from '../../src/runtime/action/receipt';
import { alertNamed } from '../../src/runtime/alert/named';
import type { FakeDevice } from '../delivery/fake-device';
import { act, caughtOf, receiptLog, receiptsOf, Site } from '../delivery/site';
import { statusesOf } from '../nodes/flow';
import { alertNode, alertOf, deed, shown, states, toldBy } from './alert-node';

const short = ({ device, operation, outcome }: Receipt) => `${device} ${operation} ${outcome}`;

describe('algo-alert in a flow', function () {
  this.timeout(20_000);
  let site: Site;
  let wall: FakeDevice;
  let door: FakeDevice;

  beforeEach(async () => {
    site = new Site();
    wall = await site.device('Wall', '8410');
    door = await site.device('Door', '8063');
  });
  afterEach(() => site.end());

  const flow = (...more: ReturnType<typeof alertNode>[]) =>
    site.start([wall.config(), door.config(), states, ...receiptLog(), ...more]);
  const all = { device: ['Wall', 'Door'] };
  const lockdown = [deed('strobe/start'), deed('screen/text-start'), deed('relay/enable')];

  it('starts every deed at every target, and clears in reverse what was accepted and nothing else', async () => {
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
    const { since, ...said } = alertOf(started);
    assert.deepEqual(said, {
      name: alert.name,
      state: 'active',
      severity: 5,
      drill: false,
      devices: ['Wall', 'Door'],
      waiting: [],
    });
    assert.equal(new Date(String(since)).toISOString(), since);
    await shown(alert.id, 'status.on');
    assert.deepEqual(statusesOf(alert.id).at(-1), { fill: 'red', shape: 'dot', text: 'status.on' });
    site.heard.length = 0;
    const cleared = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short), [
      'Wall screen/text-stop accepted',
      'Wall strobe/stop accepted',
      'Door relay/disable accepted',
    ]);
    assert.deepEqual(wall.deeds.slice(-2), ['screen-text/stop', 'strobe/stop']);
    assert.equal(alertOf(cleared).state, 'idle');
    assert.equal(alertOf(cleared).since, null);
    await site.until('the end is told', () => toldBy(site, alert.name).at(-1) === 'idle');
    assert.deepEqual(toldBy(site, alert.name), ['active', 'clearing Wall Door', 'idle']);
    await shown(alert.id, 'status.idle');
    assert.deepEqual(statusesOf(alert.id).at(-1), { fill: 'grey', shape: 'dot', text: 'status.idle' });
    const again = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual([receiptsOf(again), caughtOf(again), again.sent.length], [[], [], 1]);
  });

  it('sends everything again when it is started while it is on, new texts included', async () => {
    const text = { operation: 'screen/text-start', form: { textContent: { type: 'msg', value: 'text' } } };
    const alert = alertNode([text]);
    await flow(alert);
    const first = await site.ask(alert.id, { device: 'Wall', text: 'Stay in' });
    const second = await site.ask(alert.id, { device: 'Wall', text: 'Come out', severity: 7 });
    assert.deepEqual(
      wall.heard.filter((one) => one.deed === 'screen-text/start').map((one) => one.parameters.textContent),
      ['Stay in', 'Come out'],
    );
    assert.equal(alertOf(second).since, alertOf(first).since);
    assert.equal(alertOf(second).severity, 7);
    await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(toldBy(site, alert.name).filter((state) => state === 'active').length, 1);
    assert.equal(wall.deeds.filter((one) => one === 'screen-text/stop').length, 1);
  });

  it('does not end what was refused, and ends what may have been done', async () => {
    const alert = alertNode(lockdown);
    await flow(alert);
    wall.temper = ({ deed: of }) =>
      of === 'strobe/start' ? 400 : of === 'screen-text/start' ? 'reset' : 200;
    const started = await site.ask(alert.id, { device: 'Wall' });
    assert.deepEqual(
      receiptsOf(started).map(({ outcome }) => outcome),
      ['failed', 'unknown', 'skipped'],
    );
    assert.equal(caughtOf(started).length, 1);
    assert.deepEqual(alertOf(started).devices, ['Wall']);
    wall.temper = () => 200;
    const cleared = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short), ['Wall screen/text-stop accepted']);
  });

  it('lets the message go on after the first try of a clear, and owes the rest until the device takes it', async () => {
    const alert = alertNode([deed('strobe/start')]);
    await flow(alert);
    await site.ask(alert.id, { device: 'Wall' });
    wall.temper = () => 503;
    const cleared = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short), ['Wall strobe/stop failed']);
    assert.deepEqual(caughtOf(cleared), []);
    assert.deepEqual([alertOf(cleared).state, alertOf(cleared).waiting], ['clearing', ['Wall']]);
    await shown(alert.id, 'status.clearing');
    assert.deepEqual(statusesOf(alert.id).at(-1), { fill: 'yellow', shape: 'ring', text: 'status.clearing' });
    wall.temper = () => 200;
    await site.until('it is cleared', () => toldBy(site, alert.name).at(-1) === 'idle');
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
    const alert = alertNode([deed('strobe/start')]);
    const nodes = [wall.config(), door.config(), states, ...receiptLog(), alert];
    await site.start(nodes);
    await site.ask(alert.id, { device: 'Wall' });
    wall.temper = () => 503;
    await site.ask(alert.id, { operation: 'clear' });
    await site.redeploy(nodes, 'full');
    const asked = alertOf(await site.ask(alert.id, { operation: 'state' }));
    assert.deepEqual([asked.state, asked.waiting], ['clearing', ['Wall']]);
    wall.temper = () => 200;
    await site.until('it is cleared', () => toldBy(site, alert.name).at(-1) === 'idle');
  });

  it('stays on over a redeploy, whatever it is to do after a restart, and sends nothing again', async () => {
    const alert = alertNode([deed('strobe/start')], { afterRestart: 'clear' });
    const nodes = [wall.config(), door.config(), states, ...receiptLog(), alert];
    await site.start(nodes);
    await site.ask(alert.id, { device: 'Wall' });
    await site.redeploy(nodes, 'full');
    assert.equal(alertOf(await site.ask(alert.id, { operation: 'state' })).state, 'active');
    assert.deepEqual(wall.deeds, ['strobe/start']);
    await shown(alert.id, 'status.on');
    assert.equal(statusesOf(alert.id).at(-1)?.text, 'status.on');
    await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(wall.deeds, ['strobe/start', 'strobe/stop']);
  });

  it('is cleared by the deploy that takes its node out', async () => {
    const alert = alertNode([deed('strobe/start')]);
    const nodes = [wall.config(), door.config(), states, ...receiptLog()];
    await site.start([...nodes, alert]);
    await site.ask(alert.id, { device: 'Wall' });
    await site.redeploy(nodes);
    await site.until('it is ended', () => wall.deeds.at(-1) === 'strobe/stop');
  });

  it('marks a drill in texts and on every receipt', async () => {
    const alert = alertNode([deed('screen/text-start'), deed('screen/start', { text1: 'Go' })], {
      drill: true,
    });
    await flow(alert);
    const started = await site.ask(alert.id, { device: 'Wall' });
    assert.deepEqual(
      receiptsOf(started).map(({ drill }) => drill),
      [true, true],
    );
    assert.equal(alertOf(started).drill, true);
    assert.deepEqual(
      wall.heard.map(({ parameters }) => parameters.textContent ?? parameters.text1),
      ['DRILL: Fire', 'DRILL: Go'],
    );
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

  it('leaves a subject to the more severe alert, and takes it over when that is cleared', async () => {
    const fire = alertNode([deed('strobe/start', { color1: 'red' })], { severity: 9 });
    const weather = alertNode([deed('strobe/start', { color1: 'blue' })], { severity: 3 });
    await flow(fire, weather);
    await site.ask(fire.id, { device: 'Wall' });
    const held = await site.ask(weather.id, { device: 'Wall' });
    const [receipt] = receiptsOf(held);
    assert.equal(receipt?.outcome, 'skipped');
    assert.match(String(receipt?.note), new RegExp(`"${fire.name}"`));
    assert.deepEqual(
      [caughtOf(held), held.sent.length, alertOf(held).state, alertOf(held).devices],
      [[], 1, 'active', []],
    );
    const cleared = await site.ask(fire.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short), ['Wall strobe/start accepted']);
    assert.deepEqual(
      wall.heard.map(({ deed: of, parameters }) => `${of} ${parameters.color1}`),
      ['strobe/start red', 'strobe/start blue'],
    );
    assert.equal(alertOf(cleared).state, 'idle');
    await site.ask(weather.id, { operation: 'clear' });
    assert.equal(wall.deeds.at(-1), 'strobe/stop');
  });

  it('gives way to an equal alert that is started later, and comes back', async () => {
    const [one, other] = [alertNode([deed('strobe/start')]), alertNode([deed('strobe/start')])];
    await flow(one, other);
    await site.ask(one.id, { device: 'Wall' });
    assert.equal(receiptsOf(await site.ask(other.id, { device: 'Wall' }))[0]?.outcome, 'accepted');
    assert.deepEqual(alertOf(await site.ask(one.id, { operation: 'state' })).devices, []);
    await site.ask(other.id, { operation: 'clear' });
    assert.deepEqual(alertOf(await site.ask(one.id, { operation: 'state' })).devices, ['Wall']);
    await site.ask(one.id, { operation: 'clear' });
    assert.deepEqual(wall.deeds, ['strobe/start', 'strobe/start', 'strobe/start', 'strobe/stop']);
  });

  it('neither ends nor starts again a tone that does not loop', async () => {
    const chime = alertNode([deed('tone/start', { loop: false })], { severity: 3 });
    const siren = alertNode([deed('tone/start')], { severity: 9 });
    const speaker = await site.device('Speaker', '8301');
    await site.start([speaker.config(), states, chime, siren]);
    await site.ask(chime.id, { device: 'Speaker' });
    await site.ask(siren.id, { device: 'Speaker' });
    await site.ask(siren.id, { operation: 'clear' });
    await site.ask(chime.id, { operation: 'clear' });
    assert.deepEqual(speaker.deeds, ['tone/start', 'tone/start', 'tone/stop']);
  });

  it('ends an emergency announcement, and an unlocked door by its id', async () => {
    const speaker = await site.device('Speaker', '8301');
    const alert = alertNode([deed('emergency/start'), deed('door/unlock')]);
    await site.start([speaker.config(), door.config(), states, alert]);
    await site.ask(alert.id, { device: ['Speaker', 'Door'] });
    await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(speaker.deeds, ['emergency-alert/start', 'emergency-alert/stop']);
    assert.deepEqual(
      door.heard.map(({ deed: of, parameters }) => `${of} ${parameters.doorid}`),
      ['door/unlock local', 'door/lock local'],
    );
  });

  it('is cleared by Node-RED after its time', async () => {
    const alert = alertNode([deed('strobe/start')], { endAfter: '0.3' });
    await flow(alert);
    await site.ask(alert.id, { device: 'Wall' });
    await site.until('it is cleared', () => toldBy(site, alert.name).at(-1) === 'idle');
    assert.deepEqual(wall.deeds, ['strobe/start', 'strobe/stop']);
  });

  it('is not ended by an end that another node has pending there', async () => {
    const alert = alertNode([deed('strobe/start')]);
    const flash = { ...act('strobe/start', { device: 'wall', endAfter: '0.5' }), id: 'flash' };
    const marker = { ...act('relay/enable', { device: 'door', endAfter: '0.6' }), id: 'marker' };
    const old = await site.device('Old', '8410', '5.5');
    await site.start([{ ...old.config(), id: 'wall' }, door.config(), states, alert, flash, marker]);
    await site.ask('flash');
    await site.ask('marker');
    await site.ask(alert.id, { device: 'Old' });
    await site.until('a later end has come', () => door.deeds.includes('relay/disable'));
    assert.deepEqual(old.deeds, ['strobe/start', 'strobe/start']);
    await site.ask(alert.id, { operation: 'clear' });
  });

  it('leaves alone what a node of a person has started there since', async () => {
    const alert = alertNode([deed('strobe/start'), deed('screen/text-start')]);
    const flash = { ...act('strobe/start', { device: 'wall' }), id: 'flash' };
    await flow(alert, flash);
    await site.ask(alert.id, { device: 'Wall' });
    await site.ask('flash');
    await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(wall.deeds.slice(3), ['screen-text/stop']);
  });

  it('only rehearses where a group or a device only rehearses', async () => {
    const alert = alertNode([deed('strobe/start')], { target: 'group', group: 'all' });
    await flow(alert, { id: 'all', type: 'algo-group', name: 'All', devices: ['wall'], rehearsal: true });
    assert.deepEqual(receiptsOf(await site.ask(alert.id)).map(short), ['Wall strobe/start rehearsed']);
    assert.deepEqual(receiptsOf(await site.ask(alert.id, { operation: 'clear' })).map(short), [
      'Wall strobe/stop rehearsed',
    ]);
    assert.deepEqual(wall.deeds, []);
  });

  for (const [what, message, more, pattern] of [
    [
      'an operation that it has not',
      { operation: 'stop' },
      {},
      /msg\.operation must be one of start, clear, state; got "stop"/,
    ],
    [
      'a severity that there is not',
      { severity: 11 },
      {},
      /msg\.severity must be a number from 0 to 10; got 11/,
    ],
    ['a drill that is neither', { drill: 'perhaps' }, {}, /msg\.drill must be true or false; got "perhaps"/],
    ['no deeds', {}, { deeds: [] }, /deeds must be a list of at least one deed/],
    [
      'a deed that it has not',
      {},
      { deeds: [{ operation: 'system/reboot' }] },
      /deeds\[0\]\.operation must be one of tone\/start, /,
    ],
    ['a time that is none', {}, { endAfter: 'soon' }, /endAfter must be a number of seconds/],
  ] as const) {
    it(`refuses ${what}, and sends nothing`, async () => {
      const alert = alertNode([deed('strobe/start')], more);
      await flow(alert);
      const way = await site.ask(alert.id, { device: 'Wall', ...message });
      assert.deepEqual([caughtOf(way), way.sent.length, wall.deeds], [['INVALID_PARAMETER'], 0, []]);
      assert.match(String(way.caught[0]?.error?.message), pattern);
      assert.equal(alertOf(await site.ask(alert.id, { operation: 'state' })).state, 'idle');
    });
  }

  it('starts the other deeds where one has a form that cannot be read, and is not on where none has', async () => {
    const wrong = { operation: 'strobe/start', form: { pattern: { type: 'num', value: '' } } };
    const [half, none] = [alertNode([wrong, deed('screen/text-start')]), alertNode([wrong])];
    await flow(half, none);
    const way = await site.ask(half.id, { device: 'Wall' });
    assert.deepEqual(
      receiptsOf(way).map(({ outcome }) => outcome),
      ['failed', 'accepted'],
    );
    assert.deepEqual([caughtOf(way), way.sent.length], [['INVALID_PARAMETER'], 1]);
    await site.ask(half.id, { operation: 'clear' });
    const refused = await site.ask(none.id, { device: 'Wall' });
    assert.deepEqual([caughtOf(refused), refused.sent.length], [['INVALID_PARAMETER'], 0]);
    assert.equal(alertOf(await site.ask(none.id, { operation: 'state' })).state, 'idle');
  });

  it('says which target there is not', async () => {
    const alert = alertNode([deed('strobe/start')]);
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
    await site.until('it is over', () => toldBy(site, alert.name).at(-1) !== 'active');
    assert.equal(wall.deeds.at(-1), wall.deeds.length > 0 ? 'screen-text/stop' : undefined);
    assert.equal(alertOf(await site.ask(alert.id, { operation: 'state' })).state, 'idle');
  });

  it('can be started, asked and cleared by its name', async () => {
    const alert = alertNode([deed('strobe/start')]);
    await flow(alert);
    const named = alertNamed(String(alert.name));
    const started = await named.start({ device: 'Wall' });
    assert.deepEqual(
      [started.receipts.map(short), started.error],
      [['Wall strobe/start accepted'], undefined],
    );
    assert.equal(named.state().state, 'active');
    assert.deepEqual((await named.start({ device: 'Attic' })).error?.message.slice(0, 5), 'strob');
    assert.deepEqual((await named.clear()).receipts.map(short), ['Wall strobe/stop accepted']);
    assert.throws(() => alertNamed('Nobody'), {
      code: 'NOT_CONFIGURED',
      message: /There is no alert named "Nobody"/,
    });
    await helper.unload();
    assert.throws(() => alertNamed(String(alert.name)), { code: 'NOT_CONFIGURED' });
  });
});
