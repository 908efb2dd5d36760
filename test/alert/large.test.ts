import assert from 'node:assert/strict';
import { action, alertNode, alertOf, states } from '../fixtures/alert-node';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, Site } from '../fixtures/site';

const count = 60;

describe('alerts of very many actions', () => {
  let site: Site;
  let devices: FakeDevice[];
  /** The color of the strobe and the text of the screen that are on at each device. */
  let on: Map<string, Map<string, unknown>>;
  beforeEach(async () => {
    site = new Site();
    const names = Array.from({ length: count }, (_, index) => `Wall ${index}`);
    devices = await Promise.all(names.map((name) => site.device(name, '8410')));
    on = new Map(devices.map(({ id }) => [id, new Map()]));
    for (const device of devices)
      device.behavior = ({ operationName, parameters }) => {
        const [output = '', what] = operationName.split('/');
        if (what === 'start') on.get(device.id)?.set(output, parameters.color1 ?? parameters.textContent);
        else on.get(device.id)?.delete(output);
        return 200;
      };
  });
  afterEach(() => site.end());

  const group = { target: 'group', group: 'all' };
  const alertIn = (color: string, priority: number) =>
    alertNode(
      [
        action('strobe/start', { color1: color }),
        action('screen/text-start', { textContent: color }),
        action('tone/start'),
      ],
      { ...group, priority, retryAlert: true },
    );
  const start = (...nodes: Parameters<Site['start']>[0]) =>
    site.start([
      ...devices.map((device) => device.config()),
      { id: 'all', type: 'algo-group', name: 'All', devices: devices.map(({ id }) => id) },
      states,
      ...nodes,
    ]);
  const shownAt = (output: string) => [...new Set([...on.values()].map((one) => one.get(output)))];

  it('are on in their order where the one is cleared and the other is started in one turn', async () => {
    const [red, blue] = [alertIn('red', 9), alertIn('blue', 5)];
    await start(red, blue);
    for (const [before, after, color] of [
      [red, blue, 'blue'],
      [blue, red, 'red'],
    ] as const) {
      await site.ask(before.id);
      const ways = [site.send(before.id, { operation: 'clear' }), site.send(after.id)];
      for (const way of ways) await site.ended(way);
      assert.deepEqual([shownAt('strobe'), shownAt('screen-text')], [[color], [color]]);
      assert.equal(alertOf(await site.ask(after.id, { operation: 'state' })).active.length, count);
      await site.ask(after.id, { operation: 'clear' });
      assert.deepEqual(shownAt('strobe'), [undefined]);
    }
  });

  it('are on by their priority where both are started in one turn', async () => {
    const [red, blue] = [alertIn('red', 9), alertIn('blue', 5)];
    await start(red, blue);
    const ways = [red, blue].map(({ id }) => site.send(id));
    for (const way of ways) await site.ended(way);
    assert.deepEqual([shownAt('strobe'), shownAt('screen-text')], [['red'], ['red']]);
    for (const { id } of [red, blue]) await site.ask(id, { operation: 'clear' });
    assert.deepEqual(shownAt('strobe'), [undefined]);
  });

  it('leave to another node what it starts after their clear, in the same turn', async () => {
    const red = alertIn('red', 9);
    await start(red, act('screen/text-start', { ...group, given: { textContent: 'welcome' } }));
    await site.ask(red.id);
    const ways = [site.send(red.id, { operation: 'clear' }), site.send('screen/text-start')];
    for (const way of ways) await site.ended(way);
    assert.deepEqual([shownAt('strobe'), shownAt('screen-text')], [[undefined], ['welcome']]);
  });
});
