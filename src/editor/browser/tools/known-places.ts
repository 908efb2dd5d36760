import { everyDevice, rowsOfOthers } from '../devices';

/** Where devices are that this editor knows already, with their names. */
export function knownPlaces(
  node: EditorNode,
  more: readonly { readonly name: string; readonly address: string }[] = [],
): ReadonlyMap<string, string> {
  const known = [...everyDevice(), ...rowsOfOthers(node), ...more];
  return new Map(known.map(({ name, address }) => [placeOf(address), name || address]));
}

/** Host and port of an address; the two usual ports count as one, since a device has both. */
export function placeOf(address: string): string {
  const text = /^https?:\/\//i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(text)) return address;
  const { hostname, port } = new URL(text);
  return ['', '80', '443'].includes(port) ? hostname : `${hostname}:${port}`;
}
