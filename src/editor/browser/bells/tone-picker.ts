import type { Pickable } from '../operations/pickable';
import { withToolsOnce } from '../tools/load';

/** Chooses the tone of one bell: of those that every device has, and of the device that the dialog is set to. */
export class TonePicker {
  /** Where the tones are shown, below the table. */
  readonly element = $('<div>');
  private opener: JQuery | undefined;

  /** @param picked is called with the tone of a row */
  constructor(
    private readonly translate: Translate,
    private readonly id: string,
    private readonly picked: (place: number, tone: string) => void,
  ) {}

  /** The button in a row that shows the tones. */
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
        // Until its script was there, somebody may have gone on to another row, or changed the rows.
        if (this.opener?.[0] === made[0]) pick(row, made);
      });
    });
  }

  /** Takes the tones away: another row may stand where theirs was. */
  close(): void {
    this.element.empty();
    this.opener?.attr('aria-expanded', 'false');
    this.opener = undefined;
  }
}
