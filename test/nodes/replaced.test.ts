import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import helper from 'node-red-node-test-helper';
import { door, local } from './door';
import { ask, flowOf, type NodeConfig, startFlow, stopFlow } from './flow';
import { SlowToClose } from './slow-to-close';

describe('a deploy that replaces devices', () => {
  let slow: SlowToClose;
  let server: Server;
  let device: NodeConfig;
  let heard: string[];
  let onRequest: (request: IncomingMessage) => void;

  beforeEach(async () => {
    slow = new SlowToClose();
    heard = [];
    onRequest = () => {};
    server = createServer((request, response) => {
      heard.push(String(request.headers.host));
      onRequest(request);
      request.resume().on('end', () => response.end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    device = { id: 'gate', type: 'algo-device', name: 'Gate', address, auth: 'none', tags: 'front' };
  });

  afterEach(async () => {
    slow.letGo();
    await stopFlow();
    server.closeAllConnections();
    server.close();
  });

  const byMessage = door('lock', local, { target: 'msg', device: '' });
  const lag: NodeConfig = { id: 'lag', type: 'slow-to-close', operation: 'none', n: 0 };

  /** Starts a deploy of the device. Resolves when it is closed, and not yet there again. */
  async function deploy(changed: NodeConfig): Promise<void> {
    await startFlow([device, byMessage, lag], {}, [slow.register]);
    const closing = slow.closing();
    void helper.setFlows(flowOf([changed, byMessage, { ...lag, n: 1 }]) as never, 'nodes' as never);
    await closing;
  }

  for (const asked of ['tag:front', 'Gate', 'gate']) {
    it(`keeps its place: a message for ${asked} waits for its successor`, async () => {
      await deploy({ ...device, timeout: '9' });
      const asking = ask('door', { device: asked });
      await new Promise(setImmediate);
      assert.deepEqual(heard, []);
      slow.letGo();
      const { sent, caught } = await asking;
      assert.deepEqual(caught, []);
      assert.equal(sent[0]?.receipts?.[0]?.outcome, 'accepted');
      assert.equal(heard.length, 1);
    });
  }

  it('sends nothing to a successor that is not meant any more', async () => {
    await deploy({ ...device, tags: 'back' });
    const asking = ask('door', { device: 'tag:front' });
    slow.letGo();
    const { caught } = await asking;
    assert.equal(caught[0]?.error?.code, 'ABORTED');
    assert.match(String(caught[0]?.error?.message), /door\/lock: device "Gate" was taken out by a deploy/);
    assert.deepEqual(heard, []);
  });

  it('tells at once when the device is deleted', async () => {
    await deploy({ ...device, id: 'other', name: 'Other' });
    const { caught } = await ask('door', { device: 'Gate' });
    assert.equal(caught[0]?.error?.code, 'NOT_CONFIGURED');
    slow.letGo();
  });

  it('says once how many messages it ended, each with its receipt', async () => {
    await startFlow([device, door('unlock', local)]);
    const hanging = new Promise<void>((resolve) => {
      onRequest = (request) => {
        request.pause();
        request.removeAllListeners('end');
        resolve();
      };
    });
    server.removeAllListeners('request');
    server.on('request', onRequest);
    const asked = Array.from({ length: 30 }, () => ask('door'));
    await hanging;
    const changed = door('unlock', local, { name: 'renamed' });
    void helper.setFlows(flowOf([device, changed]) as never, 'nodes' as never);
    const outcomes = await Promise.all(asked);
    for (const { caught } of outcomes) assert.equal(caught[0]?.receipts?.length, 1);
    const logged = helper.log().args.map(([entry]) => String((entry as { msg?: unknown }).msg));
    const lines = logged.filter((line) => line.includes('messages were ended'));
    assert.equal(lines.length, 1);
    assert.match(String(lines[0]), /^\[algo-door:door\] 30 messages were ended; the first: door\/unlock/);
  });
});
