import assert from 'node:assert/strict';
import { checkSignature } from '../../../src/client/signature-check';
import { authorization } from '../../fixtures/signing';
import { NOON, withDevice } from '../with-device';
import { calls, entry, happen, withCalls } from './target';

/** The header that a target got for a header text, without those of every request. */
async function arrived(header: string, more: object = {}): Promise<Record<string, string>> {
  let received: Record<string, string> = {};
  await withCalls({}, async ({ place, requests, ...fixture }) => {
    await happen(fixture, { ...entry, target: place, header, ...more });
    const [callEntry] = await calls(fixture.device, 1);
    assert.equal(callEntry?.outcome, 'answered', callEntry?.reason);
    const raw = requests[0]?.rawHeaders ?? [];
    const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
    received = Object.fromEntries(pairs.filter(([name = '']) => !['host', 'connection'].includes(name)));
  });
  return received;
}

/** The reason why a device does not send an entry, and that nothing came. */
async function refused(more: object): Promise<string> {
  let reason = '';
  await withCalls({}, async ({ place, requests, ...fixture }) => {
    await happen(fixture, { ...entry, target: place, ...more });
    const [callEntry] = await calls(fixture.device, 1);
    assert.equal(callEntry?.outcome, 'not-sent', JSON.stringify(more));
    assert.equal(requests.length, 0);
    reason = callEntry?.reason ?? '';
  });
  return reason;
}

describe('the header of a call', () => {
  it('has a line for each line of the text, broken by CR and LF or by their escapes', async () => {
    const basic = 'Authorization: Basic YWRtaW46YWxnbw==';
    const wanted = { Authorization: 'Basic YWRtaW46YWxnbw==', 'Content-Type': 'application/json' };
    for (const lineBreak of ['\r\n', '\\r\\n'])
      assert.deepEqual(await arrived(`${basic}${lineBreak}Content-Type: application/json`), wanted);
    assert.deepEqual(await arrived('X-Token: a:b\\r\\n'), { 'X-Token': 'a:b' });
    assert.deepEqual(await arrived(''), {});
  });

  it('is sent as written, with repeated names, blanks inside and bytes of UTF-8', async () => {
    const { 'X-B': b, ...rest } = await arrived('x-a:  two  words \\r\\nX-B: Grüße');
    assert.deepEqual(rest, { 'x-a': 'two  words' });
    assert.equal(Buffer.from(b ?? '', 'latin1').toString('utf8'), 'Grüße');
    await withCalls({}, async ({ place, requests, ...fixture }) => {
      await happen(fixture, { ...entry, target: place, header: 'X-A: 1\\r\\nX-A: 2' });
      await calls(fixture.device, 1);
      assert.equal(requests[0]?.headers['x-a'], '1, 2');
    });
  });

  it('is accepted by the interface of another device, and by a webhook', async () => {
    const header = '%DEVICE_HEADERS%\\r\\nContent-Type: application/json; title="Grüße"';
    const path = '/api/controls/door/unlock';
    const unlock = { ...entry, method: 'POST', header, path, payload: '{"doorid":"local"}' };
    await withDevice({ model: '8063', lenient: true }, (door) =>
      withDevice({}, async (fixture) => {
        await happen(fixture, { ...unlock, target: door.address });
        const [callEntry] = await calls(fixture.device, 1);
        assert.equal(callEntry?.status, 200, door.device.log[0]?.reason);
      }),
    );
    await withCalls({}, async ({ place, requests, ...fixture }) => {
      await happen(fixture, { ...unlock, target: place });
      await calls(fixture.device, 1);
      const [{ method, url: target, headers, body } = assert.fail()] = requests;
      const request = { method, target, headers, body: Buffer.from(body) };
      const now = fixture.clock.now();
      assert.equal(checkSignature(request, 'algo', { now, toleranceMs: 30_000 }).isValid, true);
    });
  });

  it('has a signature without the body for a multipart type', async () => {
    const more = { method: 'POST', payload: '"text"' };
    const received = await arrived(
      '%DEVICE_HEADERS%\\r\\nContent-Type: multipart/form-data; boundary=x',
      more,
    );
    const nonce = received.Authorization?.split(':')[1] ?? '';
    const signed = { method: 'POST', uri: '/', seconds: (NOON + 10_000) / 1000, nonce };
    assert.equal(received.Authorization, authorization(signed, 'algo'));
    assert.equal(received['Content-MD5'], undefined);
  });

  it('cannot contain more than headers', async () => {
    const injected = [
      ...['X-A: 1\\r\\n\\r\\nGET /second HTTP/1.1', 'X-A: 1\nX-B: 2', 'X-A: a\u0000b', 'X A: 1', 'no colon'],
      ...['X-A: 1\\r\\n folded'],
    ];
    for (const header of injected) assert.match(await refused({ header }), /header/, header);
  });

  it('cannot change how the request is sent', async () => {
    for (const name of ['transfer-encoding', 'Upgrade', 'Expect'])
      assert.match(await refused({ header: `X-A: 1\\r\\n${name}: 100` }), /header|content-length/i);
  });
});

describe('method, target and path of a call', () => {
  it('are refused where they are more than that', async () => {
    for (const more of [{ method: 'CONNECT' }, { path: '/\ud800' }])
      assert.notEqual(await refused(more), '', JSON.stringify(more));
    for (const target of [
      'ftp://127.0.0.1',
      'http://',
      'http://admin:hunter2@127.0.0.1',
      'http://127.0.0.1/base',
      'http://127.0.0.1?x',
      'http://127.0.0.1#x',
      'http://127.0.0.1\\evil',
      '127.0.0.1:0',
      '127.0.0.1:65536',
      '127.0.0.1:1:1',
      '[::1',
      ' 127.0.0.1',
      '127.0.0.1\r\nX-A: 1',
    ])
      assert.match(await refused({ target }), /^the target must be/, target);
  });

  it('are sent as written, and percent-encoded where they are not ASCII', () =>
    withCalls({}, async ({ place, requests, ...fixture }) => {
      const paths = ['/a/../b//c?d=%2e', 'x/y', '/ü'];
      await happen(fixture, ...paths.map((path) => ({ ...entry, target: `http://${place}/`, path })));
      await calls(fixture.device, 3);
      assert.deepEqual(
        requests.map(({ url }) => url),
        ['/a/../b//c?d=%2e', '/x/y', '/%C3%BC'],
      );
    }));
});
