import assert from 'node:assert/strict';
import net from 'node:net';
import type { Answer, DeviceClient } from '../../src/client/client';
import { makeCertificate } from '../fixtures/certificates';
import { ClientFixture, type Seen } from '../fixtures/client-fixture';
import { ResponseGate } from '../fixtures/response-gate';
import { type Call, endOf, lock, operationOf, pathOf, status, unlock } from './device-outputs';

describe('client: a stop while a start connects', () => {
  const fixture = new ClientFixture();
  let gate: ResponseGate;
  let client: DeviceClient;
  /** The connections that get no answer, counted from 1. */
  let silent: number[];
  let sockets: net.Socket[];

  beforeEach(async () => {
    gate = new ResponseGate();
    silent = [];
    sockets = [];
    const target = await fixture.https(await makeCertificate(), (request, response) => {
      gate.respond(request, response);
    });
    const port = Number(new URL(target).port);
    const address = await fixture.tcp((socket) => {
      sockets.push(socket);
      gate.emit('request', {} as Seen);
      if (silent.includes(sockets.length)) return;
      const behind = net.connect(port, '127.0.0.1');
      behind.on('error', () => socket.destroy());
      socket.pipe(behind).pipe(socket);
      socket.once('close', () => behind.destroy());
    });
    client = fixture.client(`https://${address}`, { certificate: 'any' });
  });

  afterEach(() => fixture.clear());

  const call = ({ name, given }: Call): Promise<Answer> => client.call(operationOf(name), given);
  const connected = async (count: number) => {
    while (sockets.length < count) await gate.next();
  };
  const seen = async (count: number): Promise<string[]> => {
    while (fixture.seen.length < count) await gate.next();
    return fixture.seen.map(pathOf);
  };

  it('takes it out: nothing was sent', async () => {
    silent = [1];
    const started = endOf(call(unlock));
    await connected(1);
    const stopped = call(lock);
    assert.deepEqual(await started, { code: 'SUPERSEDED', outcome: 'superseded', attempts: 0 });
    assert.deepEqual(await seen(1), ['door/lock']);
    gate.release();
    await stopped;
  });

  for (const options of [{}, { retryForMs: 60_000 }])
    it(`keeps it from being sent once more: it may have been done ${JSON.stringify(options)}`, async () => {
      const started = endOf(client.call(operationOf(unlock.name), unlock.given, options));
      await seen(1);
      const stopped = call(lock);
      gate.held.shift()?.socket?.destroy();
      assert.deepEqual(await started, { code: 'PROTOCOL', outcome: 'unknown', attempts: 1 });
      assert.deepEqual(await seen(2), ['door/unlock', 'door/lock']);
      gate.release();
      await stopped;
    });

  it('keeps it from being signed once more: it was not done', async () => {
    const started = endOf(call(unlock));
    await seen(1);
    const stopped = call(lock);
    const [refused] = gate.held;
    refused?.writeHead(401, { Date: new Date(Date.now() + 3_600_000).toUTCString() });
    gate.release();
    assert.deepEqual(await started, { code: 'AUTHENTICATION', outcome: 'failed', attempts: 1 });
    assert.deepEqual(await seen(2), ['door/unlock', 'door/lock']);
    gate.release();
    await stopped;
  });

  it('takes it out that connects again: it may have been done', async () => {
    silent = [2];
    const started = endOf(call(unlock));
    await seen(1);
    gate.held.shift()?.socket?.destroy();
    await connected(2);
    const stopped = call(lock);
    assert.deepEqual(await started, { code: 'PROTOCOL', outcome: 'unknown', attempts: 1 });
    assert.deepEqual(await seen(2), ['door/unlock', 'door/lock']);
    gate.release();
    await stopped;
  });

  it('takes it out that connects again to be signed once more: it was not done', async () => {
    silent = [2];
    const started = endOf(call(unlock));
    await seen(1);
    const [refused] = gate.held;
    refused?.writeHead(401, { Date: new Date(Date.now() + 3_600_000).toUTCString(), Connection: 'close' });
    gate.release();
    await connected(2);
    const stopped = call(lock);
    assert.deepEqual(await started, { code: 'AUTHENTICATION', outcome: 'failed', attempts: 1 });
    assert.deepEqual(await seen(2), ['door/unlock', 'door/lock']);
    gate.release();
    await stopped;
  });

  it('takes it out that was lost when it was signed once more: it may have been done', async () => {
    silent = [2];
    const started = endOf(call(unlock));
    await seen(1);
    gate.held[0]?.writeHead(401, { Date: new Date(Date.now() + 3_600_000).toUTCString() });
    gate.release();
    await seen(2);
    gate.held.shift()?.socket?.destroy();
    await connected(2);
    const stopped = call(lock);
    assert.deepEqual(await started, { code: 'PROTOCOL', outcome: 'unknown', attempts: 2 });
    assert.deepEqual(await seen(3), ['door/unlock', 'door/unlock', 'door/lock']);
    gate.release();
    await stopped;
  });

  /**
   * A start that got no answer in time and waits to be tried again: only then a reading has its turn, and until that
   * is answered the start does not get it back.
   */
  const resting = async (start: Call) => {
    const options = { timeoutMs: 500, retryForMs: 300 };
    const started = endOf(client.call(operationOf(start.name), start.given, options));
    await seen(1);
    gate.held.shift();
    const other = client.call(operationOf(status.name), {}, { reading: true });
    await seen(2);
    const answer = () => {
      gate.held[0]?.setHeader('Connection', 'close');
      gate.release();
      return other;
    };
    return { started, answer };
  };

  it('takes it out between two tries: it may have been done', async () => {
    const { started, answer } = await resting(unlock);
    const stopped = call(lock);
    assert.deepEqual(await started, { code: 'TIMEOUT', outcome: 'unknown', attempts: 1 });
    assert.equal((await seen(3)).at(-1), 'door/lock');
    await answer();
    gate.release();
    await stopped;
  });

  it('may have been done in an earlier try, when a later one finds nobody', async () => {
    const { started, answer } = await resting(unlock);
    silent = [sockets.length + 1];
    await answer();
    const { outcome, attempts } = await started;
    assert.deepEqual({ outcome, attempts }, { outcome: 'unknown', attempts: 1 });
  });
});
