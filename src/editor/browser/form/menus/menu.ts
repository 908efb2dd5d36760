import type { Row } from '../row';
import { hintOf } from '../row-parts';

export interface FieldChoice {
  readonly element: HTMLElement;
  readonly button: JQuery;
  readonly translate: Translate;
  rows(): readonly Row[];
  add(row: Row): void;
}

interface Item {
  readonly row: Row;
  readonly title: string;
  readonly about: string;
  readonly element: JQuery;
}

let count = 0;

export class FieldMenu {
  private readonly root = $('<div class="algo-offers algo-fields">');
  private readonly search = $('<input type="text" class="algo-search" role="combobox" autocomplete="off">');
  private readonly list = $('<ul role="listbox">');
  private readonly note = $('<div class="algo-hint" role="status">');
  private readonly items: readonly Item[];
  private shown: readonly Item[] = [];
  private active = 0;

  constructor(private readonly choice: FieldChoice) {
    const { translate, button, element } = choice;
    count += 1;
    const id = `algo-fields-${count}`;
    this.items = choice.rows().map((row, index) => itemOf(row, `${id}-${index}`));
    this.list.attr({ id, 'aria-label': translate('fields.list') });
    this.search.attr({
      'aria-label': translate('fields.search'),
      placeholder: translate('fields.search'),
      'aria-autocomplete': 'list',
      'aria-expanded': 'true',
      'aria-controls': id,
    });
    this.root.append($('<div class="algo-buttons">').append(this.search), this.list, this.note);
    this.root.appendTo(element);
    button.attr('aria-expanded', 'true');
    this.listen();
    this.show();
    this.search.trigger('focus');
    this.root.get(0)?.scrollIntoView({ block: 'nearest' });
  }

  get isOpen(): boolean {
    return this.root.closest('body').length > 0;
  }

  private listen(): void {
    this.search.on('input', () => this.show());
    this.search.on('keydown', (event) => this.press(event));
    // Otherwise, a click on an item would take the focus from the search.
    this.list.on('mousedown', (event) => event.preventDefault());
    this.list.on('click', '[role="option"]', ({ currentTarget }) => {
      this.take(this.shown.find(({ element }) => element.get(0) === currentTarget));
    });
    this.root.on('focusout', ({ relatedTarget }) => {
      const isElsewhere = relatedTarget instanceof Element && !this.choice.element.contains(relatedTarget);
      if (isElsewhere) this.close(false);
    });
  }

  /**
   * Without this handler, Enter would press the default button of the dialog, and Escape would close the
   * dialog.
   */
  private press(event: JQuery.KeyDownEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 };
    const step = steps[event.key];
    if (step === undefined && event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (step !== undefined) this.mark(this.active + step);
    else if (event.key === 'Enter') this.take(this.shown[this.active]);
    else this.close(true);
  }

  private show(): void {
    const wanted = String(this.search.val()).trim().toLowerCase();
    const isIn = (text: string) => wanted.split(/\s+/).every((word) => text.toLowerCase().includes(word));
    const found = this.items.filter(({ row, title, about }) => isIn(`${title} ${row.name} ${about}`));
    const rankOf = ({ title }: Item) => (title.toLowerCase().startsWith(wanted) ? 0 : isIn(title) ? 1 : 2);
    this.shown = found.sort((a, b) => rankOf(a) - rankOf(b));
    this.list.children().detach();
    this.list.append(this.shown.map(({ element }) => element));
    const { translate } = this.choice;
    const number = String(this.shown.length);
    this.note.text(translate(this.shown.length === 0 ? 'fields.nothing' : 'fields.count', { number }));
    this.mark(0);
  }

  private mark(index: number): void {
    this.active = Math.min(Math.max(index, 0), Math.max(this.shown.length - 1, 0));
    for (const { element } of this.items) element.attr('aria-selected', 'false');
    const marked = this.shown[this.active]?.element;
    marked?.attr('aria-selected', 'true');
    this.search.attr('aria-activedescendant', marked?.attr('id') ?? '');
    const [list] = this.list.get();
    const [element] = marked?.get() ?? [];
    if (!list || !element) return;
    // Scrolls the list only: `scrollIntoView` would also scroll the dialog.
    const { top, bottom } = element.getBoundingClientRect();
    const around = list.getBoundingClientRect();
    if (top < around.top) list.scrollTop -= around.top - top;
    if (bottom > around.bottom) list.scrollTop += bottom - around.bottom;
  }

  private take(item: Item | undefined): void {
    if (!item) return;
    this.close(false);
    this.choice.add(item.row);
  }

  /** @param isBack whether the focus returns to the button */
  close(isBack: boolean): void {
    this.root.remove();
    this.choice.button.attr('aria-expanded', 'false');
    if (isBack) this.choice.button.trigger('focus');
  }
}

function itemOf(row: Row, id: string): Item {
  const title = row.title();
  const about = hintOf(row.element, row.translate);
  const element = $('<li role="option" aria-selected="false">').attr({ id, 'data-name': row.name });
  element.append($('<b>').text(title), ' ', $('<span class="algo-about">').text(about));
  const unsupported = $(row.element).find('.algo-field-unsupported').text();
  if (unsupported) element.append($('<div class="algo-warning">').css('margin', '2px 0').text(unsupported));
  return { row, title, about, element };
}
