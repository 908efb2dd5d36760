import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { about, Bench, failureOf, munlock, type Seen, unlock } from './bench';

/** What the request should have been signed with, worked out anew from section 5. */
function signature(seen: Seen, uri: string, password = 'algo'): string {
  const nonce = nonceOf(seen);
  const timestamp = Date.parse(seen.headers.date ?? '') / 1000;
  const md5 = createHash('md5').update(seen.body).digest('hex');
  const input =
    seen.body.length > 0
      ? `${seen.method}:${uri}:${md5}:${seen.headers['content-type']}:${timestamp}:${nonce}`
      : `${seen.method}:${uri}:${timestamp}:${nonce}`;
  return `hmac admin:${nonce}:${createHmac('sha256', password).update(input).digest('hex')}`;
}

function nonceOf(seen: Seen): string {
  return String(seen.headers.authorization).split(':')[1] ?? '';
}

describe('client: authentication', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  it('signs the very bytes it sends', async () => {
    const client = bench.client(
      await bench.http((_seen, response) => response.end()),
      {},
      { now: () => 1601312838000 },
    );
    await client.call(munlock, { doorid: 'local', duration: '5' });
    const [seen] = bench.seen;
    assert.ok(seen);
    assert.equal(seen.body.toString(), '{"doorid":"local","duration":"5"}');
    assert.equal(seen.headers['content-type'], 'application/json');
    assert.equal(seen.headers['content-md5'], createHash('md5').update(seen.body).digest('hex'));
    assert.equal(seen.headers.date, 'Mon, 28 Sep 2020 17:07:18 GMT');
    assert.equal(seen.headers['content-length'], '33');
    assert.equal(seen.headers.authorization, signature(seen, '/api/controls/door/munlock'));
  });

  it('sends the known answer of field-notes 1', async () => {
    const client = bench.client(
      await bench.http((_seen, response) => response.end()),
      {},
      { now: () => 1601312835999, nonce: () => '881767496' },
    );
    await client.send({ method: 'GET', path: '/api/settings/audio.page.vol' });
    assert.equal(
      bench.seen[0]?.headers.authorization,
      'hmac admin:881767496:c5b349415bce0b9e1b8122829d32fbe0a078791b311c4cf40369c7ab4eb165a8',
    );
    assert.equal(bench.seen[0]?.headers['content-type'], undefined);
    assert.equal(bench.seen[0]?.headers['content-md5'], undefined);
  });

  it('reads the clock once per request', async () => {
    let reads = 0;
    const now = () => {
      reads += 1;
      return 1601312838999 + reads;
    };
    const client = bench.client(await bench.http((_seen, response) => response.end()), {}, { now });
    await client.call(unlock, { doorid: 'local' });
    assert.equal(reads, 1);
  });

  it('signs trailing slashes and percent-encoding as sent, and no base path', async () => {
    const client = bench.client(`${await bench.http((_seen, response) => response.end())}/site/7/`);
    await client.send({ method: 'GET', path: '/api/files/' });
    await client.send({ method: 'GET', path: '/api/files/tones/50%25%20%c3%bc.wav' });
    const [first, second] = bench.seen;
    assert.ok(first && second);
    assert.equal(first.url, '/site/7/api/files/');
    assert.equal(first.headers.authorization, signature(first, '/api/files/'));
    assert.equal(second.url, '/site/7/api/files/tones/50%25%20%c3%bc.wav');
    assert.equal(second.headers.authorization, signature(second, '/api/files/tones/50%25%20%c3%bc.wav'));
  });

  it('signs raw bodies with their type, and multipart without the body', async () => {
    const client = bench.client(await bench.http((_seen, response) => response.end()));
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
    const [raw, multipart] = bench.seen;
    assert.ok(raw && multipart);
    assert.deepEqual(raw.body, body);
    assert.equal(raw.headers.authorization, signature(raw, path));
    assert.match(String(raw.headers['content-md5']), /^[0-9a-f]{32}$/);
    assert.equal(multipart.headers['content-md5'], undefined);
    assert.equal(multipart.headers['content-type'], 'multipart/form-data; boundary=x');
    assert.equal(multipart.headers.authorization, signature({ ...multipart, body: Buffer.alloc(0) }, path));
  });

  it('uses a new nonce without a colon for every request, repeated ones too', async () => {
    const client = bench.client(await bench.http((_seen, response) => response.writeHead(401).end()));
    for (let i = 0; i < 10; i++)
      await failureOf(client.send({ method: 'GET', path: '/api/schedules?days=1' }));
    assert.equal(bench.seen.length, 20);
    const nonces = bench.seen.map(nonceOf);
    assert.equal(new Set(nonces).size, 20);
    for (const nonce of nonces) assert.match(nonce, /^[^:]{8,}$/);
  });

  it('sends Basic as section 5 says, and warns once when others can read it', async () => {
    const warnings: string[] = [];
    const client = bench.client(
      await bench.http((_seen, response) => response.end()),
      { auth: 'basic' },
      { warn: (line) => warnings.push(line) },
    );
    await client.call(unlock, { doorid: 'local' });
    await client.call(about);
    assert.equal(bench.seen[0]?.headers.authorization, 'Basic YWRtaW46YWxnbw==');
    assert.equal(bench.seen[0]?.headers['content-md5'], undefined);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /"Main entrance".*Basic.*https/);
    assert.doesNotMatch(warnings[0] ?? '', /YWRtaW46YWxnbw|algo\b/);
  });

  it('sends no credentials with None, and warns once at the scheduler', async () => {
    const warnings: string[] = [];
    const client = bench.client(
      await bench.http((_seen, response) => response.end()),
      { auth: 'none' },
      { warn: (line) => warnings.push(line) },
    );
    await client.call(about);
    assert.deepEqual(warnings, []);
    await client.send({ method: 'GET', path: '/api/schedules' });
    await client.send({ method: 'GET', path: '/api/schedules?events=&days=1' });
    assert.equal(bench.seen.length, 3);
    for (const seen of bench.seen) assert.equal(seen.headers.authorization, undefined);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /scheduler.*https/);
  });

  it('traces what was signed and what came back, never a secret', async () => {
    const lines: string[] = [];
    const client = bench.client(
      await bench.http((_seen, response) => response.writeHead(404).end()),
      { password: 'hidden-word' },
      { trace: (line) => lines.push(line), now: () => 1601312838000, nonce: () => 'n0nce' },
    );
    await failureOf(client.call(unlock, { doorid: 'local' }));
    const digest = bench.seen[0]?.headers.authorization?.split(':')[2] ?? 'missing';
    assert.equal(digest.length, 64);
    assert.equal(lines.length, 1);
    const line = lines[0] ?? '';
    const md5 = createHash('md5').update('{"doorid":"local"}').digest('hex');
    assert.ok(line.startsWith('POST /api/controls/door/unlock'));
    assert.ok(line.includes(`POST:/api/controls/door/unlock:${md5}:application/json:1601312838:n0nce`));
    assert.ok(line.includes('Date "Mon, 28 Sep 2020 17:07:18 GMT"'));
    assert.ok(line.includes(`Content-MD5 ${md5}`));
    assert.match(line, /clock offset not known/);
    assert.ok(line.endsWith('status 404'));
    assert.doesNotMatch(line, new RegExp(`hidden-word|${digest}`));
  });
});

