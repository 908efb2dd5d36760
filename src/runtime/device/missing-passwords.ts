import type { Node, NodeAPI } from 'node-red';
import type { DeviceProperties } from './settings';

/** The maximum number of names in the sentence; the others are counted. */
const mostNamed = 5;

/** What was deployed without a password, and is not yet said; by the id of its node. */
const found = new Map<string, { node: Node; names: readonly string[] }>();

/**
 * Says at the deploy which of its devices and groups have no password, as after an import. Nothing is ever sent to
 * these: an emergency must not be the first to say so.
 * @param names what of the node has none, in quotes
 */
export function notePasswords(
  RED: NodeAPI,
  node: Node,
  { auth, virtual }: Pick<DeviceProperties, 'auth' | 'virtual'>,
  names: readonly string[],
): void {
  if (virtual || auth === 'none' || names.length === 0) return;
  if (found.size === 0) RED.events.once('flows:started', say);
  found.set(node.id, { node, names });
}

/** One line for all of them, at the first one: an import may bring hundreds. */
function say(): void {
  const lacking = [...found.values()];
  const names = lacking.flatMap((one) => one.names);
  const more = names.length > mostNamed ? [`${names.length - mostNamed} more`] : [];
  const list = [...names.slice(0, mostNamed), ...more].join(', ');
  found.clear();
  lacking[0]?.node.warn(
    `No password, so nothing can be sent: ${list}. Passwords do not travel with exported flows; enter them again`,
  );
}
