import type { Pickable } from '../operations/pickable';
import { iconButton } from '../page/button';
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
    const made = iconButton(words, () => this.toggle(place, made), 'list-ul');
    return made
      .addClass('algo-tone')
      .attr({ id, title: words, 'aria-labelledby': id, 'aria-expanded': 'false' });
  }

  private toggle(place: number, made: JQuery): void {
    if (this.opener?.[0] !== made[0]) this.close();
    this.opener = made;
    const row: Pickable = {
      ...{ element: this.element[0] as HTMLElement, parent: this.element, input: $(), model: undefined },
      field: { pick: 'tone' },
      translate: this.translate,
      show: ({ value }) => this.picked(place, value),
    };
    void withToolsOnce(made, ({ pick }) => {
      // While the script was loading, the user might have opened the picker of another bell or changed the
      // rows.
      if (this.opener?.[0] === made[0]) pick(row, made);
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
