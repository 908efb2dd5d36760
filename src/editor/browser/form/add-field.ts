import { button } from '../page/button';
import { loadScript } from '../page/load';
import { hasEffect } from './folds';
import type { FieldChoice } from './menus/menu';
import type { FieldMenus } from './menus/script';
import type { Row } from './row';

export class AddField implements FieldChoice {
  readonly element: HTMLElement;
  readonly button: JQuery;

  constructor(
    section: HTMLElement,
    readonly translate: Translate,
    private readonly every: () => readonly Row[],
    readonly add: (row: Row) => void,
  ) {
    const [element = document.createElement('div')] = $('<div class="form-row algo-add-field" hidden>').get();
    this.element = element;
    const toggle = () =>
      loadMenus().then(
        (menus) => menus.toggle(this),
        () => RED.notify(translate('fields.missing'), 'error'),
      );
    this.button = button(translate('fields.add'), toggle, 'plus').attr('aria-expanded', 'false');
    this.button.appendTo(element);
    $(section).find('.algo-too-few').before(element);
    this.button.on('focus mouseenter', () => void loadMenus().catch(() => {}));
  }

  rows(): readonly Row[] {
    const every = this.every();
    return every.filter((row) => !row.isInForm && hasEffect(row, every));
  }

  show(): void {
    this.element.hidden = this.rows().length === 0;
  }

  focus(): void {
    this.button.trigger('focus');
  }
}

/**
 * Fills an element with a list of targets, as soon as its script is loaded.
 * @param use receives the function that returns the selected targets
 */
export function loadSeveral(
  list: JQuery,
  node: EditorNode,
  picked: readonly string[],
  use: (picked: () => readonly string[]) => void,
): void {
  if (list.children().length > 0) return;
  const hint = $('<div class="algo-hint" role="status">').text(node._def._('several.loading')).appendTo(list);
  loadMenus().then(
    ({ openSeveral }) => use(openSeveral(list.empty(), node, picked)),
    () => hint.text(node._def._('several.missing')),
  );
}

export function loadMenus(): Promise<FieldMenus> {
  return loadScript('fields');
}
