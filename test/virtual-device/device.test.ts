import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Core } from '../../src/virtual-device/core';
import { VirtualDevice } from '../../src/virtual-device/device';
import { entryOf } from '../../src/virtual-device/log/entry';
import { dispatch } from '../../src/virtual-device/routes/dispatch';
import { busyPort, ownHost } from '../fixtures/listening';
import { warningsOf } from '../fixtures/process-warnings';
import { sendJson } from '../fixtures/signer';
import { ManualClock } from './manual-clock';
import { NOON, withDevice } from './with-device';

describe('the virtual device as a server', () => {
  it('listens on 127.0.0.1, at a port of its own, and is gone after stop', async () => {
    const device = new VirtualDevice();
    assert.equal(device.address, '');
    const address = await device.start();
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(device.address, address);
    assert.equal(await device.start(), address);
    assert.equal((await sendJson(address, 'GET /api/info/about')).status, 200);
    await device.stop();
    await device.stop();
    assert.equal(device.address, '');
    await assert.rejects(sendJson(address, 'GET /api/info/about'), { code: 'ECONNREFUSED' });
  });

  it('leaves no socket when it is stopped while it starts, or while somebody is connected', async () => {
    const device = new VirtualDevice();
    const starting = device.start();
    await device.stop();
    const address = await starting;
    await assert.rejects(sendJson(address, 'GET /api/info/about'), { code: 'ECONNREFUSED' });
    const again = new URL(await device.start());
    const socket = connect(Number(again.port), again.hostname);
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
    socket.resume().on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await device.stop();
    await closed;
  });

  it('says which port is busy', async () => {
    const { port, free } = await busyPort(ownHost);
    const device = new VirtualDevice({ host: ownHost, port });
    await assert.rejects(device.start(), {
      message: `port ${port} on ${ownHost} is in use already`,
      code: 'EADDRINUSE',
    });
    await free();
    assert.match(await device.start(), new RegExp(`:${port}$`));
    await device.stop();
  });

  it('speaks TLS with a certificate of its own for its address', async () => {
    const device = new VirtualDevice({ tls: true });
    const address = await device.start();
    try {
      assert.match(address, /^https:/);
      assert.equal((await sendJson(address, 'GET /api/info/about')).status, 200);
      const socket = connectTls({
        host: '127.0.0.1',
        port: Number(new URL(address).port),
        rejectUnauthorized: false,
      });
      await once(socket, 'secureConnect');
      assert.equal(socket.getPeerCertificate().subjectaltname, 'IP Address:127.0.0.1');
      socket.destroy();
    } finally {
      await device.stop();
    }
  });

  it('survives nonsense, half a request and a client that leaves', () =>
    withDevice({}, async ({ address, sendJson }) => {
      const { port } = new URL(address);
      const talk = async (text: string, isCut: boolean): Promise<string> => {
        const socket = connect(Number(port), ownHost);
        await once(socket, 'connect');
        const chunks: string[] = [];
        socket.setEncoding('latin1').on('data', (chunk: string) => chunks.push(chunk));
        socket.on('error', () => undefined);
        const closed = new Promise((resolve) => socket.once('close', resolve));
        if (isCut) socket.write(text, () => socket.resetAndDestroy());
        else socket.write(text);
        await closed;
        return chunks.join('');
      };
      const answer = await talk('BLAH\r\n\r\n', false);
      assert.match(answer, /^HTTP\/1\.1 400 /);
      assert.match(answer, /\r\nDate: Mon, 28 Sep 2020 17:07:18 GMT\r\n/);
      await talk('PUT /api/settings HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{', true);
      assert.equal((await sendJson('GET /api/info/about')).status, 200);
    }));

  it('keeps a connection for several requests', () =>
    withDevice({ auth: 'none' }, async ({ address }) => {
      const { port } = new URL(address);
      const socket = connect(Number(port), ownHost);
      await once(socket, 'connect');
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk;
      });
      for (const count of [1, 2]) {
        socket.write('GET /api/settings/mcast.mode HTTP/1.1\r\nHost: localhost\r\n\r\n');
        while (text.split('{"mcast.mode":"0"}').length <= count) await once(socket, 'data');
      }
      socket.destroy();
    }));

  it('refuses a model and a firmware that it does not know', () => {
    assert.throws(() => new VirtualDevice({ model: '9999' }), /unknown model: 9999/);
    assert.throws(() => new VirtualDevice({ firmware: 'new' }), /firmware/);
  });

  it('answers 500 to a bug of its own, and notes it', () => {
    const listener = {
      changed: () => undefined,
      happened: () => undefined,
      remembered: () => undefined,
      calling: () => undefined,
    };
    const core = new Core({ auth: 'none' }, new ManualClock(NOON), listener);
    const broken = {
      method: 'GET',
      segments: ['', 'broken'],
      does: 'break',
      missing: () => undefined,
      run: () => {
        throw new Error('oops');
      },
    };
    const incoming = { method: 'GET', target: '/broken', headers: {}, body: Buffer.alloc(0) };
    const { operation, act } = dispatch(core, [broken], incoming);
    const answer = act();
    assert.equal(answer.status, 500);
    const entry = entryOf(incoming, operation, answer, NOON, undefined);
    assert.deepEqual([entry.operation, entry.outcome], ['break', 'failed']);
    assert.match(entry.reason ?? '', /oops/);
  });

  it('is not taken down by a listener that throws', async () => {
    const [warning] = await warningsOf(() =>
      withDevice({}, async ({ device, sendJson }) => {
        device.on('request', () => {
          throw new Error('from a listener');
        });
        assert.equal((await sendJson('GET /api/info/about')).status, 200);
      }),
    );
    assert.match(warning ?? '', /from a listener/);
  });
});
