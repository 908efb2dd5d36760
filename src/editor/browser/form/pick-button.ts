import type { RowField } from '../operations/field';
import type { Pickable } from '../operations/pickable';
import { loadTools, withToolsOnce } from '../tools/load';

/** Whether a field has a picker, for colors or for the tones, files and pages of a device. */
export function isOffered({ pick, format, enum: values }: RowField): boolean {
  return (
    (pick !== undefined && pick !== 'lamp' && pick !== 'level') ||
    (!values && (format === 'color' || format === 'hex-color'))
  );
}

/** Whether a field has quick choices: a few common values. */
export function isQuick({ pick }: RowField): boolean {
  return pick === 'pattern' || pick === 'lamp' || pick === 'level';
}

/**
 * Adds a button for each quick choice below a row's box. If their script fails to load, the normal menu
 * remains.
 */
export function addQuickChoices(row: Pickable): void {
  loadTools().then(
    ({ addQuick }) => {
      // The dialog can be closed before the tools are loaded.
      if (row.input.typedInput('instance') !== undefined) addQuick(row);
    },
    () => {},
  );
}

/**
 * Adds a button next to a row's box that opens the picker. Nothing is requested from the device before the
 * click.
 * @param label the id of the element that names the box; its text can be set later
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
