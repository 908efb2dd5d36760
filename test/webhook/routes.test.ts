import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import { FakeDevice } from '../fixtures/fake-device';
import { act } from '../fixtures/site';
import { type Called, Hooks, hook } from './hooks';

describe('webhook: routes of the interface', () => {
  let hooks: Hooks;
  beforeEach(() => {
    hooks = new Hooks();
  });
  afterEach(() => hooks.stop());

  const root = hook('root', { auth: 'none', path: '/' });

  type Case = readonly [route: string, body: string, command: readonly string[], payload: unknown];
  const cases: readonly Case[] = [
    ['POST /api/controls/strobe/start', '{"pattern":1}', ['strobe', 'start'], { pattern: 1 }],
    ['POST /api/controls/strobe/stop', '', ['strobe', 'stop'], {}],
    [
      'POST /api/controls/screen-text/start',
      '{"textContent":"x"}',
      ['screen', 'text-start'],
      { textContent: 'x' },
    ],
    ['POST /api/controls/24v/enable', '{}', ['relay', '24v-enable'], {}],
    ['POST /api/controls/console/button/activate', '{"id":"1"}', ['console', 'activate'], { id: '1' }],
    ['POST /api/state/mcast/update/', '{"mode":"sender"}', ['audio', 'mcast-update'], { mode: 'sender' }],
    ['GET /api/info/about', '', ['info', 'about'], {}],
    ['GET /api/settings/audio.page.vol', '', ['settings', 'get'], { name: 'audio.page.vol' }],
    ['GET /api/settings/a%20b', '{"name":"sip.u1.pwd"}', ['settings', 'get'], { name: 'a b' }],
    ['PUT /api/settings', '{"a.b":"1"}', ['settings', 'put'], { 'a.b': '1' }],
    ['POST /api/settings/action/restore', '', ['settings', 'restore'], {}],
    ['GET /api/schedules', '', ['scheduler', 'get'], {}],
    [
      'GET /api/schedules?events=2026-11-26&days=2',
      '',
      ['scheduler', 'range'],
      { events: '2026-11-26', days: '2' },
    ],
    ['GET /api/schedules?events=', '', ['scheduler', 'range'], { events: '' }],
    ['POST /api/schedules', '{"skip":[]}', ['scheduler', 'apply'], { skip: [] }],
    ['POST /api/controls/door/unlock', '[1]', ['door', 'unlock'], [1]],
    ['POST /api/controls/door/unlock', 'local', ['door', 'unlock'], 'local'],
  ];
  for (const [route, body, [resource, operation], payload] of cases) {
    it(`are decoded: ${route} ${body}`, async () => {
      const [method = '', path = ''] = route.split(' ');
      await hooks.start([root]);
      assert.equal((await hooks.send(method, path, body)).status, 200);
      const [call] = await hooks.calls(1);
      assert.deepEqual([call?.resource, call?.operation, call?.payload], [resource, operation, payload]);
      assert.equal('device' in (call as Called), false);
    });
  }

  for (const route of [
    'GET /api/files/tones/',
    'GET /api/files/tones/a%20b.wav',
    'PUT /api/files/tones/a.wav',
    'POST /api/files/download',
    'GET /api/file-md5sum/tones/a.wav',
    'POST /api/controls/tone/upload-play',
  ]) {
    it(`have no operation with files: ${route}`, async () => {
      const [method = '', path = ''] = route.split(' ');
      await hooks.start([root]);
      assert.equal((await hooks.send(method, path, '{"path":"x"}')).status, 200);
      const [call] = await hooks.calls(1);
      assert.deepEqual(
        [call?.resource, call?.operation, call?.payload],
        [undefined, undefined, { path: 'x' }],
      );
    });
  }

  it('are all that the root serves; all else is left to Node-RED', async () => {
    await hooks.start([root]);
    const others = [
      'GET /',
      'GET /api',
      'GET /api/',
      'POST /api/info/about',
      'GET /api/controls/strobe/start',
      'POST /api/controls/strobe/start/',
      'POST /api/controls/strobe/START',
      'POST /api/controls/strobe/../strobe/start',
      'POST /x/api/controls/strobe/start',
      'GET /api/settings/',
      'GET /api/settings/a/b',
      'GET /api/settings/..',
      'GET /api/files/../flows',
      'GET /api/files/%2e%2e/flows',
      'POST /flows',
      'GET /settings',
    ];
    for (const route of others) {
      const [method = '', path = ''] = route.split(' ');
      assert.equal((await hooks.send(method, path)).text, 'Node-RED', route);
    }
    assert.equal((await hooks.send('DELETE', '/api/files/', '{"path":"x"}')).status, 405);
    assert.equal((await hooks.send('POST', '/api/controls/strobe/%73top')).status, 200);
    const [call] = await hooks.calls(1);
    assert.equal(call?.operation, 'stop');
  });

  it('count below any path, and below a root that was moved', async () => {
    await hooks.start([hook('bell', { auth: 'none', path: '/bell' }), root], {}, { httpNodeRoot: '/red' });
    await hooks.send('POST', '/red/bell/api/controls/door/lock', '{"doorid":"local"}');
    await hooks.send('POST', '/red/api/controls/door/lock', '{"doorid":"netdc1"}');
    await hooks.send('POST', '/red/bell/x/api/controls/door/lock', '{}');
    assert.equal((await hooks.send('POST', '/api/controls/door/lock')).text, 'Node-RED');
    const calls = await hooks.calls(3);
    assert.deepEqual(
      calls.map(({ resource, operation, payload }) => [resource, operation, payload]),
      [
        ['door', 'lock', { doorid: 'local' }],
        ['door', 'lock', { doorid: 'netdc1' }],
        [undefined, undefined, {}],
      ],
    );
  });

  describe('at an action node', () => {
    let horn: FakeDevice;
    beforeEach(async () => {
      horn = new FakeDevice('Horn', '8190S', '5.7', () => {});
      await horn.open();
    });
    afterEach(() => horn.close());

    /** Wires the root to an action node that takes its operation from the message. */
    const start = (resource: string) =>
      hooks.start([
        horn.config(),
        { ...root, wires: [['node'], []] },
        {
          ...act(`${resource}/msg`, {
            device: 'horn',
            operation: 'msg',
            parametersType: 'msg',
            parameters: 'payload',
          }),
          id: 'node',
          wires: [['first']],
        },
      ]);
    /** Resolves with the error of the next message that fails. */
    const failure = () =>
      new Promise<{ code?: string; message: string }>((resolve) => {
        helper
          .getNode('caught')
          .once('input', (message) => resolve((message as never as { error: never }).error));
      });

    it('are carried out', async () => {
      await start('strobe');
      await hooks.send('POST', '/api/controls/strobe/start', '{"pattern":0,"color1":"red","ledlvl":"1"}');
      await hooks.calls(1);
      const { operationName, parameters } = horn.requests.at(-1) ?? {};
      assert.deepEqual(
        [operationName, parameters],
        ['strobe/start', { pattern: 0, color1: 'red', ledlvl: '1' }],
      );
    });

    it('are refused by the node of another resource', async () => {
      await start('strobe');
      const failed = failure();
      await hooks.send('POST', '/api/controls/emergency-alert/stop');
      const { code, message } = await failed;
      assert.equal(code, 'INVALID_PARAMETER');
      assert.match(message, /msg\.resource.*emergency/);
      assert.deepEqual(horn.requests, []);
    });

    it('are carried out unless msg.resource is the name of another resource', async () => {
      await start('strobe');
      const resources = ['strobe', 'kitchen', '', 5, null, ['emergency'], { name: 'emergency' }];
      for (const resource of resources)
        helper.getNode('node').receive({ operation: 'stop', payload: {}, resource } as never);
      await hooks.calls(resources.length);
      assert.equal(horn.requests.at(-1)?.operationName, 'strobe/stop');
    });

    it('are no matter to a node whose operation is fixed', async () => {
      await hooks.start([
        horn.config(),
        root,
        { ...act('strobe/stop', { device: 'horn' }), id: 'node', wires: [['first']] },
      ]);
      helper.getNode('node').receive({ resource: 'emergency', payload: {} } as never);
      await hooks.until('the message went on', () => hooks.first.length === 1);
      assert.equal(horn.requests.at(-1)?.operationName, 'strobe/stop');
    });
  });
});
