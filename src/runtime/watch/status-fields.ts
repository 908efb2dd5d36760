import { copyOf } from './reading';

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

export type StatusRecord = Readonly<Record<string, unknown>>;

export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

export const noChanges: Changes = {};

/** Whether a change of the field counts. */
export function isCounted(name: string, { watched, ignored }: FieldChoice): boolean {
  return watched.length > 0 ? watched.includes(name) : !ignored.includes(name);
}

/** What differs and counts, with null for a field that is not there; `noChanges` when nothing does. */
export function changesBetween(before: StatusRecord, after: StatusRecord, choice: FieldChoice): Changes {
  let changes: Record<string, { from: unknown; to: unknown }> | undefined;
  const compare = (name: string) => {
    // Nearly always, and all that nearly every reading needs.
    if (before[name] === after[name] || !isCounted(name, choice)) return;
    const [from, to] = [comparedValue(name, before, choice), comparedValue(name, after, choice)];
    if (isSame(from, to)) return;
    changes ??= {};
    changes[name] = { from: copyOf(from ?? null), to: copyOf(to ?? null) };
  };
  for (const name in before) compare(name);
  for (const name in after) if (!Object.hasOwn(before, name)) compare(name);
  return changes ?? noChanges;
}

/** A field as it is compared: what a person reads, in one line. */
function comparedValue(name: string, record: StatusRecord, { counters }: FieldChoice): unknown {
  const value = Object.hasOwn(record, name) ? record[name] : undefined;
  return name === 'Multicast Mode' && !counters ? withoutCounters(value) : value;
}

/** Fields are strings; some firmware makes lists of them (docs/field-notes.md, section 3). */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The mode and its zone, by its name or its address: another zone is another page. */
function withoutCounters(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const [, mode] = /^\s*([A-Za-z]+(?:\s*\([^)]*\))?)/.exec(value) ?? [];
  if (mode === undefined) return value;
  const [zone] =
    /\bzones?\b\W*[\w.:]+|\bzone\d+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?/i.exec(
      value.slice(value.indexOf(mode) + mode.length),
    ) ?? [];
  return zone === undefined ? mode : `${mode} ${zone}`;
}
