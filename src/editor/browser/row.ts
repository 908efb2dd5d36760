import { checkEntry, literals } from './check';
import { readRow, sentenceOf } from './definition';
import { type Entry, entryOf, shown } from './entry';
import { typesOf } from './kinds';
import { nameParts, type Parts } from './naming';
import type { RowField } from './row-field';

/** One row of the form: a field with its typedInput, its label and the message under it. */
export class Row {
  readonly name: string;
  readonly input: JQuery;
  readonly box: JQuery;
  readonly field: RowField;
  private readonly typeButton: JQuery;
  /** The model whose values are offered. */
  private model: string | undefined;
  /** What the rules across the fields say about the row. */
  private ruling: string | undefined;

  /**
   * @param translate the node's own lookup
   * @param stored what the node holds for this field
   */
  constructor(
    readonly element: HTMLElement,
    private readonly translate: Translate,
    private readonly stored: unknown,
  ) {
    [this.name, this.field] = readRow(element);
    this.input = $(element).find('.algo-input');
    // A typedInput takes its width from there.
    if (!this.input.attr('style')) this.input.attr('style', 'width: calc(100% - 150px)');
    const first = stored === undefined ? this.initial() : shown(stored);
    this.input.val(first.value).typedInput({ default: first.type, types: this.types(first) });
    const { box, typeButton } = this.nameParts();
    this.box = box;
    this.typeButton = typeButton;
    this.input.on('change', () => this.review());
    this.box.on('input', () => this.review());
    this.review();
  }

  private initial(): Entry {
    if (!this.field.required) return { type: 'none', value: '' };
    const [first = 'str'] = this.ownTypes({});
    const type = nameOf(first);
    return { type, value: type === 'msg' ? 'payload' : '' };
  }

  private types(first: Entry): InputType[] {
    const own = this.ownTypes(first);
    const types = this.field.required ? own : [this.notSent(), ...own];
    if (types.some((known) => nameOf(known) === first.type)) return types;
    const isCore = ['str', 'num', 'json', 'env'].includes(first.type);
    return [...types, isCore ? first.type : { value: first.type, label: first.type }];
  }

  private notSent(): InputType {
    return { value: 'none', label: this.translate('form.notSent'), hasValue: false };
  }

  private ownTypes(first: Partial<Entry>): InputType[] {
    const { field, translate, model } = this;
    const validate = (type: string) => (value: string) => this.message({ type, value }) ?? true;
    return typesOf({ field, translate, validate, shown: first, model });
  }

  private nameParts(): Parts {
    const { element, input } = this;
    const described = [...element.querySelectorAll('.algo-hint, .algo-error')].map((part) => part.id);
    const label = element.querySelector('label') ?? document.createElement('label');
    const parts = nameParts(input, label, described.join(' '));
    if (this.field.required) parts.box.attr('aria-required', 'true');
    return parts;
  }

  /** What would be stored; undefined for a field that is not sent. */
  entry(): unknown {
    return entryOf(this.field, this.input.typedInput('type'), this.input.typedInput('value'), this.stored);
  }

  /** Offers the values that a model has, and what is chosen already. */
  offer(model: string | undefined): void {
    if (!this.field.valueModels || model === this.model) return;
    this.model = model;
    this.show({ type: this.input.typedInput('type'), value: this.input.typedInput('value') });
  }

  /** Shows an entry that was made in another row for a field of this name; not a value that is none here. */
  adopt(entry: unknown): void {
    const isForeign = entry === undefined || checkEntry(this.field, entry) === 'value';
    this.show(isForeign ? this.initial() : shown(entry));
  }

  /** Shows an entry in the place of what is there. */
  show(entry: Entry): void {
    this.input.typedInput('types', this.types(entry));
    this.input.typedInput('type', entry.type);
    this.input.typedInput('value', entry.value);
  }

  /** What is wrong with an entry by itself, else what the rules across the fields say about the row. */
  private message(entry: unknown): string | undefined {
    const finding = checkEntry(this.field, entry);
    return finding ? sentenceOf(this.translate, this.field, finding) : this.ruling;
  }

  /** Says, or no longer says, what the rules across the fields find. */
  rule(sentence: string | undefined): void {
    if (sentence === this.ruling) return;
    this.ruling = sentence;
    this.input.typedInput('validate');
    this.review();
  }

  /** Says what is wrong under the row, for everybody who sees no red border, and names the type's button. */
  review(): void {
    const title = $(this.element).find('label').text().trim();
    this.typeButton.attr('aria-label', `${title}: ${this.typeButton.attr('title')}`);
    const isLiteral = literals.includes(this.input.typedInput('type'));
    this.box.attr('placeholder', isLiteral ? String(this.field.example ?? '') : '');
    const message = this.message(this.entry());
    $(this.element)
      .find('.algo-error')
      .text(message ?? '');
    $(this.element)
      .find('.red-ui-typedInput-input, .red-ui-typedInput-option-trigger')
      .attr('aria-invalid', String(message !== undefined));
  }
}

function nameOf(type: InputType): string {
  return typeof type === 'string' ? type : type.value;
}
