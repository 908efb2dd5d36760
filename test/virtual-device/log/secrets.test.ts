import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttp, get } from 'node:http';
import type { VirtualDevice } from '../../../src/virtual-device/device';
import { callLineOf } from '../../../src/virtual-device/log/call-entry';
import { lineOf } from '../../../src/virtual-device/log/entry';
import { streamEvents } from '../../../src/virtual-device/panel/stream';
import { anyViewer } from '../../../src/virtual-device/panel/viewer';
import { end, listen } from '../../fixtures/listening';
import { send } from '../../fixtures/signer';
import { calls, entry, happen, withCalls, withRawTarget } from '../calls/target';
import { withDevice } from '../with-device';

/** Every secret has this word. */
const secret = 's3cr3t';

/** All that a panel gets when it opens. */
async function panelOf(device: VirtualDevice): Promise<string> {
  const server = createHttp((request, response) => streamEvents(device, request, response, anyViewer));
  try {
    const [response] = await once(get(`http://${await listen(server)}/`), 'response');
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      if (/^event: snapshot\n.*\n\n/m.test(text)) break;
    }
    return text;
  } finally {
    await end(server);
  }
}

/** All that a device shows by itself: the lines of its logs, the logs, the answer of the command `state`, and its panel. */
async function shownBy(device: VirtualDevice): Promise<string> {
  const lines = [...device.log.map((one) => lineOf(one)), ...device.calls.map(callLineOf)];
  const state = await device.carryOut('state', {});
  return [...lines, JSON.stringify([device.log, device.calls, state]), await panelOf(device)].join('\n');
}

/** The header, the payload and the query of a call with secrets, whose target repeats them. */
const call = {
  ...entry,
  method: 'POST',
  path: `/bell?code=${secret}`,
  header: `%DEVICE_HEADERS%\\r\\nX-A: ${secret}`,
  payload: `{"text":"${secret}"}`,
};

/** The calls in each schedule that was written, as the log shows them. */
function callsWritten({ log }: VirtualDevice): unknown[] {
  return log.map(({ parameters }) => {
    const { events } = parameters as { events: readonly { api_call: unknown }[] };
    return events[0]?.api_call;
  });
}

