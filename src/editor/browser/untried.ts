const seen = new WeakSet<EditorNode>();

/** In the first dialog of a new node nothing is red that nobody has come to yet: whoever leaves a row has tried it. */
export function spareUntried(root: JQuery, node: EditorNode): void {
  // Core marks what was not deployed yet.
  if (node.changed !== true || seen.has(node)) return;
  seen.add(node);
  const rows = root.children('.form-row').addClass('algo-untried');
  rows.on('focusout', ({ currentTarget }) => void $(currentTarget).removeClass('algo-untried'));
}
