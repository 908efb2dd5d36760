import { findRenamed } from '../../../catalogue/renamed-properties';

/** The property in whose name core runs the check of the old names. No node has a value for it. */
const checked = 'renamedProperties';

/**
 * Marks the nodes of imported flows that have a property by its old name. Core keeps only properties that a type
 * declares, so a type declares an old name as soon as an imported node has it. Other flows see nothing of old names.
 */
export function markRenamed(): void {
  const { nodes } = RED;
  const importFlow = nodes.import;
  nodes.import = function (flow, ...options) {
    for (const node of nodesIn(flow)) declareRenamed(node);
    return importFlow.call(this, flow, ...options);
  };
}

/** The nodes of a flow; none if it is not JSON, which core reports. */
function nodesIn(flow: unknown): object[] {
  try {
    const nodes: unknown[] = [typeof flow === 'string' ? JSON.parse(flow) : flow].flat();
    return nodes.filter((node) => typeof node === 'object' && node !== null);
  } catch {
    return [];
  }
}

function declareRenamed(node: { readonly type?: unknown }): void {
  const type = String(node.type);
  const renamed = findRenamed(type, node);
  const definition = renamed.length > 0 ? RED.nodes.getType(type) : undefined;
  const { defaults } = definition ?? {};
  if (!definition || !defaults) return;
  for (const { old } of renamed) defaults[rootOf(old)] ??= {};
  if (defaults[checked]) return;
  // Core shows a list of lines as they are.
  defaults[checked] = {
    validate() {
      const lines = linesOf(this);
      return lines.length === 0 || lines;
    },
  };
  const { oneditprepare, oneditsave } = definition;
  definition.oneditprepare = function () {
    oneditprepare?.call(this);
    showLines(this);
  };
  definition.oneditsave = function () {
    const result = oneditsave?.call(this);
    removeRenamed(this);
    return result;
  };
}

function linesOf(node: EditorNode): string[] {
  return findRenamed(node.type, node).map(({ old, now }) => node._def._('form.renamed', { old, now }));
}

/** Says at the top of the open dialog what to set again. */
function showLines(node: EditorNode): void {
  const lines = linesOf(node);
  if (lines.length === 0) return;
  const kind = node._def.category === 'config' ? 'node-config-input' : 'node-input';
  $('<div class="algo-warning algo-renamed" role="status">')
    .append(lines.map((line) => $('<div>').text(line)))
    .prependTo($(`#${kind}-name`).closest('form'));
}

/** A closed dialog leaves nothing by an old name, so that the node is not marked any more. */
function removeRenamed(node: EditorNode): void {
  for (const { old } of findRenamed(node.type, node)) {
    const [root = '', key] = old.split('.');
    if (key === undefined) {
      delete node[root];
    } else {
      const { [key]: _, ...rest } = Object(node[root]);
      node[root] = rest;
    }
  }
}

function rootOf(path: string): string {
  return path.replace(/\..*/, '');
}
