import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Node } from 'node-red';
import helper from 'node-red-node-test-helper';
import virtualNode from '../../../nodes/virtual';
import virtualDeviceNode from '../../../nodes/virtual-device';
import type { VirtualDevice } from '../../../src/virtual-device/device';
import { eachWithServer, loadNodes, statusesOf } from '../../fixtures/flow';
import { withTarget } from '../calls/target';

const action = (id: string, operation: string, parametersType: string, parameters: string) => ({
  ...{ id, type: 'algo-virtual', z: 'tab', x: 1, y: 1, virtual: 'virtual' },
  ...{ operation, parametersType, parameters, wires: [['out']] },
});

const flow = [
  { id: 'tab', type: 'tab', label: 'test' },
  { id: 'virtual', type: 'algo-virtual-device', model: '8450', auth: 'none' },
  action('hand', 'msg', 'msg', 'payload'),
  { ...action('lost', 'state', 'json', '{}'), virtual: '' },
  action('broken', 'fault', 'json', '{"kind":'),
  action('secret', 'call', 'jsonata', '{"pwd":$number(payload.pwd)}'),
  { id: 'out', type: 'helper', z: 'tab', x: 1, y: 1 },
  { id: 'catcher', type: 'catch', z: 'tab', x: 1, y: 1, scope: null, wires: [['caught']] },
  { id: 'caught', type: 'helper', z: 'tab', x: 1, y: 1 },
];

describe('algo-virtual, the node', () => {
  eachWithServer();

  /** Gives a message to a node, and what comes of it: at the output, or at the Catch node. */
  async function sendJson(
    id: string,
    message: Record<string, unknown>,
    where: 'out' | 'caught',
  ): Promise<Record<string, unknown>> {
    const arrived = once(helper.getNode(where), 'input');
    helper.getNode(id).receive(message);
    const [found] = await arrived;
    return found;
  }

  it('does by message what a hand does, and leaves the payload alone unless there is an answer', async () => {
    await loadNodes([virtualDeviceNode, virtualNode], flow);
    const device = await (helper.getNode('virtual') as Node & { device(): Promise<VirtualDevice> }).device();
    const pressed = await sendJson('hand', { operation: 'press', payload: { id: '7' } }, 'out');
    assert.deepEqual(pressed.payload, { id: '7' });
    assert.deepEqual(device.state.console, [{ type: 'pageTone' }]);
    const fault = await sendJson('hand', { operation: 'fault', payload: { kind: 'half', count: 2 } }, 'out');
    assert.deepEqual(fault.payload, { id: 1 });
    const read = await sendJson('hand', { operation: 'state', payload: {} }, 'out');
    assert.equal((read.payload as { model: string }).model, '8450');
  });

  it('adds every kind of fault, and can take each away', async () => {
    await loadNodes([virtualDeviceNode, virtualNode], flow);
    const device = await (helper.getNode('virtual') as Node & { device(): Promise<VirtualDevice> }).device();
    const commands: readonly { kind: string; [field: string]: unknown }[] = [
      { kind: 'latency', ms: 5, toMs: 9, distribution: 'uniform' },
      { kind: 'lost', route: 'POST' },
      { kind: 'unanswered', count: 1 },
      { kind: 'reset-before', chance: 0.5 },
      { kind: 'reset-after' },
      { kind: 'half' },
      { kind: 'garbage' },
      { kind: 'content-type', contentType: 'text/plain' },
      { kind: 'status', status: 500 },
      { kind: 'bandwidth', bytesPerSecond: 9 },
    ];
    for (const payload of commands) {
      const { payload: answer } = await sendJson('hand', { operation: 'fault', payload }, 'out');
      const { id } = answer as { id: number };
      assert.deepEqual(device.snapshot().faults, [{ ...payload, id, struck: 0 }]);
      await sendJson('hand', { operation: 'clear-faults', payload: { id } }, 'out');
      assert.deepEqual(device.snapshot().faults, []);
    }
  });

  it('sends a request by message, and leaves with status and body of its answer', () =>
    withTarget(
      async ({ place, requests }) => {
        await loadNodes([virtualDeviceNode, virtualNode], flow);
        const payload = { method: 'POST', target: place, path: '/bell', payload: '{"n":1}', auth: 'basic' };
        const left = await sendJson('hand', { operation: 'call', payload }, 'out');
        assert.deepEqual(left.payload, { status: 201, body: '{"ok":true}' });
        assert.deepEqual(
          requests.map(({ url, body, headers }) => [url, body, headers.authorization]),
          [['/bell', '{"n":1}', 'Basic YWRtaW46YWxnbw==']],
        );
      },
      (response) => response.writeHead(201).end('{"ok":true}'),
    ));

  it('says in the log of Node-RED what was sent, without header, payload and answer, and what was not', () =>
    withTarget(
      async ({ place }) => {
        await loadNodes([virtualDeviceNode, virtualNode], flow);
        const call = { target: place, path: '/bell?n=s3cr3t', payload: '{"n":"s3cr3t"}', auth: 'basic' };
        await sendJson('hand', { operation: 'call', payload: call }, 'out');
        const elsewhere = { ...call, target: '192.0.2.9' };
        await sendJson('hand', { operation: 'call', payload: elsewhere }, 'caught');
        const entries = (helper.log().args as { msg: string; id?: string }[][]).flat();
        const lines = entries.filter((entry) => entry?.id === 'virtual').map(({ msg }) => msg);
        assert.ok(lines.includes(`call POST ${place}/bell -> 200`), lines.join('\n'));
        const refused = lines.find((line) => line.startsWith('call POST 192.0.2.9/bell -> not sent: '));
        assert.match(refused ?? '', /loopback.*--calls/);
        assert.doesNotMatch(JSON.stringify(entries.map(({ msg }) => msg)), /s3cr3t|YWRtaW46/);
      },
      (response) => response.end('s3cr3t'),
    ));

  it('fails with a code and a sentence, at a Catch node', async () => {
    await loadNodes([virtualDeviceNode, virtualNode], flow);
    const cases: readonly [string, Record<string, unknown>, string, RegExp][] = [
      ['hand', { operation: 'press', payload: {} }, 'INVALID_PARAMETER', /^(?:Error: )?id is missing$/],
      ['hand', { operation: 'explode', payload: {} }, 'INVALID_PARAMETER', /"explode"/],
      ['hand', { payload: {} }, 'INVALID_PARAMETER', /msg\.operation must be/],
      ['hand', { operation: 'call', payload: { target: '192.0.2.9' } }, 'INVALID_PARAMETER', /loopback/],
      ['hand', { operation: 'call', payload: { target: '127.0.0.1:1' } }, 'UNREACHABLE', /ECONNREFUSED/],
      ['lost', {}, 'NOT_CONFIGURED', /No virtual device is selected/],
      ['broken', {}, 'INVALID_PARAMETER', /The parameters cannot be read: .*JSON/],
      ['secret', { payload: { pwd: 'hunter2' } }, 'INVALID_PARAMETER', /cannot be read: [^"]*"\*\*\*"$/],
    ];
    for (const [id, message, code, sentence] of cases) {
      const { error } = (await sendJson(id, message, 'caught')) as {
        error: { code: string; message: string };
      };
      assert.equal(error.code, code);
      assert.match(error.message, sentence);
      const { text = '', ...look } = statusesOf(id).at(-1) ?? {};
      assert.deepEqual(look, { fill: 'red', shape: 'ring' });
      assert.match(text, new RegExp(`^status\\.${code} \\d\\d:\\d\\d:\\d\\d$`));
    }
  });
});
