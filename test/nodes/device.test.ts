import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { ask, type NodeConfig, startFlow, stopFlow } from '../fixtures/flow';
import { end, listen } from '../fixtures/listening';
import { redeploy } from '../fixtures/redeploy';
import { wordingIn } from '../fixtures/wording';

const doorid = { type: 'str', value: 'local' };
const lock = (id: string, device: string): NodeConfig => {
  return { id, type: 'algo-door', target: 'device', device, operation: 'lock', form: { doorid } };
};

describe('algo-device', () => {
  let server: Server;
  let address: string;
  let connections: number;
  let requests: string[];

  beforeEach(async () => {
    connections = 0;
    requests = [];
    server = createServer((request, response) => {
      requests.push(String(request.url));
      response.end();
    });
    server.on('connection', () => connections++);
    address = `http://${await listen(server)}`;
  });

  afterEach(async () => {
    await stopFlow();
    await end(server);
  });

  const open = (more: Record<string, unknown> = {}): NodeConfig => {
    return { id: 'gate', type: 'algo-device', name: 'Gate', address, auth: 'none', ...more };
  };

  it('is one client for all nodes that use it', async () => {
    await startFlow([open(), lock('first', 'gate'), lock('second', 'gate')]);
    for (const id of ['first', 'second', 'first']) await ask(id);
    assert.equal(requests.length, 3);
    assert.equal(connections, 1);
  });

  it('leaves no connection when it is deployed away', async () => {
    await startFlow([open(), lock('first', 'gate')]);
    const [socket] = await Promise.all([once(server, 'connection').then(([one]) => one), ask('first')]);
    const closed = once(socket, 'close');
    await redeploy([{ id: 'empty', type: 'tab' }], 'full');
    await closed;
  });

  it('sends its base path without signing anything else', async () => {
    await startFlow([open({ address: `${address}/behind/proxy/` }), lock('first', 'gate')]);
    await ask('first');
    assert.deepEqual(requests, ['/behind/proxy/api/controls/door/lock']);
  });

  it('works through a virtual device in its place', async () => {
    const virtual = {
      id: 'stand-in',
      type: 'algo-virtual-device',
      name: 'Stand-in',
      model: '8063',
      port: '0',
    };
    await startFlow([virtual, open({ address: '', virtual: 'stand-in' }), lock('first', 'gate')], {
      'stand-in': { password: 'its own' },
    });
    const { sent } = await ask('first');
    assert.equal(sent[0]?.receipts?.[0]?.outcome, 'accepted');
    assert.match(String(sent[0]?.receipts?.[0]?.address), /^http:\/\/127\.0\.0\.1:\d+/);
    assert.equal(requests.length, 0);
  });

  const unusable: [string, Record<string, unknown>, RegExp][] = [
    ['an address', { address: '' }, wordingIn('reasons:noAddress')],
    ['an address with a login', { address: 'http://admin:pw@192.0.2.1' }, /user|password|login/],
    ['an address with a login without slashes', { address: 'https:admin:pw@x' }, /user|password|login/],
    ['an address with a slash in its login', { address: 'admin:a/pw@x' }, /address/],
    ['a virtual device that is gone', { virtual: 'gone' }, wordingIn('reasons:noVirtualNode')],
    ['a TLS configuration that is gone', { tls: 'gone' }, wordingIn('reasons:noTlsNode')],
    ['an authentication', { auth: 'digest' }, wordingIn('phrases:mustBe', { place: 'auth' })],
    ['a time limit', { timeout: 'soon' }, wordingIn('phrases:mustBe', { place: 'timeout' })],
    ['a fingerprint', { address: 'https://192.0.2.1', certificate: 'pin' }, /fingerprint/],
  ];
  for (const [what, properties, words] of unusable) {
    it(`says NOT_CONFIGURED for want of ${what}, and sends nothing`, async () => {
      await startFlow([open(properties), lock('first', 'gate')]);
      const { sent, caught } = await ask('first');
      assert.equal(sent.length, 0);
      assert.equal(caught[0]?.error?.code, 'NOT_CONFIGURED');
      assert.match(String(caught[0]?.error?.message), words);
      assert.ok(!String(caught[0]?.error?.message).includes('pw@'), 'the error shows a password');
      assert.ok(!JSON.stringify(caught[0]?.receipts).includes('pw@'), 'the receipt shows a password');
      assert.equal(requests.length, 0);
    });
  }
});
