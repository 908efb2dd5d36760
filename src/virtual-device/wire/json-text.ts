/** No request of the document needs more than a few; who walks through many more would run out of stack. */
const maxLevels = 100;

const [quote, backslash] = ['"', '\\'].map((letter) => letter.charCodeAt(0));
const [opening, closing] = ['[{', ']}'].map((letters) => new Set(Buffer.from(letters)));

/**
 * Reads JSON.
 * @throws Error when it is none, or has more levels than anybody needs
 */
export function readJsonText(content: Buffer): unknown {
  if (levelsOf(content) > maxLevels) throw new SyntaxError('too many levels');
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
}

/** How deep its lists and objects are in each other; what stands in texts does not count. */
function levelsOf(content: Buffer): number {
  let [level, deepest, isText] = [0, 0, false];
  for (let index = 0; index < content.length; index += 1) {
    const byte = content[index] ?? 0;
    if (isText && byte === backslash) index += 1;
    else if (byte === quote) isText = !isText;
    else if (!isText && opening?.has(byte)) deepest = Math.max(deepest, ++level);
    else if (!isText && closing?.has(byte)) level -= 1;
  }
  return deepest;
}
