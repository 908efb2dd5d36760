import assert from 'node:assert/strict';
import { matchRoute } from '../../src/runtime/webhook/routes';
import { Hooks, hook } from './hooks';

const open = { auth: 'none' };

describe('webhook: hostile requests', () => {
  let hooks: Hooks;
  beforeEach(() => {
    hooks = new Hooks();
  });
  afterEach(() => hooks.stop());

  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  it('parses JSON of 100 levels, and keeps JSON as text that is too deep for other nodes', async () => {
    await hooks.start([hook('bell', { ...open, path: '/bell', wires: [['first', 'first', 'second'], []] })]);
    for (const body of [nested(100), nested(32 * 1024)]) {
      assert.equal((await hooks.send('POST', '/bell', body)).status, 200);
    }
    const calls = await hooks.calls(4);
    const payloads = [JSON.parse(nested(100)), nested(32 * 1024)];
    assert.deepEqual(
      calls.map(({ payload }) => payload),
      payloads.flatMap((payload) => [payload, payload]),
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

  it('takes no path of thousands of segments for a route', () => {
    assert.equal(matchRoute('GET', `/api/files/tones${'/a'.repeat(2_000)}`), undefined);
    assert.notEqual(matchRoute('GET', '/api/files/tones/a.wav'), undefined);
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

  it('reads no header that says for whom a request was forwarded', async () => {
    await hooks.start([hook('bell', { ...open, path: '/bell' })]);
    const headers = { 'X-Forwarded-For': '10.1.2.3', Forwarded: 'for=10.1.2.3', 'X-Real-IP': '10.1.2.3' };
    await hooks.send('GET', '/bell', '', headers);
    const [call] = await hooks.calls(1);
    assert.doesNotMatch(JSON.stringify(call), /10\.1\.2\.3/);
  });
});
