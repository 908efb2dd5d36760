const module = '@openpaging/node-red-algo';

/**
 * Adds the words that all nodes share to the words of each node of this package. Only the plugin's file
 * contains the shared words, which keeps the files of the nodes small.
 */
export function shareWords(): void {
  if (typeof RED === 'undefined') return;
  // Some nodes can be added before the plugin, for example after an installation while the editor is open.
  for (const type of RED.nodes.registry.getNodeTypes()) give(type);
  RED.events.on('registry:node-type-added', (type) => give(String(type)));
}

function give(type: string): void {
  const id = RED.nodes.getType(type)?.set?.id;
  if (!id?.startsWith(`${module}/`)) return;
  for (const language of i18next.languages) {
    const shared = i18next.getResource(language, `${module}/algo-forms`, 'shared');
    // A word in the node's own file takes precedence over a shared word.
    if (shared) i18next.addResourceBundle(language, id, shared, true, false);
  }
}

/** Adds search terms to the palette: to the attribute of each entry that the palette's filter reads. */
export function addPaletteWords(): void {
  if (typeof RED === 'undefined') return;
  RED.events.on('registry:node-type-added', (type) => {
    // The search terms are added later, since the palette creates the entry on the same event.
    setTimeout(() => addWords(String(type)));
  });
}

function addWords(type: string): void {
  if (!type.startsWith('algo-')) return;
  const translate = RED.nodes.getType(type)?._;
  const key = `palette.words.${type.slice('algo-'.length)}`;
  const words = translate?.(key) ?? key;
  if (words.endsWith(key)) return;
  const entry = $(`.red-ui-palette-node[data-palette-type="${CSS.escape(type)}"]`);
  const label = entry.attr('data-palette-label') ?? '';
  if (!label.endsWith(words)) entry.attr('data-palette-label', `${label} ${words}`);
}
