import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import helper from 'node-red-node-test-helper';
import { end, listen, ownHost } from '../fixtures/listening';
import { act } from '../fixtures/site';
import { Hooks, hook } from './hooks';

const password = 'sesame';
const body = { pattern: 0, color1: 'red', ledlvl: '1' };

describe('webhook: requests of this Node-RED', () => {
  let hooks: Hooks;
  beforeEach(() => {
    hooks = new Hooks();
  });
  afterEach(() => hooks.stop());

  const root = hook('root', { path: '/' });
  const device = (address: string) => ({ id: 'horn', type: 'algo-device', name: 'Horn', address });
  const start = {
    ...act('strobe/start', { device: 'horn', parametersType: 'msg', parameters: 'payload' }),
    id: 'start',
    wires: [['done']],
  };
  const done = { id: 'done', type: 'helper', z: 'tab', x: 1, y: 1 };
  const ring = async () => {
    const ended = once(helper.getNode('done'), 'input');
    helper.getNode('start').receive({ payload: body } as never);
    const [{ receipts }] = await ended;
    return receipts?.[0];
  };

  describe('to a device over http', () => {
    let server: Server;
    let address = '';
    let seen: IncomingMessage[];
    beforeEach(async () => {
      seen = [];
      server = createServer((request, response) => {
        seen.push(request);
        request.resume().on('end', () => response.end('{}'));
      });
      address = await listen(server, 0, ownHost);
    });
    afterEach(() => end(server));

    it('are replays when they come back', async () => {
      const credentials = { root: { password }, horn: { password } };
      await hooks.start([device(`http://${address}`), root, start, done], credentials);
      await ring();
      const { method = '', url = '', rawHeaders } = seen.at(-1) ?? {};
      assert.equal(`${method} ${url}`, 'POST /api/controls/strobe/start');
      const headers: Record<string, string> = {};
      for (let place = 0; place < (rawHeaders?.length ?? 0); place += 2) {
        const [name = '', value = ''] = rawHeaders?.slice(place, place + 2) ?? [];
        if (!/^(host|connection|content-length)$/i.test(name)) headers[name] = value;
      }
      assert.equal((await hooks.send(method, url, JSON.stringify(body), headers)).status, 401);
      const [refusal] = await hooks.refusals(1);
      assert.equal(refusal?.reason, 'replay');
      assert.equal((await hooks.signed(method, url, { password, body: '{}' })).status, 200);
      await hooks.calls(1);
    });
  });

  it('are accepted at the address to which they were sent', async () => {
    await hooks.start([root, done], { root: { password } });
    const credentials = { horn: { password } };
    await hooks.redeploy([device(hooks.url), root, start, done], 'nodes', credentials);
    assert.equal((await ring())?.outcome, 'accepted');
    const [, call] = await hooks.calls(2);
    assert.deepEqual([call?.resource, call?.payload], ['strobe', body]);
  });

  it('are accepted from its virtual devices', async () => {
    const virtual = { id: 'panel', type: 'algo-virtual-device', name: 'Panel', port: 0 };
    const hand = {
      ...{ id: 'hand', type: 'algo-virtual', z: 'tab', x: 1, y: 1, virtual: 'panel', operation: 'call' },
      ...{ parametersType: 'msg', parameters: 'payload', wires: [['done']] },
    };
    await hooks.start([virtual, hand, hook('bell', { path: '/bell' }), done], {
      panel: { password },
      bell: { password },
    });
    const called = once(helper.getNode('done'), 'input');
    const payload = { method: 'POST', target: new URL(hooks.url).host, path: '/bell', payload: '{"n":1}' };
    helper.getNode('hand').receive({ payload: { ...payload, auth: 'standard' } } as never);
    const [{ payload: answer }] = await called;
    assert.deepEqual(answer, { status: 200, body: '{}' });
    const [call] = await hooks.calls(1);
    assert.deepEqual(call?.payload, { n: 1 });
  });
});
