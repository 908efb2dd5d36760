import type { OverviewChange, OverviewNews, OverviewRow } from '../../../runtime/answers';
import type { Column } from './columns';

interface Sorting {
  readonly column: string;
  readonly isDescending: boolean;
}

export class RowList {
  sorting: Sorting = { column: 'name', isDescending: false };
  #rows = new Map<string, OverviewRow>();
  #shown: readonly string[] = [];
  #places = new Map<string, number>();
  #sought: readonly string[] = [];
  /** Cache of the search text of each row. A changed row is a new object without an entry. */
  #texts = new WeakMap<OverviewRow, string>();

  constructor(
    private readonly columns: readonly Column[],
    private readonly textOf: (row: OverviewRow) => string,
    private readonly language?: string,
  ) {}

  get shown(): readonly string[] {
    return this.#shown;
  }

  get(id: string): OverviewRow | undefined {
    return this.#rows.get(id);
  }

  placeOf(id: string): number {
    return this.#places.get(id) ?? -1;
  }

  /**
   * Applies changes to the rows. Returns `true` if rows were added, removed or all replaced; the caller must
   * then call `arrange`.
   */
  take({ begins, changes, removed }: OverviewNews): boolean {
    const rows = begins ? new Map<string, OverviewRow>() : this.#rows;
    let isOther = begins === true;
    for (const change of changes) {
      isOther ||= !rows.has(change.id);
      rows.set(change.id, merged(rows.get(change.id), change));
    }
    for (const id of removed) isOther = rows.delete(id) || isOther;
    this.#rows = rows;
    // Clears all texts, since the search text of a row contains the names of its groups, which are rows too.
    if (isOther) this.#texts = new WeakMap();
    return isOther;
  }

  search(text: string): void {
    this.#sought = text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  arrange(): void {
    const found = [...this.#rows.values()].filter((row) => this.#isSought(row));
    const column = this.columns.find(({ id }) => id === this.sorting.column);
    const sorted = column ? this.#sorted(found, column) : found;
    this.#shown = sorted.map(({ id }) => id);
    this.#places = new Map(this.#shown.map((id, index) => [id, index]));
  }

  #isSought(row: OverviewRow): boolean {
    if (this.#sought.length === 0) return true;
    const text = this.#texts.get(row) ?? this.textOf(row).toLowerCase();
    this.#texts.set(row, text);
    return this.#sought.every((word) => text.includes(word));
  }

  /**
   * Sorts rows by a column. Rows without a key come last in both directions. Rows with equal keys are sorted
   * by name.
   */
  #sorted(rows: readonly OverviewRow[], column: Column): OverviewRow[] {
    const collator = new Intl.Collator(this.language, { numeric: true });
    const sign = this.sorting.isDescending ? -1 : 1;
    const keyed = rows.map((row) => ({ row, key: column.key(row) }));
    keyed.sort((a, b) => {
      if (a.key === undefined || b.key === undefined) {
        if (a.key !== b.key) return a.key === undefined ? 1 : -1;
      } else {
        const order =
          typeof a.key === 'number' && typeof b.key === 'number'
            ? a.key - b.key
            : collator.compare(String(a.key), String(b.key));
        if (order !== 0) return sign * order;
      }
      return collator.compare(a.row.name, b.row.name) || (a.row.id < b.row.id ? -1 : 1);
    });
    return keyed.map(({ row }) => row);
  }
}

function merged(row: OverviewRow | undefined, change: OverviewChange): OverviewRow {
  const entries = Object.entries({ ...row, ...change }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as unknown as OverviewRow;
}
