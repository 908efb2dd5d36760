interface Surroundings {
  columns(): number;
  length(): number;
  page(): number;
  placeOf(id: string): number;
  idAt(index: number): string | undefined;
  show(index: number): void;
}

/**
 * The current cell of a grid, which is the only cell that the Tab key reaches. After a new sort, the cursor
 * stays at its row.
 */
export class GridCursor {
  #id: string | undefined;
  #column = 0;

  constructor(
    private readonly table: HTMLTableElement,
    private readonly grid: Surroundings,
  ) {}

  /** Index of the cursor's row, which must stay drawn; -1 in the header. */
  get place(): number {
    return this.#id === undefined ? -1 : this.grid.placeOf(this.#id);
  }

  at(cell: Element): void {
    this.#id = cell.closest('tr')?.dataset.id;
    this.#column = [...(cell.parentElement?.children ?? [])].indexOf(cell);
    this.mark();
  }

  goTo(id: string): void {
    const index = this.grid.placeOf(id);
    if (index < 0) return;
    this.#id = id;
    this.grid.show(index);
    this.focus();
  }

  focus(): void {
    this.mark();
    this.#cell?.focus({ preventScroll: true });
  }

  mark(): void {
    // If the cursor's row has disappeared, the cursor moves to the first shown row.
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
    let index = before;
    switch (event.key) {
      case 'ArrowUp':
        index -= 1;
        break;
      case 'ArrowDown':
        index += 1;
        break;
      case 'PageUp':
        index = Math.max(0, index - this.grid.page());
        break;
      case 'PageDown':
        index += this.grid.page();
        break;
      case 'ArrowLeft':
        this.#column -= 1;
        break;
      case 'ArrowRight':
        this.#column += 1;
        break;
      case 'Home':
        if (isFar) index = 0;
        this.#column = 0;
        break;
      case 'End':
        if (isFar) index = last;
        this.#column = this.grid.columns() - 1;
        break;
      default:
        return;
    }
    event.preventDefault();
    this.#column = Math.max(0, Math.min(this.#column, this.grid.columns() - 1));
    index = Math.max(-1, Math.min(index, last));
    this.#id = index < 0 ? undefined : this.grid.idAt(index);
    if (index >= 0) this.grid.show(index);
    this.focus();
    this.#cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

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
