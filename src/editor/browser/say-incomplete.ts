/** So many lines are read before the notice goes. */
const mostLines = 5;

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
  const lines = errors.slice(0, mostLines).map((line) => $('<li>').text(line));
  const more = errors.length > mostLines ? [$('<li>').text('…')] : [];
  $('<ul>')
    .append(...lines, ...more)
    .appendTo(notice);
  RED.notify($(notice), 'warning');
}
