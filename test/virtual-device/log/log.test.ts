import assert from 'node:assert/strict';
import { callEntryOf } from '../../../src/virtual-device/calls/call-entry';
import { entryOf, lineOf } from '../../../src/virtual-device/log/entry';
import type { Answer } from '../../../src/virtual-device/wire/answer';
import type { Incoming } from '../../../src/virtual-device/wire/incoming';
import { ask, send } from '../../fixtures/signer';
import { NOON, withDevice } from '../with-device';

describe('the log of the virtual device', () => {
  it('says in words what was asked for, with parameters, status and reason', () =>
    withDevice({ model: '8063' }, async ({ device, sendJson }) => {
      const seen: unknown[] = [];
      device.on('request', (entry) => seen.push(entry));
      await sendJson('POST /api/controls/door/munlock', { doorid: 'local', duration: '5' });
      await sendJson('POST /api/controls/tone/stop');
      await sendJson('GET /api/info/about');
      const at = '2020-09-28T17:07:18.000Z';
      assert.deepEqual(device.log, [
        {
          at,
          method: 'POST',
          path: '/api/controls/door/munlock',
          operation: 'unlock the door momentarily',
          parameters: { doorid: 'local', duration: '5' },
          status: 200,
          outcome: 'done',
        },
        {
          at,
          method: 'POST',
          path: '/api/controls/tone/stop',
          operation: 'stop the tone',
          status: 404,
          outcome: 'refused',
          reason: 'model 8063 cannot stop the tone',
        },
        {
          at,
          method: 'GET',
          path: '/api/info/about',
          operation: 'read the identity',
          status: 200,
          outcome: 'done',
        },
      ]);
      assert.deepEqual(seen, device.log);
    }));

  it('never holds the password', () =>
    withDevice({ password: 's3cret!' }, async ({ address, device, sendJson }) => {
      const deviceAction = { password: 's3cret!' };
      await sendJson('PUT /api/settings', { 'api.admin.pwd': 'n3w!', 'audio.page.vol': '0dB' }, deviceAction);
      await sendJson('GET /api/info/about', undefined, { password: 'n3w!' });
      const basic = `Basic ${Buffer.from('admin:n3w!').toString('base64')}`;
      await sendJson('POST /api/schedules', { header: `Authorization: ${basic}` }, { password: 'n3w!' });
      await send(address, 'GET', '/api/info/about', { Authorization: basic });
      assert.deepEqual(
        device.log.map(({ status }) => status),
        [204, 200, 400, 403],
      );
      assert.deepEqual(device.log[0]?.parameters, { 'api.admin.pwd': '***', 'audio.page.vol': '0dB' });
      for (const secret of ['s3cret!', 'n3w!', basic.slice(6)])
        assert.ok(!JSON.stringify(device.log).includes(secret), secret);
    }));

  it('has the start of a long path', () =>
    withDevice({}, async ({ address, device }) => {
      await send(address, 'GET', `/api/${'x'.repeat(5_000)}`, {});
      assert.equal(device.log[0]?.path, `/api/${'x'.repeat(995)}`);
    }));

  it('searches 50,000 characters with escapes in a tenth of a second, and shows no more', async () => {
    const secret = `%74oken=${'s'.repeat(985)}`;
    const body = Buffer.from(JSON.stringify({ a: secret }));
    const headers = { 'content-type': 'application/json' };
    const incoming: Incoming = { method: 'POST', target: `/api/a?${secret}`, headers, body };
    const entry = () => entryOf(incoming, '', { status: 200 } as Answer, 0, undefined);
    const shown = Array.from({ length: 26 }, () => [entry().path, entry().parameters]);
    assert.deepEqual(shown[0], ['/api/a?***', { a: '***' }]);
    assert.deepEqual(shown[25], ['***', { a: '***' }]);
    const call = { method: 'GET', target: 'http://127.0.0.1', header: '' };
    const result = { status: 200, body: `ok?${secret}`, isCut: false };
    const answer = () => callEntryOf({ ...call, path: '/' }, undefined, result, 0, () => false).answer;
    assert.equal(answer(), '***');
    // A timer that was set later ends later.
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(entry().path, '/api/a?***');
    assert.equal(answer(), 'ok?***');
  });

  it('has no character in its lines that would change a terminal', () =>
    withDevice({}, async ({ device, sendJson }) => {
      const tone = 'a\u009b\u2028\u202eb';
      await sendJson('POST /api/controls/tone/start', { path: tone });
      const [entry] = device.log;
      assert.ok(entry);
      assert.match(lineOf(entry), /"a\?\?\?b"/);
    }));

  it('describes content that is no JSON, and forgets what is old', () =>
    withDevice({}, async ({ address, device, sendJson }) => {
      const type = 'application/octet-stream; token=';
      await ask(address, 'PUT', '/api/files/a', { body: 'abc', type: `${type}s3cr3t`, now: NOON });
      assert.deepEqual(device.log[0]?.parameters, { type: `${type}***`, bytes: 3 });
      for (let i = 0; i < 500; i += 1) await sendJson('GET /api/info/about');
      assert.equal(device.log.length, 500);
      assert.equal(device.log[0]?.path, '/api/info/about');
    }));
});
