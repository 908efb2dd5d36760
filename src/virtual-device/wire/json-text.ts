/**
 * Maximum depth of JSON. Requests of the interface document are not deep, and a recursive walk through deep
 * JSON would exhaust the stack.
 */
const maxLevels = 100;

const [quote, backslash] = ['"', '\\'].map((letter) => letter.charCodeAt(0));
const [opening, closing] = ['[{', ']}'].map((letters) => new Set(Buffer.from(letters)));

/**
 * Parses JSON.
 * @throws Error if the text is invalid or too deep
 */
export function readJsonText(content: Buffer): unknown {
  if (levelsOf(content) > maxLevels) throw new SyntaxError('too many levels');
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
}

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
