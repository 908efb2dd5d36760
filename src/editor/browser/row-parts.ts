/**
 * Makes what every row has: its label, its input, its hint, and the place where it is said what is wrong. The pages
 * have none of them: they were a sixth of all that the editor loads at its start.
 */
export function addParts(element: HTMLElement, translate: Translate): void {
  const { id } = element;
  const { key } = element.dataset;
  const label = $('<label>')
    .attr('id', `${id}-label`)
    .text(translate(`${key}.label`));
  const input = $('<input type="text" class="algo-input">');
  const hint = $('<div class="algo-hint">')
    .attr('id', `${id}-hint`)
    .text(translate(`${key}.help`));
  const error = $('<div class="algo-error" role="status">').attr('id', `${id}-error`);
  // What the row lacks may stand there already.
  $(element).prepend(label, ' ', input, ' ', hint, error);
}
