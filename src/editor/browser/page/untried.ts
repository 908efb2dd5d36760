/**
 * Ids of the nodes for which the user has pressed "Try it" or the test button, or whose dialog the user has
 * closed with Done. In these nodes, an empty required field is a mistake.
 */
const tried = new Set<string>();

export function rememberTried(): void {
  RED.events.on('editor:save', (node) => void tried.add((node as EditorNode).id));
}

/** Whether a node counts as new, so that its empty fields are not mistakes yet. */
export function isUntried({ id, changed, _def: { category } }: EditorNode): boolean {
  // A configuration node is registered after its first Done. Core marks any other new node as changed.
  if (!RED.nodes.node(id)) return true;
  return category !== 'config' && changed === true && !tried.has(id);
}

/**
 * Hides the red marks in the dialog of a new node. Each row shows its marks after the user has left the row.
 */
export function hideUntriedMarks(root: JQuery, node: EditorNode): void {
  if (!isUntried(node)) return;
  const rows = root.children('.form-row').addClass('algo-untried');
  rows.on('focusout', ({ currentTarget, relatedTarget }) => {
    // If the focus moves to another element of the row, such as a button, the user has not left the row.
    if (!currentTarget.contains(relatedTarget as Node | null)) $(currentTarget).removeClass('algo-untried');
  });
}

/** Shows all red marks of a dialog, since a user who tries the operation must see the missing fields. */
export function nowTried(root: JQuery, node: EditorNode): void {
  tried.add(node.id);
  root.children().removeClass('algo-untried');
}

/** Maximum number of lines in a notice, which disappears after a few seconds. */
const maxLines = 5;

export function reportIncomplete(): void {
  // The notice is delayed, since core validates a configuration node right after this event.
  RED.events.on('editor:save', (node) => queueMicrotask(() => notifyIncomplete(node as EditorNode)));
}

function notifyIncomplete(node: EditorNode): void {
  const { type, valid, validationErrors: errors = [], _def } = node;
  if (!type.startsWith('algo-') || valid !== false || errors.length === 0) return;
  const name = RED.utils.getNodeLabel(node, _def._('resource'));
  const [notice] = $('<div>').text(_def._('form.incomplete', { name })).get();
  if (!notice) return;
  const lines = errors.slice(0, maxLines).map((line) => $('<li>').text(line));
  const more = errors.length > maxLines ? [$('<li>').text('…')] : [];
  $('<ul>')
    .append(...lines, ...more)
    .appendTo(notice);
  RED.notify($(notice), 'warning');
}
