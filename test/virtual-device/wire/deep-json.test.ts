import assert from 'node:assert/strict';
import { lineOf } from '../../../src/virtual-device/log/entry';
import { type DeviceFixture, withDevice } from '../with-device';

const route = '/api/controls/tone/start';

/** Sends this text as JSON. */
function post({ address }: DeviceFixture, body: string): Promise<Response> {
  return fetch(`${address}${route}`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  });
}

describe('the virtual device: JSON in many levels', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"path":', '}'],
  ] as const) {
    for (const levels of [101, 100_000]) {
      it(`refuses ${levels} of ${open} like what is no JSON, and writes it down`, () =>
        withDevice({ auth: 'none' }, async (fixture) => {
          const body = `${open.repeat(levels)}1${close.repeat(levels)}`;
          const response = await post(fixture, body);
          assert.equal(response.status, 400, await response.text());
          const [entry] = fixture.device.log;
          assert.match(entry?.reason ?? '', /the body is not JSON/);
          assert.ok(entry && lineOf(entry).length < 1_000);
        }));
    }
  }

  for (const item of ['{}', '0']) {
    const send = (fixture: DeviceFixture, count: number) =>
      fetch(`${fixture.address}/api/schedules`, {
        method: 'POST',
        body: `{"delete":[${`${item},`.repeat(count - 1)}${item}]}`,
        headers: { 'Content-Type': 'application/json' },
      });

    it(`refuses more than 100,000 of ${item} before the checks`, () =>
      withDevice({ auth: 'none' }, async (fixture) => {
        const response = await send(fixture, 100_001);
        assert.match(await response.text(), /too many levels or values/);
        assert.match(await (await send(fixture, 10_001)).text(), /delete must have at most 10000 entries/);
      }));

    it(`collects about a thousand mistakes of ${item}`, () =>
      withDevice({ auth: 'none' }, async (fixture) => {
        const answer = await (await send(fixture, 9_000)).text();
        const [, more] = /and (\d+) more/.exec(answer) ?? [];
        assert.ok(Number(more) > 900 && Number(more) < 1_100, answer);
      }));
  }

  it('checks no value of another type', () =>
    withDevice({ auth: 'none' }, async ({ address }) => {
      const body = '{"events":[{},0]}';
      const headers = { 'Content-Type': 'text/plain' };
      const response = await fetch(`${address}/api/schedules`, { method: 'POST', body, headers });
      const { error } = (await response.json()) as { error: string };
      assert.deepEqual(
        [response.status, error],
        [400, 'Content-Type must be application/json, not "text/plain"'],
      );
    }));

  it('counts no brackets in texts', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      const response = await post(fixture, `{"path":"${'[\\"'.repeat(500)}"}`);
      assert.match(await response.text(), /path/);
    }));
});
