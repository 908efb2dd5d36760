import type { RowField } from '../operations/field';
import type { Pickable } from '../operations/pickable';
import { iconButton } from '../page/button';
import { loadTools, withToolsOnce } from '../tools/load';

export function isOffered({ pick, format, enum: values }: RowField): boolean {
  return (
    (pick !== undefined && pick !== 'lamp' && pick !== 'level') ||
    (!values && (format === 'color' || format === 'hex-color'))
  );
}

export function isQuick({ pick }: RowField): boolean {
  return pick === 'pattern' || pick === 'lamp' || pick === 'level';
}

export function addQuickChoices(row: Pickable): void {
  loadTools().then(
    ({ addQuick }) => {
      // While the tools were loading, the user might have closed the dialog.
      if (row.input.typedInput('instance') !== undefined) addQuick(row);
    },
    () => {},
  );
}

/** @param label id of the element with the label of the input; the label can get its text later */
export function addPickButton(
  row: Pickable,
  label = $(row.element).find('label').first().attr('id') ?? '',
): void {
  const open = (button: JQuery) => void withToolsOnce(button, ({ pick }) => pick(row, button));
  iconButton(RED._('@openpaging/node-red-algo/device:pick.button'), open, 'list-ul')
    .addClass('algo-pick')
    .attr({ id: `${label}-pick`, 'aria-labelledby': `${label} ${label}-pick`, 'aria-expanded': 'false' })
    .insertAfter(row.input.next('.red-ui-typedInput-container').add(row.input).last());
}
