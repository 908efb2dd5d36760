import assert from 'node:assert/strict';
import { VirtualDevice } from '../../../src/virtual-device/device';
import { ClientFixture } from '../../fixtures/client-fixture';
import { GuardedNodeRed, type Username } from '../../fixtures/guarded-node-red';

describe('the endpoint behind "Test", in a real Node-RED', () => {
  const fixture = new ClientFixture();
  let red: GuardedNodeRed;
  let device: VirtualDevice;
  let stored: Record<string, string>;

  before(async () => {
    device = new VirtualDevice({ model: '8063', auth: 'basic', password: 'hunter2' });
    stored = { address: await device.start(), auth: 'basic', certificate: 'verify' };
    red = await GuardedNodeRed.start([{ id: 'tab', type: 'tab', label: 'test' }]);
    await red.deploy([
      { id: 'tab', type: 'tab', label: 'test' },
      { id: 'door', type: 'algo-device', name: 'Door', ...stored, credentials: { password: 'hunter2' } },
      {
        ...{ id: 'all', type: 'algo-group', name: 'All', auth: 'basic' },
        credentials: { password: 'hunter2' },
        rows: [{ name: 'Gate', address: stored.address }],
      },
      { id: 'porch', type: 'algo-device', name: 'Porch', ...stored, credentials: { password: 'hunter2' } },
    ]);
  });
  afterEach(() => fixture.clear());
  after(async () => {
    await red?.nodeRed.stop();
    await device?.stop();
  });

  const ask = (username: Username, body: object, headers = {}) =>
    red.post(username, 'algo/test', body, headers);

  it('tries what is deployed, with the stored password, for whoever has algo.write', async () => {
    for (const username of ['boss', 'operator'] as const) {
      const { status, body, text } = await ask(username, { id: 'door', values: stored });
      assert.deepEqual([status, body.finding, body.model], [200, 'works', '8063']);
      assert.doesNotMatch(text, /hunter/);
    }
  });

  it('lets a deployed device be known by what it says, but not where something was typed', async () => {
    const known = async () => (await red.post('guest', 'algo/overview/known', { ids: ['porch'] })).body;
    const typed = { ...stored, timeout: '7' };
    assert.equal(
      (await ask('boss', { id: 'porch', values: typed, password: 'hunter2' })).body.finding,
      'works',
    );
    assert.deepEqual(await known(), { known: {} });
    assert.equal((await ask('operator', { id: 'porch', values: stored })).body.finding, 'works');
    assert.deepEqual(await known(), { known: { porch: { model: '8063', firmware: '5.7' } } });
  });

  it('tries a row of a group with the password of the group, which goes to the address of the row only', async () => {
    const works = await ask('operator', { id: 'all/Gate', values: stored });
    assert.deepEqual([works.status, works.body.finding, works.body.model], [200, 'works', '8063']);
    assert.doesNotMatch(works.text, /hunter/);
    const address = await fixture.http((_seen, response) => void response.end('{}'));
    const elsewhere = await ask('boss', { id: 'all/Gate', values: { ...stored, address } });
    assert.deepEqual([elsewhere.status, elsewhere.body.finding], [200, 'password']);
    assert.equal(fixture.connections, 0);
  });

  it('refuses who is not logged in, and who may only look', async () => {
    for (const username of ['nobody', 'guest'] as const) {
      const { status, text } = await ask(username, { id: 'door', values: stored });
      assert.equal(status, 401, username);
      assert.doesNotMatch(text, /8063/);
    }
  });

  it('reaches an address that was typed only for whoever may deploy', async () => {
    const address = await fixture.http((_seen, response) => void response.end('{}'));
    const typed = { id: 'door', values: { ...stored, address }, password: 'typed' };
    for (const username of ['nobody', 'guest', 'operator'] as const)
      assert.equal((await ask(username, typed)).status, 401, username);
    assert.equal((await ask('operator', { id: 'door', values: { ...stored, auth: 'none' } })).status, 401);
    assert.equal((await ask('operator', { id: 'none', values: stored })).status, 401);
    assert.equal(fixture.connections, 0);
    const { status, body } = await ask('boss', typed);
    assert.deepEqual([status, body.finding], [200, 'stranger']);
    const sent = fixture.seen[0]?.headers.authorization ?? '';
    assert.equal(Buffer.from(sent.slice('Basic '.length), 'base64').toString(), 'admin:typed');
  });

  it('repeats no password that somebody wrote into the address', async () => {
    const values = { ...stored, address: 'http://admin:sec@ret@192.0.2.1' };
    const { body, text } = await ask('boss', { id: 'none', values, password: 'typed' });
    assert.deepEqual([body.finding, body.code], ['failed', 'NOT_CONFIGURED']);
    assert.match(text, /192\.0\.2\.1/);
    assert.doesNotMatch(text, /admin|sec|ret@/);
  });

  it('never sends the stored password to another address, whoever asks', async () => {
    const address = await fixture.http((_seen, response) => void response.end('{}'));
    for (const password of [undefined, '${PATH}']) {
      const { body } = await ask('boss', { id: 'door', values: { ...stored, address }, password });
      assert.equal(body.finding, 'password');
    }
    assert.equal(fixture.connections, 0);
    const own = await ask('boss', { id: 'door', values: { ...stored, timeout: '5' } });
    assert.equal(own.body.finding, 'works', 'it does go to the stored one, whatever else was typed');
  });

  it('refuses a page of another site, also with a login', async () => {
    const values = { id: 'door', values: stored };
    for (const headers of [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      assert.equal((await ask('boss', values, headers)).status, 403);
    const own = { origin: new URL(red.nodeRed.url).origin };
    assert.equal((await ask('boss', values, own)).status, 200);
  });

  it('answers whatever is sent', async () => {
    for (const body of [{}, { id: {} }, { id: 'tab', values: [] }, { id: '__proto__', values: stored }]) {
      const { status, body: answer } = await ask('boss', body);
      assert.equal(status, 200, JSON.stringify(answer));
    }
  });
});

describe('the endpoint behind "Test", where nobody logs in', () => {
  const fixture = new ClientFixture();
  let red: GuardedNodeRed;

  before(async () => {
    red = await GuardedNodeRed.start([{ id: 'tab', type: 'tab', label: 'test' }], {});
  });
  after(async () => {
    await red?.nodeRed.stop();
    await fixture.clear();
  });

  it('refuses a page of another site all the same', async () => {
    const address = await fixture.http((_seen, response) => void response.end('{}'));
    const values = { id: '', values: { address, auth: 'none' } };
    const ask = (headers: Record<string, string>) => red.post('nobody', 'algo/test', values, headers);
    assert.equal((await ask({ origin: 'http://evil.example' })).status, 403);
    assert.equal((await ask({ 'sec-fetch-site': 'same-site' })).status, 403);
    assert.equal(fixture.connections, 0);
    assert.equal((await ask({ origin: new URL(red.nodeRed.url).origin })).status, 200);
  });
});
