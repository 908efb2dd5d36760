import assert from 'node:assert/strict';
import type { FlowNode } from '../fixtures/node-red';
import type { Editor } from './editor';
import { flow, group } from './group-flow';
import { editorSession } from './session';

const several = {
  ...{ z: 'tab', y: 100, target: 'several', device: '', group: '' },
  targets: ['lobby', 'group:group', 'tag:south'],
};
const door: FlowNode = {
  ...{ id: 'door', type: 'algo-door', name: 'Doors', x: 200, wires: [[]], operation: 'lock' },
  ...several,
};
const alert: FlowNode = {
  ...{ id: 'alert', type: 'algo-alert', name: 'Alarm', x: 400, wires: [[], []], actions: [] },
  ...several,
};

describe('nodes for several devices', () => {
  let editor: Editor;
  editorSession([...flow, door, alert], (opened) => {
    editor = opened;
  });

  /** By type, the nodes that an import brought. */
  const imported = (nodes: readonly unknown[], copied: boolean) =>
    editor.page.evaluate(`(() => {
      const options = { generateIds: true, addFlow: true };
      if (${copied}) options.importMap = Object.fromEntries(${JSON.stringify(nodes)}.map(({ id }) => [id, 'copy']));
      const { nodes } = RED.nodes.import(${JSON.stringify(nodes)}, options);
      return nodes.map(({ id, type, name, targets, devices }) => ({ id, type, name, targets, devices }));
    })()`) as Promise<{ id: string; type: string; name: string; targets?: string[]; devices?: string[] }[]>;

  it('take their devices with them where they are exported alone', async () => {
    const exported = (await editor.page.evaluate(
      `RED.nodes.createExportableNodeSet([RED.nodes.node('door')]).map(({ id }) => id)`,
    )) as string[];
    assert.ok(exported.includes('lobby'), exported.join());
  });

  it('are for the copies of their devices where these are copied with them', async () => {
    const copies = await imported([...flow.slice(1), door, alert], true);
    const idOf = (name: string) => copies.find((one) => one.name === name)?.id;
    const lobby = idOf('Lobby');
    assert.ok(lobby && lobby !== 'lobby');
    assert.deepEqual(copies.find(({ type }) => type === group.type)?.devices, [lobby]);
    for (const name of ['Doors', 'Alarm']) {
      const { targets } = copies.find((one) => one.name === name) ?? {};
      // Node-RED knows references by themselves only: a group keeps its prefix, and is the one it was.
      assert.deepEqual(targets, [lobby, 'group:group', 'tag:south'], name);
    }
  });
});
