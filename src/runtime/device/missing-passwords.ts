import type { Node, NodeAPI } from 'node-red';
import type { DeviceProperties } from './settings';

/** The maximum number of names in the sentence; the others are counted. */
const mostNamed = 5;

/** What was deployed without a password, and is not yet said; by its id. */
const found = new Map<string, { node: Node; name: string }>();

/**
 * Says at the deploy which of its devices and groups have no password, as after an import. Nothing is ever sent to
 * these: an emergency must not be the first to say so.
 */
export function notePassword(
  RED: NodeAPI,
  node: Node<{ password?: unknown }>,
  { name, auth, virtual }: Pick<DeviceProperties, 'name' | 'auth' | 'virtual'>,
): void {
  if (virtual || auth === 'none' || node.credentials?.password) return;
  if (found.size === 0) RED.events.once('flows:started', say);
  found.set(node.id, { node, name: String(name || node.id) });
}

/** One line for all of them, at the first one: an import may bring hundreds. */
function say(): void {
  const lacking = [...found.values()];
  const names = lacking.map(({ name }) => JSON.stringify(name));
  const more = names.length > mostNamed ? [`${names.length - mostNamed} more`] : [];
  const list = [...names.slice(0, mostNamed), ...more].join(', ');
  found.clear();
  lacking[0]?.node.warn(
    `No password, so nothing can be sent: ${list}. Passwords do not travel with exported flows; enter them again`,
  );
}
