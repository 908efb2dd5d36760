import { loadScript } from '../page/load';
import { hasEffect } from './folds';
import type { FieldChoice } from './menus/menu';
import type { FieldMenus } from './menus/script';
import type { Row } from './row';

declare global {
  interface Window {
    algoFields?: FieldMenus;
  }
}

export class AddField implements FieldChoice {
  readonly element: HTMLElement;
  readonly button = $(
    '<button type="button" class="red-ui-button red-ui-button-small" aria-expanded="false">',
  );

  constructor(
    section: HTMLElement,
    readonly translate: Translate,
    private readonly every: () => readonly Row[],
    readonly add: (row: Row) => void,
  ) {
    const [element = document.createElement('div')] = $('<div class="form-row algo-add-field" hidden>').get();
    this.element = element;
    const words = $('<span>').text(translate('fields.add'));
    this.button.append('<i class="fa fa-plus" aria-hidden="true">', ' ', words).appendTo(element);
    $(section).find('.algo-too-few').before(element);
    this.button.on('focus mouseenter', () => void loadMenus().catch(() => {}));
    this.button.on('click', () => {
      loadMenus().then(
        ({ toggle }) => toggle(this),
        () => RED.notify(translate('fields.missing'), 'error'),
      );
    });
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

export function loadMenus(): Promise<FieldMenus> {
  return loadScript('algo-fields.js', () => window.algoFields);
}
