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

    it(`counts each of 9,000 mistakes of ${item}, and lists ten`, () =>
      withDevice({ auth: 'none' }, async (fixture) => {
        const answer = await (await send(fixture, 9_000)).text();
        assert.match(answer, /^[^;]+(; [^;]+){9}; and 8990 more/);
      }));
  }

  it('counts no brackets in texts', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      const response = await post(fixture, `{"path":"${'[\\"'.repeat(500)}"}`);
      assert.match(await response.text(), /path/);
    }));
});
