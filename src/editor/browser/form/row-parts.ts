/**
 * Where a row's value is entered. What every row has, its label, its input, its hint and the place where it is said
 * what is wrong, is made with it: the pages have none of that, since it was a sixth of all that the editor loads at its
 * start, and most rows are never seen.
 */
export function inputIn(element: HTMLElement, translate: Translate): JQuery {
  const found = $(element).find('.algo-input');
  if (found.length > 0) return found;
  const { id } = element;
  const label = $('<label>').attr('id', `${id}-label`).text(labelOf(element, translate));
  const input = $('<input type="text" class="algo-input">');
  const hint = $('<div class="algo-hint">').attr('id', `${id}-hint`).text(hintOf(element, translate));
  const error = $('<div class="algo-error" role="status">').attr('id', `${id}-error`);
  // What the row lacks may stand there already.
  $(element).prepend(label, ' ', input, ' ', hint, error);
  return input;
}

/** What a person reads for a row; empty where it has no words of its own. */
export function labelOf(element: HTMLElement, translate: Translate): string {
  const { key } = element.dataset;
  return $(element).find('label').text().trim() || (key ? translate(`${key}.label`) : '');
}

/** What a row explains. */
export function hintOf({ dataset: { key } }: HTMLElement, translate: Translate): string {
  return key ? translate(`${key}.help`) : '';
}
