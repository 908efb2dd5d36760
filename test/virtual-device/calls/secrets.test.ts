import assert from 'node:assert/strict';
import type { Call } from '../../../src/virtual-device/calls/call';
import { type CallEntry, callEntryOf } from '../../../src/virtual-device/calls/call-entry';
import { SecretCalls } from '../../../src/virtual-device/calls/secret-calls';
import { show } from '../../../src/virtual-device/checks/checks';
import { withoutSecrets } from '../../../src/virtual-device/log/secrets';

const call = { method: 'POST', target: '192.0.2.1', path: '/bell', header: '', payload: '' };

const answer = { status: 200, body: '', isCut: false };

/** Returns the entry of a call, after others that the same device has sent. */
function entryOf(
  more: Partial<Call>,
  body = '',
  { password = 'own-pass-word', earlier = [] as readonly Partial<Call>[] } = {},
): CallEntry {
  const calls = new SecretCalls();
  const last = { ...call, ...more };
  for (const one of [...earlier, last]) calls.add({ ...call, ...one });
  return callEntryOf(last, undefined, { ...answer, body }, 0, (text) =>
    calls.mightBeRepeated(text, last, password),
  );
}

/** Returns what the log shows of an answer that repeats the headers of the call. */
function answerOf(body: string): string | undefined {
  return entryOf({}, body).answer;
}

describe('the log of a call, whose answer repeats secrets', () => {
  it('masks a signature that is cut off', () => {
    const before = 'x'.repeat(1_900);
    const whole = answerOf(`${before} hmac admin:nonce:${'ab'.repeat(32)} and more`);
    assert.equal(whole?.slice(before.length), ' hmac *** and more');
    const cut = answerOf(`${'x'.repeat(1_950)} hmac admin:nonce:${'ab'.repeat(32)}`);
    assert.equal(cut?.slice(1_950), ' hmac ***');
  });

  it('masks tokens in headers and in JSON', () => {
    for (const text of ['X-Token: s3cr3t', '{"x-token":"s3cr3t"}', 'Authorization: Bearer s3cr3t'])
      assert.doesNotMatch(answerOf(text) ?? 's3cr3t', /s3cr3t/, text);
  });

  it('masks secrets in queries, cookies and the users of URLs', () => {
    for (const text of [
      '/bell?token=s3cr3t&n=1',
      '/bell?access_token=s3cr3t',
      '/bell?api_key=s3cr3t',
      'X-Api-Key: s3cr3t',
      '{"apiKey":"s3cr3t"}',
      'Cookie: a=s3cr3t; b=s3cr3t',
      'Set-Cookie: a=s3cr3t; Path=/',
      'see http://admin:s3cr3t@192.0.2.1/ for more',
      'see ftp://admin:s3cr3t@192.0.2.1/ for more',
      '"Accept: a\\r\\nX-Token: s3cr3t\\r\\nCookie: a=s3cr3t"',
    ]) {
      assert.doesNotMatch(answerOf(text) ?? 's3cr3t', /s3cr3t/, text);
      const { path } = entryOf({ path: `/x?${text}` });
      assert.doesNotMatch(path, /s3cr3t/, text);
    }
    assert.equal(answerOf('/bell?token=s3cr3t&n=1'), '/bell?token=***&n=1');
    assert.equal(answerOf('http://a:s3cr3t@192.0.2.1/x'), 'http://***@192.0.2.1/x');
    assert.equal(answerOf('http://192.0.2.1/x@y'), 'http://192.0.2.1/x@y');
  });
});

describe('the log of a call, whose answer repeats a header of the call', () => {
  const basic = Buffer.from('admin:s3cr3t').toString('base64');
  const headers = [
    `Authorization: Basic ${basic}`,
    'Authorization: s3cr3t',
    'Authorization: Token s3cr3t',
    'Authorization: Digest username="a", response="s3cr3t"',
    'X-U: s3cr3t',
    'Cookie: sid=s3cr3t; b=c',
    'Content-Type: text/plain\\r\\nX-U:s3cr3t\\r\\n',
  ];
  const bytes = Buffer.from('s3cr3t');
  const forms = [
    's3cr3t',
    'S3CR3T',
    's%33cr3t',
    's\\u0033cr3t',
    's=33cr3t',
    's&quot;3cr3t',
    [...'s3cr3t'].join('\0'),
    [...'s3cr3t'].reverse().join(''),
    bytes.toString('hex'),
    [...bytes].map((byte) => `0x${byte.toString(16).toUpperCase()}`).join(', '),
    JSON.stringify([...bytes]),
    ...['', 'x', 'x:', 'xyz', 'admin:'].map((before) => Buffer.from(`${before}s3cr3t`).toString('base64')),
    Buffer.from('s3cr3t, and more').toString('base64'),
  ];
  const shown = (header: string, body: string) => entryOf({ header }, body);

  for (const header of headers)
    it(`does not show it: ${header}`, () => {
      for (const form of [...forms, ...(header.includes(basic) ? [basic, encodeURIComponent(basic)] : [])]) {
        const entry = shown(header, `you sent {"it":"${form}"}`);
        assert.deepEqual([entry.answer, entry.status], [undefined, 200], form);
        assert.match(entry.reason ?? '', /not shown, because it might repeat a secret/);
      }
      assert.equal(shown(header, 'The Token in "it" is fine').answer, 'The Token in "it" is fine');
    });
});

