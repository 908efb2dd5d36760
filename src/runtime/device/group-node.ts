import type { Node, NodeAPI } from 'node-red';
import { lastSent } from '../flows-stopped';
import type { Open } from '../later';
import { Group, type GroupProperties } from './group';
import { surroundingsOf } from './host';
import { notePasswords } from './missing-passwords';
import { deregisterGroup, registerGroup } from './registry';

/** What makes a node an `algo-group`. */
export function groupNode(RED: NodeAPI): Open<GroupProperties> {
  return (created, definition) => {
    const node = created as Node<Record<string, unknown>>;
    const surroundings = surroundingsOf(RED, node, definition);
    const group = new Group(node.id, definition, node.credentials ?? {}, surroundings, (name) =>
      RED.util.getSetting(node, name),
    );
    registerGroup(group);
    notePasswords(RED, node, definition, group.withoutPassword);
    node.on('close', (isRemoved: boolean, done: (error?: Error) => void) => {
      if (isRemoved) deregisterGroup(group);
      const last = lastSent(RED);
      const closing = last ? last.then(() => group.close()) : group.close();
      closing.then(() => done(), done);
    });
  };
}
