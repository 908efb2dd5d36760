import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import helper from 'node-red-node-test-helper';
import { decodePath } from '../../src/runtime/webhook/path-table';
import { isRoute } from '../../src/runtime/webhook/routes';
import { Hooks, hook } from './hooks';

const open = { auth: 'none' };

/** Collects garbage, so that what is left is in use. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

describe('webhook: hostile requests', () => {
  let hooks: Hooks;
  beforeEach(() => {
    hooks = new Hooks();
  });
  afterEach(() => hooks.stop());

  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  it('parses JSON of 100 levels', async () => {
    await hooks.start([hook('bell', { ...open, path: '/bell' })]);
    await hooks.send('POST', '/bell', nested(100));
    const [call] = await hooks.calls(1);
    assert.deepEqual(call?.payload, JSON.parse(nested(100)));
  });

  it('keeps JSON as text that is too deep for other nodes', async () => {
    const copies = hook('bell', { ...open, path: '/bell', wires: [['first', 'first', 'second'], []] });
    await hooks.start([copies]);
    const deep = nested(32 * 1024);
    assert.equal((await hooks.send('POST', '/bell', deep)).status, 200);
    const [call] = await hooks.calls(2);
    assert.equal(call?.payload, deep);
  });

  it('keeps it as text, whatever brackets its strings hold', async () => {
    await hooks.start([hook('bell', { ...open, path: '/bell' })]);
    const bodies = [
      `["${']'.repeat(5_000)}",${nested(5_000)}]`,
      `["\\"${']'.repeat(5_000)}",${nested(5_000)}]`,
    ];
    for (const body of bodies) await hooks.send('POST', '/bell', body);
    const texts = await hooks.calls(bodies.length);
    assert.deepEqual(
      texts.map(({ payload }) => payload),
      bodies,
    );
  });

  it('takes a body that comes in thousands of pieces', async () => {
    await hooks.start([hook('bell', { ...open, path: '/bell' })]);
    const head = 'POST /bell HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    assert.match(await hooks.raw(`${head}${'1\r\nx\r\n'.repeat(9_000)}0\r\n\r\n`), /^HTTP\/1\.1 200 /);
    const [call] = await hooks.calls(1);
    assert.equal(call?.payload, 'x'.repeat(9_000));
  });

  it('answers 100 of a thousand requests that come together on one connection', async () => {
    await hooks.start([hook('bell', { auth: 'token', path: '/bell' })], { bell: { password: 'sesame' } });
    const one = 'POST /bell HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx';
    const last = one.replace('Host: x', 'Host: x\r\nConnection: close');
    const answer = await hooks.raw(one.repeat(999) + last);
    assert.equal(answer.match(/HTTP\/1\.1 (?:401|429)/g)?.length, 1_000);
    assert.deepEqual(hooks.passed, []);
  });

  it('answers a thousand requests of one connection, one after the other', async () => {
    await hooks.start([hook('bell', { auth: 'token', path: '/bell' })], { bell: { password: 'sesame' } });
    const one = 'GET /bell HTTP/1.1\r\nHost: x\r\n';
    let write = (_more: string) => {};
    let left = 999;
    const answer = await hooks.raw(
      `${one}\r\n`,
      (next) => {
        write = next;
      },
      () => {
        left -= 1;
        if (left >= 0) write(`${one}${left > 0 ? '' : 'Connection: close\r\n'}\r\n`);
      },
    );
    assert.equal(answer.match(/HTTP\/1\.1 (?:401|429)/g)?.length, 1_000);
  });

  it('decodes no path of thousands of invalid codes, and takes none for a route', () => {
    const codes = '%ffa'.repeat(1_000);
    assert.equal(decodePath(`/%41${codes}`), `/%41${codes}`);
    assert.equal(decodePath('/%41'), '/A');
    assert.equal(isRoute('GET', `/api/files/tones${'/a'.repeat(2_000)}`), false);
    assert.equal(isRoute('GET', '/api/files/tones/a.wav'), true);
  });

  it('takes a query of thousands of names', async () => {
    await hooks.start([hook('bell', { ...open, path: '/bell' })]);
    const names = Array.from({ length: 2_000 }, (_, index) => `n${index}`);
    await hooks.send('GET', `/bell?${names.join('&')}&n0=b`);
    const [call] = await hooks.calls(1);
    const query = call?.webhook.query as Record<string, unknown>;
    assert.deepEqual([Object.keys(query).length, query.n0, query.n1], [2_000, ['', 'b'], '']);
  });

  it('takes names that mean something to JavaScript for names', async () => {
    await hooks.start([hook('bell', { ...open, path: '/bell' })]);
    const body = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":null}';
    await hooks.send('POST', '/bell?__proto__=x&constructor=y', body);
    const [call] = await hooks.calls(1);
    assert.equal(JSON.stringify(call?.payload), body);
    assert.equal(JSON.stringify(call?.webhook.query), '{"__proto__":"x","constructor":"y"}');
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  it('takes bytes that are no text', async () => {
    await hooks.start([hook('bell', { ...open, path: '/bell' })]);
    await hooks.send('POST', '/bell', Buffer.from([0xff, 0xfe, 0x00, 0x80]));
    const [call] = await hooks.calls(1);
    assert.equal(typeof call?.payload, 'string');
  });

  const heads: Readonly<Record<string, string>> = {
    'two lengths': 'Content-Length: 2\r\nContent-Length: 4\r\n',
    'a length and chunks': 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n',
    'a length that is no number': 'Content-Length: 2x\r\n',
    'a control character in a header': 'X-Token: a\u0000b\r\n',
    'another control character in a header': 'X-Token: a\u0001b\r\n',
    'DEL in a header': 'X-Token: a\u007fb\r\n',
    'a carriage return in a header': 'X-Token: a\rb\r\n',
    'a line break in a header': 'X-Token: a\nContent-Length: 2\r\n\r\n',
  };
  for (const [what, head] of Object.entries(heads)) {
    it(`lets nobody in with ${what}`, async () => {
      await hooks.start([hook('bell', { auth: 'token', path: '/bell' })], { bell: { password: 'sesame' } });
      const answer = await hooks.raw(
        `POST /bell HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Token: wrong\r\n${head}\r\n{}`,
      );
      assert.match(answer, /^HTTP\/1\.1 40[01] /);
      assert.deepEqual(hooks.first, []);
    });
  }

  it('reads no header that says for whom a request was forwarded', async () => {
    await hooks.start([hook('bell', { ...open, path: '/bell' })]);
    const headers = { 'X-Forwarded-For': '10.1.2.3', Forwarded: 'for=10.1.2.3', 'X-Real-IP': '10.1.2.3' };
    await hooks.send('GET', '/bell', '', headers);
    const [call] = await hooks.calls(1);
    assert.doesNotMatch(JSON.stringify(call), /10\.1\.2\.3/);
  });

  it('answers 10,000 requests, and keeps nothing of them', async () => {
    await hooks.start(
      [
        hook('bell', { ...open, path: '/bell', cooldown: 3_600, wires: [[], []] }),
        hook('locked', { path: '/locked', wires: [[], []] }),
      ],
      { locked: { password: 'sesame' } },
    );
    // The helper spies on each message and each line of the log, and keeps them.
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    let count = 0;
    const statuses = new Set<number | undefined>();
    const one = () =>
      new Promise<void>((resolve, reject) => {
        count += 1;
        const path = count % 2 === 0 ? `/bell/${count}` : `/locked/${count}`;
        const headers = {
          Authorization: `hmac admin:${count}:${'0'.repeat(64)}`,
          Date: new Date().toUTCString(),
        };
        const request = httpRequest(`${hooks.url}${path}`, { agent, method: 'POST', headers }, (response) => {
          statuses.add(response.statusCode);
          response.resume().on('end', resolve);
        });
        request.on('error', reject).end(JSON.stringify({ count, fill: 'x'.repeat(1_000) }));
      });
    const many = async (times: number) => {
      for (let sent = 0; sent < times; sent += 100) await Promise.all(Array.from({ length: 100 }, one));
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = await many(2_000);
    const after = await many(10_000);
    agent.destroy();
    assert.deepEqual([...statuses].sort(), [200, 401, 429]);
    assert.ok(after - before < 5 * 1024 * 1024, `${after - before} bytes more`);
    assert.ok(helper.getNode('bell'));
  });
});
