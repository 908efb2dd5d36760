import assert from 'node:assert/strict';
import { VirtualDevice } from '../../../src/virtual-device/device';
import { GuardedNodeRed, type Username } from '../../fixtures/guarded-node-red';

const bell = {
  event_type: 'play_tone',
  audio: 'chime.wav',
  start_date: '2030-01-07',
  start_time: '08:00:00',
  rrule: 'FREQ=WEEKLY',
  color: '#1976d2',
};

const schedule = {
  events: [
    { ...bell, name: 'Morning', tag: 'school' },
    { ...bell, name: 'Evening', tag: 'night' },
  ],
  groups: [
    {
      name: 'Exams',
      color: '#388e3c',
      start_date: '2030-01-07',
      rrule: 'FREQ=WEEKLY',
      events: [{ ...bell, name: 'Begin', tag: 'school' }],
    },
  ],
};

const literal = (type: string, value: unknown) => ({ type, value });

describe('the endpoint behind what a dialog offers, in a real Node-RED', () => {
  let red: GuardedNodeRed;
  let device: VirtualDevice;
  let flow: Parameters<GuardedNodeRed['deploy']>[0];

  before(async () => {
    device = new VirtualDevice({ model: '8301', password: 'hunter2' });
    const address = await device.start();
    red = await GuardedNodeRed.start([{ id: 'tab', type: 'tab', label: 'test' }]);
    const credentials = { password: 'hunter2' };
    flow = [
      { id: 'tab', type: 'tab', label: 'test' },
      { id: 'bells', type: 'algo-device', name: 'Bells', address, tags: 'north', credentials },
      { id: 'quiet', type: 'algo-device', name: 'Quiet', address, credentials },
      { id: 'away', type: 'algo-device', name: 'Away', address: '127.0.0.1:1', credentials },
      { id: 'gone', type: 'algo-device', name: 'Gone', address: '127.0.0.1:1', tags: 'south', credentials },
      { id: 'house', type: 'algo-group', name: 'House', devices: ['away', 'bells'] },
      { id: 'dark', type: 'algo-group', name: 'Dark', devices: ['away', 'gone'] },
    ];
    await red.deploy(flow);
  });
  after(async () => {
    await red?.nodeRed.stop();
    await device?.stop();
  });

  const ask = (username: Username, id: string, body: object, headers = {}) =>
    red.post(username, 'algo/offer', { target: 'device', device: id, ...body }, headers);

  /** What is offered to a person who may look. */
  async function offered(what: object, target: object = { target: 'device', device: 'bells' }) {
    const { status, body } = await red.post('guest', 'algo/offer', { ...target, ...what });
    assert.equal(status, 200);
    return body as { offers: { value: string; about?: string }[]; of: string; code?: string };
  }

  async function tried(resource: string, operation: string, form: object): Promise<void> {
    const { body, text } = await red.post('boss', 'algo/devices/bells/try', {
      resource,
      operation,
      form,
    });
    const [receipt] = body.receipts as { outcome: string }[];
    assert.ok(receipt && ['accepted', 'confirmed'].includes(receipt.outcome), text);
  }

  it('says what a device has to whoever may look', async () => {
    for (const username of ['boss', 'guest'] as const) {
      const { status, body } = await ask(username, 'bells', { what: 'tones' });
      assert.equal(status, 200);
      const { offers, of } = body as { offers: { value: string }[]; of: string };
      assert.ok(offers.some(({ value }) => value === 'warble4-trill.wav'));
      assert.ok(offers.length >= 13);
      assert.equal(of, 'Bells');
    }
  });

  it('says nothing to strangers and to pages of other sites', async () => {
    assert.equal((await ask('nobody', 'bells', { what: 'tones' })).status, 401);
    assert.equal(
      (await ask('boss', 'bells', { what: 'tones' }, { origin: 'http://evil.example' })).status,
      403,
    );
  });

  it('knows only devices that are deployed, and only what it offers', async () => {
    for (const [id, what] of [
      ['tab', 'tones'],
      ['192.0.2.1', 'tones'],
      ['', 'tones'],
      ['bells', 'constructor'],
      ['bells', 'secrets'],
    ])
      assert.equal((await ask('boss', String(id), { what })).status, 404, id);
    for (const target of [{ target: 'msg' }, { target: 'several', targets: [] }, { target: 'group' }])
      assert.equal((await ask('boss', 'bells', { ...target, what: 'tones' })).status, 404, target.target);
  });

  it('says why a device does not answer, and keeps to folders', async () => {
    const { status, body } = await ask('boss', 'away', { what: 'tones' });
    assert.deepEqual([status, body.code, body.offers, body.of], [200, 'UNREACHABLE', [], 'Away']);
    const outside = await ask('boss', 'bells', { what: 'files', folder: '../../etc' });
    assert.deepEqual([outside.status, outside.body.code], [200, undefined]);
  });

  it('asks of a group, and of several targets, the first that is there', async () => {
    const house = { target: 'group', group: 'house' };
    const several = { target: 'several', targets: ['away', 'tag:north'] };
    for (const target of [house, several]) {
      const { offers, of } = await offered({ what: 'tones' }, target);
      assert.equal(of, 'Bells');
      assert.ok(offers.length >= 13);
    }
    const dark = await offered({ what: 'tones' }, { target: 'group', group: 'dark' });
    assert.deepEqual([dark.code, dark.offers], ['UNREACHABLE', []]);
  });

  it('has tags, events and groups of the scheduler, and looking warns of nothing', async () => {
    const quiet = { target: 'device', device: 'quiet' };
    assert.deepEqual((await offered({ what: 'tags' }, quiet)).offers, []);
    await tried('scheduler', 'get', {});
    await red.nodeRed.waitForOutput(/"Bells" .*: .*\bhttps\b/);
    assert.doesNotMatch(red.nodeRed.log(), /"Quiet" .*: .*\bhttps\b/);
    await tried('scheduler', 'apply', {
      events: literal('json', JSON.stringify(schedule.events)),
      groups: literal('json', JSON.stringify(schedule.groups)),
    });
    const tags = (await offered({ what: 'tags' })).offers.map(({ value }) => value);
    assert.deepEqual(tags.sort(), ['night', 'school']);
    const events = (await offered({ what: 'events' })).offers;
    assert.deepEqual(events.map(({ about }) => about).sort(), ['Begin', 'Evening', 'Morning']);
    for (const { value } of events) assert.match(value, /^\d+$/);
    const groups = (await offered({ what: 'groups' })).offers;
    assert.deepEqual(
      groups.map(({ about }) => about),
      ['Exams'],
    );
  });

  it('has the settings and folders that the device has answered for, also after a deploy', async () => {
    const none = [(await offered({ what: 'settings' })).offers, (await offered({ what: 'folders' })).offers];
    assert.deepEqual(none[0], []);
    await tried('settings', 'get', { name: literal('str', 'audio.page.vol') });
    await tried('files', 'put', {
      path: literal('str', 'night bells/a.txt'),
      content: literal('str', 'hunter3'),
    });
    const all = async () => [
      (await offered({ what: 'settings' })).offers,
      (await offered({ what: 'folders' })).offers,
    ];
    const expected = [[{ value: 'audio.page.vol' }], [...(none[1] ?? []), { value: 'night bells' }]];
    assert.deepEqual(await all(), expected);
    await red.deploy(flow);
    assert.deepEqual(await all(), expected);
    const moved = flow.map((node) => (node.id === 'bells' ? { ...node, address: '127.0.0.1:1' } : node));
    await red.deploy(moved);
    assert.deepEqual(await all(), [[], []]);
    await red.deploy(flow);
  });

  it('has the images that a screen may show, by their names alone', async () => {
    const content = literal('str', 'no picture');
    await tried('files', 'put', { path: literal('str', 'images/map.png'), content });
    assert.deepEqual((await offered({ what: 'images' })).offers, [{ value: 'map.png' }]);
  });
});