describe('the log of a call, whose login is of any length', () => {
  for (let length = 0; length <= 40; length += 1)
    it(`hides an answer that repeats a password of ${length} characters`, () => {
      const password = 'Plainpassw0rdOfManyCharacters4242424242424242'.slice(0, length);
      const basic = Buffer.from(`admin:${password}`).toString('base64');
      for (const body of [`(${password})`, `admin:${password}`, basic, basic.replace(/=+$/, '')]) {
        const header = `Authorization: Basic ${basic}`;
        const { answer: shown } = entryOf({ header }, body);
        assert.equal(shown, undefined, body);
      }
    });
});

describe('the log of a call, whose answer repeats the password of the device', () => {
  it('has no answer', () => {
    for (const body of ['your password own-pass-word', '{"error":"own-pass-word"}', 'own%2Dpass%2Dword'])
      assert.equal(answerOf(body), undefined, body);
  });

  it('has it if the password is too short to be looked for', () => {
    assert.equal(entryOf({}, 'algo is fine', { password: 'algo' }).answer, 'algo is fine');
  });
});

describe('the log of a call, whose answer repeats a secret of an earlier call', () => {
  const entry = (earlier: readonly Partial<Call>[], body: string, more: Partial<Call> = {}) =>
    entryOf(more, body, { earlier }).answer;
  const token = { header: 'X-Token: s3cr3t-value' };

  it('has no answer', () => {
    assert.equal(entry([token], 'you sent s3cr3t-value'), undefined);
    assert.equal(entry([token], 'fine'), 'fine');
    assert.equal(entry([{ payload: '{"token":"s3cr3t-value"}' }], 'you sent s3cr3t-value'), undefined);
    const names = ['127.0.0.1:80', 'http://LOCALHOST/', '[::1]', '127.1'];
    for (const target of names)
      for (const other of names)
        assert.equal(entry([{ ...token, target }], 'you sent s3cr3t-value', { target: other }), undefined);
  });

  it('has it if another target got the secret', () =>
    assert.equal(
      entry([{ ...token, target: '192.0.2.2' }], 'you sent s3cr3t-value'),
      'you sent s3cr3t-value',
    ));

  it('has none after many different secrets', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ header: `X-Token: secret-${n}` }));
    assert.equal(entry(many(3), 'fine'), 'fine');
    assert.equal(entry(many(4), 'fine'), undefined);
  });
});

describe('the log of a call, whose target has a query', () => {
  it('masks the secrets in it', () => {
    const target = 'http://192.0.2.1/?token=s3cr3t';
    assert.equal(entryOf({ target }).target, 'http://192.0.2.1/?token=***');
  });
});

describe('the log of a call, whose answer repeats a secret of the path or the payload', () => {
  const entry = (more: object) => entryOf(more, 'got s3cr3t-value');

  it('has no answer', () => {
    for (const more of [
      { payload: '{"password":"s3cr3t-value"}' },
      { payload: '{"user":{"api.admin.pwd":"s3cr3t-value"}}' },
      { payload: '{"p\\u0061ssword":"s3cr3t-value"}' },
      { payload: 'user=a&token=s3cr3t-value' },
      { payload: `${'x'.repeat(70_000)}s3cr3t-value` },
      { path: '/bell?token=s3cr3t-value' },
    ]) {
      const shown = entry(more);
      assert.equal(shown.answer, undefined, JSON.stringify(more).slice(0, 100));
      assert.match(shown.reason ?? '', /might repeat a secret of a request/);
    }
  });

  it('has it if there is no secret', () => {
    for (const more of [{ payload: '{"name":"Bell","n":[1]}' }, { payload: 'plain' }, { path: '/bell?n=1' }])
      assert.equal(entry(more).answer, 'got s3cr3t-value');
  });
});

