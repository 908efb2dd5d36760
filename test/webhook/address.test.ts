import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, isIP } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import type { NodeAPI } from 'node-red';
import helper from 'node-red-node-test-helper';
import { webhookEndpoints } from '../../src/runtime/admin/webhook-address';
import type { WebhookAddress } from '../../src/runtime/answers';
import { startFlow, stopFlow } from '../fixtures/flow';
import { hook } from './hooks';

describe('webhook: the address for a device', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    await stopFlow();
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  });

  /** Asks as the dialog does. */
  const ask = async (
    host: string,
    targets: unknown,
    settings: object = {},
    server: Server = createServer(),
    more: object = {},
  ): Promise<WebhookAddress & { expectedPort: number }> => {
    servers.push(server);
    const place = isIP(host) === 0 ? { path: host } : { host, port: 0 };
    await new Promise<void>((resolve) => void server.listen(place, resolve));
    const auth = {
      needsPermission: () => (_request: unknown, _response: unknown, next: () => void) => next(),
    };
    const { '/algo/webhook/address': handle } = webhookEndpoints({
      auth,
      settings,
      server,
      nodes: { getNode: (id: string) => helper.getNode(id) },
    } as unknown as NodeAPI);
    const answered = await new Promise<string>((resolve, reject) => {
      const response = { setHeader() {}, writeHead() {}, end: resolve } as unknown as ServerResponse;
      const request = { headers: {}, body: { targets, ...more } } as unknown as Parameters<typeof handle>[0];
      handle(request, response, reject);
    });
    return { ...JSON.parse(answered), expectedPort: (server.address() as AddressInfo).port };
  };

  const device = (id: string, address: string) => ({
    id,
    type: 'algo-device',
    name: `Device ${id}`,
    address,
    auth: 'none',
  });

  it('is the one on the route to the device', async () => {
    await startFlow([device('a', '127.0.0.9'), device('b', 'localhost')]);
    for (const id of ['a', 'b']) {
      const { host, port, secure, root, isLocal, expectedPort } = await ask('0.0.0.0', ['gone', id]);
      assert.deepEqual(
        { host, port, secure, root, isLocal },
        {
          host: host === '[::1]' ? '[::1]' : '127.0.0.1',
          port: expectedPort,
          secure: false,
          root: '',
          isLocal: false,
        },
      );
    }
  });

  it('is one of this computer if no device says which', async () => {
    await startFlow([]);
    const own = Object.values(networkInterfaces()).flatMap(
      (found) => found?.map(({ address }) => address) ?? [],
    );
    for (const targets of [[], ['gone'], 'x', undefined, [1, null], ['group:x', 'tag:y']]) {
      const { host } = await ask('0.0.0.0', targets, { httpNodeRoot: '/red/' });
      const bare = host.replace(/^\[|\]$/g, '');
      assert.ok(isIP(bare) && [...own, '127.0.0.1'].includes(bare), host);
    }
  });

  it('is that to which Node-RED is bound', async () => {
    await startFlow([device('a', '127.0.0.9')]);
    const { host, isLocal, root } = await ask('127.0.0.1', ['a'], { httpNodeRoot: '/red/' });
    assert.deepEqual([host, isLocal, root], ['127.0.0.1', true, '/red']);
  });

  it('has no port if Node-RED listens on a Unix socket, behind a proxy', async () => {
    await startFlow([]);
    const folder = mkdtempSync(path.join(tmpdir(), 'algo-socket-'));
    const { host, port, isLocal } = await ask(path.join(folder, 'node-red'), []);
    assert.deepEqual([isIP(host.replace(/^\[|\]$/g, '')) > 0, port, isLocal], [true, 80, false]);
    rmSync(folder, { recursive: true });
  });

  it('comes with the name of a device that has the password of the webhook', async () => {
    const bells = ['bell', 'other'].map((id) => hook(id, { wires: [[], []] }));
    const passwords = {
      a: { password: 'sesame' },
      bell: { password: 'sesame' },
      other: { password: 'melon' },
    };
    await startFlow([{ ...device('a', '127.0.0.9'), auth: 'standard' }, ...bells], passwords);
    const sameAs = async (more: object) =>
      (await ask('127.0.0.1', [], {}, createServer(), more)).samePassword;
    assert.equal(await sameAs({ id: 'bell' }), 'Device a');
    assert.equal(await sameAs({ id: 'other' }), undefined);
    assert.equal(await sameAs({ id: 'other', password: 'sesame' }), 'Device a');
    assert.equal(await sameAs({ id: 'bell', password: 'melon' }), undefined);
    for (const id of ['gone', undefined]) assert.equal(await sameAs({ id }), undefined);
  });

  it('says whether https is required, and whether HTTP nodes are served', async () => {
    await startFlow([]);
    const { secure, root } = await ask('127.0.0.1', [], { httpNodeRoot: false }, createTlsServer());
    assert.deepEqual([secure, root], [true, undefined]);
  });
});
