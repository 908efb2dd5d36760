/** Adds an element for sentences below an input, which screen readers read with the input. */
export function statusBelow(input: JQuery, id: string, look: 'algo-error' | 'algo-warning'): JQuery {
  const described = [input.attr('aria-describedby'), id].filter(Boolean).join(' ');
  input.attr('aria-describedby', described);
  return $('<div role="status">').addClass(look).attr('id', id).insertAfter(input);
}

/** Shows a text unless it is shown already, since a screen reader would announce the text again. */
export function say(status: JQuery, text: string): void {
  if (status.text() !== text) status.text(text);
}
