/** What the cursor has to know of the grid. */
interface Surroundings {
  /** How many columns are shown. */
  columns(): number;
  length(): number;
  /** How many rows a page of the screen has. */
  page(): number;
  placeOf(id: string): number;
  idAt(place: number): string | undefined;
  /** Draws a row, and scrolls to it. */
  show(place: number): void;
}

/** The one cell of a grid that Tab leads to, and which arrows move. It stays with its row, wherever that goes. */
export class GridCursor {
  /** Undefined: in the row of heads. */
  #id: string | undefined;
  #column = 0;

  constructor(
    private readonly table: HTMLTableElement,
    private readonly grid: Surroundings,
  ) {}

  /** Which row has to be drawn for it; -1 for none. */
  get place(): number {
    return this.#id === undefined ? -1 : this.grid.placeOf(this.#id);
  }

  /** A cell was clicked. */
  at(cell: Element): void {
    this.#id = cell.closest('tr')?.dataset.id;
    this.#column = [...(cell.parentElement?.children ?? [])].indexOf(cell);
    this.mark();
  }

  goTo(id: string): void {
    const place = this.grid.placeOf(id);
    if (place < 0) return;
    this.#id = id;
    this.grid.show(place);
    this.focus();
  }

  focus(): void {
    this.mark();
    this.#cell?.focus({ preventScroll: true });
  }

  /** Makes its cell the one that Tab leads to. */
  mark(): void {
    // A row that is not shown any more leaves it at the first.
    if (this.#id !== undefined && this.place < 0) this.#id = this.grid.idAt(0);
    this.#column = Math.min(this.#column, this.grid.columns() - 1);
    const cell = this.#cell;
    for (const other of this.table.querySelectorAll<HTMLElement>('[tabindex="0"]')) {
      if (other !== cell) other.tabIndex = -1;
    }
    if (cell) cell.tabIndex = 0;
  }

  move(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return;
    this.#take(event.target as Element);
    const [before, last] = [this.place, this.grid.length() - 1];
    const isFar = event.ctrlKey;
    let place = before;
    switch (event.key) {
      case 'ArrowUp':
        place -= 1;
        break;
      case 'ArrowDown':
        place += 1;
        break;
      case 'PageUp':
        place = Math.max(0, place - this.grid.page());
        break;
      case 'PageDown':
        place += this.grid.page();
        break;
      case 'ArrowLeft':
        this.#column -= 1;
        break;
      case 'ArrowRight':
        this.#column += 1;
        break;
      case 'Home':
        if (isFar) place = 0;
        this.#column = 0;
        break;
      case 'End':
        if (isFar) place = last;
        this.#column = this.grid.columns() - 1;
        break;
      default:
        return;
    }
    event.preventDefault();
    this.#column = Math.max(0, Math.min(this.#column, this.grid.columns() - 1));
    place = Math.max(-1, Math.min(place, last));
    this.#id = place < 0 ? undefined : this.grid.idAt(place);
    if (place >= 0) this.grid.show(place);
    this.focus();
    this.#cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  /** The focus may have come by a click. */
  #take(target: Element): void {
    const cell = target.closest('th, td');
    if (cell) this.at(cell);
  }

  get #cell(): HTMLElement | null {
    const nth = this.#column + 1;
    if (this.#id === undefined) return this.table.querySelector(`thead th:nth-child(${nth}) > button`);
    const row = this.table.querySelector(`tr[data-id="${CSS.escape(this.#id)}"]`);
    return row?.querySelector(`:scope > :nth-child(${nth})`) ?? null;
  }
}
