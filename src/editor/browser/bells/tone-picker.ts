import type { Pickable } from '../operations/pickable';
import { withToolsOnce } from '../tools/load';

export class TonePicker {
  readonly element = $('<div>');
  private opener: JQuery | undefined;

  constructor(
    private readonly translate: Translate,
    private readonly id: string,
    private readonly picked: (place: number, tone: string) => void,
  ) {}

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
        ...{ element: this.element[0] as HTMLElement, parent: this.element, input: $(), model: undefined },
        field: { pick: 'tone' },
        translate: this.translate,
        show: ({ value }) => this.picked(place, value),
      };
      return withToolsOnce(made, ({ pick }) => {
        // While the script was loading, the user might have opened the picker of another bell or changed the
        // rows.
        if (this.opener?.[0] === made[0]) pick(row, made);
      });
    });
  }

  /**
   * Closes the picker. Must be called when rows get new indexes, since the picker keeps the index of its row.
   */
  close(): void {
    this.element.empty();
    this.opener?.attr('aria-expanded', 'false');
    this.opener = undefined;
  }
}
