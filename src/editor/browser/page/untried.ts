/**
 * The ids of nodes whose operation was tried, or whose dialog was closed with Done. An empty field there is a
 * mistake.
 */
const tried = new Set<string>();

/** Records the nodes whose dialogs are closed with Done. */
export function rememberTried(): void {
  RED.events.on('editor:save', (node) => void tried.add((node as EditorNode).id));
}

/**
 * Whether the user has not finished a first edit of a node. A node whose first dialog was canceled stays
 * untried.
 */
export function isUntried({ id, changed, _def: { category } }: EditorNode): boolean {
  // A configuration node is in the registry as soon as the user has added it. Any other node is new while
  // core marks it as changed.
  if (!RED.nodes.node(id)) return true;
  return category !== 'config' && changed === true && !tried.has(id);
}

/**
 * Suppresses the red marks in the dialog of a new node. A row gets its marks when the user leaves the row.
 */
export function spareUntried(root: JQuery, node: EditorNode): void {
  if (!isUntried(node)) return;
  const rows = root.children('.form-row').addClass('algo-untried');
  rows.on('focusout', ({ currentTarget, relatedTarget }) => {
    // A user who goes on to a button next to the field, or to the menu of this button, is still at the field.
    if (!currentTarget.contains(relatedTarget as Node | null)) $(currentTarget).removeClass('algo-untried');
  });
}

/** Shows all marks of a dialog, since a user who tries the operation has to see the missing fields. */
export function nowTried(root: JQuery, node: EditorNode): void {
  tried.add(node.id);
  root.children().removeClass('algo-untried');
}

/** The maximum number of lines in the notice, which a user can read before it disappears. */
const maxLines = 5;

/**
 * Reports missing or wrong fields when the user closes a dialog with Done.
 * Core only puts a triangle on such a node, and shows nothing for a configuration node.
 */
export function sayIncomplete(): void {
  // Core validates a configuration node right after this event.
  RED.events.on('editor:save', (node) => queueMicrotask(() => say(node as EditorNode)));
}

function say(node: EditorNode): void {
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
