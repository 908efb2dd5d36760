import { checkEntry } from './check.mjs';
import { readRow, sentenceOf } from './definition.mjs';
import { entryOf, shown } from './entry.mjs';

const sources = ['msg', 'flow', 'global', 'env', 'jsonata'];

/** One row of the form: a field with its typedInput, its label and the message under it. */
export class Row {
  /** `translate` is the node's own lookup, `stored` what the node holds for this field. */
  constructor(element, translate, stored) {
    this.element = element;
    this.translate = translate;
    this.stored = stored;
    [this.name, this.field] = readRow(element);
    this.input = $(element).find('.algo-input');
    this.build();
  }

  build() {
    const { type, value } = this.stored === undefined ? this.initial() : shown(this.stored);
    this.input.val(value).typedInput({ default: type, types: this.types(type, value) });
    this.nameParts();
    this.input.on('change', () => this.review());
    this.box.on('input', () => this.review());
    this.review();
  }

  initial() {
    return { type: this.field.required ? this.ownType().value : 'none', value: '' };
  }

  types(type, value) {
    const own = this.ownType(type, value);
    const types = this.field.required ? [own, ...sources] : [this.notSent(), own, ...sources];
    const listed = types.some((known) => (known.value ?? known) === type);
    return listed
      ? types
      : [...types, ['str', 'num', 'json'].includes(type) ? type : { value: type, label: type }];
  }

  notSent() {
    return { value: 'none', label: this.translate('form.notSent'), hasValue: false };
  }

  /** The type for values written in the dialog. A stored value that is no option is one for this node. */
  ownType(type, value) {
    const { field } = this;
    const kind = field.enum
      ? 'str'
      : { integer: 'num', number: 'num', boolean: 'bool', object: 'json' }[field.type];
    const values = field.enum ?? (kind === 'bool' ? ['true', 'false'] : undefined);
    const validate = (text) => this.message({ type: kind ?? 'str', value: text }) ?? true;
    if (kind === 'json') return 'json';
    if (!values) return { ...appearance[kind ?? 'str'](this.translate), validate };
    const stray = type === kind && value !== '' && !values.includes(value) ? [value] : [];
    const choose = { value: '', label: this.translate('form.choose') };
    const options = [choose, ...[...values, ...stray].map((option) => ({ value: option, label: option }))];
    return { value: kind, label: this.translate('form.choice'), icon: 'fa fa-list-ul', options, validate };
  }

  /** The typedInput makes a box and buttons of its own: they get the row's label and hint. */
  nameParts() {
    const { element, input } = this;
    const container = input.next('.red-ui-typedInput-container');
    const label = element.querySelector('label');
    const described = [...element.querySelectorAll('.algo-hint, .algo-error')]
      .map((part) => part.id)
      .join(' ');
    this.box = container.find('.red-ui-typedInput-input');
    this.box.attr({ id: `${label.id}-box`, 'aria-labelledby': label.id, 'aria-describedby': described });
    if (this.field.required) this.box.attr('aria-required', 'true');
    label.htmlFor = `${label.id}-box`;
    const option = container.find('.red-ui-typedInput-option-trigger').attr('id', `${label.id}-option`);
    option.attr('aria-labelledby', `${label.id} ${label.id}-option`);
    this.typeButton = container.find('.red-ui-typedInput-type-select');
  }

  /** What would be stored; undefined for a field that is not sent. */
  entry() {
    return entryOf(this.field, this.input.typedInput('type'), this.input.typedInput('value'), this.stored);
  }

  /** Shows an entry that was made in another operation's row for the same field. */
  adopt(entry) {
    const { type, value } = entry === undefined ? this.initial() : shown(entry);
    this.input.typedInput('types', this.types(type, value));
    this.input.typedInput('type', type);
    this.input.typedInput('value', value);
  }

  message(entry) {
    const finding = checkEntry(this.field, entry);
    return finding && sentenceOf(this.translate, this.field, finding);
  }

  /** Says what is wrong under the row, for everybody who sees no red border, and names the type's button. */
  review() {
    const title = $(this.element).find('label').text().trim();
    this.typeButton.attr('aria-label', `${title}: ${this.typeButton.attr('title')}`);
    const message = this.message(this.entry());
    $(this.element)
      .find('.algo-error')
      .text(message ?? '');
    $(this.element)
      .find('.red-ui-typedInput-input, .red-ui-typedInput-option-trigger')
      .attr('aria-invalid', String(message !== undefined));
  }
}

/** How core shows its own literal types; they are made anew here to take the field's own check. */
const appearance = {
  str: (translate) => ({
    value: 'str',
    label: translate('form.string'),
    icon: 'red/images/typedInput/az.svg',
  }),
  num: (translate) => ({
    value: 'num',
    label: translate('form.number'),
    icon: 'red/images/typedInput/09.svg',
  }),
};
