import assert from 'node:assert/strict';
import { ask, send, sign } from '../../fixtures/signer';
import { NOON, withDevice } from '../with-device';

const ABOUT = '/api/info/about';

describe('authentication of the virtual device', () => {
  const refusals: readonly [string, string, string, Parameters<typeof sign>[2]][] = [
    ['a clock 30 s behind', 'GET', ABOUT, { now: NOON - 30_000 }],
    ['a clock 30 s ahead', 'GET', ABOUT, { now: NOON + 30_000 }],
    ['an ISO Date', 'GET', ABOUT, { headers: { Date: '2020-09-28T17:07:18Z' } }],
    ['a Date with the wrong weekday', 'GET', ABOUT, { headers: { Date: 'Tue, 28 Sep 2020 17:07:18 GMT' } }],
    ['an unknown path without a signature', 'GET', '/nowhere', { password: 'wrong' }],
  ];
  for (const [what, method, path, deviceAction] of refusals)
    it(`refuses ${what}: 403 with its Date, the cause in the log only`, () =>
      withDevice({ model: '8063' }, async ({ address, device }) => {
        const reply = await ask(address, method, path, { now: NOON, ...deviceAction });
        assert.equal(reply.status, 403);
        assert.equal(reply.headers.date, 'Mon, 28 Sep 2020 17:07:18 GMT');
        assert.deepEqual(JSON.parse(reply.text), { error: 'Forbidden' });
        assert.equal(device.log[0]?.outcome, 'refused');
        assert.ok((device.log[0]?.reason ?? '').length > 20);
      }));

  for (const offset of [-29_000, 29_000])
    it(`tolerates a clock that is ${offset / 1000} s away`, () =>
      withDevice({}, async ({ sendJson }) => {
        assert.equal((await sendJson(`GET ${ABOUT}`, undefined, { now: NOON + offset })).status, 200);
      }));

  it('checks a signature over the bytes of a type that is not ASCII', () =>
    withDevice({ lenient: true }, async ({ address, clock }) => {
      const path = '/api/controls/tone/start';
      const body = '{"path":"gong.wav","loop":true}';
      const type = 'application/json; title="Grüße"';
      const signed = sign('POST', path, { body, type, now: clock.now() });
      const headers = { ...signed, 'Content-Type': Buffer.from(type).toString('latin1') };
      assert.equal((await send(address, 'POST', path, headers, Buffer.from(body))).status, 200);
    }));

  it('follows api.auth.tsvar', () =>
    withDevice({}, async ({ sendJson }) => {
      assert.equal((await sendJson('PUT /api/settings', { 'api.auth.tsvar': '5' })).status, 204);
      assert.equal((await sendJson(`GET ${ABOUT}`, undefined, { now: NOON + 5000 })).status, 403);
      assert.equal((await sendJson(`GET ${ABOUT}`, undefined, { now: NOON + 4000 })).status, 200);
    }));

  it('does not count a replay as an offence, since the document does not', () =>
    withDevice({}, async ({ address }) => {
      const headers = sign('GET', ABOUT, { now: NOON });
      assert.equal((await send(address, 'GET', ABOUT, headers)).status, 200);
      assert.equal((await send(address, 'GET', ABOUT, headers)).status, 200);
    }));

  it('takes Basic, and only with the right name and password', () =>
    withDevice({ auth: 'basic', password: 'sésame:1' }, async ({ address, sendJson }) => {
      const basic = (pair: string) =>
        send(address, 'GET', ABOUT, { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
      assert.equal((await basic('admin:sésame:1')).status, 200);
      assert.equal((await basic('admin:algo')).status, 403);
      assert.equal((await basic('root:sésame:1')).status, 403);
      assert.equal((await sendJson(`GET ${ABOUT}`, undefined, { password: 'sésame:1' })).status, 403);
    }));

  it('signs the path without its query, unless told otherwise', async () => {
    const path = '/api/schedules?events=2020-09-28&days=1';
    const statuses = async (options: object): Promise<number[]> => {
      const found: number[] = [];
      await withDevice(options, async ({ address }) => {
        for (const uri of ['/api/schedules', path])
          found.push((await ask(address, 'GET', path, { now: NOON, uri })).status);
      });
      return found.map((status) => (status === 403 ? 403 : 0));
    };
    assert.deepEqual(await statuses({}), [0, 403]);
    assert.deepEqual(await statuses({ signQuery: true }), [403, 0]);
    assert.deepEqual(await statuses({ lenient: true }), [0, 0]);
  });

  it('answers 403 to everything while the API is switched off', () =>
    withDevice({}, async ({ sendJson, device }) => {
      await sendJson('PUT /api/settings', { 'admin.web.api': '0' });
      assert.equal((await sendJson(`GET ${ABOUT}`)).status, 403);
      assert.match(device.log[1]?.reason ?? '', /switched off/);
    }));
});
