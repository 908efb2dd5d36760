/**
 * Returns the input of a row. The label, input, hint and error are created on demand, since most rows are
 * never shown.
 */
export function inputIn(element: HTMLElement, translate: Translate): JQuery {
  const found = $(element).find('.algo-input');
  if (found.length > 0) return found;
  const { id } = element;
  const label = $('<label>').attr('id', `${id}-label`).text(labelOf(element, translate));
  const input = $('<input type="text" class="algo-input">');
  const hint = $('<div class="algo-hint">').attr('id', `${id}-hint`).text(hintOf(element, translate));
  const error = $('<div class="algo-error" role="status">').attr('id', `${id}-error`);
  // Prepends the elements, since a warning about missing support might already be in the row.
  $(element).prepend(label, ' ', input, ' ', hint, error);
  return input;
}

export function labelOf(element: HTMLElement, translate: Translate): string {
  const { key } = element.dataset;
  return $(element).find('label').text().trim() || (key ? translate(`${key}.label`) : '');
}

export function hintOf({ dataset: { key } }: HTMLElement, translate: Translate): string {
  return key ? translate(`${key}.help`) : '';
}
