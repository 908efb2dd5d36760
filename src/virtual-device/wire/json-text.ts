/**
 * Maximum depth of JSON. Requests of the interface document are not deep, and a recursive walk through deep
 * JSON would exhaust the stack.
 */
const maxLevels = 100;

const [quote, backslash, openList, closeList, openObject, closeObject] = [...'"\\[]{}'].map((letter) =>
  letter.charCodeAt(0),
);

/**
 * Parses JSON.
 * @throws Error if the text is invalid or too deep
 */
export function readJsonText(content: Buffer): unknown {
  if (levelsOf(content) > maxLevels) throw new SyntaxError('too many levels');
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
}

function levelsOf(content: Buffer): number {
  let [level, levels, isText] = [0, 0, false];
  for (let index = 0; index < content.length; index += 1) {
    const byte = content[index];
    if (byte === quote) isText = !isText;
    else if (isText) index += Number(byte === backslash);
    else if (byte === openList || byte === openObject) levels = Math.max(levels, ++level);
    else if (byte === closeList || byte === closeObject) level -= 1;
  }
  return levels;
}
