/** A row, as far as it is taken away. */
interface Removable {
  readonly input: JQuery;
  title(): string;
}

/** Puts a button beside a row's box that takes the row away: its field is then not sent. */
export function addRemoveButton(row: Removable, pressed: () => void, translate: Translate): void {
  const button = $('<button type="button" class="red-ui-button red-ui-button-small algo-remove-row">');
  const words = translate('fields.remove', { name: row.title() });
  button.attr({ 'aria-label': words, title: words });
  button.append('<i class="fa fa-remove" aria-hidden="true">').insertAfter(row.input.next());
  button.on('click', pressed);
}