describe('the log of a call, whose answer may repeat more than is looked for', () => {
  const entry = (header: string, body: string) => entryOf({ header }, body);

  it('does not show the answer to a call with long headers', () => {
    assert.equal(entry(`X-U: ${'x'.repeat(3000)}`, 'fine').answer, undefined);
    assert.equal(entry(`X-U: ${'x'.repeat(1000)}`, 'fine').answer, 'fine');
  });

  it('masks the digest of a signature', () =>
    assert.equal(entry('%DEVICE_HEADERS%', `admin:n:${'0f'.repeat(32)}`).answer, 'admin:n:***'));

  it('does not show the answer to a call with many values', () => {
    const many = Array.from({ length: 150 }, (_, index) => `v${1000 + index}`);
    assert.equal(entry(`X-U: ${many.join(',')}`, 'fine').answer, undefined);
    assert.equal(entry('X-U: 1', 'fine 1').answer, 'fine 1');
  });

  it('does not show the start of a secret', () => {
    const [start, secret] = ['-'.repeat(1990), 'abcdefghijklmnopqrstuvwxyz'];
    assert.equal(entry(`X-U: ${secret}`, start + secret).answer, undefined);
  });
});

describe('the log of a text with a secret', () => {
  const texts: readonly (readonly [text: string, shown: string])[] = [
    ['{"api.admin.pwd":["s3cr3t"]}', '{"api.admin.pwd":"***"}'],
    ['{"pwd":{"a":"s3cr3t"}}', '{"pwd":"***"}'],
    ['{"pwd":{"a":"s3cr3t"}', '{"pwd":***'],
    ['{"body":"{\\"pwd\\":\\"s3cr3t\\"}"}', '{"body":"{\\"pwd\\":***'],
    ['{"pwd":"s3cr3t","headers":"X-A: s3cr3t"}', '{"pwd":"***","headers":***}'],
    ["{'pwd':'s3cr3t'}", "{'pwd':***"],
    ['{"headers":"X-A: s3cr3t"}', '{"headers":***}'],
    ['{\\"header\\":\\"X-A: s3cr3t\\"}', '{\\"header\\":***'],
    ['{"Authorization":"s3cr3t"}', '{"Authorization":"***"}'],
    ['Authorization: s3cr3t', 'Authorization: ***'],
    ['Authorization: Basic s3cr3t', 'Authorization: Basic ***'],
    ['pwd=s3cr3t&n=1', 'pwd=***&n=1'],
    ['{"pwd":\n[\n"s3cr3t"]}', '{"pwd":"***"}'],
    ['{"pwd":\n[\n"s3cr3t"]', '{"pwd":\n***'],
  ];
  for (const [text, shown] of texts)
    it(`does not show it: ${text}`, () => assert.equal(withoutSecrets(text), shown));

  it('does not show it in what is wrong with a request', () => {
    assert.equal(show([{ 'api.admin.pwd': 's3cr3t' }]), '[{"api.admin.pwd":"***"}]');
    assert.equal(show('{"pwd":"s3cr3t'), '"{\\"pwd\\":***"');
  });
});

describe('the log of a schedule', () => {
  it('masks a header that is no text', () =>
    assert.deepEqual(withoutSecrets({ api_call: [{ header: ['s3cr3t'] }] }), {
      api_call: [{ header: '***' }],
    }));

  it('masks the payload by its names, also if they are written with escapes', () =>
    assert.deepEqual(withoutSecrets({ api_call: [{ payload: '{"n":1,"api.admin.p\\u0077d":"s3cr3t"}' }] }), {
      api_call: [{ payload: '{"n":1,"api.admin.pwd":"***"}' }],
    }));

  it('masks a target with a user', () => {
    for (const target of ['admin:s3cr3t@192.0.2.1', 'ftp://admin:s3cr3t@192.0.2.1'])
      assert.deepEqual(withoutSecrets({ api_call: [{ target }] }), { api_call: [{ target: '***' }] });
  });

  it('masks the values of headers, whatever their names', () => {
    const shown = (header: string) =>
      (withoutSecrets({ api_call: [{ header }] }) as Shown).api_call[0]?.header;
    for (const [header, expected] of [
      ['X-Auth: s3cr3t', 'X-Auth: ***'],
      ['Authorization: s3cr3t', 'Authorization: ***'],
      ['Authorization: Digest username="a", response="s3cr3t"', 'Authorization: ***'],
      ['X-A: s3cr3t\\r\\nContent-Type: text/plain', 'X-A: ***\\r\\nContent-Type: text/plain'],
      ['X-A:s3cr3t\r\nX-B: s3cr3t\r\n', 'X-A: ***\r\nX-B: ***\r\n'],
      ['%DEVICE_HEADERS%\r\ns3cr3t', '%DEVICE_HEADERS%\r\n***'],
      ['', ''],
    ] as const)
      assert.equal(shown(header), expected);
  });

  it('masks other names of secrets', () => {
    for (const name of ['passwd', 'client_secret', 'authorization', 'secret']) {
      assert.deepEqual(withoutSecrets({ [name]: ['s3cr3t'] }), { [name]: '***' });
      if (name !== 'authorization')
        assert.doesNotMatch(String(withoutSecrets(`/x?${name}=s3cr3t&n=1`)), /s3cr3t/, name);
    }
  });
});

interface Shown {
  readonly api_call: readonly { readonly header: string }[];
}
