import type { Pickable } from '../operations/pickable';
import { wordOf } from '../operations/values';
import { button } from '../page/button';

const maxOffered = 4;

export function addQuick(row: Pickable): void {
  const { names = [], enum: values = [], pick } = row.field;
  const offered = (names.length > 0 ? names.slice(0, 3) : values.slice(0, maxOffered)).map(String);
  const label = $(row.element).find('label').first().attr('id') ?? '';
  const group = $('<div class="algo-chips algo-quick" role="group">').attr('aria-labelledby', label);
  const buttons = offered.map((value) => {
    const word = wordOf(row.field, value, row.translate);
    const chip = button(word, () => row.show({ type: 'str', value })).addClass('algo-chip');
    if (pick === 'lamp') chip.prepend(swatch(value), ' ');
    if (word !== value) chip.attr('title', value);
    return chip.appendTo(group);
  });
  const show = () => {
    for (const [place, value] of offered.entries()) {
      const isSet = row.input.typedInput('type') === 'str' && row.input.typedInput('value') === value;
      buttons[place]?.attr('aria-pressed', String(isSet));
    }
  };
  row.input.on('change', show);
  group.insertBefore($(row.element).find('.algo-hint').first());
  show();
}

export function swatch(color: string): JQuery {
  // CSS has no color amber.
  const shown = color === 'amber' ? '#ffb020' : color;
  return $('<span class="algo-swatch" aria-hidden="true">').css('background-color', shown);
}
