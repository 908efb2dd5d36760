import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import type { Address } from '../../../src/virtual-device/calls/address';
import type { Call } from '../../../src/virtual-device/calls/call';
import { type CallEntry, callEntryOf } from '../../../src/virtual-device/calls/call-entry';
import { refusal } from '../../../src/virtual-device/calls/result';
import { SecretTargets } from '../../../src/virtual-device/calls/secret-targets';
import { type DeviceTraits, mismatch, object, show } from '../../../src/virtual-device/checks/checks';
import { withoutSecrets } from '../../../src/virtual-device/log/secrets';

const call = { method: 'POST', target: '192.0.2.1', path: '/bell', header: '', payload: '' };

const answer = { status: 200, body: '', isCut: false };

/** Returns the entry of a call, after others that the same device has sent. */
function entryOf(
  more: Partial<Call>,
  body = '',
  { password = 'own-pass-word', earlier = [] as readonly Partial<Call>[] } = {},
): CallEntry {
  const targets = new SecretTargets();
  const last = { ...call, ...more };
  const target = targetIn(targets, last);
  for (const one of [...earlier, last]) targetIn(targets, one).add({ ...call, ...one }, password);
  return callEntryOf(last, undefined, { ...answer, body }, 0, (text) => target.mightRepeat(text, password));
}

