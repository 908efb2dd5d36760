/** Ids of nodes that somebody has tried, or whose dialog was closed with Done: what is missing there was left out. */
const tried = new Set<string>();

/** Listens for dialogs that are closed with Done. */
export function rememberTried(): void {
  RED.events.on('editor:save', (node) => void tried.add((node as EditorNode).id));
}

/** Whether nobody has had the chance to fill it in: one who cancels its first dialog has not left anything out. */
export function isUntried({ id, changed, _def: { category } }: EditorNode): boolean {
  // A configuration node is there once somebody has added it; any other is new as long as core calls it changed.
  if (!RED.nodes.node(id)) return true;
  return category !== 'config' && changed === true && !tried.has(id);
}

/** In the dialog of a new node nothing is red that nobody has come to yet: whoever leaves a row has tried it. */
export function spareUntried(root: JQuery, node: EditorNode): void {
  if (!isUntried(node)) return;
  const rows = root.children('.form-row').addClass('algo-untried');
  rows.on('focusout', ({ currentTarget, relatedTarget }) => {
    // A user who goes on to a button next to the field, or to the menu of this button, is still at the field.
    if (!currentTarget.contains(relatedTarget as Node | null)) $(currentTarget).removeClass('algo-untried');
  });
}

/** A user who tries the operation has to see what is missing. */
export function nowTried(root: JQuery, node: EditorNode): void {
  tried.add(node.id);
  root.children().removeClass('algo-untried');
}

/** The maximum number of lines that are read before the notice goes. */
const maxLines = 5;

/**
 * Says what is missing or wrong in a node whose dialog was closed with Done: core only puts a triangle on it, and
 * nothing on a configuration node.
 */
export function sayIncomplete(): void {
  // Of a configuration node core finds out right after this.
  RED.events.on('editor:save', (node) => queueMicrotask(() => say(node as EditorNode)));
}

function say(node: EditorNode): void {
  const { type, valid, validationErrors: errors = [], _def } = node;
  if (!type.startsWith('algo-') || valid !== false || errors.length === 0) return;
  const name = RED.utils.getNodeLabel(node, _def._('noun'));
  const [notice] = $('<div>').text(_def._('form.incomplete', { name })).get();
  if (!notice) return;
  const lines = errors.slice(0, maxLines).map((line) => $('<li>').text(line));
  const more = errors.length > maxLines ? [$('<li>').text('…')] : [];
  $('<ul>')
    .append(...lines, ...more)
    .appendTo(notice);
  RED.notify($(notice), 'warning');
}
