import assert from 'node:assert/strict';
import { browserDirectory, bundle } from '../../src/editor/bundle';

type Node = Readonly<Record<string, unknown>>;

interface Script {
  validateDevice(node: Node, device: unknown): unknown;
  validateGroup(node: Node, group: unknown): unknown;
  validateBroker(node: Node, broker: unknown): unknown;
}

const configs: Readonly<Record<string, Node>> = {
  gate: { id: 'gate', valid: true },
  wrong: { id: 'wrong', valid: false },
  off: { id: 'off', valid: true, d: true },
};

describe('what a node says of its target', () => {
  let script: Script;
  let open: { node?: Node; target?: string } = {};
  const globals = globalThis as Record<string, unknown>;
  const outside = { RED: globals.RED, $: globals.$ };

  before(async () => {
    const stdin = { contents: "export * from './node/validate';", resolveDir: browserDirectory };
    const text = await bundle({ stdin, format: 'esm' });
    globals.RED = {
      _: (key: string) => key,
      nodes: { node: (id: string) => configs[id] ?? null },
      editor: { getEditStack: () => (open.node ? [open.node] : []) },
    };
    globals.$ = () => ({ val: () => open.target });
    script = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
  });
  beforeEach(() => {
    open = {};
  });
  after(() => Object.assign(globals, outside));

  const nodeWith = (properties: Node): Node => ({ _def: { _: (key: string) => key }, ...properties });

  it('is the device of the dialog that is open, whatever was saved', () => {
    const node = nodeWith({ target: 'several', targets: [] });
    assert.equal(script.validateDevice(node, ''), 'several.none');
    open = { node, target: 'device' };
    assert.equal(script.validateDevice(node, 'gate'), true);
    assert.equal(script.validateDevice(node, ''), 'form.missing.device');
  });

  it('is wrong where the device or the group is disabled', () => {
    assert.equal(script.validateDevice(nodeWith({}), 'gate'), true);
    assert.equal(script.validateDevice(nodeWith({}), 'off'), 'form.disabled.device');
    assert.equal(script.validateGroup(nodeWith({ target: 'group' }), 'off'), 'form.disabled.group');
    assert.equal(script.validateDevice(nodeWith({ target: 'msg' }), 'off'), true);
    assert.equal(script.validateBroker(nodeWith({}), 'off'), 'form.disabled.broker');
    assert.equal(script.validateDevice(nodeWith({}), 'wrong'), 'form.wrong.device');
  });
});
