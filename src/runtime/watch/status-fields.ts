/** Fields that change by themselves; not worth a message unless somebody watches them. */
export const restlessFields = ['Date / Time', 'Temperature', 'Last Weather Update'] as const;

/** What counts as a change of the status record. */
export interface FieldChoice {
  /** Only these; empty: all but the ignored ones. */
  readonly watched: readonly string[];
  readonly ignored: readonly string[];
  /** Also the counters behind the mode in Multicast Mode. */
  readonly counters: boolean;
}

/** The fields that are compared, as they are compared: what a person reads, in one line. */
export type Compared = ReadonlyMap<string, unknown>;

export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/** The part of a status record that counts. */
export function comparedPart(record: Readonly<Record<string, unknown>>, choice: FieldChoice): Compared {
  const { watched, ignored, counters } = choice;
  const names = Object.keys(record).filter((name) =>
    watched.length > 0 ? watched.includes(name) : !ignored.includes(name),
  );
  return new Map(
    names.map((name) => {
      const value = record[name];
      return [name, name === 'Multicast Mode' && !counters ? withoutCounters(value) : value];
    }),
  );
}

/** What differs, with null for a field that is not there. */
export function changesBetween(before: Compared, after: Compared): Changes {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [from, to] = [before.get(name), after.get(name)];
    if (isSame(from, to)) continue;
    changes[name] = { from: structuredClone(from ?? null), to: structuredClone(to ?? null) };
  }
  return changes;
}

/** Fields are strings; some firmware makes lists of them (field-notes.md, section 3). */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  return JSON.stringify(a) === JSON.stringify(b);
}

function withoutCounters(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return /^\s*([A-Za-z]+(?:\s*\((?:Active|Idle)\))?)/i.exec(value)?.[1] ?? value;
}
