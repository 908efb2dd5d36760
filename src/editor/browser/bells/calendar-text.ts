import type { Row } from '../form/row';
import { shown } from '../operations/entry';
import { loadReader } from '../table/paste';
import { onRowChange, show } from './row-value';

/**
 * A file and a text area for the row of a calendar, since the input of a typedInput has only one line. A file can be
 * chosen with any type of the row, and then is its text.
 */
export class CalendarText {
  readonly element = $('<div>');
  private readonly area = $('<div class="algo-paste">').appendTo(this.element);
  private readonly file = $('<input type="file" accept=".ics,text/calendar">');
  private readonly text = $('<textarea rows="6" spellcheck="false" wrap="off">');
  private readonly fold = $('<details>');
  private readonly state = $('<div class="algo-error" role="status">');

  constructor(
    private readonly row: Row,
    private readonly translate: Translate,
    id: string,
  ) {
    this.file.attr({ id: `${id}-file`, 'aria-label': translate('calendar.file') });
    this.file.on('change', () => this.readFile());
    this.text.attr({ 'aria-label': translate('calendar.text'), 'aria-describedby': `${id}-hint` });
    // The dialog can be confirmed by Ctrl-Enter, before the text area has a `change`.
    this.text.on('input', () => this.write(String(this.text.val())));
    const hint = $('<div class="algo-hint">').attr('id', `${id}-hint`).text(translate('calendar.hint'));
    this.fold.append($('<summary>').text(translate('calendar.text')), this.text, hint);
    this.area.append(this.file, this.state, this.fold);
    this.element.insertAfter(row.element);
    onRowChange(row, () => this.follow());
    this.follow();
  }

  private follow(): void {
    const isText = this.row.input.typedInput('type') === 'str';
    this.fold.prop('hidden', !isText);
    $(this.row.element).toggleClass('algo-in-area', isText);
    const entry = this.row.entry();
    if (isText) this.text.val(entry === undefined ? '' : shown(entry).value);
  }

  private write(text: string): void {
    this.state.empty();
    show(this.row, { type: 'str', value: text });
  }

  private async readFile(): Promise<void> {
    const [file] = (this.file.get(0) as HTMLInputElement).files ?? [];
    if (!file) return;
    try {
      const { decodeTextFile } = await loadReader();
      this.write(decodeTextFile(await file.arrayBuffer()));
    } catch {
      this.state.text(this.translate('calendar.unread', { name: file.name }));
    }
  }
}
