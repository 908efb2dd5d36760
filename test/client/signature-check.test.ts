import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { mock } from 'node:test';
import {
  checkSignature,
  NonceStore,
  type ReceivedRequest,
  readHttpDate,
} from '../../src/client/signature-check';

// Computed with openssl: printf '%s' INPUT | openssl dgst -sha256 -hmac 'sécret: '
const vectors = {
  body: '183cef0f93eb582966d944bfd4908edb21d4d9c5b3d2eedbfa23b6bfed4e885c',
  query: '34748fe003535bffcd2f6235425144d7dfeee031ea0eb876bd17020e6f8510f6',
  plain: '24ca4e3d95f233e27da9dd0556e91a34500455216de71d287fa8f481d2e9d516',
  multipart: 'da5b03cb10d72825517001fd0f60324b27546702febc0d44f7b47159f3dee20d',
  empty: '5509cc6ed029bfe6296d65d70e40cb5626bdec7f510195005d929b4b341e1ed1',
  deeper: '0a75bc1c5eb4c78d5ab5a8b359d64f4826bb477cd95b3132c2ba153362891d85',
  below: 'f85ae9179db1264ba0d35db4eb63458edac11811e94ca4e44fb1d7de9f5c0ceb',
  untyped: 'd5ab8eb7075af1bdcadaf7996f0fd132b8c68b5892bf774b4555c0083acbd28a',
  longest: '05a92c4f1cfde52453736d9b719368c3f2edb0d135b17790fd8ef8f328c447b4',
  tooLong: '10d1454e4c26ec52eafe1a5e48c0069e2fb53f6e2eb7268f6f3c9cde1b2ba60b',
  noNonce: 'efbc357714b9d218b5d047c42621da14d91baf501b0b7e4fdb52c8d87925117a',
  colon: '6cd1b6ec102eee1e6780de5c794ad2b896fade66c95d4c26ab513becf4b89d2e',
  blank: '011882ac9786c3549ed58f7e9440aec07d00414a55c20babc266282b77694cc3',
};
const password = 'sécret: ';
const signedAt = 1_764_172_800_000;
const date = 'Wed, 26 Nov 2025 16:00:00 GMT';
const json = '{"color":"red"}';
const md5 = '75ca9c093d0531e30d2ace20329b4485';
const emptyMd5 = 'd41d8cd98f00b204e9800998ecf8427e';

