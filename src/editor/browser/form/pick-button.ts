import type { RowField } from '../operations/field';
import type { Pickable } from '../operations/pickable';
import { loadTools, withToolsOnce } from '../tools/load';

/** Whether there is something to choose from for a field: what a device has, or colors. */
export function isOffered({ pick, format, enum: values }: RowField): boolean {
  return (
    (pick !== undefined && pick !== 'lamp' && pick !== 'level') ||
    (!values && (format === 'color' || format === 'hex-color'))
  );
}

/** Whether a field has a few values that most people want. */
export function isQuick({ pick }: RowField): boolean {
  return pick === 'pattern' || pick === 'lamp' || pick === 'level';
}

/** Puts a button for each of these below a row's box; without their script there is the menu of all. */
export function addQuickChoices(row: Pickable): void {
  loadTools().then(
    ({ addQuick }) => {
      // Its dialog may be closed by now.
      if (row.input.typedInput('instance') !== undefined) addQuick(row);
    },
    () => {},
  );
}

/**
 * Puts a button beside a row's box that shows what there is to choose from. Nothing is asked before it is pressed.
 * @param label the id of what names the box; it may have its words only later
 */
export function addPickButton(
  row: Pickable,
  label = $(row.element).find('label').first().attr('id') ?? '',
): void {
  const button = $('<button type="button" class="red-ui-button red-ui-button-small algo-pick">');
  button.attr({
    id: `${label}-pick`,
    'aria-label': RED._('@openpaging/node-red-algo/device:pick.button'),
    'aria-labelledby': `${label} ${label}-pick`,
    'aria-expanded': 'false',
  });
  button.append('<i class="fa fa-list-ul" aria-hidden="true">');
  button.insertAfter(row.input.next('.red-ui-typedInput-container').add(row.input).last());
  button.on('click', () => withToolsOnce(button, ({ pick }) => pick(row, button)));
}
