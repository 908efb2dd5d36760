import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { mock } from 'node:test';
import { NonceStore } from '../../src/client/signature-check';
import { PropertyFinding } from '../../src/kernel/property';
import { checkLogin } from '../../src/runtime/webhook/login';
import { readWebhook } from '../../src/runtime/webhook/settings';
import { sign } from '../fixtures/signer';
import { authorization, md5 } from '../fixtures/signing';
import { Hooks, hook } from './hooks';

const password = { bell: { password: 'sesame' } };
const options = { password: 'sesame' };
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('webhook: login', () => {
  let hooks: Hooks;
  beforeEach(() => {
    hooks = new Hooks();
  });
  afterEach(() => hooks.stop());

  /** Starts a webhook at `/bell`. */
  const start = (more: Readonly<Record<string, unknown>> = {}, credentials = password, settings = {}) =>
    hooks.start([hook('bell', { path: '/bell', ...more })], credentials, settings);

  it('accepts a Standard signature by default, of a request with a body and of one without', async () => {
    await start();
    assert.equal((await hooks.signed('POST', '/bell/x', { ...options, body: '{"n":1}' })).status, 200);
    assert.equal((await hooks.signed('GET', '/bell', options)).status, 200);
    assert.equal(
      (await hooks.signed('PUT', '/bell', { ...options, body: 'text', type: 'text/plain' })).status,
      200,
    );
    const calls = await hooks.calls(3);
    assert.deepEqual(
      calls.map(({ payload, webhook: { auth } }) => [payload, auth]),
      [
        [{ n: 1 }, 'standard'],
        [{}, 'standard'],
        ['text', 'standard'],
      ],
    );
  });

  it('checks the signature over the path as it came, with the root, with or without the query', async () => {
    await start({}, password, { httpNodeRoot: '/red' });
    const path = '/red/bell/a%20b';
    assert.equal((await hooks.signed('GET', path, options)).status, 200);
    assert.equal((await hooks.signed('GET', `${path}?x=1`, options)).status, 200);
    assert.equal((await hooks.signed('GET', `${path}?x=1`, { ...options, uri: `${path}?x=1` })).status, 200);
    assert.equal((await hooks.signed('GET', path, { ...options, uri: '/bell/a%20b' })).status, 401);
    assert.equal((await hooks.signed('GET', path, { ...options, uri: '/red/bell/a b' })).status, 401);
    await hooks.calls(3);
  });

  it('accepts the path of a request that names its server', async () => {
    await start();
    const seconds = Math.floor(Date.now() / 1000);
    const login = authorization({ method: 'GET', uri: '/bell', seconds, nonce: 'n' }, 'sesame');
    const date = new Date(seconds * 1000).toUTCString();
    const answer = await hooks.raw(
      `GET http://any.example/bell HTTP/1.1\r\nHost: x\r\nDate: ${date}\r\nAuthorization: ${login}\r\nConnection: close\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 200 /);
    await hooks.calls(1);
  });

  it('refuses a signature that is too far away in time, and says so', async () => {
    await start();
    for (const ahead of [-600_000, 600_000]) {
      const { status } = await hooks.signed('GET', '/bell', { ...options, now: Date.now() + ahead });
      assert.equal(status, 401);
    }
    const refusals = await hooks.refusals(2);
    assert.deepEqual(
      refusals.map(({ reason, clockOffsetMs = 0 }) => [reason, Math.sign(clockOffsetMs)]),
      [
        ['clock', -1],
        ['clock', 1],
      ],
    );
  });

  it('accepts it with a larger tolerance, and reports the difference of the clocks', async () => {
    await start({ tolerance: '3600' });
    assert.equal((await hooks.signed('GET', '/bell', { ...options, now: Date.now() - 600_000 })).status, 200);
    const [call] = await hooks.calls(1);
    const offset = Number(call?.webhook.clockOffsetMs);
    assert.ok(Math.abs(offset + 600_000) < 300_000, String(offset));
  });

  /** Signs with a nonce of the test's choice. */
  const withNonce = (nonce: string, method = 'POST', body = '{"n":1}') => {
    const seconds = Math.floor(Date.now() / 1000);
    const content = { body, type: 'application/json' };
    const login = authorization({ method, uri: '/bell', content, seconds, nonce }, 'sesame');
    return {
      Authorization: login,
      Date: new Date(seconds * 1000).toUTCString(),
      'Content-MD5': md5(body),
      'Content-Type': 'application/json',
    };
  };

  it('accepts a nonce once', async () => {
    await start();
    const headers = withNonce('once');
    assert.equal((await hooks.send('POST', '/bell', '{"n":1}', headers)).status, 200);
    assert.equal((await hooks.send('POST', '/bell', '{"n":1}', headers)).status, 401);
    assert.equal(
      (await hooks.send('PUT', '/bell', '{"n":2}', withNonce('once', 'PUT', '{"n":2}'))).status,
      401,
    );
    assert.equal((await hooks.send('POST', '/bell', '{"n":1}', withNonce('twice'))).status, 200);
    await hooks.calls(2);
    const refusals = await hooks.refusals(2);
    assert.deepEqual(
      refusals.map(({ reason }) => reason),
      ['replay', 'replay'],
    );
  });

  it('uses a nonce up only with an accepted request', async () => {
    await start();
    const headers = withNonce('free');
    assert.equal((await hooks.send('POST', '/bell', '{"n":2}', headers)).status, 401);
    assert.equal((await hooks.send('POST', '/bell/x', '{"n":1}', headers)).status, 401);
    assert.equal((await hooks.send('POST', '/bell', '{"n":1}', headers)).status, 200);
    await hooks.calls(1);
  });

  it('remembers a nonce over deploys, also where another node receives the request now', async () => {
    const bell = hook('bell', { path: '/bell' });
    await hooks.start([bell], password);
    const headers = withNonce('kept');
    assert.equal((await hooks.send('POST', '/bell', '{"n":1}', headers)).status, 200);
    const nested = sign('GET', '/bell/in', options);
    assert.equal((await hooks.send('GET', '/bell/in', '', nested)).status, 200);
    const credentials = { bell: { password: 'sesame' }, inner: { password: 'sesame' } };
    await hooks.redeploy(
      [{ ...bell, name: 'another' }, hook('inner', { path: '/bell/in' })],
      'nodes',
      credentials,
    );
    assert.equal((await hooks.send('POST', '/bell', '{"n":1}', headers)).status, 401);
    assert.equal((await hooks.send('GET', '/bell/in', '', nested)).status, 401);
    assert.equal((await hooks.signed('GET', '/bell', options)).status, 200);
    assert.equal((await hooks.signed('GET', '/bell/in', options)).status, 200);
    await hooks.calls(4);
  });

  it('accepts Basic authentication', async () => {
    await start({ auth: 'basic' }, { bell: { password: 'sésame: "' } });
    const header = (login: string) => ({ Authorization: `Basic ${base64(login)}` });
    assert.equal((await hooks.send('POST', '/bell', '{}', header('admin:sésame: "'))).status, 200);
    for (const wrong of ['admin:sesame', 'admin:', 'admin', 'root:sésame: "', 'admin:sésame: " ', '']) {
      assert.equal((await hooks.send('POST', '/bell', '{}', header(wrong))).status, 401, wrong);
    }
    assert.equal((await hooks.signed('GET', '/bell', { password: 'sésame: "' })).status, 401);
    const [call] = await hooks.calls(1);
    assert.equal(call?.webhook.auth, 'basic');
    for (const { reason } of await hooks.refusals(7)) assert.equal(reason, 'password');
  });

  it('compares passwords and tokens in constant time, whatever their length', () => {
    const compare = mock.method(crypto, 'timingSafeEqual');
    for (const [auth, count] of [
      ['basic', 1],
      ['token', 2],
    ] as const) {
      for (const given of ['', 's', 'sesame', 'sesame and more']) {
        compare.mock.resetCalls();
        const authorization = auth === 'basic' ? `Basic ${base64(`admin:${given}`)}` : `Bearer ${given}`;
        const request = { method: 'GET', target: '/', headers: { authorization }, body: Buffer.alloc(0) };
        const settings = readWebhook({ auth }, { id: 'bell', password: 'sesame' }, { node: '/', admin: '/' });
        assert.ok(!(settings instanceof PropertyFinding));
        const refusal = checkLogin(settings, request, new NonceStore(), 0);
        assert.equal(refusal === undefined, given === 'sesame');
        const lengths = compare.mock.calls.map(({ arguments: [{ byteLength }] }) => byteLength);
        assert.deepEqual(lengths, Array(count).fill(32), `${auth} ${given}`);
      }
    }
    compare.mock.restore();
  });

  it('accepts a token, as a bearer or in a header of its own', async () => {
    await start({ auth: 'token' }, { bell: { password: 'a token/+=' } });
    const good = [{ Authorization: 'Bearer a token/+=' }, { 'X-Token': 'a token/+=' }];
    for (const headers of good) assert.equal((await hooks.send('GET', '/bell', '', headers)).status, 200);
    const bad: Record<string, string>[] = [
      {},
      { Authorization: 'Bearer a token/+' },
      { Authorization: 'Bearer' },
      { Authorization: 'a token/+=' },
      { Authorization: `Basic ${base64('admin:a token/+=')}` },
      { 'X-Token': '' },
      { 'X-Token': 'a token/+=x' },
    ];
    for (const headers of bad) assert.equal((await hooks.send('GET', '/bell', '', headers)).status, 401);
    assert.equal((await hooks.send('GET', '/bell?token=a%20token/+=')).status, 401);
    await hooks.calls(2);
    for (const { reason } of await hooks.refusals(8)) assert.equal(reason, 'token');
  });

  for (const auth of ['standard', 'basic', 'token']) {
    it(`lets nobody in by ${auth} without a password, and shows it`, async () => {
      await start({ auth }, {} as typeof password);
      assert.equal((await hooks.signed('GET', '/bell', { password: '' })).status, 401);
      const empty = [{ Authorization: `Basic ${base64('admin:')}` }, { Authorization: 'Bearer ' }, {}];
      for (const headers of [...empty, { 'X-Token': '' }]) {
        assert.equal((await hooks.send('GET', '/bell', '', headers as Record<string, string>)).status, 401);
      }
      assert.deepEqual(hooks.status('bell'), { fill: 'red', shape: 'ring', text: 'status.noPassword' });
      assert.deepEqual(hooks.first, []);
    });
  }

  it('accepts a token that was entered with blanks around it', async () => {
    await start({ auth: 'token' }, { bell: { password: ' sesame\n' } });
    assert.equal((await hooks.send('GET', '/bell', '', { 'X-Token': 'sesame' })).status, 200);
  });

  for (const [written, sent] of [
    ['${NOT_SET_ANYWHERE}', '${NOT_SET_ANYWHERE}'],
    ['  ', '  '],
    [{}, '[object Object]'],
    [true, 'true'],
  ] as const) {
    it(`takes ${JSON.stringify(written)} for no password, as a variable can have it`, async () => {
      await start({ auth: 'basic' }, { bell: { password: written as string } });
      const login = { Authorization: `Basic ${base64(`admin:${sent}`)}` };
      assert.equal((await hooks.send('GET', '/bell', '', login)).status, 401);
      assert.equal(hooks.status('bell')?.text, 'status.noPassword');
    });
  }

  it('answers a failed login with bytes that depend on nothing but its auth', async () => {
    const auths = ['standard', 'basic', 'token'];
    const paths = auths.flatMap((auth) => [
      hook(auth, { path: `/${auth}`, auth }),
      hook(`locked-${auth}`, { path: `/${auth}/locked`, auth }),
    ]);
    const credentials = Object.fromEntries(auths.map((auth) => [auth, { password: 'sesame' }]));
    await hooks.start(paths, credentials);
    const date = new Date().toUTCString();
    const logins = [
      '',
      `Authorization: Basic ${base64('admin:wrong')}\r\n`,
      'Authorization: Bearer wrong\r\n',
      'X-Token: wrong\r\n',
      `Date: ${date}\r\nAuthorization: hmac admin:n:${'0'.repeat(64)}\r\n`,
      `Authorization: hmac admin:n:${'0'.repeat(64)}\r\n`,
      'Referer: http://x/red/\r\n',
    ];
    const answersOf = async (auth: string) => {
      const answers = new Set<string>();
      for (const path of [auth, `${auth}/sub?x=1`, `${auth}/locked`]) {
        for (const login of logins) {
          const answer = await hooks.raw(
            `GET /${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${login}\r\n`,
          );
          answers.add(answer.replace(/^Date: .*\r\n/m, ''));
        }
      }
      return [...answers];
    };
    const [standard, basic, token] = [
      await answersOf('standard'),
      await answersOf('basic'),
      await answersOf('token'),
    ];
    assert.equal(standard.length, 1);
    assert.match(standard[0] ?? '', /^HTTP\/1\.1 401 /);
    assert.doesNotMatch(standard[0] ?? '', /WWW-Authenticate|sesame/i);
    assert.deepEqual(token, standard);
    const challenge = 'WWW-Authenticate: Basic realm="Node-RED", charset="UTF-8"\r\n';
    assert.equal(basic.length, 1);
    assert.equal(basic[0]?.split(challenge).length, 2);
    assert.equal(basic[0]?.replace(challenge, ''), standard[0]);
  });

  it('answers no other refusal of a Basic webhook with a challenge', async () => {
    const from = ['192.0.2.1'];
    await hooks.start(
      [hook('bell', { path: '/bell', auth: 'basic' }), hook('shut', { path: '/shut', auth: 'basic', from })],
      { bell: { password: 'sesame' }, shut: { password: 'sesame' } },
    );
    const good = { Authorization: `Basic ${base64('admin:sesame')}` };
    const replies = [
      await hooks.send('GET', '/bell', '', good),
      await hooks.send('DELETE', '/bell', '', good),
      await hooks.send('GET', '/shut', '', good),
    ];
    assert.deepEqual(
      replies.map(({ status, headers }) => [status, headers['www-authenticate']]),
      [
        [200, undefined],
        [405, undefined],
        [403, undefined],
      ],
    );
  });
});