interface Change {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

/** `POST` with a body, signed by hand. */
function withBody({ method = 'POST', target = '/red/hook/a%20b', headers, body = json }: Change = {}) {
  const own = { 'content-md5': md5, 'content-type': 'application/json' };
  const authorization = `hmac admin:n-1:${vectors.body}`;
  return {
    method,
    target,
    headers: { date, authorization, ...own, ...headers },
    body: Buffer.from(body),
  };
}

/** `GET /hook`, signed by hand. */
function plain({ method = 'GET', target = '/hook', headers, body = '' }: Change = {}): ReceivedRequest {
  const authorization = `hmac admin:n-2:${vectors.plain}`;
  return { method, target, headers: { date, authorization, ...headers }, body: Buffer.from(body) };
}

function check(request: ReceivedRequest, now = signedAt, toleranceMs = 30_000, key = password) {
  return checkSignature(request, key, { now, toleranceMs });
}

const faultOf = (request: ReceivedRequest, now?: number, toleranceMs?: number, key?: string) => {
  const checked = check(request, now, toleranceMs, key);
  return checked.isValid ? 'none' : checked.fault;
};

describe('client: the check of a signature', () => {
  it('accepts the signature of a request with a body', () => {
    const expected = { isValid: true, nonce: 'n-1', digest: vectors.body, signedAt, clockOffsetMs: 0 };
    assert.deepEqual(check(withBody()), expected);
  });

  it('accepts the signature of a request without a body', () => {
    const expected = { isValid: true, nonce: 'n-2', digest: vectors.plain, signedAt, clockOffsetMs: 0 };
    assert.deepEqual(check(plain()), expected);
  });

  it('accepts a query that is signed, and one that is not', () => {
    const target = '/red/hook/a%20b?x=1';
    assert.equal(faultOf(withBody({ target })), 'none');
    const authorization = `hmac admin:n-1:${vectors.query}`;
    assert.equal(faultOf(withBody({ target, headers: { authorization } })), 'none');
    assert.equal(faultOf(withBody({ target: `${target}2`, headers: { authorization } })), 'signature');
    assert.equal(faultOf(withBody({ headers: { authorization } })), 'signature');
  });

  it('accepts an empty body that is signed', () => {
    const authorization = `hmac admin:n-4:${vectors.empty}`;
    const headers = { authorization, 'content-md5': emptyMd5, 'content-type': 'application/json' };
    assert.equal(faultOf(plain({ method: 'POST', headers })), 'none');
    assert.equal(
      faultOf(plain({ method: 'POST', headers: { ...headers, 'content-md5': undefined } })),
      'signature',
    );
  });

  it('signs an absent content type as nothing', () => {
    const authorization = `hmac admin:n-6:${vectors.untyped}`;
    const headers = { authorization, 'content-type': undefined };
    assert.equal(faultOf(withBody({ target: '/hook', headers })), 'none');
  });

  for (const [what, request] of Object.entries({
    'another method': withBody({ method: 'PUT' }),
    'another path': withBody({ target: '/red/hook/a%20c' }),
    'the path decoded': withBody({ target: '/red/hook/a b' }),
    'another body': withBody({ body: '{"color":"RED"}' }),
    'a body that grew': withBody({ body: `${json} ` }),
    'no body': withBody({ body: '' }),
    'another MD5': withBody({ headers: { 'content-md5': emptyMd5 } }),
    'an MD5 in capitals': withBody({ headers: { 'content-md5': md5.toUpperCase() } }),
    'an MD5 in base64': withBody({ headers: { 'content-md5': 'dcqcCT0FMeMNKs4gMptEhQ==' } }),
    'no MD5': withBody({ headers: { 'content-md5': undefined } }),
    'another content type': withBody({ headers: { 'content-type': 'text/plain' } }),
    'another date': withBody({ headers: { date: 'Wed, 26 Nov 2025 16:00:01 GMT' } }),
    'no date': withBody({ headers: { date: undefined } }),
    'a date in another form': withBody({ headers: { date: '2025-11-26T16:00:00Z' } }),
    'a number as date': withBody({ headers: { date: '1764172800' } }),
    'no login': withBody({ headers: { authorization: undefined } }),
    'another nonce': withBody({ headers: { authorization: `hmac admin:n-2:${vectors.body}` } }),
    'another user': withBody({ headers: { authorization: `hmac root:n-1:${vectors.body}` } }),
    'no nonce': withBody({ headers: { authorization: `hmac admin::${vectors.body}` } }),
    'a nonce with a colon': withBody({ headers: { authorization: `hmac admin:n:1:${vectors.body}` } }),
    'a nonce with a blank': withBody({ headers: { authorization: `hmac admin:n 1:${vectors.body}` } }),
    'a digest in capitals': withBody({
      headers: { authorization: `hmac admin:n-1:${vectors.body.toUpperCase()}` },
    }),
    'a digest that is cut': withBody({
      headers: { authorization: `hmac admin:n-1:${vectors.body.slice(1)}` },
    }),
    'a digest and more': withBody({ headers: { authorization: `hmac admin:n-1:${vectors.body}0` } }),
    'a body where none was signed': plain({ body: '{}' }),
    'a body whose MD5 was not signed': plain({ body: json, headers: { 'content-md5': md5 } }),
  })) {
    it(`refuses ${what}`, () => assert.equal(faultOf(request), 'signature'));
  }

  it('refuses another password', () => {
    assert.equal(faultOf(withBody(), signedAt, 30_000, 'sécret:'), 'signature');
    assert.equal(faultOf(withBody(), signedAt, 30_000, `${password}\n`), 'signature');
  });

  it('refuses a multipart form that is not covered by the signature', () => {
    const authorization = `hmac admin:n-3:${vectors.multipart}`;
    const headers = { authorization, 'content-type': 'multipart/form-data; boundary=b' };
    assert.equal(faultOf(plain({ method: 'POST', headers })), 'none');
    assert.equal(faultOf(plain({ method: 'POST', headers, body: '--b' })), 'signature');
  });

  it('refuses the text of a signed body as a longer path without a body', () => {
    const authorization = `hmac admin:n-5:${vectors.below}`;
    assert.equal(faultOf(withBody({ target: '/hook/x', headers: { authorization } })), 'none');
    const target = `/hook/x:${md5}:application/json`;
    assert.equal(faultOf(plain({ method: 'POST', target, headers: { authorization } })), 'signature');
  });

  it('refuses the text of a signed body as a shorter path with another body', () => {
    const otherMd5 = '99914b932bd37a50b983c5e7c90ae93b';
    const headers = {
      authorization: `hmac admin:n-6:${vectors.deeper}`,
      'content-md5': otherMd5,
      'content-type': `text/plain:${md5}:application/json`,
    };
    assert.equal(faultOf(withBody({ target: '/hook/x', headers, body: '{}' })), 'signature');
    const atStart = { ...headers, 'content-type': `${md5}:application/json` };
    const signed = `POST:/hook/x:${otherMd5}:${md5}:application/json:${signedAt / 1000}:n-6`;
    const digest = crypto.createHmac('sha256', password).update(signed).digest('hex');
    const authorization = `hmac admin:n-6:${digest}`;
    const request = withBody({ target: '/hook/x', headers: { ...atStart, authorization }, body: '{}' });
    assert.equal(faultOf(request), 'signature');
  });

  it('accepts a nonce of 200 characters and refuses a longer one', () => {
    const nonce = 'n'.repeat(200);
    const of = (signed: string, digest: string) =>
      faultOf(plain({ headers: { authorization: `hmac admin:${signed}:${digest}` } }));
    assert.equal(of(nonce, vectors.longest), 'none');
    assert.equal(of(`${nonce}n`, vectors.tooLong), 'signature');
  });

  it('refuses a nonce that is empty, or has a colon or a blank, also with the right digest', () => {
    for (const [nonce, digest] of [
      ['', vectors.noNonce],
      ['n:1', vectors.colon],
      ['n 1', vectors.blank],
    ]) {
      const headers = { authorization: `hmac admin:${nonce}:${digest}` };
      assert.equal(faultOf(plain({ headers })), 'signature', nonce);
    }
  });

  it('compares in constant time, with and without the query, whatever is right', () => {
    const compare = mock.method(crypto, 'timingSafeEqual');
    const lengthsFor = (target: string) => {
      compare.mock.resetCalls();
      check(plain({ target }));
      return compare.mock.calls.map(({ arguments: pair }) => pair.map(({ byteLength }) => byteLength));
    };
    const both = [32, 32];
    for (const path of ['/hook', '/other']) {
      assert.deepEqual(lengthsFor(path), [both]);
      assert.deepEqual(lengthsFor(`${path}?volume=5`), [both, both]);
    }
    compare.mock.restore();
  });

  it('reports the clock of a request that is signed correctly', () => {
    for (const ahead of [-1, 1]) {
      const late = check(plain(), signedAt - ahead * 30_001);
      assert.deepEqual(late, { isValid: false, fault: 'clock', clockOffsetMs: ahead * 30_001 });
      assert.equal(faultOf(plain(), signedAt - ahead * 30_000), 'none');
    }
    assert.equal(faultOf(plain(), signedAt + 90_000, 90_000), 'none');
  });

  it('reports no clock of a request whose signature is wrong', () => {
    const wrong = check(plain({ target: '/other' }), signedAt + 90_000);
    assert.deepEqual(wrong, { isValid: false, fault: 'signature', clockOffsetMs: -90_000 });
  });

  it('reads a date', () => {
    assert.equal(readHttpDate(date), signedAt / 1000);
    for (const wrong of [undefined, '', ['x'], 'Wed, 99 Nov 2025 16:00:00 GMT', `${date} `, 'Wed']) {
      assert.equal(readHttpDate(wrong), undefined);
    }
  });
});

describe('client: accepted signatures', () => {
  const minute = 60_000;
  const hour = 60 * minute;
  const of = (nonce: string, signedAt = 0, digest = `digest of ${nonce} at ${signedAt}`) => ({
    nonce,
    digest,
    signedAt,
  });
  const at = (now: number, toleranceMs = minute) => ({ now, toleranceMs });

  it('use a nonce up for twice the tolerance', () => {
    const store = new NonceStore();
    assert.equal(store.accept('/a', of('1'), at(0)), true);
    assert.equal(store.accept('/a', of('1'), at(0)), false);
    assert.equal(store.accept('/a', of('1', 1_000), at(1_000)), false);
    assert.equal(store.accept('/a', of('1', 2 * minute), at(2 * minute)), false);
    assert.equal(store.accept('/a', of('2', 2 * minute), at(2 * minute)), true);
    assert.equal(store.accept('/a', of('1', 2 * minute), at(2 * minute + 1)), true);
  });

  it('are remembered when the tolerance grows', () => {
    const store = new NonceStore();
    store.accept('/a', of('1'), at(0, 1_000));
    for (const now of [10 * minute, hour - minute]) {
      assert.equal(store.accept('/a', of('new', now), at(now, 1_000)), true);
      assert.equal(store.accept('/a', of('1'), at(now, hour)), false);
      assert.equal(store.accept('/a', of('1', now), at(now, hour)), false);
    }
    assert.equal(store.accept('/a', of('1', 3 * hour), at(3 * hour, hour)), true);
  });

  it('use a nonce up for one path, but a signature for all', () => {
    const store = new NonceStore();
    store.accept('/a', of('1'), at(0));
    assert.equal(store.accept('/b', of('1', 1_000), at(0)), true);
    assert.equal(store.accept('/c', of('1'), at(0)), false);
  });

  it('are forgotten when no tolerance can let them in again', () => {
    const store = new NonceStore();
    for (let now = 0; now < 10 * hour; now += minute) store.accept(`/${now}`, of(String(now), now), at(now));
    assert.ok(store.size <= 2 * 122, `${store.size} are left`);
  });

  /** Fills the store with signatures of the seconds from 0 on, a thousand each. */
  const fill = (store: NonceStore) => {
    for (let n = 0; n < 100_500; n += 1) {
      const second = Math.floor(n / 1_000) * 1_000;
      assert.equal(store.accept('/a', of(String(n), second), at(second, hour)), true);
    }
  };

  it('push out the oldest, which are never accepted again', () => {
    const store = new NonceStore();
    fill(store);
    assert.equal(store.size, 200_000);
    for (const receiver of ['/a', '/b']) {
      assert.equal(store.accept(receiver, of('0', 0), at(200_000, hour)), false, receiver);
      assert.equal(store.accept(receiver, of('new', 0), at(200_000, hour)), false, receiver);
      assert.equal(store.accept(receiver, of(`new ${receiver}`, 150_000), at(200_000, hour)), true, receiver);
    }
  });

  it('lock no one out after the clock was set back', () => {
    const store = new NonceStore();
    fill(store);
    assert.equal(store.accept('/a', of('new', -24 * hour), at(-24 * hour)), true);
  });
});
