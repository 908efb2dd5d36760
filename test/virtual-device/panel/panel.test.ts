import assert from 'node:assert/strict';
import { get } from 'node:http';
import { VirtualDevice } from '../../../src/virtual-device/device';
import { PanelServer } from '../../../src/virtual-device/panel/server';
import { send, sendJson } from '../../fixtures/signer';

interface ServerEvent {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Reads events of a panel until one matches. */
function waitForEvent(
  address: string,
  isWanted: (found: ServerEvent) => boolean,
  opened: () => void,
): Promise<ServerEvent> {
  return new Promise((resolve, reject) => {
    const asked = get(address, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const [, event = '', data = 'null'] = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
          text = text.slice(end + 2);
          const found = { event, data: JSON.parse(data) };
          if (found.event === 'hello') opened();
          if (!isWanted(found)) continue;
          asked.destroy();
          resolve(found);
          return;
        }
      });
    });
    asked.on('error', reject);
  });
}

describe('the panel on the command line', () => {
  let device: VirtualDevice;
  let panels: PanelServer;
  let address: string;
  let own: string;

  beforeEach(async () => {
    device = new VirtualDevice({ model: '8138', password: 'hunter2' });
    await device.start();
    panels = new PanelServer([device]);
    address = await panels.start(0);
    own = `${address}1/`;
  });
  afterEach(async () => {
    await panels.stop();
    await device.stop();
  });

  const order = (name: string, given: object, headers: Record<string, string> = {}) =>
    send(
      own,
      'POST',
      '/1/command',
      { 'Content-Type': 'application/json', ...headers },
      Buffer.from(JSON.stringify({ name, given })),
    );

  it('serves a page, its parts, and nothing else of the disk', async () => {
    assert.equal((await send(own, 'GET', '/', {})).headers.location, '1/');
    const page = await send(own, 'GET', '/1/', {});
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/);
    const parts = [...page.text.matchAll(/(?:href|src)="([^":]+)"/g)].map(([, part]) => part);
    const sheets = ['panel', 'cards', 'strobe', 'screen', 'forms', 'requests'].map((name) => `${name}.css`);
    assert.deepEqual(parts, [...sheets, 'panel.js']);
    for (const sheet of sheets)
      assert.equal(
        (await send(own, 'GET', `/1/${sheet}`, {})).headers['content-type'],
        'text/css; charset=utf-8',
      );
    const seen = new Set<string>();
    const queue = ['panel.js'];
    for (let part = queue.pop(); part; part = queue.pop()) {
      if (seen.has(part)) continue;
      seen.add(part);
      const script = await send(own, 'GET', `/1/${part}`, {});
      assert.equal(script.status, 200, part);
      assert.doesNotMatch(script.text, /https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
      queue.push(...[...script.text.matchAll(/from '\.\/([^']+)'/g)].map(([, name = '']) => name));
    }
    assert.ok(seen.size >= 8, [...seen].join());
    for (const path of ['/1/../serve.js', '/1/serve.js', '/1/..%2fserve.js', '/2/', '/x', '/1/constructor'])
      assert.equal((await send(own, 'GET', path, {})).status, 404, path);
  });

  it('tells live what the device does, and no secret', async () => {
    const found = await waitForEvent(
      `${own}events`,
      ({ event, data }) => event === 'snapshot' && (data.state as { strobe: unknown }).strobe !== null,
      () =>
        void sendJson(
          device.address,
          'POST /api/controls/strobe/start',
          { pattern: 12, color1: 'red', ledlvl: '255' },
          { password: 'hunter2' },
        ),
    );
    assert.equal((found.data.state as { strobe: { color1: string } }).strobe.color1, 'red');
    const refused = await waitForEvent(
      `${own}events`,
      ({ event }) => event === 'requests',
      () => void sendJson(device.address, 'GET /api/info/about', undefined, { password: 'wrong' }),
    );
    const [entry] = refused.data as unknown as Record<string, unknown>[];
    assert.equal(entry?.status, 403);
    assert.ok(entry?.signature);
    assert.ok(!JSON.stringify([found, refused]).includes('hunter2'));
  });

  it('carries out commands, and says why it does not', async () => {
    const { status, text } = await order('fault', { kind: 'status', count: 1 });
    assert.deepEqual([status, JSON.parse(text)], [200, { result: { id: 1 } }]);
    const refused = await order('press', { id: '1' });
    assert.equal(refused.status, 400);
    assert.match(JSON.parse(refused.text).error, /\b8138\b/);
    assert.equal(
      (await send(own, 'POST', '/1/command', { 'Content-Type': 'application/json' }, Buffer.from('{')))
        .status,
      400,
    );
  });

  it('refuses a command in many levels with a sentence', async () => {
    for (const levels of [101, 10_000]) {
      const payload = `${'['.repeat(levels)}${']'.repeat(levels)}`;
      const body = Buffer.from(`{"name":"call","given":{"target":"127.0.0.1:1","payload":${payload}}}`);
      const { status, text } = await send(own, 'POST', '/1/command', json, body);
      assert.deepEqual([status, /too many levels/.test(JSON.parse(text).error)], [400, true], text);
    }
  });
  const json = { 'Content-Type': 'application/json' };

  it('streams to nobody who wants only the head of it', async () => {
    assert.equal((await send(own, 'HEAD', '/1/events', {})).status, 404);
  });

  it('refuses what another web page sends', async () => {
    const host = new URL(own).host;
    for (const headers of [
      { Host: 'evil.example' },
      { Host: host, Origin: 'http://evil.example' },
      { Host: host, Origin: 'null' },
      { Host: host, 'Sec-Fetch-Site': 'cross-site' },
      { Host: host, 'Content-Type': 'text/plain' },
    ])
      assert.equal((await order('clear-faults', {}, headers)).status, 403, JSON.stringify(headers));
    assert.equal((await send(own, 'GET', '/1/events', { Host: 'evil.example' })).status, 403);
    assert.equal(
      (await send(own, 'GET', '/1/state', { Host: host, Origin: 'http://evil.example' })).status,
      403,
    );
    const friendly = { Host: host, Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' };
    assert.equal((await order('clear-faults', {}, friendly)).status, 200);
  });

  it('lets no page of another host show or frame it, and allows nobody by CORS', async () => {
    const { port } = new URL(own);
    for (const path of ['/1/', '/1/state', '/1/panel.js', '/1/file?path=tones/chime.wav', '/1/none']) {
      const { headers } = await send(own, 'GET', path, { Host: `127.0.0.1:${port}` });
      assert.match(String(headers['content-security-policy']), /frame-ancestors '(self|none)'/, path);
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin', path);
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith('access-control-')),
        [],
      );
    }
  });
});
