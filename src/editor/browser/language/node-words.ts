const module = '@openpaging/node-red-algo';

/**
 * Gives each of our nodes the words that all have in common. They came with the plugin's, once: Node-RED has a list
 * for each node, loads all lists two or three times, and packs none of them.
 */
export function shareWords(): void {
  if (typeof RED === 'undefined') return;
  // A package that is installed while the editor is open may bring its nodes before its plugin.
  for (const type of RED.nodes.registry.getNodeTypes()) give(type);
  RED.events.on('registry:node-type-added', (type) => give(String(type)));
}

function give(type: string): void {
  const id = RED.nodes.getType(type)?.set?.id;
  if (!id?.startsWith(`${module}/`)) return;
  for (const language of i18next.languages) {
    const shared = i18next.getResource(language, `${module}/algo-forms`, 'shared');
    // A node's own words stay.
    if (shared) i18next.addResourceBundle(language, id, shared, true, false);
  }
}

/**
 * Lets the palette's filter find a node by words that people search for, not only by its name: the filter reads an
 * attribute of the palette's entry.
 */
export function addPaletteWords(): void {
  if (typeof RED === 'undefined') return;
  RED.events.on('registry:node-type-added', (type) => {
    // The palette hears of it too, and makes the entry.
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
