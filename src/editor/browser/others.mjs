import { isNameable, sentenceOf } from './definition.mjs';
import { Row } from './row.mjs';

/** The list of parameters that a person names, each with its value; one empty line to begin with. */
export class Others {
  constructor(element, field, translate, stored) {
    this.element = element;
    this.field = field;
    this.translate = translate;
    this.lines = [];
    this.count = 0;
    for (const [name, entry] of Object.entries(stored)) this.add(name, entry);
    if (this.lines.length === 0) this.add('');
    $(element)
      .find('.algo-add')
      .on('click', () => this.add('').box.trigger('focus'));
  }

  add(name, entry) {
    const { field, translate } = this;
    const item = $($(this.element).find('.algo-other').html()).appendTo($(this.element).find('ul'));
    const id = `algo-other-${this.count}`;
    this.count += 1;
    item.attr({ 'data-field': name, 'data-schema': JSON.stringify(field), 'data-key': field.key });
    item.find('label').attr('id', id).text(translate('others.valueOfNew'));
    item.find('.algo-error').attr('id', `${id}-error`);
    const box = item.find('.algo-name').val(name).attr('aria-label', translate('others.name'));
    box.attr({ placeholder: translate('others.example'), 'aria-describedby': `${id}-error` });
    const line = { item, box, row: new Row(item[0], translate, entry) };
    this.lines.push(line);
    box.on('input', () => this.review());
    line.row.input.on('change', () => this.review());
    line.row.box.on('input', () => this.review());
    item.find('.algo-remove').on('click', () => this.remove(line));
    this.review();
    return line;
  }

  remove(line) {
    const place = this.lines.indexOf(line);
    line.item.remove();
    this.lines.splice(place, 1);
    const next = this.lines[place] ?? this.lines[place - 1];
    (next?.box ?? $(this.element).find('.algo-add')).trigger('focus');
    this.review();
  }

  /** Says what is wrong with a name, which comes before what is wrong with its value. */
  review() {
    const names = this.lines.map(({ box }) => box.val().trim());
    for (const [place, { item, box, row }] of this.lines.entries()) {
      const name = names[place];
      const words = { name };
      item.find('label').text(this.translate(name ? 'others.value' : 'others.valueOfNew', words));
      item.find('.algo-remove').attr({ 'aria-label': this.translate('others.remove', words) });
      row.review();
      const finding = this.isBlank(name, row) ? undefined : this.findingIn(names, place);
      if (finding) item.find('.algo-error').text(sentenceOf(this.translate, this.field, finding));
      else if (this.isBlank(name, row)) item.find('.algo-error').text('');
      box.toggleClass('input-error', finding !== undefined).attr('aria-invalid', String(!!finding));
    }
  }

  findingIn(names, place) {
    if (!isNameable(this.field, names[place])) return 'name';
    return names.indexOf(names[place], place + 1) < 0 ? undefined : 'twice';
  }

  isBlank(name, row) {
    return name === '' && (row.entry() === undefined || row.entry().value === '');
  }

  /** What would be stored. A name that breaks the editor is not; a value that is still missing is, as empty. */
  entries() {
    const named = this.lines.map(({ box, row }) => [box.val().trim(), row]);
    const kept = named.filter(([name, row]) => !this.isBlank(name, row) && !(name in {}));
    return kept.map(([name, row]) => [name, row.entry() ?? { type: 'str', value: '' }]);
  }
}
