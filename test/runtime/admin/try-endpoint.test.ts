import assert from 'node:assert/strict';
import { VirtualDevice } from '../../../src/virtual-device/device';
import { ClientFixture } from '../../fixtures/client-fixture';
import { GuardedNodeRed, type Username } from '../../fixtures/guarded-node-red';

const unlock = { resource: 'door', operation: 'unlock', form: { doorid: { type: 'str', value: 'local' } } };

const about = { resource: 'info', operation: 'about', form: {} };

/** Variables of the environment of Node-RED. */
const variables = { COMPARED_VOLUME: '-3dB', COMPARED_MUTE: '0' };

interface Tried {
  readonly differences?: unknown[];
  readonly more?: number;
  readonly untried?: string;
  readonly names?: string[];
  readonly receipts?: { outcome: string; operation: string; response?: unknown; error?: { code: string } }[];
}

describe('the endpoint behind "Try it", in a real Node-RED', () => {
  let red: GuardedNodeRed;
  let device: VirtualDevice;
  let requests: string[];
  const fixture = new ClientFixture();
  /** What another device answers to everything. */
  let responseBody: string | Buffer = '';

  before(async () => {
    device = new VirtualDevice({ model: '8063', password: 'hunter2' });
    const address = await device.start();
    device.on('request', ({ method, path }) => void requests.push(`${method} ${path}`));
    const much = await fixture.http((_seen, response) => void response.end(responseBody));
    Object.assign(process.env, variables);
    red = await GuardedNodeRed.start([{ id: 'tab', type: 'tab', label: 'test' }]);
    const shy = { dryRun: true, address, credentials: { password: 'hunter2' } };
    await red.deploy([
      { id: 'tab', type: 'tab', label: 'test' },
      { id: 'door', type: 'algo-device', name: 'Door', address, credentials: { password: 'hunter2' } },
      { id: 'shy', type: 'algo-device', name: 'Shy', ...shy },
      { id: 'third', type: 'algo-device', name: 'Third', address, credentials: { password: 'hunter2' } },
      { id: 'much', type: 'algo-device', name: 'Much', address: much, auth: 'none' },
    ]);
  });
  beforeEach(() => {
    requests = [];
  });
  after(async () => {
    for (const name of Object.keys(variables)) delete process.env[name];
    await red?.nodeRed.stop();
    await device?.stop();
    await fixture.clear();
  });

  const ask = (username: Username, body: object, id = 'door', headers = {}) =>
    red.post(username, `algo/devices/${id}/try`, body, headers);
  const triedBy = async (username: Username, body: object, id?: string) => {
    const { status, body: tried } = await ask(username, body, id);
    assert.equal(status, 200);
    return tried as Tried;
  };

  it('refuses strangers, who may only look, and pages of other sites; nothing is sent', async () => {
    assert.equal((await ask('nobody', unlock)).status, 401);
    assert.equal((await ask('guest', unlock)).status, 401);
    assert.equal((await ask('boss', unlock, 'door', { origin: 'http://evil.example' })).status, 403);
    assert.equal((await ask('boss', unlock, 'door', { 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.equal((await ask('boss', unlock, '192.0.2.1')).status, 404);
    assert.deepEqual(requests, []);
  });

  it('does what the dialog says, with a receipt, for whoever has algo.write', async () => {
    const { receipts = [] } = await triedBy('operator', unlock);
    const responseBody = receipts.map(({ operation, outcome }) => `${operation} ${outcome}`);
    assert.deepEqual(responseBody, ['door/unlock accepted']);
    assert.equal(requests.filter((request) => request === 'POST /api/controls/door/unlock').length, 1);
  });

  it('sends JSON in the place of fields, checked like them', async () => {
    const written = (parameters: string) => ({ resource: 'door', operation: 'unlock', parameters });
    const { receipts = [] } = await triedBy('operator', written('{"doorid":"local"}'));
    assert.deepEqual([receipts.length, receipts[0]?.outcome], [1, 'accepted']);
    for (const wrong of ['{"doorid":"cellar"}', '{"doorid":', '7']) {
      const [receipt] = (await triedBy('operator', written(wrong))).receipts ?? [];
      assert.equal(receipt?.error?.code, 'INVALID_PARAMETER', wrong);
    }
    assert.deepEqual(await triedBy('operator', written('${DOOR}')), {
      untried: 'message',
      names: ['parameters'],
    });
    assert.equal(requests.filter((request) => request.startsWith('POST')).length, 1);
  });

  describe('compares a profile with all targets of a dialog', () => {
    const text = (value: string) => ({ type: 'str', value });
    const form = {
      'audio.page.vol': text('-12dB'),
      'audio.ring.vol': { type: 'env', value: 'COMPARED_VOLUME' },
      'audio.mic.mute': text('${COMPARED_MUTE}'),
      'api.admin.pwd': text('mice'),
      'no.such': text('1'),
    };
    const chosen = { target: 'several', targets: ['door', 'shy'] };
    const compare = { resource: 'settings', operation: 'compare', form, chosen };
    it('and shows neither passwords nor the values of variables', async () => {
      const { differences, more, receipts = [] } = await triedBy('operator', compare);
      const at = (device: string) => [
        { device, setting: 'audio.page.vol', is: '-18dB', wanted: '-12dB' },
        { device, setting: 'audio.ring.vol', is: '-18dB', wanted: '${COMPARED_VOLUME}' },
        { device, setting: 'api.admin.pwd', is: '***', wanted: '***' },
        { device, setting: 'no.such', wanted: '1' },
      ];
      assert.deepEqual([differences, more], [[...at('Door'), ...at('Shy')], 0]);
      assert.deepEqual(
        receipts.map(({ outcome, response }) => [outcome, response]),
        [
          ['accepted', undefined],
          ['accepted', undefined],
        ],
      );
      assert.ok(requests.every((request) => request.startsWith('GET')));
    });

    it('also written as JSON', async () => {
      const parameters = '{"audio.page.vol":"-18dB","audio.mic.mute":"${COMPARED_MUTE}"}';
      const { differences } = await triedBy('operator', { ...compare, form: undefined, parameters });
      assert.deepEqual(differences, []);
    });

    it('and answers at most a thousand differences', async () => {
      const many = Array.from({ length: 499 }, (_, index) => [`no.such${index}`, text('1')]);
      const targets = ['door', 'shy', 'third'];
      const { differences, more } = await triedBy('operator', {
        ...compare,
        form: { 'audio.page.vol': text('0dB'), ...Object.fromEntries(many) },
        chosen: { target: 'several', targets },
      });
      assert.deepEqual([differences?.length, more], [1_000, 500]);
    });

    it('for no one who may only look', async () => {
      assert.equal((await ask('guest', compare)).status, 401);
      assert.deepEqual(requests, []);
    });

    it('and tries the operation itself at one device, with its response', async () => {
      const own = { ...compare, form: { 'audio.page.vol': text('-12dB') }, chosen: undefined };
      const [receipt] = (await triedBy('operator', own)).receipts ?? [];
      assert.match(String(receipt?.response), /"wanted": "-12dB"/);
    });
  });

  it('ends what it started, as the node would', async () => {
    const locked = new Promise<void>((resolve) => {
      const listener = ({ path }: { path: string }) => {
        if (!path.endsWith('/door/lock')) return;
        device.off('request', listener);
        resolve();
      };
      device.on('request', listener);
    });
    await triedBy('operator', { ...unlock, properties: { endAfter: '0.2' } });
    await locked;
  });

  it('shows no password that a device tells', async () => {
    const pwd = {
      resource: 'settings',
      operation: 'get',
      form: { name: { type: 'str', value: 'api.admin.pwd' } },
    };
    const firstReceipt = (await triedBy('operator', pwd)).receipts?.[0];
    assert.deepEqual([firstReceipt?.outcome, firstReceipt?.response], ['accepted', '***']);
    const header = 'Authorization: Basic YWRtaW46aHVudGVyMg==';
    responseBody = JSON.stringify({ events: [{ evid: 1, event_type: 'api_call', api_call: [{ header }] }] });
    const { response } = (await triedBy('operator', about, 'much')).receipts?.[0] ?? {};
    assert.match(String(response), /"header": "Authorization: Basic \*\*\*"/);
    const lines = 'Accept: a/b\\r\\nAuthorization: Basic c2VjcmV0\\r\\nX-Token: secret';
    responseBody = JSON.stringify({ events: [{ api_call: [{ header: lines }] }] });
    const [second] = (await triedBy('operator', about, 'much')).receipts ?? [];
    assert.match(String(second?.response), /Authorization: Basic \*\*\*\\\\r\\\\nX-Token: \*\*\*"/);
  });

  /** What is shown of the other device's answer, which is not known to be JSON. */
  async function shownOf(answer: string | Buffer): Promise<unknown> {
    responseBody = answer;
    const form = { method: { type: 'str', value: 'GET' }, path: { type: 'str', value: '/api/x' } };
    const [receipt] =
      (await triedBy('operator', { resource: 'request', operation: 'request', form }, 'much')).receipts ?? [];
    assert.equal(receipt?.outcome, 'accepted');
    return receipt?.response;
  }

  it('shows none that stands in a text', async () => {
    assert.equal(
      await shownOf(
        'sip.u1 = 200\napi.admin.pwd = "se cret"\nsip.pass: secret\n<Password>secret</Password>\nrate = 5',
      ),
      'sip.u1 = 200\napi.admin.pwd =***\nsip.pass:***\n<Password>***\nrate = 5',
    );
    assert.equal(
      await shownOf(JSON.stringify({ lines: ['a = 1', 'admin.pwd=secret'] })),
      '{\n "lines": [\n  "a = 1",\n  "admin.pwd=***"\n ]\n}',
    );
  });

  it('hands on no more of an answer than a person reads, and nothing of a file', async () => {
    assert.match(
      String(await shownOf(JSON.stringify({ text: 'x'.repeat(300_000) }))),
      /^{\n "text": "x{1900,1990}$/,
    );
    assert.equal(await shownOf('y'.repeat(300_000)), 'y'.repeat(2_000));
    assert.equal(await shownOf(Buffer.from([0x52, 0xff, 0, 0xfe])), undefined);
  });

  it('checks as the node does, and sends nothing to a device on dry run', async () => {
    const wrong = await triedBy('boss', { ...unlock, form: { doorid: { type: 'str', value: 'cellar' } } });
    assert.equal(wrong.receipts?.[0]?.error?.code, 'INVALID_PARAMETER');
    assert.equal((await triedBy('boss', unlock, 'shy')).receipts?.[0]?.outcome, 'dry-run');
    assert.deepEqual(
      requests.filter((request) => request.startsWith('POST')),
      [],
    );
  });

  it('sends nothing that comes with a message, or from the environment', async () => {
    for (const entry of [
      { type: 'msg', value: 'payload' },
      { type: 'jsonata', value: '$env("PATH")' },
      { type: 'env', value: 'PATH' },
      { type: 'str', value: '${PATH}' },
      'local',
    ]) {
      const { untried, names } = await triedBy('boss', { ...unlock, form: { doorid: entry } });
      assert.deepEqual([untried, names], ['message', ['doorid']], JSON.stringify(entry));
    }
    for (const body of [
      {},
      { resource: 'door' },
      { ...unlock, form: 7 },
      { ...unlock, operation: 'constructor' },
    ])
      assert.equal((await triedBy('boss', body)).untried, 'operation');
    assert.deepEqual(requests, []);
  });
});
