import type { OverviewRow } from '../../../runtime/answers';
import { type Column, countFitting, statusLevelOf } from './columns';
import { GridCursor } from './grid-cursor';
import type { RowList } from './row-list';
import { piecesOf } from './window';
import { words } from './words';

const icons = { good: 'check-circle', bad: 'times-circle', open: 'question-circle-o' } as const;

interface GridUse {
  sort(column: string): void;
  /** @param byKey whether the user pressed a key, so that the focus moves into the details */
  open(id: string, byKey: boolean): void;
}

interface Drawn {
  readonly element: HTMLTableRowElement;
  row?: OverviewRow;
}

/**
 * A table that draws only the rows in and near its visible part, so that ten thousand rows are drawn as
 * quickly as thirty.
 */
export class Grid {
  readonly element = document.createElement('div');
  readonly #table = document.createElement('table');
  readonly #head = document.createElement('tr');
  readonly #body = document.createElement('tbody');
  readonly #drawn = new Map<string, Drawn>();
  readonly #cursor: GridCursor;
  #rowHeight = 26;
  #opened: string | undefined;
  #fitting: number;

  constructor(
    private readonly list: RowList,
    private readonly columns: readonly Column[],
    private readonly use: GridUse,
  ) {
    this.#fitting = columns.length;
    this.element.className = 'algo-rows';
    this.#table.setAttribute('role', 'grid');
    this.#table.setAttribute('aria-label', words('title'));
    this.#table.setAttribute('aria-colcount', String(columns.length));
    const group = document.createElement('colgroup');
    for (const column of columns) {
      const element = document.createElement('col');
      element.style.width = `${column.width}em`;
      group.append(element);
      this.#head.append(headOf(column.id));
    }
    const head = document.createElement('thead');
    head.append(this.#head);
    this.#table.append(group, head, this.#body);
    this.element.append(this.#table);
    this.#cursor = new GridCursor(this.#table, {
      columns: () => this.#fitting,
      length: () => list.shown.length,
      page: () => Math.max(1, Math.floor(this.#height / this.#rowHeight) - 1),
      placeOf: (id) => list.placeOf(id),
      idAt: (index) => list.shown[index],
      show: (index) => this.#show(index),
    });
    this.#listen();
  }

  set opened(id: string | undefined) {
    this.#opened = id;
    this.draw();
  }

  focus(id: string): void {
    this.#cursor.goTo(id);
  }

  draw(): void {
    const { shown } = this.list;
    this.#table.setAttribute('aria-rowcount', String(shown.length + 1));
    this.#drawHead();
    const hadFocus = this.#body.contains(document.activeElement);
    const { scrollTop } = this.element;
    const screen = { top: scrollTop, height: this.#height, rowHeight: this.#rowHeight };
    const wanted: HTMLTableRowElement[] = [];
    const ids = new Set<string>();
    for (const piece of piecesOf(shown.length, screen, this.#cursor.place)) {
      if (piece.gap !== undefined) wanted.push(this.#gap(piece.gap));
      else {
        for (const index of piece.rows) {
          const id = shown[index];
          if (id === undefined) continue;
          ids.add(id);
          wanted.push(this.#row(id, index));
        }
      }
    }
    for (const id of [...this.#drawn.keys()]) if (!ids.has(id)) this.#drawn.delete(id);
    arrange(this.#body, wanted);
    this.#cursor.mark();
    if (hadFocus && !this.#body.contains(document.activeElement)) this.#cursor.focus();
    this.#measure();
  }

  get #height(): number {
    return Math.max(0, this.element.clientHeight - this.#head.offsetHeight);
  }

  #listen(): void {
    this.element.addEventListener('scroll', () => this.draw(), { passive: true });
    new ResizeObserver(() => this.#fit()).observe(this.element);
    this.#table.addEventListener('click', ({ target }) => {
      const element = target as Element;
      const column = element.closest('th[data-column]')?.getAttribute('data-column');
      if (column) return this.use.sort(column);
      const cell = element.closest('tr[data-id] > *');
      if (!cell) return undefined;
      this.#cursor.at(cell);
      return this.use.open(cell.parentElement?.dataset.id ?? '', false);
    });
    this.#table.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return this.#cursor.move(event);
      const id = (event.target as Element).closest('tr')?.dataset.id;
      // In the header, the focused button itself handles the key.
      if (id === undefined) return undefined;
      event.preventDefault();
      return this.use.open(id, true);
    });
  }

  #fit(): void {
    const em = Number.parseFloat(getComputedStyle(this.element).fontSize);
    const fitting = countFitting(this.columns, this.element.clientWidth / em);
    // Ignores the width 0 of a hidden sidebar.
    if (fitting !== this.#fitting && this.element.clientWidth > 0) {
      this.#fitting = fitting;
      const rows = [...this.#drawn.values()].map(({ element }) => element);
      const columns = this.#table.querySelector('colgroup');
      for (const parent of [this.#head, ...rows, ...(columns ? [columns] : [])]) this.#hide(parent);
    }
    this.draw();
  }

  #hide(parent: Element): void {
    for (const [index, child] of [...parent.children].entries()) {
      (child as HTMLElement).hidden = index >= this.#fitting;
    }
  }

  #measure(): void {
    const height = this.#body.querySelector('tr[data-id]')?.getBoundingClientRect().height ?? 0;
    if (height === 0 || Math.abs(height - this.#rowHeight) < 0.01) return;
    this.#rowHeight = height;
    this.draw();
  }

  #drawHead(): void {
    const { column, isDescending } = this.list.sorting;
    for (const head of this.#head.children) {
      const isSorted = head.getAttribute('data-column') === column;
      const order = isDescending ? 'descending' : 'ascending';
      if (isSorted) head.setAttribute('aria-sort', order);
      else head.removeAttribute('aria-sort');
      const icon = isSorted ? `fa fa-sort-${isDescending ? 'desc' : 'asc'}` : '';
      head.querySelector('i')?.setAttribute('class', icon);
    }
  }

  #gap(count: number): HTMLTableRowElement {
    const element = document.createElement('tr');
    element.setAttribute('aria-hidden', 'true');
    const cell = document.createElement('td');
    cell.colSpan = this.columns.length;
    cell.style.height = `${count * this.#rowHeight}px`;
    element.append(cell);
    return element;
  }

  #row(id: string, index: number): HTMLTableRowElement {
    const known = this.#drawn.get(id);
    const drawn = known ?? { element: rowFor(id, this.columns) };
    this.#drawn.set(id, drawn);
    const { element } = drawn;
    if (!known) this.#hide(element);
    element.setAttribute('aria-rowindex', String(index + 2));
    element.setAttribute('aria-selected', String(id === this.#opened));
    const row = this.list.get(id);
    if (row && row !== drawn.row) this.#fill(element, row);
    if (row) drawn.row = row;
    return element;
  }

  #fill(element: HTMLTableRowElement, row: OverviewRow): void {
    for (const [index, column] of this.columns.entries()) {
      const cell = element.cells[index];
      const text = column.text(row);
      const place = cell?.querySelector('span');
      if (!cell || !place || place.textContent === text) continue;
      place.textContent = text;
      cell.title = text;
    }
    const level = statusLevelOf(row);
    element.querySelector('i')?.setAttribute('class', `fa fa-${icons[level]} algo-${level}`);
  }

  #show(index: number): void {
    const top = index * this.#rowHeight;
    const { scrollTop } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.#rowHeight > scrollTop + this.#height) {
      this.element.scrollTop = top + this.#rowHeight - this.#height;
    }
    this.draw();
  }
}

function headOf(column: string): HTMLTableCellElement {
  const head = document.createElement('th');
  head.scope = 'col';
  head.dataset.column = column;
  const button = document.createElement('button');
  button.type = 'button';
  button.tabIndex = -1;
  const icon = document.createElement('i');
  icon.setAttribute('aria-hidden', 'true');
  button.append(words(`column.${column}`), ' ', icon);
  head.append(button);
  return head;
}

function rowFor(id: string, columns: readonly Column[]): HTMLTableRowElement {
  const element = document.createElement('tr');
  element.dataset.id = id;
  for (const [index, column] of columns.entries()) {
    const cell = document.createElement(index === 0 ? 'th' : 'td');
    if (index === 0) cell.scope = 'row';
    cell.tabIndex = -1;
    if (column.id === 'state') {
      const icon = document.createElement('i');
      icon.setAttribute('aria-hidden', 'true');
      cell.append(icon, ' ');
    }
    cell.append(document.createElement('span'));
    element.append(cell);
  }
  return element;
}

/** A row that stays is moved only if the order requires a move, since a moved row loses the focus. */
function arrange(body: HTMLElement, wanted: readonly HTMLElement[]): void {
  const staying = new Set<Element>(wanted);
  for (const child of [...body.children]) if (!staying.has(child)) child.remove();
  for (const [index, element] of wanted.entries()) {
    const current = body.children[index];
    if (current !== element) body.insertBefore(element, current ?? null);
  }
}
