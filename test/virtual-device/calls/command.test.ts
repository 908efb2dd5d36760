import assert from 'node:assert/strict';
import { authorization, md5 } from '../../fixtures/signing';
import { NOON, withDevice } from '../with-device';
import { withCalls, withRawTarget } from './target';

describe('the command call of a virtual device', () => {
  it('sends one request, and has status and body of the answer', () =>
    withCalls(
      {},
      async ({ place, requests, device }) => {
        const given = { method: 'PUT', target: place, path: '/a?b', payload: { n: 1 }, auth: 'none' };
        assert.deepEqual(await device.carryOut('call', given), { status: 202, body: 'Grüße' });
        const [{ method, url, body, headers } = assert.fail()] = requests;
        assert.deepEqual([method, url, body], ['PUT', '/a?b', '{"n":1}']);
        assert.deepEqual([headers['content-type'], headers.authorization], ['application/json', undefined]);
        assert.equal(device.calls[0]?.event, undefined);
      },
      (response) => response.writeHead(202).end('Grüße'),
    ));

  it('is a signed POST to / without more', () =>
    withCalls({ password: 'secret' }, async ({ place, requests, device }) => {
      await device.carryOut('call', { target: place });
      const [{ method, url, body, headers } = assert.fail()] = requests;
      assert.deepEqual([method, url, body], ['POST', '/', '']);
      const nonce = headers.authorization?.split(':')[1] ?? '';
      const signed = { method: 'POST', uri: '/', seconds: NOON / 1000, nonce };
      assert.equal(headers.authorization, authorization(signed, 'secret'));
    }));

  it('sends a text as it is, with its own type', () =>
    withCalls({}, async ({ place, requests, device }) => {
      for (const payload of ['{"a": 1}', 'no JSON'])
        await device.carryOut('call', { target: place, payload });
      assert.deepEqual(
        requests.map(({ body, headers }) => [body, headers['content-type'], headers['content-md5']]),
        [
          ['{"a": 1}', 'application/json', md5('{"a": 1}')],
          ['no JSON', 'text/plain', md5('no JSON')],
        ],
      );
    }));

  it('logs in with Basic and the password in force', () =>
    withCalls({ password: 'pä:w' }, async ({ place, requests, device }) => {
      await device.carryOut('call', { method: 'GET', target: place, auth: 'basic' });
      const [, basic = ''] = requests[0]?.headers.authorization?.split(' ') ?? [];
      assert.equal(Buffer.from(basic, 'base64').toString(), 'admin:pä:w');
    }));

  it('is refused where it must not be sent, and nothing is', () =>
    withCalls({}, async ({ place, requests, device }) => {
      const wrong: readonly [object, RegExp][] = [
        [{}, /target is missing/],
        [{ target: '' }, /target must be/],
        [{ target: 5 }, /target must be a string/],
        [{ target: place, method: 'get' }, /method must be an HTTP method/],
        [{ target: place, method: 'CONNECT' }, /^the call was not sent: invalid method/],
        [{ target: place, path: 'http://192.0.2.9/' }, /path must be a path without protocol or host/],
        [{ target: place, path: '/a b' }, /path must be/],
        [{ target: place, auth: 'digest' }, /auth must be "standard" or "basic" or "none", not "digest"$/],
        [{ target: place, header: 'X-A: 1' }, /header is not known here/],
        [
          { target: '192.0.2.9' },
          /^the call was not sent: 192\.0\.2\.9 is neither localhost nor a loopback address; .*--calls any/,
        ],
        [{ target: 'ftp://127.0.0.1' }, /^the call was not sent: the target must be/],
      ];
      for (const [given, message] of wrong)
        await assert.rejects(device.carryOut('call', given), {
          code: 'INVALID_PARAMETER',
          message,
        });
      assert.equal(requests.length, 0);
    }));

  it('fails with a code where there is no answer', () =>
    withRawTarget(
      (socket) => socket.end('garbage\r\n\r\n'),
      (garbage) =>
        withDevice({}, async ({ device }) => {
          const call = (target: string) => device.carryOut('call', { target });
          await assert.rejects(call('127.0.0.1:1'), { code: 'UNREACHABLE', message: /ECONNREFUSED/ });
          await assert.rejects(call(garbage), { code: 'PROTOCOL', message: /answer is not HTTP/ });
        }),
    ));
});
