/** Who is compared. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { chooseRuntime, ownNode } from '../../scripts/node-runtime.mjs';
import { bare } from './bare.mjs';
import { empty } from './empty.mjs';
import { ours } from './ours.mjs';
import { stock } from './stock.mjs';

const require = createRequire(import.meta.url);
const here = fileURLToPath(new URL('../..', import.meta.url));
const newest = chooseRuntime();
const oldest = { node: ownNode, nodeRed: 'node-red-4' };

function contestant(title, kind, { node, nodeRed } = newest, directory) {
  return { title, kind, node, nodeRed: require.resolve(nodeRed), ...(directory && { ours: directory }) };
}

/** By name; `kind` makes the flows, `ours` is where the package is. */
export const contestants = {
  stock: contestant('function and http request', stock(false)),
  'stock-kept': contestant('the same, connections kept', stock(true)),
  bare: contestant('bare node, undici', bare('undici')),
  'bare-core': contestant('bare node, core http', bare('core')),
  ours: contestant('this package', ours, newest, here),
  'ours-4.1': contestant('this package, Node-RED 4.1', ours, oldest, here),
  empty: contestant('a node that does nothing', empty),
};

/** This checkout and another one, compared with each other. */
export function checkouts(other) {
  return {
    here: contestant('this checkout', ours, newest, here),
    there: contestant('the other checkout', ours, newest, other),
  };
}

/** Versions of what runs, for the report. */
export function versions() {
  const versionOf = (name) => require(`${name}/package.json`).version;
  return {
    nodeRed: versionOf(newest.nodeRed),
    nodeRed4: versionOf('node-red-4'),
    undici: versionOf('undici'),
    node: newest.node,
    node4: oldest.node,
  };
}