describe('client: what a refused login teaches', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());
  const ours = Date.parse('2026-01-05T08:00:00Z');

  /** A device whose clock is off by this much, and which is strict about it. */
  function skewed(offsetMs: number, status = 403) {
    return bench.http((seen, response) => {
      const theirs = ours + offsetMs;
      response.setHeader('Date', new Date(theirs).toUTCString());
      const isOff = Math.abs(Date.parse(seen.headers.date ?? '') - theirs) > 30_000;
      response.writeHead(isOff ? status : 200).end();
    });
  }

  for (const [offsetMs, status] of [
    [3_600_000, 403],
    [-3_600_000, 401],
  ] as const) {
    it(`signs again in a clock ${offsetMs / 1000} s away, and stays in it (${status})`, async () => {
      const client = bench.client(await skewed(offsetMs, status), {}, { now: () => ours });
      assert.equal(client.clockOffsetMs, undefined);
      const answer = await client.call(munlock, { doorid: 'local', duration: '5' });
      assert.equal(answer.attempts, 2);
      assert.equal(client.clockOffsetMs, offsetMs);
      const again = await client.call(munlock, { doorid: 'local', duration: '5' });
      assert.equal(again.attempts, 1);
      assert.equal(bench.seen.length, 3);
      assert.notEqual(bench.seen[0] && nonceOf(bench.seen[0]), bench.seen[1] && nonceOf(bench.seen[1]));
    });
  }

  it('follows a clock that is set right later', async () => {
    let offsetMs = 3_600_000;
    const address = await bench.http((seen, response) => {
      response.setHeader('Date', new Date(ours + offsetMs).toUTCString());
      const isOff = Math.abs(Date.parse(seen.headers.date ?? '') - ours - offsetMs) > 30_000;
      response.writeHead(isOff ? 403 : 200).end();
    });
    const client = bench.client(address, {}, { now: () => ours });
    await client.call(unlock, { doorid: 'local' });
    offsetMs = 0;
    assert.equal((await client.call(unlock, { doorid: 'local' })).attempts, 2);
    assert.equal(client.clockOffsetMs, 0);
  });

  it('signs only once when the clocks agree, and names the four causes', async () => {
    const address = await bench.http((_seen, response) => {
      response.setHeader('Date', new Date(ours + 4_000).toUTCString());
      response.writeHead(403).end();
    });
    const error = await failureOf(
      bench.client(address, {}, { now: () => ours }).call(unlock, { doorid: 'local' }),
    );
    assert.equal(bench.seen.length, 1);
    assert.equal(error.code, 'AUTHENTICATION');
    assert.equal(error.outcome, 'failed');
    assert.equal(error.sent, true);
    assert.equal(error.attempts, 1);
    assert.equal(error.statusCode, 403);
    assert.match(error.message, /API is switched off.*password is wrong.*method is another.*clocks differ/);
    assert.match(error.message, /its clock is 4 s ahead of ours/);
  });

  it('signs again only once when the clock was not the cause', async () => {
    const address = await bench.http((_seen, response) => {
      response.setHeader('Date', new Date(ours - 61_000).toUTCString());
      response.writeHead(401).end();
    });
    const client = bench.client(address, {}, { now: () => ours });
    const error = await failureOf(client.call(munlock, { doorid: 'local', duration: '5' }));
    assert.equal(error.attempts, 2);
    assert.match(error.message, /its clock is 61 s behind ours, which was allowed for/);
    assert.equal((await failureOf(client.call(unlock))).attempts, 1);
  });

  it('does not sign again without a Date, nor with Basic', async () => {
    const address = await bench.http((_seen, response) => {
      response.sendDate = false;
      response.writeHead(403).end();
    });
    const error = await failureOf(bench.client(address).call(unlock));
    assert.equal(error.attempts, 1);
    assert.doesNotMatch(error.message, /s (ahead|behind)/);
    const skewedAddress = await bench.http((_seen, response) => {
      response.setHeader('Date', new Date(0).toUTCString());
      response.writeHead(403).end();
    });
    assert.equal((await failureOf(bench.client(skewedAddress, { auth: 'basic' }).call(unlock))).attempts, 1);
  });

  /** A device that signs the query too (or not), as its first digit says, and whose clock may be off. */
  function queryDevice(wanted: () => 'with' | 'without', offsetMs = 0) {
    return bench.http((seen, response) => {
      const uri = wanted() === 'with' ? seen.url : (seen.url.split('?')[0] ?? '');
      response.setHeader('Date', new Date(ours + offsetMs).toUTCString());
      const isOff = Math.abs(Date.parse(seen.headers.date ?? '') - ours - offsetMs) > 30_000;
      const isRight = !isOff && seen.headers.authorization === signature(seen, uri);
      response.writeHead(isRight ? 200 : 403).end();
    });
  }
  const query = { method: 'GET', path: '/api/schedules?events=&days=1' } as const;

  it('does not sign the query at first', async () => {
    const client = bench.client(await queryDevice(() => 'without'), {}, { now: () => ours });
    assert.equal((await client.send(query)).attempts, 1);
  });

  it('signs the query when that is refused, and remembers it', async () => {
    let wanted: 'with' | 'without' = 'with';
    const client = bench.client(await queryDevice(() => wanted), {}, { now: () => ours });
    assert.equal((await client.send(query)).attempts, 2);
    assert.equal((await client.send(query)).attempts, 1);
    assert.equal((await client.send({ method: 'GET', path: '/api/schedules' })).attempts, 1);
    wanted = 'without';
    assert.equal((await client.send(query)).attempts, 2);
    assert.equal((await client.send(query)).attempts, 1);
  });

  it('first mends the clock, then tries the query, and sends no more than three', async () => {
    const client = bench.client(await queryDevice(() => 'with', 90_000), {}, { now: () => ours });
    assert.equal((await client.send(query)).attempts, 3);
    assert.equal(client.clockOffsetMs, 90_000);
    const wrong = bench.client(
      await queryDevice(() => 'with', 90_000),
      { password: 'other' },
      { now: () => ours },
    );
    const error = await failureOf(wrong.send(query));
    assert.equal(error.code, 'AUTHENTICATION');
    assert.equal(error.attempts, 3);
  });
});
