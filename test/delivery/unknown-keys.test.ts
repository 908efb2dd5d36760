import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { act, caughtOf, outcomesOf, Site } from '../fixtures/site';

const given = {
  'event with an id': { events: [{ evid: 7, enabeld: false }] },
  'event without an id': {
    events: [{ event_type: 'play_tone', name: 'B', audio: 'a.wav', delay: 10, rrule: '', enabeld: false }],
  },
  'event of a group': { groups: [{ groupid: 1, events: [{ evid: 7, enabeld: false }] }] },
  group: { groups: [{ groupid: 1, enabeld: false }] },
  'API call': { events: [{ evid: 7, api_call: [{ actid: 2, enabeld: false }] }] },
  'deleted record': { delete: [{ evid: 7, enabeld: false }] },
  'skipped day': { skip: [{ evid: 7, date: '2030-09-02', enabeld: false }] },
} as const;

/** The same with another value of the unknown key. */
const withValue = (body: object, value: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(body).replace('"enabeld":false', `"enabeld":${JSON.stringify(value)}`));

describe('delivery: keys of a schedule that are not documented', () => {
  let site: Site;
  let device: FakeDevice;
  let other: FakeDevice;
  beforeEach(async () => {
    site = new Site();
    device = await site.device('Bells', '8301');
    other = await site.device('Other', '8301');
  });
  afterEach(() => site.end());

  const apply = (more = {}) =>
    act('scheduler/apply', {
      device: 'bells',
      form: undefined,
      parametersType: 'msg',
      parameters: 'payload',
      ...more,
    }) as NodeConfig;
  const start = (more: Record<string, unknown>, otherMore: Record<string, unknown> = {}, node = apply()) =>
    site.start([device.config(more), other.config(otherMore), node]);
  const bodies = () => site.requests.map(({ parameters }) => parameters);
  const reasonOf = (caught: readonly { error?: { message?: string } }[]) => String(caught[0]?.error?.message);

  for (const [title, body] of Object.entries(given)) {
    it(`are refused, with their place, and sent where the device decides: ${title}`, async () => {
      await start({});
      const refused = await site.ask('scheduler/apply', { payload: body });
      assert.deepEqual(caughtOf(refused), ['INVALID_PARAMETER']);
      assert.match(reasonOf(refused.caught), /\w+\[0\][\w.[\]]*\.enabeld .*nothing was sent/);
      assert.deepEqual(bodies(), []);
      await site.redeploy([device.config({ letDeviceDecide: true }), other.config(), apply()]);
      const sent = await site.ask('scheduler/apply', { payload: body });
      assert.deepEqual(outcomesOf(sent), ['Bells accepted']);
      assert.deepEqual(bodies(), [body]);
    });

    it(`are never null: ${title}`, async () => {
      await start({ letDeviceDecide: true });
      const way = await site.ask('scheduler/apply', { payload: withValue(body, null) });
      assert.deepEqual(caughtOf(way), ['INVALID_PARAMETER']);
      assert.match(reasonOf(way.caught), /\w+\[0\][\w.[\]]*\.enabeld .*null.*nothing was sent/);
      assert.deepEqual(bodies(), []);
    });
  }

  it('are refused as null too where they are documented', async () => {
    await start({});
    for (const letDeviceDecide of [false, true]) {
      await site.redeploy([device.config({ letDeviceDecide }), other.config(), apply()]);
      const way = await site.ask('scheduler/apply', { payload: { events: [{ evid: 7, color: null }] } });
      assert.deepEqual(caughtOf(way), ['INVALID_PARAMETER']);
      assert.match(reasonOf(way.caught), /events\[0\]\.color .*null/);
    }
    assert.deepEqual(bodies(), []);
  });

  it('are sent only where all devices of the message decide', async () => {
    const node = apply({ target: 'msg' });
    await start({ letDeviceDecide: true }, {}, node);
    const payload = given['event with an id'];
    const mixed = await site.ask('scheduler/apply', { payload, device: ['Bells', 'Other'] });
    assert.deepEqual(outcomesOf(mixed), ['Bells failed', 'Other failed']);
    assert.deepEqual(bodies(), []);
    const alone = await site.ask('scheduler/apply', { payload, device: 'Bells' });
    assert.deepEqual(outcomesOf(alone), ['Bells accepted']);
    assert.deepEqual(bodies(), [payload]);
  });

  it('are checked for each message, also where the parameters are always the same', async () => {
    const form = { events: { type: 'json', value: JSON.stringify(given['event with an id'].events) } };
    const node = apply({ target: 'msg', parametersType: 'form', form });
    await start({ letDeviceDecide: true }, {}, node);
    for (const name of ['Bells', 'Other', 'Bells']) await site.ask('scheduler/apply', { device: name });
    assert.deepEqual(
      site.requests.map(({ device: name }) => name),
      ['Bells', 'Bells'],
    );
  });

  it('are not asked of a parameter outside of the records', async () => {
    await start({ letDeviceDecide: true });
    const way = await site.ask('scheduler/apply', { payload: { evnets: [], skip: [] } });
    assert.deepEqual(caughtOf(way), ['INVALID_PARAMETER']);
    assert.deepEqual(bodies(), []);
  });

  it('leave what the device computes out of a record with an id', async () => {
    await start({});
    const payload = { events: [{ evid: 7, name: 'B', duration: 4, greyed_out_date: '2030-09-02' }] };
    assert.deepEqual(outcomesOf(await site.ask('scheduler/apply', { payload })), ['Bells accepted']);
    assert.deepEqual(bodies(), [{ events: [{ evid: 7, name: 'B' }] }]);
  });
});
