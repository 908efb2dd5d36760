import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import helper from 'node-red-node-test-helper';
import { ask, type NodeConfig, startFlow, stopFlow } from '../fixtures/flow';
import { end, listen } from '../fixtures/listening';
import { redeploy } from '../fixtures/redeploy';
import { wording, wordingIn } from '../fixtures/wording';
import { door, fiveSeconds, only } from './door';

/** Node-RED's log level for errors. */
const errorLevel = 20;

describe('algo-door at a device that takes a request and never answers', () => {
  let server: Server;
  let address: string;
  let requests: string[];
  let arrived: Promise<unknown>;

  beforeEach(async () => {
    requests = [];
    server = createServer((request: IncomingMessage) => {
      requests.push(String(request.url));
      server.emit('arrived');
    });
    address = `http://${await listen(server)}`;
    arrived = once(server, 'arrived');
  });

  afterEach(async () => {
    await stopFlow();
    await end(server);
  });

  const silent = (more: Record<string, unknown>): NodeConfig => ({
    id: 'gate',
    type: 'algo-device',
    name: 'Gate',
    address,
    auth: 'none',
    letDeviceDecide: true,
    ...more,
  });

  it('says that a momentary unlock may have happened, and does not send it again', async () => {
    await startFlow([silent({ timeout: '1' }), door('munlock', fiveSeconds)]);
    const { caught } = await ask('door');
    assert.equal(caught[0]?.error?.code, 'TIMEOUT', caught[0]?.error?.message);
    const receipt = only(caught[0]?.receipts);
    assert.equal(receipt.outcome, 'unknown');
    assert.equal(receipt.attempts, 1);
    assert.deepEqual(requests, ['/api/controls/door/munlock']);
  });

  it('ends a message that is under way at a full deploy, and says so in the log', async () => {
    await startFlow([silent({}), door('munlock', fiveSeconds)]);
    helper.getNode('door').receive({ payload: 1 } as never);
    await arrived;
    const { status } = helper.getNode('door') as unknown as { status: { lastCall: { args: unknown[] } } };
    await redeploy([{ id: 'empty', type: 'tab' }], 'full');
    const errors = helper
      .log()
      .args.map(([entry]) => entry as { level: number; msg?: unknown })
      .filter(({ level }) => level === errorLevel);
    assert.equal(errors.length, 1);
    assert.match(String(errors[0]?.msg), /algo-door:door/);
    const unclear = { operation: 'door/munlock', reason: wording('reasons:nodeClosed') };
    assert.match(String(errors[0]?.msg), wordingIn('reasons:atPlace', unclear));
    assert.match(String(errors[0]?.msg), wordingIn('reasons:mightBeDone'));
    assert.deepEqual(status.lastCall.args, [{}]);
  });
});
