import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import { ask, flowOf, type NodeConfig, startFlow, stopFlow } from '../fixtures/flow';
import { end, listen } from '../fixtures/listening';
import { redeploy } from '../fixtures/redeploy';
import { wordingIn } from '../fixtures/wording';
import { door, local } from './door';
import { SlowToClose } from './slow-to-close';

describe('a deploy that replaces devices', () => {
  let slow: SlowToClose;
  let server: Server;
  let device: NodeConfig;
  let heard: string[];
  let paths: string[];
  let onRequest: (request: IncomingMessage) => void;
  let deploying: Promise<unknown> | undefined;

  beforeEach(async () => {
    slow = new SlowToClose();
    heard = [];
    paths = [];
    onRequest = () => {};
    server = createServer((request, response) => {
      heard.push(String(request.headers.host));
      paths.push(String(request.url));
      onRequest(request);
      request.resume().on('end', () => response.end());
    });
    const address = `http://${await listen(server)}`;
    device = { id: 'gate', type: 'algo-device', name: 'Gate', address, auth: 'none', tags: 'front' };
  });

  afterEach(async () => {
    slow.letGo();
    // It would go on in the middle of the next test.
    await deploying;
    await stopFlow();
    await end(server);
  });

  const byMessage = door('lock', local, { target: 'msg', device: '' });
  const lag: NodeConfig = { id: 'lag', type: 'slow-to-close', operation: 'none', n: 0 };

  /** Starts a deploy of the device. Resolves when it is closed, and not yet there again. */
  async function deploy(changed: NodeConfig): Promise<void> {
    await startFlow([device, byMessage, lag], {}, [slow.register]);
    const closing = slow.closing();
    deploying = redeploy(flowOf([changed, byMessage, { ...lag, n: 1 }]));
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

  it('keeps the order of those that wait for its successor, though the parameters of the first take longer', async () => {
    const byName = { target: 'msg', device: '' };
    const later = { ...byName, parametersType: 'jsonata', parameters: '{"doorid": "local"}' };
    const first = door('lock', {}, { ...later, id: 'first' });
    const second = door('unlock', local, { ...byName, id: 'second' });
    const gate = { ...device, letDeviceDecide: true };
    await startFlow([gate, first, second, lag], {}, [slow.register]);
    const closing = slow.closing();
    const changed = [{ ...gate, timeout: '9' }, first, second, { ...lag, n: 1 }];
    deploying = redeploy(flowOf(changed));
    await closing;
    helper.getNode('first').receive({ device: 'Gate' } as NodeMessage);
    helper.getNode('second').receive({ device: 'Gate' } as NodeMessage);
    const ended = new EventEmitter();
    for (const id of ['completed', 'caught']) helper.getNode(id).on('input', () => ended.emit('one'));
    slow.letGo();
    for (let left = 2; left > 0; left -= 1) await once(ended, 'one');
    assert.deepEqual(paths, ['/api/controls/door/lock', '/api/controls/door/unlock']);
  });

  it('sends nothing to a successor that is not meant any more', async () => {
    await deploy({ ...device, tags: 'back' });
    const asking = ask('door', { device: 'tag:front' });
    slow.letGo();
    const { caught } = await asking;
    assert.equal(caught[0]?.error?.code, 'ABORTED');
    assert.match(String(caught[0]?.error?.message), wordingIn('reasons:takenOut', { device: 'Gate' }));
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
    deploying = redeploy(flowOf([device, changed]));
    const outcomes = await Promise.all(asked);
    for (const { caught } of outcomes) assert.equal(caught[0]?.receipts?.length, 1);
    const logged = helper.log().args.map(([entry]) => String((entry as { msg?: unknown }).msg));
    const lines = logged.filter((line) => line.includes('messages were aborted'));
    assert.equal(lines.length, 1);
    assert.match(
      String(lines[0]),
      /^\[algo-door:door\] 30 messages were aborted; the first: .*: door\/unlock/,
    );
  });
});
