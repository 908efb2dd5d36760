import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { NodeInitializer } from 'node-red';

export const root = path.resolve(__dirname, '../../..');

/** The JSON of a file, relative to the package. */
export function read<T>(file: string): T {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}

/** Every node that the package brings, as its package.json names them. */
export function ownNodes(): NodeInitializer[] {
  const manifest: { 'node-red': { nodes: Record<string, string> } } = read('package.json');
  return Object.values(manifest['node-red'].nodes).map((file) => require(path.join(root, file)));
}
