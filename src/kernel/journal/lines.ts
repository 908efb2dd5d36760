export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/**
 * Returns the line `["key",value]`, which stores a value. A line `["key"]` deletes a key, and a list of such
 * lists changes several keys. A torn (incompletely written) line is never valid JSON, so it cannot be read as
 * a different line. `textOf` ends each line.
 */
export function putLine(key: string, value: Json): string {
  return JSON.stringify([key, value]);
}

export function deleteLine(key: string): string {
  return JSON.stringify([key]);
}

export function joinedLine(lines: readonly string[]): string {
  return lines.length === 1 ? (lines[0] ?? '') : `[${lines.join(',')}]`;
}

export function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

export function valueIn(line: string): Json {
  return JSON.parse(line)[1];
}

export interface ReadLines {
  readonly lines: Map<string, string>;
  readonly count: number;
  /** Number of unreadable lines, not counting a torn last line. */
  readonly damaged: number;
  /** Whether the last line is torn, so that nothing may be appended to the file. */
  readonly torn: boolean;
}

export function readLines(text: string): ReadLines {
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
  /** A line that stores only the value of this key; undefined for a deletion. */
  readonly put: string | undefined;
}

function changesIn(line: string): Change[] | undefined {
  try {
    const parts: unknown = JSON.parse(line);
    if (!Array.isArray(parts) || parts.length === 0) return undefined;
    if (!Array.isArray(parts[0])) {
      const alone = changeIn(parts, () => line);
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