function targetIn(targets: SecretTargets, { target = call.target }: Partial<Call>) {
  const [address = '', port = '80'] = target.split(':');
  return targets.at([{ address, family: 4 }], Number(port));
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

  it('masks what was typed into the method or the name of an event', () => {
    const typed = 'X-Token: s3cr3t';
    const entry = callEntryOf({ ...call, method: typed }, typed, refusal('wrong'), 0, () => false);
    assert.deepEqual([entry.method, entry.event], ['X-Token: ***', 'X-Token: ***']);
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

describe('the log of a call, whose target knows a secret', () => {
  const hidden = (more: Partial<Call>, earlier: readonly Partial<Call>[] = []) => {
    const { answer: shown, reason, status } = entryOf(more, 'fine', { earlier });
    assert.equal(status, 200);
    if (shown === undefined)
      assert.match(reason ?? '', /not shown, because its target might repeat a secret/);
    return shown === undefined;
  };
  const token = { header: 'X-Token: abc' };

  for (const [name, header, isHidden] of [
    ['a short login', `Authorization: Basic ${Buffer.from('admin:abc').toString('base64')}`, true],
    ['a login without a password', `Authorization: Basic ${Buffer.from('admin:').toString('base64')}`, true],
    ['a short token', 'Content-Type: text/plain\\r\\nX-Token:abc\\r\\n', true],
    ['a login', `Authorization: Basic ${Buffer.from('admin:abcd').toString('base64')}`, false],
    ['a signature', '%DEVICE_HEADERS%', false],
    ['harmless headers', 'Content-Type: text/plain\\r\\nAccept: */*\\r\\nUser-Agent: a', false],
    ['another header', 'X-Bell: noon', false],
    ['no header', '', false],
  ] as const)
    it(`${isHidden ? 'has no' : 'has the'} answer to a call with ${name}`, () =>
      assert.equal(hidden({ header }), isHidden));

  it('has no answer to a later call', () => {
    assert.equal(hidden({}, [{ payload: '{"token":"s3cr3t-value"}' }]), true);
  });

  it('has the answer of another target', () => {
    assert.equal(hidden({}, [{ ...token, target: '198.51.100.2' }]), false);
    assert.equal(hidden({}, [{ ...token, target: `${call.target}:8080` }]), false);
  });
});

describe('the log of a call, whose answer repeats the value of a header', () => {
  const inBase64 = (text: string) => Buffer.from(text).toString('base64');
  const headers = [
    'X-U: s3cr3t-value, and more',
    'X-Token: s3cr3t-value',
    'Authorization: s3cr3t-value',
    'Authorization: Bearer s3cr3t-value',
    'Authorization: Digest username="a", response="s3cr3t-value"',
    `Authorization: Basic ${inBase64('admin:s3cr3t-value')}`,
    `Authorization: ${inBase64('admin:s3cr3t-value')}`,
    'Cookie: sid=s3cr3t-value; b=c',
    '%DEVICE_HEADERS%\r\ns3cr3t-value',
  ];
  const bodies = [
    '(s3cr3t-value)',
    'value=s3cr3t-value',
    'S3CR3T-VALUE',
    's%33cr3t%2dvalue',
    inBase64('admin:s3cr3t-value'),
  ];
  for (const header of headers)
    it(`has no answer: ${header}`, () => {
      for (const body of bodies) {
        assert.equal(entryOf({ header }, body).answer, undefined, body);
        assert.equal(entryOf({}, body, { earlier: [{ header }] }).answer, undefined, body);
      }
      assert.equal(entryOf({ header }, 'The Token in "it" is fine').answer, 'The Token in "it" is fine');
    });

  it('has no answer with a value of several short words, or of other letters', () => {
    for (const value of ['Zq7 w9b Kj1', 'ab cd e', 'éàüößñç', 'пароль', '!$%&/()=?']) {
      assert.equal(entryOf({ header: `X-Token: ${value}` }, `k: ${value} .`).answer, undefined, value);
      const basic = `Authorization: Basic ${inBase64(`admin:${value}`)}`;
      assert.equal(entryOf({ header: basic }, `k: ${value} .`).answer, undefined, value);
    }
  });

  for (let length = 0; length <= 40; length += 1)
    it(`has no answer with a password of ${length} characters`, () => {
      const password = 'Plainpassw0rdOfManyCharacters4242424242424242'.slice(0, length);
      const basic = inBase64(`admin:${password}`);
      for (const body of [`(${password})`, `admin:${password}`, basic, basic.replace(/=+$/, '')])
        assert.equal(entryOf({ header: `Authorization: Basic ${basic}` }, body).answer, undefined, body);
    });

  it('has no answer after many values', () => {
    const many = Array.from({ length: 150 }, (_, index) => `v${1000 + index}`);
    assert.equal(entryOf({ header: `X-U: ${many.join(',')}` }, 'fine').answer, undefined);
  });
});

describe('the log of a call, whose answer repeats the password of a device', () => {
  for (const password of ['own-pass-word', 's3cr3t', 'Zq7\tw9b', '4f7a9c2e81d3b6']) {
    const bytes = Buffer.from(password);
    const forms = [
      password,
      `=${password}`,
      JSON.stringify({ error: password }),
      [...password].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
      [...password].map((one) => `&#${one.charCodeAt(0)};`).join(''),
      [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
      ...['', 'x', 'x:', 'admin:'].map((before) => Buffer.from(before + password).toString('base64')),
      bytes.toString('hex'),
      JSON.stringify([...bytes]),
    ];
    it(`has no answer: ${JSON.stringify(password)}`, () => {
      for (const form of forms)
        assert.equal(entryOf({}, `you are ${form}`, { password }).answer, undefined, form);
      assert.equal(entryOf({}, 'you are fine', { password }).answer, 'you are fine');
    });
  }

  it('has no answer at all if the password cannot be found in every encoding', () => {
    for (const password of [
      'pässwörd1',
      'пароль',
      'パスワード',
      '!$%&/()=?',
      '%41bc%2FZq7',
      'Zq7\\nw9b',
      'па\\nроль',
    ]) {
      assert.equal(entryOf({}, 'fine', { password }).answer, undefined, password);
      const basic = Buffer.from(`admin:${password}`).toString('base64');
      for (const header of [`X-Token: ${password}`, `X-U: ${password}`, `Authorization: Basic ${basic}`]) {
        assert.equal(entryOf({ header }, 'fine').answer, undefined, header);
        assert.equal(entryOf({}, 'fine', { earlier: [{ header }] }).answer, undefined, header);
      }
    }
  });

  it('has no answer with the nonce of a signature, in any encoding', () => {
    const digest = '0123456789abcdef'.repeat(4);
    const target = targetIn(new SecretTargets(), {});
    const nonce = 'Zq7-w9bKj1_Xp4Rt8Lm2Ns';
    const login = `hmac admin:${nonce}:${digest}`;
    target.addSignature([['Authorization', login]]);
    const bytes = Buffer.from(login);
    const signature = Buffer.from(digest, 'hex').toString('base64');
    for (const form of [
      nonce,
      encodeURIComponent(`nonce=${nonce}`),
      JSON.stringify({ nonce, signature }),
      JSON.stringify(nonce.replace(/.{8}/g, '$&\n')),
      encodeURIComponent(login),
      bytes.toString('base64'),
      Buffer.from(JSON.stringify({ authorization: login })).toString('base64'),
      bytes.toString('hex'),
      JSON.stringify([...bytes]),
    ])
      assert.equal(target.mightRepeat(`got ${form}`, ''), true, form);
    assert.equal(target.mightRepeat('fine', ''), false);
  });

  it('looks for the signatures of an hour, and shows no answer if there are too many', () => {
    const hour = 3_600_000;
    const target = targetIn(new SecretTargets(), {});
    const sign = (count: number, now: number, signedAt = now) => {
      const header = `hmac admin:00ff00ff00ff00ff00ff00ff00ff00${count}:0f`;
      target.addSignature(
        [
          ['Authorization', header],
          ['Date', new Date(signedAt).toUTCString()],
        ],
        now,
      );
    };
    for (let count = 1; count <= 100; count += 1) sign(count, count * 1000);
    assert.equal(target.mightRepeat('00ff00ff00ff00ff00ff00ff00ff001', '', 100_000), true);
    assert.equal(target.mightRepeat('fine', '', 100_000), false);
    sign(101, 101_000);
    assert.equal(target.mightRepeat('fine', '', hour), true);
    assert.equal(target.mightRepeat('00ff00ff00ff00ff00ff00ff00ff00101', '', hour + 101_000), false);
    // The clock of the device is a day ahead.
    sign(102, 2 * hour, 26 * hour);
    assert.equal(target.mightRepeat('00ff00ff00ff00ff00ff00ff00ff00102', '', 26 * hour), true);
    assert.equal(target.mightRepeat('00ff00ff00ff00ff00ff00ff00ff00102', '', 27 * hour), false);
  });

  it('has no answer with a part of it at the end', () =>
    assert.equal(answerOf(`${'-'.repeat(1_990)}own-pass-word`), undefined));

  it('has it if the password is too short to be looked for', () => {
    assert.equal(entryOf({}, 'algo is fine', { password: 'algo' }).answer, 'algo is fine');
  });

  it('has no answer with a password that would take long to be compared', () =>
    assert.equal(entryOf({}, 'fine', { password: 'x'.repeat(100_000) }).answer, undefined));

  it('has no answer of more targets than can be remembered', () => {
    const targets = new SecretTargets();
    const hidden = Array.from({ length: 1001 }, (_, port) =>
      targets.at([{ address: '192.0.2.3', family: 4 }], port).mightRepeat('fine', ''),
    );
    assert.deepEqual([hidden[0], hidden[999], hidden[1000]], [false, false, true]);
  });

  it('has no answer under another name or address of the same target', () => {
    const targets = new SecretTargets();
    const [here, also, other] = ['127.0.0.1', '::1', '198.51.100.2'].map((address) => ({
      address,
      family: 4,
    }));
    assert.ok(here && also && other);
    targets.at([here], 80).add({ ...call, header: 'X-Token: s3cr3t-value' }, '');
    const isHidden = (addresses: Address[], port = 80) =>
      targets.at(addresses, port).mightRepeat('s3cr3t-value', '');
    assert.deepEqual([isHidden([also]), isHidden([also], 81), isHidden([other])], [true, false, false]);
    const own = Object.values(networkInterfaces()).flatMap((one) => one?.map((each) => each.address));
    for (const address of ['0.0.0.0', '::', ...own])
      assert.ok(isHidden([{ address: String(address), family: 4 }]), address);
    targets.at([here, other], 80);
    assert.equal(isHidden([other, here]), true);
    const family = 6;
    for (const address of ['::ffff:198.51.100.2', '::FFFF:c633:6402', '0:0:0:0:0:ffff:c633:6402'])
      assert.equal(isHidden([{ address, family }]), true, address);
    assert.equal(isHidden([{ address: '2001:db8::1', family }]), false);
  });

  it('has no answer with a former password, or with that of another device that called the target', () => {
    const target = targetIn(new SecretTargets(), {});
    target.add(call, 'former-one');
    assert.equal(target.mightRepeat('it was former-one', 'later-one'), true);
    assert.equal(target.mightRepeat('it was other-one', 'later-one'), false);
    for (let count = 0; count < 100; count += 1) target.add(call, `password-${count}`);
    assert.equal(target.mightRepeat('fine', 'later-one'), true);
  });

  it('has no digest of a signature', () =>
    assert.equal(answerOf(`admin:n:${'0f'.repeat(32)}`), 'admin:n:***'));
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
      { path: '/bell?%74oken=s3cr3t-value' },
      { payload: 'next=%2Fa%3Ftoken%3Ds3cr3t-value' },
    ]) {
      const shown = entry(more);
      assert.equal(shown.answer, undefined, JSON.stringify(more).slice(0, 100));
      assert.match(shown.reason ?? '', /might repeat a secret/);
    }
  });

  it('has it if there is no secret', () => {
    for (const more of [{ payload: '{"name":"Bell","n":[1]}' }, { payload: 'plain' }, { path: '/bell?n=1' }])
      assert.equal(entry(more).answer, 'got s3cr3t-value');
  });
});

