import assert from 'node:assert/strict';
import { exampleFiles } from '../fixtures/examples';
import type { FlowNode } from '../fixtures/node-red';
import { read } from '../fixtures/package';
import type { Editor } from './editor';
import { session } from './session';

/** Nodes of other modules, without which a flow does not start: Dashboard and the e-mail nodes. */
const isOfAnotherModule = ({ type }: FlowNode): boolean => /^ui-|^e-mail$/.test(type);
const flow = exampleFiles
  .map((file) => read<FlowNode[]>(file))
  .filter((nodes) => !nodes.some(isOfAnotherModule))
  .flat();

/** Wires of the tab that is shown which run behind a node, and nodes that lie on each other. */
const hidden = `(() => {
  const nodes = RED.nodes.filterNodes({ z: RED.workspaces.active() });
  const called = (node) => node.name || node.type;
  const isBelow = (node, { x, y }) => Math.abs(x - node.x) < node.w / 2 - 3 && Math.abs(y - node.y) < node.h / 2 - 3;
  const wires = [...document.querySelectorAll('.red-ui-flow-link-line')].flatMap((line) => {
    const { source, target } = line.__data__;
    const points = Array.from({ length: line.getTotalLength() / 3 }, (_, index) => line.getPointAtLength(index * 3));
    return nodes
      .filter((node) => points.some((point) => isBelow(node, point)))
      .map((node) => called(source) + ' to ' + called(target) + ', behind ' + called(node));
  });
  const lying = nodes.flatMap((one, index) => nodes.slice(index + 1)
    .filter((other) => Math.abs(one.x - other.x) < (one.w + other.w) / 2 && Math.abs(one.y - other.y) < (one.h + other.h) / 2)
    .map((other) => called(one) + ' on ' + called(other)));
  return { drawn: document.querySelectorAll('.red-ui-flow-link-line').length, found: [...wires, ...lying] };
})()`;

describe('the examples, as they are imported', () => {
  let editor: Editor;
  const shared = session(flow);
  before(async () => {
    editor = await shared.show();
  });
  afterEach(function () {
    return editor.check(this.currentTest);
  });

  it('hide no wire behind a node, and no node behind another', async () => {
    const tabs = flow.filter(({ type }) => type === 'tab');
    assert.ok(tabs.length > 30);
    for (const { id, label } of tabs) {
      await editor.page.evaluate(`RED.workspaces.show(${JSON.stringify(id)})`);
      const ends = flow.filter(({ z }) => z === id).flatMap(({ wires = [] }) => (wires as string[][]).flat());
      const last = flow.findLast(({ z }) => z === id)?.id ?? '';
      await editor.node(last).waitFor();
      const { drawn, found } = await editor.page.evaluate<{ drawn: number; found: string[] }>(hidden);
      assert.deepEqual([drawn, found], [ends.length, []], String(label));
    }
  });
});
