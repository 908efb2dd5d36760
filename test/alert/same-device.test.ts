import assert from 'node:assert/strict';
import { action, alertNode, alertOf, eachWithPlace, type Place, short, states } from '../fixtures/alert-node';
import { act, receiptsOf } from '../fixtures/site';
import { about, boot, Clock, clearIn, deviceAction, kept } from './engine-parts';

/** The same address in other words. */
const inOtherWords = (address: string) => `${address.replace('http', 'HTTP')}/`;

describe('alerts at one device that has two names', () => {
  let { site, wall } = {} as Place;
  const flow = eachWithPlace((output) => {
    ({ site, wall } = output);
  });
  const fireAndWeather = () => {
    const byNode = { target: 'device', device: 'wall', priority: 9 };
    const byRow = { target: 'group', group: 'rows', priority: 3 };
    const fire = alertNode([action('strobe/start', { color1: 'red' })], byNode);
    return { fire, weather: alertNode([action('strobe/start', { color1: 'blue' })], byRow) };
  };
  const rows = (address: string) => {
    const row = { name: 'Row', address, tags: '' };
    return { id: 'rows', type: 'algo-group', name: 'Rows', auth: 'none', rows: [row] };
  };
  const shown = () =>
    wall.requests
      .filter(({ operationName: of }) => of.startsWith('strobe/'))
      .map(({ operationName: of, parameters }) => `${of} ${parameters.color1 ?? ''}`.trim());

  it('know it by its address: the alert of lower priority gives way, and its clear ends nothing', async () => {
    const { fire, weather } = fireAndWeather();
    await flow(fire, weather, rows(inOtherWords(wall.address)));
    await site.ask(fire.id);
    assert.deepEqual(receiptsOf(await site.ask(weather.id)).map(short), ['Row strobe/start skipped']);
    assert.deepEqual(receiptsOf(await site.ask(weather.id, { operation: 'clear' })), []);
    await site.ask(fire.id, { operation: 'clear' });
    assert.deepEqual(wall.operationNames, ['strobe/start', 'strobe/stop']);
  });

  it('take over and come back, each by its own name', async () => {
    const { fire, weather } = fireAndWeather();
    await flow(fire, weather, rows(wall.address));
    assert.deepEqual(alertOf(await site.ask(weather.id)).active, ['Row']);
    await site.ask(fire.id);
    assert.deepEqual(alertOf(await site.ask(weather.id, { operation: 'state' })).active, []);
    const cleared = await site.ask(fire.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short), ['Row strobe/start accepted']);
    await site.ask(weather.id, { operation: 'clear' });
    assert.deepEqual(shown(), ['strobe/start blue', 'strobe/start red', 'strobe/start blue', 'strobe/stop']);
  });

  it('end what is on by the name that it was started by', async () => {
    const { fire, weather } = fireAndWeather();
    await flow(fire, weather, rows(wall.address));
    await site.ask(weather.id);
    await site.ask(fire.id);
    assert.deepEqual(receiptsOf(await site.ask(weather.id, { operation: 'clear' })), []);
    assert.deepEqual(receiptsOf(await site.ask(fire.id, { operation: 'clear' })).map(short), [
      'Wall strobe/stop accepted',
    ]);
  });

  it('know it by its new address after a deploy, while an alert is on there', async () => {
    const { fire, weather } = fireAndWeather();
    const other = await site.device('Other', '8410');
    const rest = [states, fire, weather, rows(other.address)];
    await site.start([wall.config(), ...rest]);
    await site.ask(fire.id);
    await site.redeploy([wall.config({ address: other.address }), ...rest]);
    assert.deepEqual(receiptsOf(await site.ask(weather.id)).map(short), ['Row strobe/start skipped']);
    for (const { id } of [weather, fire]) await site.ask(id, { operation: 'clear' });
    assert.deepEqual([wall.operationNames, other.operationNames], [['strobe/start'], ['strobe/stop']]);
  });

  it('know it where an environment variable has the address', async () => {
    const { fire, weather } = fireAndWeather();
    process.env.ALGO_TEST_WALL = wall.address;
    try {
      await flow(fire, weather, rows('${ALGO_TEST_WALL}'));
      await site.ask(fire.id);
      assert.deepEqual(receiptsOf(await site.ask(weather.id)).map(short), ['Row strobe/start skipped']);
    } finally {
      delete process.env.ALGO_TEST_WALL;
    }
    for (const { id } of [weather, fire]) await site.ask(id, { operation: 'clear' });
  });

  it('leave alone what a node of a person has started there by the other name', async () => {
    const { fire, weather } = fireAndWeather();
    const flash = { ...act('strobe/start', { target: 'msg', duringAlert: true }), id: 'flash' };
    await flow(fire, weather, rows(wall.address), flash);
    await site.ask(fire.id);
    await site.ask('flash', { device: 'Row' });
    await site.ask(fire.id, { operation: 'clear' });
    assert.deepEqual(wall.operationNames, ['strobe/start', 'strobe/start']);
  });

  it('know a virtual device by its node', async () => {
    const virtual = { type: 'algo-device', virtual: 'v', model: '8410', firmware: '5.7' };
    const [fire, weather] = [
      alertNode([action('strobe/start', { pattern: 2 })], { target: 'device', device: 'one', priority: 9 }),
      alertNode([action('strobe/start', { pattern: 2 })], { target: 'device', device: 'two', priority: 3 }),
    ];
    await flow(
      { id: 'v', type: 'algo-virtual-device', name: 'V', model: '8410', auth: 'none' },
      { ...virtual, id: 'one', name: 'One' },
      { ...virtual, id: 'two', name: 'Two' },
      fire,
      weather,
    );
    assert.deepEqual(receiptsOf(await site.ask(fire.id)).map(short), ['One strobe/start accepted']);
    assert.deepEqual(receiptsOf(await site.ask(weather.id)).map(short), ['Two strobe/start skipped']);
    for (const { id } of [weather, fire]) await site.ask(id, { operation: 'clear' });
  });
});

