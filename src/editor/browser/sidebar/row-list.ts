import type { OverviewChange, OverviewNews, OverviewRow } from '../../../runtime/answers';
import type { Column } from './columns';

/** By which column rows are sorted. */
interface Sorting {
  readonly column: string;
  readonly isDescending: boolean;
}

/** The rows that there are, and those of them that are shown, in their order. */
export class RowList {
  sorting: Sorting = { column: 'name', isDescending: false };
  #rows = new Map<string, OverviewRow>();
  #shown: readonly string[] = [];
  #places = new Map<string, number>();
  #sought: readonly string[] = [];
  /** A row that changes is another one. */
  #texts = new WeakMap<OverviewRow, string>();

  /**
   * @param columns what rows are sorted by
   * @param textOf what of a row is searched
   */
  constructor(
    private readonly columns: readonly Column[],
    private readonly textOf: (row: OverviewRow) => string,
    private readonly language?: string,
  ) {}

  get size(): number {
    return this.#rows.size;
  }

  /** Ids, in their order. */
  get shown(): readonly string[] {
    return this.#shown;
  }

  get(id: string): OverviewRow | undefined {
    return this.#rows.get(id);
  }

  /** Where a row is among those that are shown; -1 for one that is not. */
  placeOf(id: string): number {
    return this.#places.get(id) ?? -1;
  }

  values(): Iterable<OverviewRow> {
    return this.#rows.values();
  }

  /** Returns whether rows came or went: then they have to be put in order again. */
  take({ begins, changes, gone }: OverviewNews): boolean {
    const rows = begins ? new Map<string, OverviewRow>() : this.#rows;
    let isOther = begins === true;
    for (const change of changes) {
      isOther ||= !rows.has(change.id);
      rows.set(change.id, merged(rows.get(change.id), change));
    }
    for (const id of gone) isOther = rows.delete(id) || isOther;
    this.#rows = rows;
    // What is said of one row may come from another: a device is found by its group's name.
    if (isOther) this.#texts = new WeakMap();
    return isOther;
  }

  /** Shows only rows that have each of these words somewhere. */
  search(text: string): void {
    this.#sought = text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  /** Finds what is to be shown, and puts it in order. */
  arrange(): void {
    const found = [...this.#rows.values()].filter((row) => this.#isSought(row));
    const column = this.columns.find(({ id }) => id === this.sorting.column);
    const sorted = column ? this.#sorted(found, column) : found;
    this.#shown = sorted.map(({ id }) => id);
    this.#places = new Map(this.#shown.map((id, place) => [id, place]));
  }

  #isSought(row: OverviewRow): boolean {
    if (this.#sought.length === 0) return true;
    const text = this.#texts.get(row) ?? this.textOf(row).toLowerCase();
    this.#texts.set(row, text);
    return this.#sought.every((word) => text.includes(word));
  }

  /** What has nothing to be sorted by is last either way; equals are in the order of their names. */
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