describe('the log of a text with a secret', () => {
  const texts: readonly (readonly [text: string, shown: string])[] = [
    ['{"api.admin.pwd":["s3cr3t"]}', '{"api.admin.pwd":"***"}'],
    ['{"pwd":{"a":"s3cr3t"}}', '{"pwd":"***"}'],
    ['{"pwd":{"a":"s3cr3t"}', '{"pwd":***'],
    ['{"body":"{\\"pwd\\":\\"s3cr3t\\"}"}', '{"body":"{\\"pwd\\":***'],
    ['{"pwd":"s3cr3t","headers":"X-A: s3cr3t"}', '{"pwd":"***","headers":"***"}'],
    ["{'pwd':'s3cr3t'}", "{'pwd':***"],
    ['{"headers":"X-A: s3cr3t"}', '{"headers":"***"}'],
    ['{\\"header\\":\\"X-A: s3cr3t\\"}', '{\\"header\\":***'],
    ['{"Authorization":"s3cr3t"}', '{"Authorization":"***"}'],
    ['Authorization: s3cr3t', 'Authorization: ***'],
    ['Authorization: Basic s3cr3t', 'Authorization: Basic ***'],
    ['{“password”:“s3cr3t key”}', '{“password”:***'],
    ['{„password“: „s3cr3t“}', '{„password“: ***'],
    ['{"password ":"s3cr3t"}', '{"password ":"***"}'],
    ['{"password " : "s3cr3t"', '{"password " : ***'],
    ['//admin:s3cr3t@192.0.2.1/x', '//***@192.0.2.1/x'],
    ['pwd=s3cr3t&n=1', 'pwd=***&n=1'],
    ['pwd=,s3cr3t&n=1', 'pwd=***&n=1'],
    ['pwd=}s3cr3t', 'pwd=***'],
    ['{"pwd":\n[\n"s3cr3t"]}', '{"pwd":"***"}'],
    ['{"pwd":\n[\n"s3cr3t"]', '{"pwd":\n***'],
    ['/x?token=a,s3cr3t&n=1', '/x?token=***&n=1'],
    ['/x?user[pwd]=s3cr3t&n=1', '/x?user[pwd]=***&n=1'],
    ['/x?n=1&%74oken=s3cr3t&m=2', '/x?n=1&***&m=2'],
    ['/x?user%5Bpwd%5D=s3cr3t', '/x?***'],
    ['/x?token%3Ds3cr3t', '/x?***'],
    ['/x?next=%2Fa%3Ftoken%3Ds3cr3t&m=%20', '/x?***&m=%20'],
    ['/x?next=%252Fa%253Ftoken%253Ds3cr3t', '/x?***'],
    ['/x?data=%7B%22token%22%3A%22s3cr3t%22%7D', '/x?***'],
    ['/to%6ben=s3cr3t/x?n=1', '***n=1'],
    ['user=a&%70wd=s3cr3t', 'user=a&***'],
    ['{"u":"http://h/?next=%2F%3Ftoken%3Ds3cr3t"}', '{"u":"http://h/?***"}'],
    [
      '--x\r\nContent-Disposition: form-data; name="pwd"\r\n\r\ns3cr3t\r\n--x--',
      '--x\r\nContent-Disposition: form-data; ***',
    ],
    ['/x?n=1&#116;oken=s3cr3t', '***'],
    [
      '--x\r\nContent-Disposition: form-data; name="user[pwd]"\r\n\r\ns3cr3t',
      '--x\r\nContent-Disposition: form-data; ***',
    ],
    ['<a:password>s3cr3t</a:password>', '<a:password>***'],
    ['pwd => s3cr3t', 'pwd => ***'],
    ['/x?n=%20&m=%E0%A4', '/x?n=%20&m=%E0%A4'],
  ];
  for (const [text, shown] of texts)
    it(`does not show it: ${text}`, () => assert.equal(withoutSecrets(text), shown));

  it('does not show it in what is wrong with a request', () => {
    assert.equal(show([{ 'api.admin.pwd': 's3cr3t' }]), '[{"api.admin.pwd":"***"}]');
    assert.equal(show('{"pwd":"s3cr3t'), '"{\\"pwd\\":***"');
  });

  it('does not show it in what is wrong with a call', () => {
    for (const name of ['api_call[0]', 'events[0].api_call', 'events[0].api_call[1].path'])
      assert.deepEqual(mismatch(name, 'something else', 'X-A: s3cr3t'), [
        `${name} must be something else, not that`,
      ]);
    const wrong = object({})({ 'X-A: s3cr3t': '' }, 'api_call[0]', {} as DeviceTraits);
    assert.deepEqual(wrong, ['api_call[0].*** is not known here']);
  });

  it('reads no more of what is wrong with a request than it shows', () => {
    const items = Object.defineProperty(Array(999).fill({ n: 'x' }), 998, {
      get: () => assert.fail('it was read'),
      enumerable: true,
    });
    assert.equal(
      show({ items }),
      `${'{"items":[{"n":"x"},{"n":"x"},{"n":"x"},{"n":"x"},{"n":"x"},{"n":"x"},{"n":"x"},'.slice(0, 77)}...`,
    );
    assert.equal(show('x'.repeat(1_000)), `"${'x'.repeat(76)}...`);
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

  it('masks a target with a user or a header', () => {
    for (const target of ['admin:s3cr3t@192.0.2.1', 'ftp://admin:s3cr3t@192.0.2.1', 'X-A: s3cr3t'])
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
      ...['\\n', '\\\\r\\\\n', ', ', '|', '%0d%0a'].map(
        (wrong) => [`Content-Type: text/plain${wrong}X-A: s3cr3t`, 'Content-Type: ***'] as const,
      ),
      ['Accept: text/plain; token=s3cr3t', 'Accept: ***'],
      ['Accept: text/plain; charset=utf-8', 'Accept: text/plain; charset=utf-8'],
      ['User-Agent: a\\n%DEVICE_HEADERS%', 'User-Agent: ***'],
      ['X-A:s3cr3t\r\nX-B: s3cr3t\r\n', 'X-A: ***\r\nX-B: ***\r\n'],
      ['%DEVICE_HEADERS%\r\ns3cr3t', '%DEVICE_HEADERS%\r\n***'],
      ['', ''],
    ] as const)
      assert.equal(shown(header), expected);
  });

  it('masks a header that was typed into another field of a call, or is its name', () => {
    const shown = (call: unknown) => (withoutSecrets({ api_call: [call] }) as Shown).api_call[0];
    const typed = 'X-A: s3cr3t';
    for (const path of [typed, '/x HTTP/1.1\r\nX-A: s3cr3t'])
      assert.deepEqual(shown({ path }), { path: '***' });
    for (const call of [{ hader: typed }, { [typed]: '' }]) assert.deepEqual(shown(call), { '***': '***' });
    assert.equal(shown(typed), '***');
    assert.deepEqual(withoutSecrets({ api_call: typed }), { api_call: '***' });
    assert.equal(callEntryOf({ ...call, path: typed }, undefined, answer, 0, () => false).path, '***');
  });

  it('masks other names of secrets', () => {
    for (const name of [
      'passwd',
      'client_secret',
      'authorization',
      'secret',
      'Header',
      'header1',
      'api_call.header',
    ]) {
      assert.deepEqual(withoutSecrets({ [name]: ['s3cr3t'] }), { [name]: '***' });
      if (!/authorization|header/i.test(name))
        assert.doesNotMatch(String(withoutSecrets(`/x?${name}=s3cr3t&n=1`)), /s3cr3t/, name);
    }
  });
});

interface Shown {
  readonly api_call: readonly { readonly header: string }[];
}
