import type { Node } from 'node-red';
import type { ActionNode, ActionProperties } from './command';

/** What the requests of one kind of action node are sent with. */
export type Kind = Pick<ActionNode, 'RED' | 'group' | 'hooks'>;

/** By the noun of the operations; each is loaded when it is first needed. */
const kinds = new Map<string, () => Kind>();

/** @returns the kind, loaded once */
export function noteKind(noun: string, load: () => Kind): () => Kind {
  let loaded: Kind | undefined;
  const kind = () => {
    loaded ??= load();
    return loaded;
  };
  kinds.set(noun, kind);
  return kind;
}

/** @param operation for example `door/lock` */
export function kindOf(operation: string): Kind | undefined {
  return kinds.get(operation.split('/')[0] ?? '')?.();
}

/** An action node that nobody placed, which sends one operation for a node that is of another type. */
export function madeUp(
  kind: Kind,
  { id, name, type }: { readonly id: string; readonly name: string; readonly type: string },
  operation: string,
  properties: ActionProperties,
  autoStops: ActionNode['autoStops'],
): ActionNode {
  return {
    ...kind,
    node: { id, name, type } as Node,
    properties: { ...properties, operation: operation.split('/')[1] },
    autoStops,
    progress() {},
  };
}
