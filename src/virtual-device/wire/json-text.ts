/**
 * Maximum depth of JSON. Requests of the interface document are not deep, and a recursive walk through deep
 * JSON would exhaust the stack.
 */
const maxLevels = 100;

/**
 * Maximum number of values in JSON. 2,000 scheduled events have about 30,000 values. The checks of a million
 * values would block the process for seconds.
 */
const maxValues = 100_000;

const [quote, backslash, comma, openList, closeList, openObject, closeObject] = [...'"\\,[]{}'].map(
  (letter) => letter.charCodeAt(0),
);

/**
 * Parses JSON.
 * @throws Error if the text is invalid, too deep, or has too many values
 */
export function readJsonText(content: Buffer): unknown {
  const { levels, commas } = shapeOf(content);
  if (levels > maxLevels) throw new SyntaxError('too many levels');
  if (commas >= maxValues) throw new SyntaxError('too many values');
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
}

function shapeOf(content: Buffer): { readonly levels: number; readonly commas: number } {
  let [level, levels, commas, isText] = [0, 0, 0, false];
  for (let index = 0; index < content.length; index += 1) {
    const byte = content[index];
    if (byte === quote) isText = !isText;
    else if (isText) index += Number(byte === backslash);
    else if (byte === comma) commas += 1;
    else if (byte === openList || byte === openObject) levels = Math.max(levels, ++level);
    else if (byte === closeList || byte === closeObject) level -= 1;
  }
  return { levels, commas };
}
