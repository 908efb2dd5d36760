import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import helper from 'node-red-node-test-helper';
import { ask, type NodeConfig, startFlow, statusesOf, stopFlow } from '../fixtures/flow';
import { end, listen } from '../fixtures/listening';
import { redeploy } from '../fixtures/redeploy';
import { wordingIn } from '../fixtures/wording';

const doorid = { type: 'str', value: 'local' };
const tab: NodeConfig = { id: 'tab', type: 'tab' };

describe('a deploy', () => {
  let server: Server;
  let gate: NodeConfig;
  let answers: boolean;

  beforeEach(async () => {
    answers = true;
    server = createServer((_request, response) => {
      if (answers) response.end();
    });
    const address = `http://${await listen(server)}`;
    gate = { id: 'gate', type: 'algo-device', name: 'Gate', address, auth: 'none', timeout: '600' };
  });

  afterEach(async () => {
    await stopFlow();
    await end(server);
  });

  const lock = (more: Record<string, unknown> = {}): NodeConfig => {
    return { id: 'door', type: 'algo-door', device: 'gate', operation: 'lock', form: { doorid }, ...more };
  };

  it('of a node alone ends its messages at once, while the device stays', async () => {
    answers = false;
    await startFlow([gate, lock()]);
    const arrived = once(server, 'request');
    helper.getNode('door').receive({ payload: 1 } as never);
    const [request] = await arrived;
    const aborted = once(request.socket, 'close');
    const changed = { ...lock({ name: 'renamed' }), z: 'tab', x: 1, y: 1, wires: [] };
    await redeploy([tab, gate, changed]);
    await aborted;
    answers = true;
    const answered = once(server, 'request');
    helper.getNode('door').receive({ payload: 2 } as never);
    await answered;
  });

  it('that takes a device away is noticed by the next message', async () => {
    await startFlow([gate, lock(), lock({ id: 'named', target: 'msg' })]);
    await ask('door');
    helper.getNode('gate').close(true as never);
    for (const [id, words] of [
      ['door', wordingIn('reasons:chosenDeviceGone')],
      ['named', /no device has this name: door\/lock at "Gate"/],
    ] as const) {
      const { caught } = await ask(id, { device: 'Gate' });
      assert.equal(caught[0]?.error?.code, 'NOT_CONFIGURED');
      assert.match(String(caught[0]?.error?.message), words);
    }
  });

  it('of a device leaves its lines in the log: what was signed, and what is not safe', async () => {
    // The helper turns the log off for all that comes after a server.
    await helper.startServer();
    await new Promise<void>((resolve) => void helper.stopServer(() => resolve()));
    await startFlow([{ ...gate, auth: 'basic' }, lock()], { gate: { password: 'hidden-word' } });
    const { caught } = await ask('door');
    assert.deepEqual(
      caught.map(({ error }) => error?.message),
      [],
    );
    const entries = helper.log().args.map(([entry]) => entry as { level: number; msg?: unknown });
    const lines = (level: number) =>
      entries.filter((entry) => entry.level === level).map(({ msg }) => String(msg));
    assert.match(lines(60).join('\n'), /POST \/api\/controls\/door\/lock: Basic authentication.*status 200/);
    assert.match(lines(30).join('\n'), /\bBasic\b/);
    assert.doesNotMatch(JSON.stringify(entries), /hidden-word/);
  });

  it('leaves the status of several targets readable', async () => {
    await startFlow([gate, { ...gate, id: 'back', name: 'Back' }, lock({ target: 'msg' })]);
    await ask('door', { device: ['Gate', 'Back'] });
    assert.match(String(statusesOf('door').at(-1)?.text), /^status\.several /);
    assert.equal(statusesOf('door').at(-1)?.fill, 'green');
  });

  it('lets a device decide what its model can do', async () => {
    await startFlow([{ ...gate, model: '8301', letDeviceDecide: true }, lock()]);
    const { sent } = await ask('door');
    assert.equal(sent[0]?.receipts?.[0]?.outcome, 'accepted');
  });
});
