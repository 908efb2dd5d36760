/** What JSON can hold. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/**
 * A line of the journal: `["key",value]` puts, `["key"]` deletes, and a list of such lists is both for several keys.
 * Whatever is cut off it, what is left is no JSON, so a line that a crash tore is never taken for another one.
 */
export function putLine(key: string, value: Json): string {
  return `${JSON.stringify([key, value])}\n`;
}

export function deleteLine(key: string): string {
  return `${JSON.stringify([key])}\n`;
}

/** One line for what counts together or not at all. */
export function joinedLine(lines: readonly string[]): string {
  return lines.length === 1 ? (lines[0] ?? '') : `[${lines.map((line) => line.trimEnd()).join(',')}]\n`;
}

/** What the value of a line is that puts. */
export function valueIn(line: string): Json {
  return JSON.parse(line)[1];
}

/** What a journal says. */
export interface Reading {
  /** The last line of each key that is there. */
  readonly lines: Map<string, string>;
  /** How many lines there are. */
  readonly count: number;
  /** How many of them, but for a torn last one, say nothing. */
  readonly damaged: number;
  /** The last line was torn: nothing may be written behind it. */
  readonly torn: boolean;
}

/** Reads a journal. A line that cannot be read is passed over. */
export function readLines(text: string): Reading {
  const lines = new Map<string, string>();
  const all = text.split('\n');
  const torn = all.pop() !== '';
  let damaged = 0;
  for (const line of all) {
    const changes = changesIn(line);
    if (!changes) damaged += 1;
    for (const { key, put } of changes ?? []) {
      if (put === undefined) lines.delete(key);
      else lines.set(key, put);
    }
  }
  return { lines, count: all.length, damaged, torn };
}

interface Change {
  readonly key: string;
  /** The line that puts it alone; undefined where it is deleted. */
  readonly put: string | undefined;
}

/** Undefined where a line says nothing. */
function changesIn(line: string): Change[] | undefined {
  try {
    const parts: unknown = JSON.parse(line);
    if (!Array.isArray(parts) || parts.length === 0) return undefined;
    if (!Array.isArray(parts[0])) {
      const alone = changeIn(parts, () => `${line}\n`);
      return alone && [alone];
    }
    const changes = parts.flatMap((part) => changeIn(part, putLine) ?? []);
    return changes.length === parts.length ? changes : undefined;
  } catch {
    return undefined;
  }
}

function changeIn(part: unknown, lineOf: (key: string, value: Json) => string): Change | undefined {
  if (!Array.isArray(part) || typeof part[0] !== 'string' || part.length > 2) return undefined;
  return { key: part[0], put: part.length === 2 ? lineOf(part[0], part[1]) : undefined };
}
