import assert from 'node:assert/strict';
import { ClientFixture, failureOf, munlock, unlock } from '../fixtures/client-fixture';
import { wording, wordingIn } from '../fixtures/wording';
import { nonceOf, signature } from './section-5';

describe('client: what a refused login teaches', () => {
  const fixture = new ClientFixture();
  afterEach(() => fixture.clear());
  const ours = Date.parse('2026-01-05T08:00:00Z');

  /** A device whose clock is off by this much, and which is strict about it. */
  function skewed(offset: () => number, status = 403) {
    return fixture.http((seen, response) => {
      const theirs = ours + offset();
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
      const client = fixture.client(await skewed(() => offsetMs, status), {}, { now: () => ours });
      assert.equal(client.clockOffsetMs, undefined);
      const answer = await client.call(munlock, { doorid: 'local', duration: '5' });
      assert.equal(answer.attempts, 2);
      assert.equal(client.clockOffsetMs, offsetMs);
      const again = await client.call(munlock, { doorid: 'local', duration: '5' });
      assert.equal(again.attempts, 1);
      assert.equal(fixture.seen.length, 3);
      assert.notEqual(
        fixture.seen[0] && nonceOf(fixture.seen[0]),
        fixture.seen[1] && nonceOf(fixture.seen[1]),
      );
    });
  }

  it('knows the clock of a device that accepts it, or asks for no login, by its last answer', async () => {
    let offsetMs = 20_000;
    const address = await fixture.http((_seen, response) => {
      response.setHeader('Date', new Date(ours + offsetMs).toUTCString());
      response.end();
    });
    for (const auth of ['standard', 'none'] as const) {
      offsetMs = 20_000;
      const client = fixture.client(address, { auth }, { now: () => ours });
      await client.call(unlock, { doorid: 'local' });
      assert.equal(client.clockOffsetMs, 20_000);
      offsetMs = -3_000;
      await client.call(unlock, { doorid: 'local' });
      assert.equal(client.clockOffsetMs, -3_000);
    }
  });

  it('follows a clock that is set right later', async () => {
    let offsetMs = 3_600_000;
    const client = fixture.client(await skewed(() => offsetMs), {}, { now: () => ours });
    await client.call(unlock, { doorid: 'local' });
    offsetMs = 0;
    assert.equal((await client.call(unlock, { doorid: 'local' })).attempts, 2);
    assert.equal(client.clockOffsetMs, 0);
  });

  it('signs only once when the clocks agree, and names the four causes', async () => {
    const address = await fixture.http((_seen, response) =>
      response.writeHead(403, { Date: new Date(ours + 4_000).toUTCString() }).end(),
    );
    const error = await failureOf(fixture.client(address, {}, { now: () => ours }).call(unlock));
    assert.deepEqual([error.code, error.attempts], ['AUTHENTICATION', 1]);
    assert.equal(error.reason, wording('reasons:refusesLogin'));
    assert.match(error.message, wordingIn('reasons:fourCauses', { status: 403 }));
    assert.match(error.message, wordingIn('reasons:clockAhead', { time: '4 s' }));
  });

  it('signs again only once when the clock was not the cause', async () => {
    const address = await fixture.http((_seen, response) => {
      response.setHeader('Date', new Date(ours - 61_000).toUTCString());
      response.writeHead(401).end();
    });
    const client = fixture.client(address, {}, { now: () => ours });
    const error = await failureOf(client.call(munlock, { doorid: 'local', duration: '5' }));
    assert.equal(error.attempts, 2);
    assert.match(error.message, wordingIn('reasons:clockBehindAllowed', { time: '61 s' }));
    assert.equal((await failureOf(client.call(unlock))).attempts, 1);
  });

  it('does not sign again without a Date, nor with Basic', async () => {
    const address = await fixture.http((_seen, response) => {
      response.sendDate = false;
      response.writeHead(403).end();
    });
    const error = await failureOf(fixture.client(address).call(unlock));
    assert.equal(error.attempts, 1);
    assert.match(error.message, wordingIn('reasons:refusesLogin', { status: 403, words: '' }));
    for (const clock of ['clockAhead', 'clockBehind'])
      assert.doesNotMatch(error.message, wordingIn(`reasons:${clock}`));
    const skewedAddress = await fixture.http((_seen, response) => {
      response.setHeader('Date', new Date(0).toUTCString());
      response.writeHead(403).end();
    });
    assert.equal(
      (await failureOf(fixture.client(skewedAddress, { auth: 'basic' }).call(unlock))).attempts,
      1,
    );
  });

  /** A device that signs the query too (or not), as its first digit says, and whose clock may be off. */
  function queryDevice(wanted: () => 'with' | 'without', offsetMs = 0) {
    return fixture.http((seen, response) => {
      const uri = wanted() === 'with' ? seen.url : (seen.url.split('?')[0] ?? '');
      response.setHeader('Date', new Date(ours + offsetMs).toUTCString());
      const isOff = Math.abs(Date.parse(seen.headers.date ?? '') - ours - offsetMs) > 30_000;
      const isRight = !isOff && seen.headers.authorization === signature(seen, uri);
      response.writeHead(isRight ? 200 : 403).end();
    });
  }
  const query = { method: 'GET', path: '/api/schedules?events=&days=1' } as const;

  it('does not sign the query at first', async () => {
    const client = fixture.client(await queryDevice(() => 'without'), {}, { now: () => ours });
    assert.equal((await client.send(query)).attempts, 1);
  });

  it('signs the query when that is refused, and remembers it', async () => {
    let wanted: 'with' | 'without' = 'with';
    const client = fixture.client(await queryDevice(() => wanted), {}, { now: () => ours });
    assert.equal((await client.send(query)).attempts, 2);
    assert.equal((await client.send(query)).attempts, 1);
    assert.equal((await client.send({ method: 'GET', path: '/api/schedules' })).attempts, 1);
    wanted = 'without';
    assert.equal((await client.send(query)).attempts, 2);
    assert.equal((await client.send(query)).attempts, 1);
  });

  it('first mends the clock, then tries the query, and sends no more than three', async () => {
    const client = fixture.client(await queryDevice(() => 'with', 90_000), {}, { now: () => ours });
    assert.equal((await client.send(query)).attempts, 3);
    assert.equal(client.clockOffsetMs, 90_000);
    const wrong = fixture.client(
      await queryDevice(() => 'with', 90_000),
      { password: 'other' },
      { now: () => ours },
    );
    const error = await failureOf(wrong.send(query));
    assert.equal(error.code, 'AUTHENTICATION');
    assert.equal(error.attempts, 3);
  });

  it('sets the clock once per call, even if the device changes its mind', async () => {
    const address = await fixture.http((_seen, response) => {
      response.setHeader('Date', new Date(ours + fixture.seen.length * 3_600_000).toUTCString());
      response.writeHead(403).end();
    });
    assert.equal(
      (await failureOf(fixture.client(address, {}, { now: () => ours }).call(unlock))).attempts,
      2,
    );
  });

  it('sends no fourth time, whatever there would be to try', async () => {
    const address = await fixture.http((_seen, response, request) => {
      if (fixture.seen.length === 1) request.socket.destroy();
      else response.writeHead(403, { Date: new Date(0).toUTCString() }).end();
    });
    const error = await failureOf(fixture.client(address, {}, { now: () => ours }).send(query));
    assert.equal(error.code, 'AUTHENTICATION');
    assert.equal(error.attempts, 3);
    assert.equal(fixture.seen.length, 3);
  });
});
