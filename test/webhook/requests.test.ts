import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Hooks, hook } from './hooks';

const open = { auth: 'none' };

describe('webhook: requests', () => {
  let hooks: Hooks;
  beforeEach(() => {
    hooks = new Hooks();
  });
  afterEach(() => hooks.stop());

  it('has no input and two outputs, and its help says what a proxy does to addresses', () => {
    const page = readFileSync('nodes/webhook.html', 'utf8');
    assert.match(page, /\binputs: 0,\s+outputs: 2,/);
    assert.match(page, /Behind a proxy,\s+all requests come from the address of the proxy/);
  });

  it('has a path of its own by default', async () => {
    await hooks.start([hook('bell', open)]);
    assert.equal((await hooks.send('POST', '/algo/bell')).status, 200);
    const [call] = await hooks.calls(1);
    assert.equal(call?.webhook.path, '/algo/bell');
  });

  it('answers 200 and an empty object, and sends one message', async () => {
    await hooks.start([hook('bell', { ...open, path: '/bell' })]);
    const { status, text, headers } = await hooks.send('POST', '/bell/north?color=red&n=1&n=2', '{"a":[1]}');
    assert.deepEqual([status, text, headers['content-type']], [200, '{}', 'application/json']);
    const [first] = await hooks.calls(1);
    assert.ok(first);
    const { _msgid = '', ...call } = first;
    const { at, ...webhook } = call.webhook;
    assert.match(_msgid, /./);
    assert.ok(Math.abs(Date.parse(String(at)) - Date.now()) < 600_000, String(at));
    assert.deepEqual(
      { ...call, webhook },
      {
        topic: '127.0.0.1',
        payload: { a: [1] },
        webhook: {
          device: '127.0.0.1',
          method: 'POST',
          path: '/bell/north',
          query: { color: 'red', n: ['1', '2'] },
          address: '127.0.0.1',
          auth: 'none',
          clockOffsetMs: null,
        },
      },
    );
    assert.equal('device' in call, false);
  });

  for (const method of ['DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE']) {
    it(`answers ${method} with 405`, async () => {
      await hooks.start([hook('bell', { ...open, path: '/bell' })]);
      const { status, headers } = await hooks.send(method, '/bell');
      assert.deepEqual([status, headers.allow], [405, 'GET, POST, PUT']);
      assert.equal((await hooks.send('GET', '/bell')).status, 200);
      await hooks.calls(1);
      assert.deepEqual(hooks.second, []);
    });
  }

  const bodies: Readonly<Record<string, readonly [string, unknown]>> = {
    'nothing as an empty object': ['', {}],
    'an object': ['{"a":{"b":null}}', { a: { b: null } }],
    'a list': ['[1,"2"]', [1, '2']],
    'a number': ['5', 5],
    null: ['null', null],
    'a text in quotes': ['"red"', 'red'],
    text: ['color=red', 'color=red'],
    'a blank': [' ', ' '],
    'broken JSON': ['{"a":', '{"a":'],
    'JSON and more': ['{}{}', '{}{}'],
    'other languages': ['"Größe 音"', 'Größe 音'],
  };
  for (const [what, [body, payload]] of Object.entries(bodies)) {
    it(`reads ${what}, whatever the content type says`, async () => {
      await hooks.start([hook('bell', { ...open, path: '/bell' })]);
      for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
        await hooks.send('POST', '/bell', body, { 'Content-Type': type });
      }
      for (const call of await hooks.calls(3)) assert.deepEqual(call.payload, payload);
    });
  }

  it('passes a request on once in a cooldown, which repeats do not prolong', async () => {
    await hooks.start([hook('bell', { ...open, path: '/bell', cooldown: '3600' })]);
    for (const _time of [1, 2, 3]) assert.equal((await hooks.send('POST', '/bell', '{}')).status, 200);
    await hooks.send('PUT', '/bell', '{}');
    await hooks.send('POST', '/bell/2', '{}');
    await hooks.send('POST', '/bell', '{ }');
    assert.equal((await hooks.send('POST', '/bell?n=2', '{}')).status, 200);
    assert.equal((await hooks.send('POST', '/%62ell', '{}')).status, 200);
    await hooks.send('POST', '/bell/3', '{}');
    const calls = await hooks.calls(5);
    assert.deepEqual(
      calls.map(({ webhook: { method, path } }) => [method, path]),
      [
        ['POST', '/bell'],
        ['PUT', '/bell'],
        ['POST', '/bell/2'],
        ['POST', '/bell'],
        ['POST', '/bell/3'],
      ],
    );
    assert.deepEqual(hooks.second, []);
  });
});
