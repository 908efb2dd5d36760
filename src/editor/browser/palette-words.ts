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
