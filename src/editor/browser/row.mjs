import { checkEntry, literals } from './check.mjs';
import { readRow, sentenceOf } from './definition.mjs';
import { entryOf, shown } from './entry.mjs';
import { typesOf } from './kinds.mjs';
import { nameParts } from './naming.mjs';

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
    const first = this.stored === undefined ? this.initial() : shown(this.stored);
    this.input.val(first.value).typedInput({ default: first.type, types: this.types(first) });
    this.nameParts();
    this.input.on('change', () => this.review());
    this.box.on('input', () => this.review());
    this.review();
  }

  initial() {
    if (!this.field.required) return { type: 'none', value: '' };
    const [first] = this.ownTypes({});
    const type = first.value ?? first;
    return { type, value: type === 'msg' ? 'payload' : '' };
  }

  types(first) {
    const own = this.ownTypes(first);
    const types = this.field.required ? own : [this.notSent(), ...own];
    if (types.some((known) => (known.value ?? known) === first.type)) return types;
    const isCore = ['str', 'num', 'json', 'env'].includes(first.type);
    return [...types, isCore ? first.type : { value: first.type, label: first.type }];
  }

  notSent() {
    return { value: 'none', label: this.translate('form.notSent'), hasValue: false };
  }

  ownTypes(first) {
    const validate = (type) => (value) => this.message({ type, value }) ?? true;
    return typesOf(this.field, this.translate, validate, first, this.model);
  }

  nameParts() {
    const { element, input } = this;
    const described = [...element.querySelectorAll('.algo-hint, .algo-error')].map((part) => part.id);
    const label = element.querySelector('label');
    Object.assign(this, nameParts(input, label, described.join(' ')));
    if (this.field.required) this.box.attr('aria-required', 'true');
  }

  /** What would be stored; undefined for a field that is not sent. */
  entry() {
    return entryOf(this.field, this.input.typedInput('type'), this.input.typedInput('value'), this.stored);
  }

  /** Offers the values that a model has, and what is chosen already. */
  offer(model) {
    if (!this.field.valueModels || model === this.model) return;
    this.model = model;
    this.show({ type: this.input.typedInput('type'), value: this.input.typedInput('value') });
  }

  /** Shows an entry that was made in another row for a field of this name; not a value that is none here. */
  adopt(entry) {
    const isForeign = entry === undefined || checkEntry(this.field, entry) === 'value';
    this.show(isForeign ? this.initial() : shown(entry));
  }

  show(entry) {
    this.input.typedInput('types', this.types(entry));
    this.input.typedInput('type', entry.type);
    this.input.typedInput('value', entry.value);
  }

  /** What is wrong with an entry by itself, else what the rules across the fields say about the row. */
  message(entry) {
    const finding = checkEntry(this.field, entry);
    return finding ? sentenceOf(this.translate, this.field, finding) : this.ruling;
  }

  /** Says, or no longer says, what the rules across the fields find. */
  rule(sentence) {
    if (sentence === this.ruling) return;
    this.ruling = sentence;
    this.input.typedInput('validate');
    this.review();
  }

  /** Says what is wrong under the row, for everybody who sees no red border, and names the type's button. */
  review() {
    const title = $(this.element).find('label').text().trim();
    this.typeButton.attr('aria-label', `${title}: ${this.typeButton.attr('title')}`);
    const isLiteral = literals.includes(this.input.typedInput('type'));
    this.box.attr('placeholder', isLiteral ? (this.field.example ?? '') : '');
    const message = this.message(this.entry());
    $(this.element)
      .find('.algo-error')
      .text(message ?? '');
    $(this.element)
      .find('.red-ui-typedInput-input, .red-ui-typedInput-option-trigger')
      .attr('aria-invalid', String(message !== undefined));
  }
}
