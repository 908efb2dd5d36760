import type { Node } from 'node-red';
import type { ActionNode, ActionProperties } from './command';

export type Kind = Pick<ActionNode, 'RED' | 'group' | 'hooks' | 'autoStops'>;

const kinds = new Map<string, () => Kind>();

export function registerKind(resource: string, load: () => Kind): () => Kind {
  let loaded: Kind | undefined;
  const kind = () => {
    loaded ??= load();
    return loaded;
  };
  kinds.set(resource, kind);
  return kind;
}

/**
 * Returns the kind of node for an operation; undefined if no node of the operation's resource is registered.
 * @param operation for example `door/lock`
 */
export function kindOf(operation: string): Kind | undefined {
  return kinds.get(operation.split('/')[0] ?? '')?.();
}

export function madeUp(
  kind: Kind,
  { id, name, type }: { readonly id: string; readonly name: string; readonly type: string },
  operation: string,
  properties: ActionProperties,
): ActionNode {
  return {
    ...kind,
    node: { id, name, type } as Node,
    properties: { ...properties, operation: operation.split('/')[1] },
    progress() {},
  };
}
