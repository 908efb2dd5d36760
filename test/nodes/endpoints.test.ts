import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { GuardedNodeRed, loginOf, type Username } from '../fixtures/guarded-node-red';

const root = path.resolve(__dirname, '../../..');

/** Every endpoint, by what is needed to reach it with an empty request: typed by hand, and complete. */
const endpoints: readonly (readonly [route: string, permission: string])[] = [
  ['post /algo/test', 'flows.write'],
  ['post /algo/offer', 'algo.read'],
  ['post /algo/devices/:id/try', 'algo.write'],
  ['post /algo/overview/watch', 'algo.read'],
  ['post /algo/overview/ask', 'algo.read'],
  ['post /algo/overview/known', 'algo.read'],
  ['post /algo/find', 'flows.write'],
  ['post /algo/find/ranges', 'flows.write'],
  ['post /algo/sites/keys', 'flows.write'],
  ['post /algo/webhook/address', 'flows.write'],
  ['post /algo/bells/:id/look', 'algo.read'],
  ['post /algo/bells/calendar', 'algo.read'],
  ['post /algo/bells/:id/change', 'algo.write'],
  ['post /algo/virtual/:id/ticket', 'algo-virtual.read'],
  ['get /algo/virtual/:id', 'algo-virtual.read'],
  ['get /algo/virtual/:id/:rest', 'algo-virtual.read'],
  ['post /algo/virtual/:id/:rest', 'algo-virtual.write'],
];

const flow = [
  { id: 'tab', type: 'tab', label: 'test' },
  { id: 'virtual', type: 'algo-virtual-device', name: 'Virtual', model: '8301', auth: 'none' },
  { id: 'device', type: 'algo-device', name: 'Device', virtual: 'virtual' },
];

/** Those who have nearly enough, whatever is asked for. */
const adminAuth = loginOf({ boss: '*', guest: 'read', operator: 'algo.write' });
const has: Readonly<Record<Username, readonly string[]>> = {
  boss: endpoints.map(([, permission]) => permission),
  guest: ['algo.read', 'algo-virtual.read'],
  operator: ['algo.write'],
  nobody: [],
};

