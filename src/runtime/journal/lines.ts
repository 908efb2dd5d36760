/** What JSON can hold. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/**
 * A line of the journal: `["key",value]` puts, `["key"]` deletes. Whatever is cut off it, what is left is no JSON,
 * so a line that a crash tore is never taken for another one.
 */
export function putLine(key: string, value: Json): string {
  return `${JSON.stringify([key, value])}\n`;
}

export function deleteLine(key: string): string {
  return `${JSON.stringify([key])}\n`;
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
    const key = keyIn(line);
    if (key === undefined) damaged += 1;
    else if (key.puts) lines.set(key.name, `${line}\n`);
    else lines.delete(key.name);
  }
  return { lines, count: all.length, damaged, torn };
}

function keyIn(line: string): { readonly name: string; readonly puts: boolean } | undefined {
  try {
    const parts: unknown = JSON.parse(line);
    if (!Array.isArray(parts) || typeof parts[0] !== 'string' || parts.length > 2) return undefined;
    return { name: parts[0], puts: parts.length === 2 };
  } catch {
    return undefined;
  }
}
