import type { Node, NodeAPI, NodeDef } from 'node-red';
import { Group, type GroupProperties } from '../src/runtime/device/group';
import { surroundingsOf } from '../src/runtime/device/host';
import { deregisterGroup, forgetClosed, registerGroup } from '../src/runtime/device/registry';

interface GroupDef extends Omit<NodeDef, 'name'>, GroupProperties {}

export = (RED: NodeAPI): void => {
  // Once, however often this is loaded.
  RED.events.off('flows:started', forgetClosed).on('flows:started', forgetClosed);
  RED.nodes.registerType(
    'algo-group',
    function (this: Node<{ password: unknown }>, definition: GroupDef) {
      RED.nodes.createNode(this, definition as NodeDef);
      const { password } = this.credentials ?? {};
      const group = new Group(this.id, definition, password, surroundingsOf(RED, this, definition), (name) =>
        RED.util.getSetting(this, name),
      );
      registerGroup(group);
      this.on('close', (isRemoved: boolean, done: (error?: Error) => void) => {
        if (isRemoved) deregisterGroup(group);
        group.close().then(() => done(), done);
      });
    },
    { credentials: { password: { type: 'password' } } },
  );
};
