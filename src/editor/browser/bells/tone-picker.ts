import type { Pickable } from '../operations/pickable';
import { withToolsOnce } from '../tools/load';

/** Picks the tone of one bell, from the tones that every device has and those of the selected device. */
export class TonePicker {
  /** The parent of the list of tones, below the table. */
  readonly element = $('<div>');
  private opener: JQuery | undefined;

  /** @param picked called with the tone for a row */
  constructor(
    private readonly translate: Translate,
    private readonly id: string,
    private readonly picked: (place: number, tone: string) => void,
  ) {}

  /** Returns the button of a row that opens the picker. */
  opening(place: number): JQuery {
    const words = this.translate('rows.audioPick', { row: String(place + 1) });
    const id = `${this.id}-${place}`;
    const made = $('<button type="button" class="red-ui-button red-ui-button-small algo-tone">');
    made.append('<i class="fa fa-list-ul" aria-hidden="true"></i>').attr({
      ...{ id, title: words, 'aria-label': words, 'aria-labelledby': id, 'aria-expanded': 'false' },
    });
    return made.on('click', () => {
      if (this.opener?.[0] !== made[0]) this.close();
      this.opener = made;
      const row: Pickable = {
        ...{ element: this.element[0] as HTMLElement, place: this.element, input: $(), model: undefined },
        field: { pick: 'tone' },
        translate: this.translate,
        show: ({ value }) => this.picked(place, value),
      };
      return withToolsOnce(made, ({ pick }) => {
        // While the script was loading, the user may have moved to another row or changed the rows.
        if (this.opener?.[0] === made[0]) pick(row, made);
      });
    });
  }

  /** Closes the picker, because its row can have moved. */
  close(): void {
    this.element.empty();
    this.opener?.attr('aria-expanded', 'false');
    this.opener = undefined;
  }
}
