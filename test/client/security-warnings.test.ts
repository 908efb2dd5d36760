import assert from 'node:assert/strict';
import { operation } from '../../src/catalogue/operation-name';
import { DeviceClient } from '../../src/client/client';
import { ClientFixture } from '../fixtures/client-fixture';

describe('what a client says of the way its requests go', () => {
  const fixture = new ClientFixture();
  afterEach(() => fixture.clear());

  it('is said once, and not to who only looks', async () => {
    const address = await fixture.http((_seen, response) => void response.end('{}'));
    const lines: string[] = [];
    const settings = { name: 'Gate', address, auth: 'none', password: '', certificate: 'verify' } as const;
    const client = new DeviceClient(
      { ...settings, timeoutMs: 10_000 },
      { warn: (line) => void lines.push(line) },
    );
    const get = operation('scheduler/get');
    await client.call(get, {}, { reading: true, unwarned: true });
    assert.deepEqual(lines, []);
    for (const options of [{}, { reading: true }, {}]) await client.call(get, {}, options);
    assert.deepEqual(lines, [
      `"Gate" (${address}): use the scheduler over https with Standard or Basic authentication`,
    ]);
    await client.close();
  });

  it('is nothing where a virtual device is meant: nobody else sees what goes there', async () => {
    const address = await fixture.http((_seen, response) => void response.end('{}'));
    const lines: string[] = [];
    const settings = { name: 'Gate', address, auth: 'basic', password: 'algo', certificate: 'any' } as const;
    const client = new DeviceClient(
      { ...settings, timeoutMs: 10_000, isVirtual: true },
      { warn: (line) => void lines.push(line) },
    );
    await client.call(operation('scheduler/get'), {}, {});
    assert.deepEqual(lines, []);
    await client.close();
  });
});
