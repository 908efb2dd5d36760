import type { Suggestion } from '../../../runtime/answers';
import type { Pickable } from '../operations/pickable';
import { worded } from '../operations/values';
import { button, iconButton } from '../page/button';
import { loadPictures } from '../pictures/load';
import type { Pictures } from '../pictures/script';
import { words } from './ask';
import { sayWithHelp } from './error-help';
import { type Choices, choicesFor } from './offers';
import { swatch } from './quick';

const maxShown = 100;

export function pick(row: Pickable, button: JQuery): void {
  const open = $(row.element).find('.algo-offers');
  if (open.length > 0) close(open, button);
  else new Offering(row, button).load();
}

function close(offering: JQuery, button: JQuery): void {
  offering.remove();
  button.attr('aria-expanded', 'false').trigger('focus');
}

class Offering {
  private readonly root = $('<div class="algo-offers" role="group">');
  private readonly search = $('<input type="search" class="algo-search">');
  private readonly list = $('<ul>');
  private readonly note = $('<div class="algo-hint" role="status">');
  private pictures: Pictures | undefined;
  private choices: Choices | undefined;
  private asked = 0;

  constructor(
    private readonly row: Pickable,
    private readonly button: JQuery,
  ) {
    const refresh = iconButton(words('pick.refresh'), () => this.load(), 'refresh');
    this.search.attr({ 'aria-label': words('pick.search'), placeholder: words('pick.search') });
    this.search.on('input', () => this.show());
    this.root.attr('aria-labelledby', button.attr('aria-labelledby') ?? '');
    this.root.append($('<div class="algo-buttons">').append(this.search, refresh));
    this.root.append(this.list, this.note);
    if (row.parent) this.root.appendTo(row.parent);
    else this.root.insertAfter(button);
    // Otherwise, Enter would press the default button of the dialog, and Escape would close the dialog.
    this.search.on('keydown', ({ key }) => key !== 'Enter');
    this.root.on('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      close(this.root, this.button);
    });
    button.attr('aria-expanded', 'true');
  }

  private color(): string {
    const box = $(this.row.element).parent().find('[data-field="color1"], [data-field="strobeColor"]');
    const color = String(box.find('.algo-input').first().val() ?? '');
    return ['red', 'blue', 'green', 'amber'].includes(color) ? color : 'red';
  }

  load(): void {
    const hasPictures = this.row.field.pick === 'pattern';
    this.root.toggleClass('algo-patterns', hasPictures);
    this.note.text(words('test.asking'));
    this.search.trigger('focus');
    // The list waits until the drawings are loaded or have failed, so that no item changes under a click.
    const pictures = hasPictures ? loadPictures().catch(() => undefined) : undefined;
    this.asked += 1;
    const asked = this.asked;
    Promise.all([choicesFor(this.row), pictures]).then(([choices, drawn]) => {
      if (asked === this.asked) this.take(choices, drawn);
    });
  }

  private take(choices: Choices, drawn: Pictures | undefined): void {
    // Items with drawings are always built again, since the color of the drawings can change.
    const isSame = drawn === undefined && JSON.stringify(choices) === JSON.stringify(this.choices);
    const hadFocus = this.list.has(':focus').length > 0;
    this.choices = choices;
    this.pictures = drawn;
    this.show(isSame);
    if (hadFocus && !isSame) this.search.trigger('focus');
  }

  private show(isListed = false): void {
    // Before the first answer, the note says that the request is running.
    if (!this.choices) return;
    const wanted = String(this.search.val()).toLowerCase();
    const found = this.choices.offers.filter((offer) => this.textOf(offer).toLowerCase().includes(wanted));
    if (!isListed) this.list.empty().append(found.slice(0, maxShown).map((offer) => this.item(offer)));
    const more = found.length - maxShown;
    const rest = more > 0 ? words('pick.more', { count: String(more) }) : '';
    const nothing = found.length === 0 ? words('pick.nothing') : '';
    const { note, code } = this.choices;
    sayWithHelp(this.note, [note, nothing, rest].filter(Boolean).join(' '), code);
  }

  private textOf({ value, about }: Suggestion): string {
    const text = worded(this.row.field, value, this.row.translate);
    return about === undefined ? text : `${text} · ${about}`;
  }

  private item(offer: Suggestion): JQuery {
    const { value } = offer;
    const take = () => {
      const { literal = 'str', names } = this.row.field;
      this.row.show({ type: names ? 'str' : literal, value });
      close(this.root, this.button);
    };
    const item = button(this.textOf(offer), take);
    if (this.row.field.pick === undefined) item.prepend(swatch(value), ' ');
    if (this.row.field.pick === 'pattern' && this.pictures) {
      item.prepend(this.pictures.lamps(value, this.color()), ' ');
    }
    return $('<li>').append(item);
  }
}
