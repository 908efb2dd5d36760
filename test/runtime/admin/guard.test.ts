import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { guard, jsonOf } from '../../../src/runtime/admin/guard';
import type { AdminRequest } from '../../../src/runtime/lazy';

/** What a guard made of a request: `through`, or the status that it answered. */
function verdict(
  guarded: ReturnType<typeof guard>,
  headers: Readonly<Record<string, string>> = {},
  username?: string,
): string | number {
  let outcome: string | number = 'nothing';
  const response = {
    headersSent: false,
    statusCode: 200,
    setHeader() {},
    end() {
      outcome = response.statusCode;
    },
  };
  const request = { headers: { host: 'red.example:1880', ...headers }, user: { username } };
  guarded(request as unknown as AdminRequest, response as unknown as ServerResponse, () => {
    outcome = 'through';
  });
  return outcome;
}

/** A Node-RED where this permission is had. */
const host = (permission: string) =>
  ({
    auth: {
      needsPermission:
        (needed: string) =>
        (_request: unknown, response: { statusCode: number; end(): void }, next: () => void) => {
          if (needed === permission) return next();
          response.statusCode = 401;
          return response.end();
        },
    },
  }) as unknown as Parameters<typeof guard>[0];

describe('the guard of the endpoints', () => {
  const origins: [headers: Record<string, string>, expected: string | number][] = [
    [{}, 'through'],
    [{ origin: 'http://red.example:1880' }, 'through'],
    [{ origin: 'https://red.example:1880' }, 'through'],
    [{ origin: 'http://red.example' }, 403],
    [{ origin: 'http://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    // A URL parser would take this spelling for the host.
    [{ origin: 'http://%72ed.example:1880' }, 403],
    [{ origin: '' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 'through'],
    [{ 'sec-fetch-site': 'none' }, 'through'],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://red.example:1880' }, 403],
  ];
  for (const [headers, expected] of origins) {
    it(`says ${expected} to ${JSON.stringify(headers)}`, () => {
      assert.equal(verdict(guard(host('algo.write'), 'algo.write'), headers), expected);
    });
  }

  it('lets nobody through without the permission', () => {
    assert.equal(verdict(guard(host('algo.read'), 'algo.write')), 401);
  });

  it('bounds what one person asks in a minute, and nobody else', () => {
    let at = 0;
    const guarded = guard(host('algo.write'), 'algo.write', { perMinute: 2, now: () => at });
    const ask = (who?: string) => verdict(guarded, {}, who);
    assert.deepEqual([ask('ada'), ask('ada'), ask('ada')], ['through', 'through', 429]);
    assert.equal(ask('bob'), 'through');
    at = 59_999;
    assert.equal(ask('ada'), 429);
    at = 60_000;
    assert.equal(ask('ada'), 'through');
  });

  it('does not count who is refused', () => {
    const guarded = guard(host('algo.write'), 'algo.write', { perMinute: 1 });
    assert.equal(verdict(guarded, { origin: 'http://evil.example' }), 403);
    assert.equal(verdict(guarded), 'through');
  });
});

describe('an answer in parts', () => {
  async function partsOf(body: unknown): Promise<string[]> {
    const parts: string[] = [];
    for await (const part of jsonOf(body)) parts.push(part);
    return parts;
  }

  it('is the JSON that it would be in one', async () => {
    const bodies: unknown[] = [
      {},
      { a: 1 },
      { a: undefined, b: null, 'c"': { d: { e: [{ f: undefined }] } } },
      [],
      'x',
    ];
    for (const body of bodies) assert.equal((await partsOf(body)).join(''), JSON.stringify(body));
  });

  it('has a part for each day of a calendar, with turns of others between them', async () => {
    const dates = Array.from({ length: 20 }, (_, index) => `2030-01-${index + 10}`);
    const body = { answer: { events: Object.fromEntries(dates.map((date) => [date, [{ date }]])) } };
    let turns = 0;
    let isOver = false;
    const beat = () => {
      turns += 1;
      if (!isOver) setImmediate(beat);
    };
    setImmediate(beat);
    const parts = await partsOf(body);
    isOver = true;
    assert.equal(parts.join(''), JSON.stringify(body));
    for (const date of dates)
      assert.equal(parts.filter((part) => part.includes(`[{"date":"${date}"`)).length, 1);
    assert.ok(turns >= 20, `${turns} turns`);
  });
});
