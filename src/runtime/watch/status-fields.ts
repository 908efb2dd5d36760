import { copyOf } from './reading';

export const volatileFields = ['Date / Time', 'Temperature', 'Last Weather Update'] as const;

export interface FieldChoice {
  /** If not empty, only changes of these fields are reported, and `ignored` has no effect. */
  readonly watched: readonly string[];
  readonly ignored: readonly string[];
  readonly counters: boolean;
}

export type StatusRecord = Readonly<Record<string, unknown>>;

export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

export const noChanges: Changes = {};

export function isCounted(name: string, { watched, ignored }: FieldChoice): boolean {
  return watched.length > 0 ? watched.includes(name) : !ignored.includes(name);
}

export function changesBetween(before: StatusRecord, after: StatusRecord, choice: FieldChoice): Changes {
  let changes: Record<string, { from: unknown; to: unknown }> | undefined;
  const compare = (name: string) => {
    // Returns early, since nearly all fields are equal.
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

function comparedValue(name: string, record: StatusRecord, { counters }: FieldChoice): unknown {
  const value = Object.hasOwn(record, name) ? record[name] : undefined;
  return name === 'Multicast Mode' && !counters ? withoutCounters(value) : value;
}

/** Fields are texts, but some firmware sends lists of texts (docs/field-notes.md, section 3). */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  return JSON.stringify(a) === JSON.stringify(b);
}

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
