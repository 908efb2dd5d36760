import type { RowOptions } from './row-options';

/** A row, as far as it is taken away. */
interface Removable {
  readonly input: JQuery;
  readonly translate: Translate;
  title(): string;
  leave(): void;
}

/** Puts a button beside a row's box that takes the row away: its field is then not sent. */
export function addRemoveButton(row: Removable, moved: NonNullable<RowOptions['moved']>): void {
  const button = $('<button type="button" class="red-ui-button red-ui-button-small algo-remove-row">');
  const words = row.translate('fields.remove', { name: row.title() });
  button.attr({ 'aria-label': words, title: words });
  button.append('<i class="fa fa-remove" aria-hidden="true">').insertAfter(row.input.next());
  button.on('click', () => {
    row.leave();
    moved('removed');
  });
}
