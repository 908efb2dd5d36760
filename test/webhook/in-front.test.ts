import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { type FlowNode, type NodeRed, startNodeRed } from '../fixtures/node-red';
import { ask, send, sign } from '../fixtures/signer';

const place = { z: 'tab', x: 100, y: 100 };

const json = { 'Content-Type': 'application/json' };

/** A webhook whose messages are printed by a node of core. */
const hook = (id: string, path: string, more: object = {}): FlowNode => ({
  ...place,
  id,
  type: 'algo-webhook',
  path,
  auth: 'none',
  ...more,
  wires: [['print'], []],
});

const flow: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'tab' },
  hook('bell', '/bell'),
  hook('door', '/door'),
  hook('editor', '/settings'),
  hook('core', '/core'),
  hook('static', '/strobe.svg'),
  hook('root', '/'),
  { ...place, id: 'in', type: 'http in', url: '/core', method: 'post', wires: [['out']] },
  { ...place, id: 'beside', type: 'http in', url: '/beside', method: 'post', wires: [['out']] },
  { ...place, id: 'out', type: 'http response', statusCode: '299', wires: [] },
  {
    ...place,
    id: 'print',
    type: 'debug',
    active: true,
    console: true,
    tosidebar: false,
    complete: 'true',
    targetType: 'full',
  },
];

for (const [what, root, settings] of [
  [
    'with static files and middleware',
    '',
    {
      httpStatic: path.resolve('icons'),
      httpNodeMiddleware: (_request: IncomingMessage, response: ServerResponse) =>
        response.writeHead(298).end(),
    },
  ],
  [
    'with a moved root, a login for HTTP nodes, and the editor at another root',
    '/red',
    {
      httpNodeRoot: '/red',
      httpAdminRoot: '/admin',
      httpNodeAuth: { user: 'u', pass: '$2a$08$aaaaaaaaaaaaaaaaaaaaaeTLcOyq6dO1A6mUMJ9cW8zXb2h7T0z0C' },
    },
  ],
] as const) {
  const adminRoot = root === '' ? '' : '/admin';

  describe(`webhook: in front of Node-RED, ${what}`, () => {
    let red: NodeRed;
    let address = '';
    before(async () => {
      red = await startNodeRed(flow, process.execPath, undefined, settings);
      address = new URL(red.url).origin;
      // Passwords are deployed as the editor does it.
      const signed = {
        ...hook('signed', '/signed', { auth: 'standard' }),
        credentials: { password: 'sesame' },
      };
      const admin = { ...json, 'Node-RED-Deployment-Type': 'nodes' };
      const deploy = Buffer.from(JSON.stringify([...flow, signed]));
      await send(address, 'POST', `${adminRoot}/flows`, admin, deploy);
      await red.waitForOutput(/Started modified nodes/);
    });
    after(() => red.stop());

    it('answers with the bytes that came, before the body is read by the editor', async () => {
      const body = '{ "n":\t1 }';
      const { status, text } = await send(address, 'POST', `${root}/bell`, json, Buffer.from(body));
      assert.deepEqual([status, text], [200, '{}']);
      await red.waitForOutput(/payload: \{ n: 1 \}/);
    });

    it('checks the signature over these bytes', async () => {
      const body = '{ "n":\t2 }';
      const { status } = await ask(address, 'POST', `${root}/signed`, { body, password: 'sesame' });
      assert.equal(status, 200);
      await red.waitForOutput(/payload: \{ n: 2 \}/);
      const headers = sign('POST', `${root}/signed`, { body, password: 'sesame' });
      const other = await send(address, 'POST', `${root}/signed`, headers, Buffer.from('{ "n": 2 }'));
      assert.equal(other.status, 401);
    });

    it('answers where the editor, core nodes and static files are, without their login and middleware', async () => {
      for (const place of ['/settings', '/core', '/strobe.svg', '/api/controls/reboot']) {
        const { status, text } = await send(address, 'POST', `${root}${place}`, json, Buffer.from('{}'));
        assert.deepEqual([status, text], [200, '{}'], place);
      }
    });

    it('leaves everything else as it was', async () => {
      const beside = await send(address, 'POST', `${root}/beside`, json, Buffer.from('{}'));
      assert.equal(beside.status, root === '' ? 298 : 401);
      const file = await send(address, 'GET', '/tone.svg', {});
      assert.equal(file.status, root === '' ? 200 : 404);
      const editor = await send(address, 'GET', `${adminRoot}/`, {});
      assert.match(editor.text, /<title>Node-RED/);
      const flows = await send(address, 'GET', `${adminRoot}/flows`, {});
      assert.equal((JSON.parse(flows.text) as unknown[]).length, flow.length + 1);
    });
  });
}
