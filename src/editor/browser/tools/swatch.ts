/** A small field of a color, beside its name. */
export function swatch(color: string): JQuery {
  // Amber is a color of strobes, and none of the web.
  const shown = color === 'amber' ? '#ffb020' : color;
  return $('<span class="algo-swatch" aria-hidden="true">').css('background-color', shown);
}