describe('a place in the journal', () => {
  const where = 'http://wall';
  const other = { ...deviceAction, device: { id: 'row', name: 'Row', where } };
  /** An output of a device whose location is unknown. */
  function somewhere(): Map<string, unknown> {
    const engine = boot(new Clock());
    for (const { ticket } of engine.start(about, [deviceAction]))
      if (ticket) engine.answered(ticket, 'taken');
    return kept(engine);
  }

  it('moves to where its device is', () => {
    const journal = somewhere();
    assert.deepEqual([...journal.keys()].sort(), ['alert/at/d/strobe', 'alert/is/a']);
    const engine = boot(new Clock(), journal);
    engine.relocate((id) => (id === 'd' ? where : undefined));
    assert.deepEqual([...kept(engine).keys()].sort(), ['alert/at/http://wall/strobe', 'alert/is/a']);
    const [answer] = engine.start({ ...about, id: 'b', priority: 1 }, [other]);
    assert.equal(answer?.heldBy?.id, 'a');
    const [end] = clearIn(engine, 'a');
    assert.deepEqual([end?.kind, end?.device.id, end?.output.device.where], ['return', 'row', where]);
  });

  for (const [what, first, last] of [
    ['by its node', other, deviceAction],
    ['by its row', deviceAction, other],
  ] as const) {
    it(`that turns out to be another one has what was started last, ${what}, and once`, () => {
      const engine = boot(new Clock());
      for (const [number, one] of [first, last].entries()) {
        const action = { ...one.action, parameters: { number } };
        for (const { ticket } of engine.start(about, [{ ...one, action }]))
          if (ticket) engine.answered(ticket, 'taken');
      }
      engine.relocate(() => where);
      const [is] = clearIn(boot(new Clock(), kept(engine)), 'a');
      assert.deepEqual([is?.kind, is?.action.parameters.number, is?.device.id], ['end', 1, last.device.id]);
      const fire = { ...about, id: 'b', priority: 9 };
      for (const { ticket } of engine.start(fire, [other])) if (ticket) engine.answered(ticket, 'taken');
      const back = clearIn(engine, 'b');
      assert.deepEqual(
        back.map(({ kind, action, device }) => [kind, action.parameters.number, device.id]),
        [['return', 1, last.device.id]],
      );
      for (const ticket of back) engine.answered(ticket, 'taken');
      const ends = clearIn(engine, 'a');
      assert.deepEqual(
        ends.map(({ action, output }) => [action.parameters.number, output.device.where]),
        [[1, where]],
      );
      for (const ticket of ends) engine.answered(ticket, 'taken');
      assert.deepEqual([engine.nextAt, engine.state('a')], [Number.POSITIVE_INFINITY, undefined]);
    });
  }

  it('stays where it is while nobody knows where its device is, or something is on its way there', () => {
    const engine = boot(new Clock());
    const [answer] = engine.start(about, [other]);
    engine.relocate(() => undefined);
    assert.ok(kept(engine).has('alert/at/http://wall/strobe'));
    engine.relocate(() => 'http://elsewhere');
    assert.ok(kept(engine).has('alert/at/http://wall/strobe'));
    if (answer?.ticket) engine.answered(answer.ticket, 'taken');
    assert.ok(kept(engine).has('alert/at/http://elsewhere/strobe'));
  });

  it('owes no end any more that another alert is started in the place of, though the end was on its way', () => {
    const engine = boot(new Clock());
    for (const { ticket } of engine.start(about, [other])) if (ticket) engine.answered(ticket, 'taken');
    const [end] = clearIn(engine, 'a');
    engine.relocate(() => 'http://elsewhere');
    const there = { ...other, device: { ...other.device, where: 'http://elsewhere' } };
    for (const { ticket } of engine.start({ ...about, id: 'b' }, [there]))
      if (ticket) engine.answered(ticket, 'taken');
    if (end) engine.answered(end, 'missed');
    assert.deepEqual([engine.nextAt, engine.state('a')], [Number.POSITIVE_INFINITY, undefined]);
    assert.deepEqual(engine.state('b')?.active, ['Row']);
  });

  it('goes where the name leads by which it was started last', () => {
    const engine = boot(new Clock());
    const row = { ...deviceAction, device: { id: 'node', name: 'Node', where } };
    for (const one of [row, other])
      for (const { ticket } of engine.start(about, [one])) if (ticket) engine.answered(ticket, 'taken');
    engine.relocate((id) => (id === 'node' ? 'http://elsewhere' : where));
    assert.ok(kept(engine).has('alert/at/http://wall/strobe'));
  });
});
