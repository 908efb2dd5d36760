import assert from 'node:assert/strict';
import type { FindLine } from '../../../src/runtime/answers';
import { VirtualDevice } from '../../../src/virtual-device/device';
import { GuardedNodeRed, type Username } from '../../fixtures/guarded-node-red';
import { HoldingServer } from '../../fixtures/holding-server';

describe('the endpoint behind "Find devices", in a real Node-RED', () => {
  let red: GuardedNodeRed;
  let holder: HoldingServer | undefined;
  const devices: VirtualDevice[] = [];

  before(async () => {
    red = await GuardedNodeRed.start([{ id: 'tab', type: 'tab', label: 'test' }]);
  });
  afterEach(async () => {
    await holder?.stop();
    holder = undefined;
  });
  after(async () => {
    await red?.nodeRed.stop();
    await Promise.all(devices.map((device) => device.stop()));
  });

  const find = (username: Username, range: unknown, headers = {}) =>
    red.post(username, 'algo/find', { range }, headers);
  const linesOf = (text: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line): FindLine => JSON.parse(line));
  const hold = () => {
    holder = new HoldingServer();
    return holder;
  };
  /** Whatever Node-RED had begun before is at the server when this is answered. */
  const roundTrip = async () => {
    for (let times = 0; times < 2; times += 1) await red.post('boss', 'algo/find/ranges', {});
  };

  it('finds devices at several addresses, and says how far it is', async () => {
    const first = new VirtualDevice({ model: '8301', password: 'hunter2', host: '127.0.0.3' });
    devices.push(first);
    const { port } = new URL(await first.start());
    const second = new VirtualDevice({ model: '8063', auth: 'none', host: '127.0.0.17', port: Number(port) });
    devices.push(second);
    await second.start();
    const { status, text } = await find('boss', `127.0.0.1-20:${port}`);
    assert.equal(status, 200);
    const lines = linesOf(text);
    assert.deepEqual([lines[0], lines.at(-1), lines.length], [{ of: 20 }, { ended: true }, 22]);
    const found = lines.flatMap(({ found }) => found ?? []);
    assert.deepEqual(
      found.sort((a, b) => (a.model ?? '').localeCompare(b.model ?? '')),
      [
        { address: `127.0.0.17:${port}`, secure: false, product: 'Algo 8063', model: '8063' },
        { address: `127.0.0.3:${port}`, secure: false, product: 'Algo 8301', model: '8301' },
      ],
    );
    const requests = devices.flatMap((device) => device.log.map(({ method, path }) => `${method} ${path}`));
    assert.deepEqual(requests, ['GET /', 'GET /']);
  });

  it('is for people who may deploy, from the pages of this editor', async () => {
    const port = await hold().start();
    const range = `127.0.0.1-3:${port}`;
    for (const username of ['nobody', 'guest', 'operator'] as const) {
      assert.equal((await find(username, range)).status, 401, username);
      assert.equal((await red.post(username, 'algo/find/ranges', {})).status, 401, username);
    }
    for (const headers of [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      assert.equal((await find('boss', range, headers)).status, 403);
    assert.equal(holder?.total, 0);
  });

  it('refuses what is not private, too large or no range, and says which', async () => {
    for (const [range, reason] of [
      ['8.8.8.0/28', 'public'],
      ['10.0.0.0/21', 'large'],
      ['localhost', 'unreadable'],
      [undefined, 'unreadable'],
    ]) {
      const { status, body } = await find('boss', range);
      assert.deepEqual([status, body.reason, typeof body.error], [400, reason, 'string']);
    }
  });

  it('has 50 connections open at most', async () => {
    const server = hold();
    const port = await server.start();
    const searching = find('boss', `127.0.0.1-70:${port}`);
    await server.until(() => server.open === 50);
    await roundTrip();
    // Each address is asked over https, and then over http.
    while (server.total < 140) {
      const { total } = server;
      server.releaseAll();
      await server.until(() => server.total > total);
    }
    server.releaseAll();
    const lines = linesOf((await searching).text);
    assert.deepEqual([server.maxOpen, lines.length], [50, 72]);
  });

  it('does one search at a time, and ends it when nobody waits any more', async () => {
    const server = hold();
    const port = await server.start();
    const gone = new AbortController();
    const range = `127.0.0.1-127.0.3.250:${port}`;
    const searching = red.request('boss', 'algo/find', { range }, { signal: gone.signal });
    await server.until(() => server.open === 50);
    const { status, body } = await find('boss', '127.0.0.1:1');
    assert.deepEqual([status, body.reason], [409, 'busy']);
    const reader = (await searching).body?.getReader() ?? assert.fail();
    await reader.read();
    gone.abort();
    await server.until(() => server.open === 0);
    await roundTrip();
    assert.ok(server.total <= 100, `${server.total} connections`);
    assert.equal(server.open, 0);
    const next = await find('boss', '127.0.0.1:1');
    assert.deepEqual(linesOf(next.text), [{ of: 1 }, { asked: 1 }, { ended: true }]);
  });

  it('proposes the networks that this computer is in', async () => {
    const { status, body } = await red.post('boss', 'algo/find/ranges', {});
    assert.equal(status, 200);
    assert.ok(Array.isArray(body.ranges));
  });

  it('does not search without end', async () => {
    const statuses = [];
    for (let times = 0; times < 21; times += 1) statuses.push((await find('boss', 'x')).status);
    assert.equal(statuses[0], 400);
    assert.equal(statuses.at(-1), 429);
  });
});