/** What pages of other sites say of themselves, with and without the newer header. */
const strangers: readonly Readonly<Record<string, string>>[] = [
  { origin: 'http://evil.example' },
  { origin: 'null' },
  { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' },
  { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
];

/** Loads all nodes for a stand-in of Node-RED, and says what they serve. */
function servedRoutes(): string[] {
  const program = `
    const routes = [];
    const keep = (on) => (method) => (route) => void routes.push((on + method + ' ' + route).trim());
    const server = (on) => new Proxy({}, { get: (_, method) => keep(on)(method) });
    const nothing = new Proxy(function () {}, { get: (_, key) => key === Symbol.toPrimitive ? () => '' : nothing, apply: () => nothing });
    const RED = new Proxy({ httpAdmin: server(''), httpNode: server('node '), settings: {} }, {
      get: (known, name) => known[name] ?? nothing,
    });
    const { nodes } = require(${JSON.stringify(root)} + '/package.json')['node-red'];
    for (const file of Object.values(nodes)) require(${JSON.stringify(root)} + '/' + file)(RED);
    console.log(JSON.stringify(routes));
    process.exit();`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

describe('every endpoint of this package, in a real Node-RED', () => {
  let guarded: GuardedNodeRed;
  let open: GuardedNodeRed;

  before(async () => {
    [guarded, open] = await Promise.all([
      GuardedNodeRed.start(flow, { adminAuth }),
      GuardedNodeRed.start(flow, {}),
    ]);
  });
  after(() => Promise.all([guarded?.nodeRed.stop(), open?.nodeRed.stop()]));

  /** The status that somebody gets, whose answer is not read further: some have no end. */
  async function ask(red: GuardedNodeRed, username: Username, route: string, headers = {}): Promise<number> {
    const [method = '', pattern = ''] = route.split(' ');
    const id = pattern.includes('virtual') ? 'virtual' : 'device';
    const rest = method === 'get' ? 'state' : 'command';
    const folder = pattern.endsWith('virtual/:id') ? '/' : '';
    const at = pattern.slice(1).replace(':id', id).replace(':rest', rest) + folder;
    const token = username === 'nobody' ? undefined : await red.tokenOf(username);
    const reply = await fetch(`${red.nodeRed.url}${at}`, {
      method: method.toUpperCase(),
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(method === 'post' && { body: '{}' }),
    });
    await reply.text();
    return reply.status;
  }

  it('is in the list of this test', () => {
    assert.deepEqual(servedRoutes().sort(), endpoints.map(([route]) => route).sort());
  });

  it('is in the table of the documents, with its permission', () => {
    const rows = readFileSync(path.join(root, 'docs/editor.md'), 'utf8').split('\n');
    for (const [route, permission] of endpoints) {
      const name = route
        .replace(/^\w+ \//, (method) => method.toUpperCase().replace('/', ''))
        .replace(':id', '<id>')
        .replace(/^(GET algo\/virtual\/<id>)$|:rest$/, (rest, panel = '') => (panel ? `${rest}/…` : '…'));
      const row = rows.find((one) => one.startsWith(`| \`${name}\``));
      assert.ok(row?.includes(permission), name);
    }
  });

  for (const [route, permission] of endpoints) {
    it(`${route} is for ${permission}`, async () => {
      for (const [username, permissions] of Object.entries(has) as [Username, readonly string[]][]) {
        const status = await ask(guarded, username, route);
        assert.equal(status !== 401, permissions.includes(permission), `${username}: ${status}`);
      }
    });

    it(`${route} is not for pages of other sites, with a login or where nobody logs in`, async () => {
      for (const headers of strangers) {
        assert.equal(await ask(guarded, 'boss', route, headers), 403, JSON.stringify(headers));
        assert.equal(await ask(open, 'nobody', route, headers), 403, JSON.stringify(headers));
      }
      const { origin } = new URL(open.nodeRed.url);
      for (const headers of [{ origin }, { origin, 'sec-fetch-site': 'same-origin' }])
        assert.notEqual(await ask(open, 'nobody', route, headers), 403, JSON.stringify(headers));
      // A URL parser would take this spelling for the host.
      const encoded = origin.replace(/\d(?=\.)/, (digit) => `%3${digit}`);
      assert.equal(await ask(open, 'nobody', route, { origin: encoded }), 403);
    });
  }

  it('answers no stranger because of what was sent', async () => {
    const body = { id: { toString: 1 }, values: { address: { toString: 1 } } };
    assert.equal((await guarded.post('nobody', 'algo/test', body)).status, 401);
    assert.equal((await guarded.post('boss', 'algo/test', body)).status, 200);
  });

  it('answers what nobody can make a text of', async () => {
    const trap = { toString: 1 };
    const form = { path: { type: trap, value: trap } };
    const bodies = [
      { id: trap, name: trap, values: { address: trap, virtual: trap }, password: trap },
      { what: trap, folder: trap, range: trap, lease: trap, ids: [trap] },
      { what: 'files', folder: trap, ids: trap, resource: trap, operation: trap, parameters: {} },
      { id: trap, name: trap, resource: 'tone', operation: 'start', form },
      { operation: 'call', parameters: { operation: trap } },
    ];
    for (const [route] of endpoints.filter(([one]) => one.startsWith('post')))
      for (const body of bodies) {
        const at = route.slice('post /'.length).replace(':id', 'device').replace(':rest', 'command');
        const { status } = await guarded.post('boss', at.replace('virtual/device', 'virtual/virtual'), body);
        assert.ok(status < 500, `${route} ${status} ${JSON.stringify(body)}`);
      }
  });

  it('answers JSON in many levels', async () => {
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    for (const [route] of endpoints.filter(([one]) => one.startsWith('post'))) {
      const path = route.slice('post /'.length).replace(':id', 'virtual').replace(':rest', 'command');
      const { status } = await guarded.request('boss', path, undefined, { body: deep });
      assert.ok(status < 500, `${path}: ${status}`);
    }
  });

  it('refuses what is too long, or asks for too many', async () => {
    const post = (path: string, body: object) => guarded.post('boss', path, body);
    const word = (length: number) => ({ word: 'x'.repeat(length) });
    /** What each takes, in characters: typed by hand. */
    const longest = new Map([
      ['algo/bells/device/look', 1_048_576],
      ['algo/bells/device/change', 1_048_576],
    ]);
    // A calendar may be longer than what Node-RED itself takes by default.
    const limited = endpoints.filter(([one]) => one.startsWith('post') && !one.endsWith('/calendar'));
    for (const [route] of limited) {
      const at = route.slice('post /'.length).replace(':rest', 'command');
      const path = at.replace(':id', at.includes('virtual') ? 'virtual' : 'device');
      const most = longest.get(path) ?? 65_536;
      const { status, text } = await post(path, word(most));
      assert.equal(status, 413, `${path}: ${text}`);
      const shorter = await post(path, word(most - 100));
      assert.notEqual(shorter.text, text, path);
      assert.notEqual(shorter.status, 413, path);
    }
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`);
    for (const path of ['algo/overview/ask', 'algo/overview/known']) {
      assert.equal((await post(path, { ids: ids(1_000) })).status, 200);
      assert.equal((await post(path, { ids: ids(1_001) })).status, 413);
    }
    const offer = (targets: readonly string[]) =>
      post('algo/offer', { what: 'tones', target: 'several', targets });
    assert.equal((await offer([...ids(999), 'device'])).status, 200);
    assert.equal((await offer([...ids(1_000), 'device'])).status, 413);
  });

  it('takes a file that is as long as it is', async () => {
    const form = (value: string) => ({
      path: { type: 'str', value: 'tones/long.txt' },
      content: { type: 'str', value },
    });
    const put = (resource: string, value: string) =>
      guarded.post('boss', 'algo/devices/device/try', {
        resource,
        operation: 'put',
        form: form(value),
      });
    assert.equal((await put('files', 'x'.repeat(1_000_000))).status, 200);
    assert.equal((await put('tone', 'x'.repeat(1_000_000))).status, 413);
  });

  it('tries an announcement only with values that the dialog knows', async () => {
    const form = (values: Record<string, string>) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { type: 'str', value }]));
    const tried = async (more: object) => {
      const body = { resource: 'announce', operation: 'play', id: 'a', name: 'Tea', ...more };
      return JSON.parse((await guarded.post('boss', 'algo/devices/device/try', body)).text);
    };
    const audio = 'chime.wav';
    const ofEnvironment = await tried({ form: form({ audio, volume: '${LOUD}' }) });
    assert.deepEqual(ofEnvironment, { untried: 'message', names: ['volume'] });
    assert.deepEqual(await tried({ parameters: '{}' }), { untried: 'operation', names: [] });
    for (const wrong of [{ audio: '' }, { audio, volume: '-1dB' }, { audio, toneParameters: '[]' }]) {
      const { receipts } = await tried({ form: form(wrong) });
      assert.equal(receipts[0].error.code, 'INVALID_PARAMETER', JSON.stringify(wrong));
    }
    const { receipts } = await tried({ operation: 'stop' });
    assert.deepEqual([receipts[0].operation, receipts[0].outcome], ['announce/stop', 'accepted']);
  });

  it('leads from the address of a panel to that panel and to no other host', async () => {
    for (const name of ['https:evil.example', '%5C%5Cevil.example', 'virtual']) {
      const url = `${guarded.nodeRed.url}algo/virtual/${name}`;
      const reply = await fetch(url, { redirect: 'manual' });
      assert.equal(reply.status, 303);
      assert.equal(new URL(reply.headers.get('location') ?? '', url).href, `${url}/`);
    }
  });

  it('keeps the language of a panel that a ticket opens, where it is one of ours', async () => {
    for (const [asked, kept] of [
      ['de', './?lang=de'],
      ['es-ES', './?lang=es'],
      ['nl', './'],
      ['//evil.example', './'],
      ['de%0d%0aSet-Cookie:a=b', './'],
    ]) {
      const url = `${guarded.nodeRed.url}algo/virtual/virtual/?ticket=x&lang=${asked}`;
      const reply = await fetch(url, { redirect: 'manual' });
      assert.deepEqual([reply.status, reply.headers.get('location')], [303, kept]);
    }
  });
});
