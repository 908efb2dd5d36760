import assert from 'node:assert/strict';
import type { WireRequest } from '../../src/client/client';
import { about, ClientFixture, failureOf, munlock, unlock } from '../fixtures/client-fixture';
import { md5 } from '../fixtures/signing';
import { nonceOf, signature } from './section-5';

const schedules = { method: 'GET', path: '/api/schedules' } as const;

describe('client: authentication', () => {
  const fixture = new ClientFixture();
  afterEach(() => fixture.clear());

  it('signs the very bytes it sends', async () => {
    const client = fixture.client(
      await fixture.http((_seen, response) => response.end()),
      {},
      { now: () => 1601312838000 },
    );
    await client.call(munlock, { doorid: 'local', duration: '5' });
    const [seen] = fixture.seen;
    assert.ok(seen);
    assert.equal(seen.body.toString(), '{"doorid":"local","duration":"5"}');
    assert.equal(seen.headers['content-type'], 'application/json');
    assert.equal(seen.headers['content-md5'], md5(seen.body));
    assert.equal(seen.headers.date, 'Mon, 28 Sep 2020 17:07:18 GMT');
    assert.equal(seen.headers['content-length'], '33');
    assert.equal(seen.headers.authorization, signature(seen, '/api/controls/door/munlock'));
  });

  // If this test fails, fix the code, never the constants (field-notes 1: the key is `algo`).
  it('sends the known answers of field-notes 1', async () => {
    const body = Buffer.from('{"path":"page-notif.wav", "loop":false}');
    const start = { method: 'POST', path: '/api/controls/tone/start', body, contentType: 'application/json' };
    const read = { method: 'GET', path: '/api/settings/audio.page.vol' };
    const address = await fixture.http((_seen, response) => response.end());
    for (const [request, now, nonce, digest] of [
      [start, 1601312252000, '49936', '2e109d7aeed54a1cb04c6b72b1d854f442cf1ca15eb0af32f2512dd77ab6b330'],
      [
        start,
        1601312838000,
        '1028014788',
        'c450024af4493f9cdf582499456bf58d7e134b161566e764e61bd52d24f759dc',
      ],
      [read, 1601312835999, '881767496', 'c5b349415bce0b9e1b8122829d32fbe0a078791b311c4cf40369c7ab4eb165a8'],
    ] as const) {
      const client = fixture.client(address, {}, { now: () => now, nonce: () => nonce });
      await client.send(request as WireRequest);
      const { headers } = fixture.seen.at(-1) ?? assert.fail();
      assert.equal(headers.authorization, `hmac admin:${nonce}:${digest}`);
      const isStart = request === start;
      assert.equal(headers['content-md5'], isStart ? '6e43c05d82f71e77c586e29edb93b129' : undefined);
      assert.equal(headers['content-type'], isStart ? 'application/json' : undefined);
    }
  });

  it('signs the second that its Date says, also where the next one begins meanwhile', async () => {
    let reads = 0;
    const now = () => {
      reads += 1;
      return 1601312838998 + reads;
    };
    const client = fixture.client(await fixture.http((_seen, response) => response.end()), {}, { now });
    await client.call(unlock, { doorid: 'local' });
    const [seen] = fixture.seen;
    assert.ok(seen);
    assert.equal(seen.headers.date, 'Mon, 28 Sep 2020 17:07:18 GMT');
    assert.equal(seen.headers.authorization, signature(seen, seen.url));
  });

  it('signs trailing slashes and percent-encoding as sent, and no base path', async () => {
    const client = fixture.client(`${await fixture.http((_seen, response) => response.end())}/site/7/`);
    await client.send({ method: 'GET', path: '/api/files/' });
    await client.send({ method: 'GET', path: '/api/files/tones/50%25%20%c3%bc.wav' });
    const [first, second] = fixture.seen;
    assert.ok(first && second);
    assert.equal(first.url, '/site/7/api/files/');
    assert.equal(first.headers.authorization, signature(first, '/api/files/'));
    assert.equal(second.url, '/site/7/api/files/tones/50%25%20%c3%bc.wav');
    assert.equal(second.headers.authorization, signature(second, '/api/files/tones/50%25%20%c3%bc.wav'));
  });

  it('signs raw bodies with their type, and multipart without the body', async () => {
    const client = fixture.client(await fixture.http((_seen, response) => response.end()));
    const path = '/api/controls/tone/upload-play';
    const body = Buffer.from([0x52, 0x49, 0x46, 0x46, 0xff]);
    await client.send({ method: 'POST', path, body, contentType: 'audio/wav' });
    await client.send({
      method: 'POST',
      path,
      body,
      contentType: 'multipart/form-data; boundary=x',
      signBody: false,
    });
    const [raw, multipart] = fixture.seen;
    assert.ok(raw && multipart);
    assert.deepEqual(raw.body, body);
    assert.equal(raw.headers.authorization, signature(raw, path));
    assert.match(String(raw.headers['content-md5']), /^[0-9a-f]{32}$/);
    assert.equal(multipart.headers['content-md5'], undefined);
    assert.equal(multipart.headers['content-type'], 'multipart/form-data; boundary=x');
    assert.equal(multipart.headers.authorization, signature({ ...multipart, body: Buffer.alloc(0) }, path));
  });

  it('uses a new nonce without a colon for every request, repeated ones too', async () => {
    const client = fixture.client(await fixture.http((_seen, response) => response.writeHead(401).end()));
    for (let i = 0; i < 10; i++)
      await failureOf(client.send({ method: 'GET', path: '/api/schedules?days=1' }));
    assert.equal(fixture.seen.length, 20);
    const nonces = fixture.seen.map(nonceOf);
    assert.equal(new Set(nonces).size, 20);
    for (const nonce of nonces) assert.match(nonce, /^[0-9a-f]{32}$/);
  });

  it('sends Basic as section 5 says, and warns once when others can read it', async () => {
    const warnings: string[] = [];
    const address = await fixture.http((_seen, response) => response.end());
    const environment = { warn: (line: string) => void warnings.push(line) };
    const client = fixture.client(address, { auth: 'basic' }, environment);
    await client.call(unlock, { doorid: 'local' });
    await client.call(about);
    assert.equal(fixture.seen[0]?.headers.authorization, 'Basic YWRtaW46YWxnbw==');
    assert.equal(fixture.seen[0]?.headers['content-md5'], undefined);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /"Main entrance".*Basic.*https/);
    assert.doesNotMatch(warnings[0] ?? '', /YWRtaW46YWxnbw|algo\b/);
    // No one else sees what goes to a virtual device.
    await fixture.client(address, { auth: 'basic', isVirtual: true }, environment).send(schedules);
    assert.equal(warnings.length, 1);
  });

  it('sends no credentials with None, and warns once at the scheduler, but not who only looks', async () => {
    const warnings: string[] = [];
    const address = await fixture.http((_seen, response) => response.end());
    const client = fixture.client(address, { auth: 'none' }, { warn: (line) => void warnings.push(line) });
    await client.call(about);
    await client.send(schedules, { unwarned: true });
    assert.deepEqual(warnings, []);
    await client.send(schedules);
    await client.send({ method: 'GET', path: '/api/schedules?events=&days=1' });
    for (const seen of fixture.seen) assert.equal(seen.headers.authorization, undefined);
    assert.deepEqual(warnings, [
      `"Main entrance" (${address}): use the scheduler over https with Standard or Basic authentication`,
    ]);
  });

  it('traces what was signed and what came back, never a secret', async () => {
    const lines: string[] = [];
    const client = fixture.client(
      await fixture.http((_seen, response) => response.writeHead(404).end()),
      { password: 'hidden-word' },
      { trace: (line) => lines.push(line), now: () => 1601312838000, nonce: () => 'n0nce' },
    );
    await failureOf(client.call(unlock, { doorid: 'local' }));
    const digest = fixture.seen[0]?.headers.authorization?.split(':')[2] ?? 'missing';
    assert.equal(digest.length, 64);
    assert.equal(lines.length, 1);
    const line = lines[0] ?? '';
    const sum = md5('{"doorid":"local"}');
    assert.ok(line.startsWith('POST /api/controls/door/unlock'));
    assert.ok(line.includes(`POST:/api/controls/door/unlock:${sum}:application/json:1601312838:n0nce`));
    assert.ok(line.includes('Date "Mon, 28 Sep 2020 17:07:18 GMT"'));
    assert.ok(line.includes(`Content-MD5 ${sum}`));
    assert.match(line, /clock offset not known/);
    assert.ok(line.endsWith('status 404'));
    assert.doesNotMatch(line, new RegExp(`hidden-word|${digest}`));
  });
});
