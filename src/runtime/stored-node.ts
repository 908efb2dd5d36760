import type { NodeAPI } from 'node-red';

/**
 * Returns a node as stored in the flow; an empty record if the flow does not contain the node. In the definition of
 * the node, Node-RED has already replaced the environment variables.
 */
export function storedNode(
  RED: NodeAPI,
  node: { readonly id: string; readonly _alias?: string },
): Readonly<Record<string, unknown>> {
  const id = node._alias ?? node.id;
  let found: object = {};
  RED.nodes.eachNode((stored) => {
    if (stored.id === id) found = stored;
  });
  return found as Readonly<Record<string, unknown>>;
}
