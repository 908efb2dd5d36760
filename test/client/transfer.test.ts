import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { files } from '../../src/catalogue/files';
import type { Operation } from '../../src/catalogue/operation';
import { DeviceClient } from '../../src/client/client';
import { end, listen } from '../fixtures/listening';

const megabyte = 1024 * 1024;

describe('client: long transfers', () => {
  let server: Server;
  let client: DeviceClient;
  let received: { length: string | undefined; md5: unknown; body: Buffer } | undefined;
  const file = Buffer.alloc(3 * megabyte, 'abcdefg');

  beforeEach(async () => {
    received = undefined;
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { 'content-length': length, 'content-md5': md5 } = request.headers;
        received = { length, md5, body: Buffer.concat(chunks) };
        response.end(request.method === 'GET' ? file : undefined);
      });
    });
    const address = `http://${await listen(server)}`;
    client = new DeviceClient({
      name: '',
      address,
      auth: 'standard',
      password: 'x',
      certificate: 'verify',
      timeoutMs: 10_000,
    });
  });

  afterEach(async () => {
    await client.close();
    await end(server);
  });

  function operation(id: string): Operation {
    const found = files.operations.find((one) => one.id === id);
    assert.ok(found);
    return found;
  }

  it('sends a long body whole, with its length, and tells how far it is', async () => {
    const seen: number[] = [];
    const onProgress = (bytes: number, all?: number) => {
      assert.equal(all, file.length);
      seen.push(bytes);
    };
    await client.call(operation('put'), { path: 'tones/long.wav', content: file }, { onProgress });
    assert.equal(received?.length, String(3 * megabyte));
    assert.ok(received?.body.equals(file));
    assert.ok(seen.length > 10, `${seen.length} reports`);
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => a - b),
    );
    assert.equal(seen.at(-1), file.length);
  });

  it('tells how far a long answer is', async () => {
    const seen: (number | undefined)[] = [];
    const onProgress = (bytes: number) => void seen.push(bytes);
    const { body } = await client.call(operation('get'), { path: 'tones/long.wav' }, { onProgress });
    assert.ok(Buffer.isBuffer(body) && body.equals(file));
    assert.ok(seen.length > 2);
    assert.equal(seen.at(-1), file.length);
  });

  it('gives an operation the time that it needs, whatever the device node says', async () => {
    const hasty = new DeviceClient({
      name: '',
      address: client.address,
      auth: 'none',
      certificate: 'verify',
      timeoutMs: 30,
    });
    server.removeAllListeners('request');
    // One is never answered, the other one later than the device node's own limit.
    server.on('request', ({ url }, response) => {
      if (url?.endsWith('late')) setTimeout(() => response.end('{"md5sum":""}'), 100);
    });
    await assert.rejects(hasty.call({ ...operation('md5sum'), minTimeoutMs: 0 }, { path: 'never' }), {
      code: 'TIMEOUT',
    });
    const patient = { ...operation('md5sum'), minTimeoutMs: 60_000 };
    const { statusCode } = await hasty.call(patient, { path: 'late' });
    assert.equal(statusCode, 200);
    await hasty.close();
  });
});
