import assert from 'node:assert/strict';
import { lineOf } from '../../../src/virtual-device/log/entry';
import { ask } from '../../fixtures/signer';
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
      const type = 'application/octet-stream';
      await ask(address, 'PUT', '/api/files/a', { body: 'abc', type: `${type}; a=b`, now: NOON });
      assert.deepEqual(device.log[0]?.parameters, { type, bytes: 3 });
      for (let i = 0; i < 500; i += 1) await sendJson('GET /api/info/about');
      assert.equal(device.log.length, 500);
      assert.equal(device.log[0]?.path, '/api/info/about');
    }));
});
