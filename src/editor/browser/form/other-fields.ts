import { isNameable, sentenceOf } from '../operations/definition';
import type { Entry, Stored } from '../operations/entry';
import type { OthersField } from '../operations/field';
import { addPaste, type PastedSetting } from './paste-settings';
import { addPickButton } from './pick-button';
import { Row } from './row';

interface OtherFieldRow {
  readonly item: JQuery;
  readonly box: JQuery;
  readonly row: Row;
}

/** Maximum number of rows after a table was pasted. */
const maxRows = 50;

export type OtherEntry = readonly [name: string, entry: unknown];

export class Others {
  private readonly rows: OtherFieldRow[] = [];
  private count = 0;
  private readonly list: JQuery;

  constructor(
    private readonly element: HTMLElement,
    private readonly field: OthersField,
    private readonly translate: Translate,
    stored: Stored,
  ) {
    this.list = $(element).children('ul');
    for (const [name, entry] of Object.entries(stored)) this.add(name, entry);
    if (this.rows.length === 0) this.add('');
    this.review();
    if (field.namePick === 'setting') addPaste(element, field, translate, (rows) => this.take(rows));
    $(element)
      .find('.algo-add')
      .on('click', () => {
        this.add('').box.trigger('focus');
        this.review();
      });
  }

  private add(name: string, entry?: unknown): OtherFieldRow {
    const { item, box } = this.makeItem(name);
    const [element] = item.get();
    if (!element) throw new Error('The dialog has no template for a parameter');
    const line = { item, box, row: new Row(element, this.translate, entry) };
    this.rows.push(line);
    box.on('input', () => this.review());
    line.row.input.on('change', () => this.review());
    line.row.box.on('input', () => this.review());
    item.find('.algo-remove').on('click', () => this.remove(line));
    return line;
  }

  /** Takes over the entries of another operation. */
  adopt(entries: readonly OtherEntry[]): void {
    if (entries.length > 0) this.replace([...this.rows], entries);
  }

  /**
   * Takes pasted settings: a new value replaces that of the same name. Many settings become JSON, since each row takes
   * the browser milliseconds.
   */
  private take(pasted: readonly PastedSetting[]): void {
    const given = new Set(pasted.map(({ name }) => name));
    const replaced = this.rows.filter((line) => isBlank(nameOf(line), line.row) || given.has(nameOf(line)));
    const kept = this.entries().filter(([name]) => !given.has(name));
    const texts = kept.filter(([, entry]) => Object(entry).type === 'str');
    if (kept.length + pasted.length > maxRows && texts.length === kept.length) {
      const values = [
        ...texts.map(([name, entry]) => [name, Object(entry).value]),
        ...pasted.map(({ name, value }) => [name, value]),
      ];
      const parameters = $('#node-input-parameters');
      parameters.typedInput('type', 'json');
      parameters.typedInput('value', JSON.stringify(Object.fromEntries(values)));
      return;
    }
    this.replace(
      replaced,
      pasted.map(({ name, value }) => [name, { type: 'str', value }]),
    );
    this.list.children().last().trigger('change');
  }

  private replace(lines: readonly OtherFieldRow[], entries: readonly OtherEntry[]): void {
    for (const line of lines) {
      line.item.remove();
      this.rows.splice(this.rows.indexOf(line), 1);
    }
    for (const [name, entry] of entries) this.add(name, entry);
    this.review();
  }

  private makeItem(name: string): Omit<OtherFieldRow, 'row'> {
    const { field, translate } = this;
    const item = $($(this.element).find('.algo-other').html()).appendTo(this.list);
    const id = `algo-other-${this.count}`;
    this.count += 1;
    item.attr({ 'data-field': name, 'data-schema': JSON.stringify(field), 'data-key': field.key ?? '' });
    item.find('label').attr('id', id).text(translate('others.valueOfNew'));
    item.find('.algo-error').attr('id', `${id}-error`);
    const box = item.find('.algo-name').val(name).attr('aria-label', translate('others.name'));
    box.attr({ placeholder: translate('others.example'), 'aria-describedby': `${id}-error` });
    this.offerNames(item, box, `${id}-named`);
    return { item, box };
  }

  private offerNames(item: JQuery, box: JQuery, id: string): void {
    const { field, translate } = this;
    const [element] = item.get();
    if (!element || !field.namePick) return;
    const show = ({ value }: Entry) => void box.val(value).trigger('input');
    const named = { pick: field.namePick, type: 'string', literal: 'str' } as const;
    const row = { element, input: box, field: named, translate, model: undefined, place: item, show };
    // The button gets its label from a hidden text: the only <label> of the row belongs to the value input
    // and contains the name that the user types.
    $('<span hidden>').attr('id', id).text(translate('others.name')).appendTo(item);
    addPickButton(row, id);
  }

  private remove(line: OtherFieldRow): void {
    const index = this.rows.indexOf(line);
    line.item.remove();
    this.rows.splice(index, 1);
    const next = this.rows[index] ?? this.rows[index - 1];
    (next?.box ?? $(this.element).find('.algo-add')).trigger('focus');
    this.review();
  }

  private review(): void {
    const names = this.rows.map(nameOf);
    for (const [place, { item, box, row }] of this.rows.entries()) {
      const name = names[place] ?? '';
      const words = { name };
      item.find('label').text(this.translate(name ? 'others.value' : 'others.valueOfNew', words));
      item
        .find('.algo-remove')
        .attr({ 'aria-label': this.translate(name ? 'others.remove' : 'others.removeNew', words) });
      row.review();
      const finding = isBlank(name, row) ? undefined : this.findingIn(names, place);
      if (finding) item.find('.algo-error').text(sentenceOf(this.translate, this.field, finding));
      else if (isBlank(name, row)) item.find('.algo-error').text('');
      box.toggleClass('input-error', finding !== undefined).attr('aria-invalid', String(!!finding));
    }
  }

  private findingIn(names: readonly string[], index: number): 'name' | 'twice' | undefined {
    const name = names[index] ?? '';
    if (!isNameable(this.field, name)) return 'name';
    return names.indexOf(name, index + 1) < 0 ? undefined : 'twice';
  }

  /**
   * Returns the entries to store, without names of inherited properties such as `toString`, which would break
   * the editor. A missing value becomes an empty text.
   */
  entries(): OtherEntry[] {
    const named = this.rows.map((line) => [nameOf(line), line.row] as const);
    const kept = named.filter(([name, row]) => !isBlank(name, row) && !(name in {}));
    return kept.map(([name, row]): OtherEntry => [name, row.entry() ?? { type: 'str', value: '' }]);
  }
}

function nameOf({ box }: OtherFieldRow): string {
  return String(box.val()).trim();
}

function isBlank(name: string, row: Row): boolean {
  const entry = row.entry() as { readonly value?: unknown } | undefined;
  return name === '' && (entry === undefined || entry.value === '');
}