describe('the log and the panel of a device', () => {
  it('show of its calls the method, the target, the path and the status, and nothing that was sent or answered', () =>
    withCalls(
      { password: secret, auth: 'none' },
      async ({ place, requests, ...fixture }) => {
        const { device } = fixture;
        await happen(fixture, { ...call, target: place }, { ...call, target: '127.0.0.1:1' });
        await calls(device, 2);
        const { path, payload } = call;
        for (const auth of ['standard', 'basic'])
          await device.carryOut('call', { target: place, path, payload, auth });
        assert.equal(requests.length, 3);
        assert.ok(requests.every(({ headers: { authorization } }) => authorization !== undefined));
        const all = await shownBy(device);
        assert.doesNotMatch(all, new RegExp(`${secret}|authorization|hmac|Basic `, 'i'));
        for (const { headers } of requests)
          assert.ok(!all.includes(headers.authorization?.split(/[ :]/).at(-1) ?? ''));
        assert.ok(all.includes(`call for "Call" POST ${place}/bell -> 207\n`));
        assert.ok(all.includes(`"target":"${place}","path":"/bell","outcome":"answered","status":207}`));
      },
      (response, { headers, url, body }) =>
        response.writeHead(207, { 'X-B': secret }).end(`${JSON.stringify(headers)} ${url} ${body} ${secret}`),
    ));

  it('show nothing of a call that fails, and neither does its error', () =>
    withRawTarget(
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nX-B: ${secret}\r\nContent-Length: 99\r\n\r\n${secret}`),
      (broken) =>
        withRawTarget(
          (socket) => socket.end(`${secret}\r\n\r\n`),
          (invalid) =>
            withDevice({ password: secret, auth: 'none' }, async (fixture) => {
              const { device } = fixture;
              const { path, payload } = call;
              const errors: string[] = [];
              for (const target of [
                broken,
                invalid,
                '127.0.0.1:1',
                '192.0.2.9',
                `http://a:${secret}@127.0.0.1`,
              ])
                await device
                  .carryOut('call', { target, path, payload })
                  .catch(({ message }: Error) => errors.push(message));
              assert.equal(errors.length, 5);
              await happen(
                fixture,
                { ...call, target: broken, header: secret },
                { ...call, target: broken, header: `${secret}: 1` },
                { ...call, target: broken, header: `Host: ${secret}` },
                { ...call, target: `X-A: ${secret}` },
              );
              await calls(device, 9);
              assert.doesNotMatch(`${errors}\n${await shownBy(device)}`, new RegExp(secret));
            }),
        ),
    ));

  it('show `***` for fields named pwd, password, secret, token and key, and for settings whose last part is so named', () =>
    withDevice({ password: 'algo' }, async ({ device, address, sendJson }) => {
      const names = ['pwd', 'Password', 'SECRET', 'token', 'key'];
      for (const name of names) {
        await sendJson('POST /api/controls/tone/start', { path: 'x', [name]: secret });
        await sendJson('POST /api/controls/tone/start', { path: [{ [name]: [secret] }] });
        await sendJson('PUT /api/settings', { 'sip.u1.user': 'shown', [`sip.u1.${name}`]: secret });
        await sendJson('PUT /api/settings', { [`sip.u1.${name}`]: Number('0x53c') });
        await send(address, 'GET', `/api/info/about?a=1&${name}=${secret}&b=2`, {});
        await send(
          address,
          'GET',
          `/api/info/about?%${name.charCodeAt(0).toString(16)}${name.slice(1)}=${secret}`,
          {
            authorization: `hmac admin:nonce:${'0'.repeat(64)}`,
            date: new Date(0).toUTCString(),
          },
        );
      }
      const [{ path } = assert.fail()] = device.log.filter((one) => one.path.includes('?'));
      assert.equal(path, '/api/info/about?a=1&pwd=***&b=2');
      assert.deepEqual(
        device.log.flatMap(({ parameters }) => (JSON.stringify(parameters) ?? '').match(/"sip.*/) ?? [])[0],
        '"sip.u1.user":"shown","sip.u1.pwd":"***"}',
      );
      assert.doesNotMatch(await shownBy(device), new RegExp(`${secret}|1340`));
    }));

  it('never show `Authorization`', () =>
    withDevice({ auth: 'basic', password: secret }, async ({ device, address, sendJson }) => {
      const basic = `Basic ${Buffer.from(`admin:${secret}`).toString('base64')}`;
      for (const authorization of [basic, `${basic}${secret}`, `Bearer ${secret}`, secret])
        await send(address, 'GET', '/api/info/about', { authorization });
      await device.carryOut('password', { password: `${secret}2` });
      assert.deepEqual(
        device.log.map(({ status }) => status),
        [200, 403, 403, 403],
      );
      await sendJson('GET /api/info/about');
      assert.doesNotMatch(await shownBy(device), new RegExp(`${secret}|${basic.slice(6)}|hmac admin:[^<]`));
    }));

  it('show of the calls in a schedule the method, the target and the path', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      const wrong = [
        { ...call, header: [secret] },
        { ...call, path: `/x HTTP/1.1\r\nX-A: ${secret}` },
        { ...call, target: `http://admin:${secret}@127.0.0.1` },
        secret,
      ];
      for (const api_call of [[call], wrong, { header: secret }, secret])
        await fixture.sendJson('POST /api/schedules', { events: [{ api_call }] });
      const shown = callsWritten(fixture.device);
      assert.deepEqual(shown[0], [{ method: 'POST', target: '127.0.0.1', path: '/bell' }]);
      assert.doesNotMatch(await shownBy(fixture.device), new RegExp(secret));
    }));
});
