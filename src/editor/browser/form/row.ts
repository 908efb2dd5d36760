import { checkEntry, literals } from '../operations/check';
import { readRow, sentenceOf } from '../operations/definition';
import { type Entry, entryOf, shown } from '../operations/entry';
import type { RowField } from '../operations/field';
import { onlyValueFor } from '../operations/values';
import { apart, nameParts, type Parts } from '../page/typed-input';
import { beginningOf, nameOf, typesOf } from './input-types';
import { addPickButton, addQuickChoices, isOffered, isQuick } from './pick-button';
import { inputIn, labelOf } from './row-parts';

/** What a row is told when it is made. */
interface RowOptions {
  /** Nobody has had the chance to fill it in: that it is empty is no mistake yet. */
  readonly isFresh?: boolean;
  /** A person has taken it away, or something else has put it there or hidden it. Without it nobody can. */
  readonly moved?: (how: 'removed' | 'other') => void;
}

/**
 * A field of the form: it is sent when its row is there. The row's typedInput is made when it is to be seen, since
 * each takes milliseconds: a form of sixty fields costs only the fields that are set. A row knows without its typedInput
 * which value it would store.
 */
export class Row {
  readonly name: string;
  readonly field: RowField;
  private entered: JQuery | undefined;
  /** What was put there, until a person changes it: a typedInput loses line breaks. */
  private held: Entry | undefined;
  private made: Parts | undefined;
  /** What its typedInput tells of now comes from here. */
  private isPutting = false;
  /** It is sent: stored, demanded, or put there by a person. */
  private isSent: boolean;
  /** The rules across the fields want it. */
  private isWanted = false;
  private isTried: boolean;
  /** The model whose values are offered. */
  model: string | undefined;
  /** What was chosen for a person by the model, until the person changes it. */
  private suggested: string | undefined;
  /** What the rules across the fields say about the row. */
  private ruling: string | undefined;

  /**
   * @param translate the node's own lookup
   * @param stored what the node holds for this field
   */
  constructor(
    readonly element: HTMLElement,
    readonly translate: Translate,
    private readonly stored: unknown,
    private readonly options: RowOptions = {},
  ) {
    [this.name, this.field] = readRow(element);
    this.isSent = stored !== undefined || this.field.required === true;
    this.isTried = !options.isFresh;
    this.held = stored === undefined ? this.initial() : shown(stored);
  }

  /** Where its value is entered, made when it is to be seen. */
  get input(): JQuery {
    this.entered ??= inputIn(this.element, this.translate);
    return this.entered;
  }

  /** Whether it is part of the form. */
  get isThere(): boolean {
    return this.isSent || this.isWanted || this.field.foremost === true;
  }

  /** Its typedInput is there, or about to be: it tells of changes while it is being made. */
  get isMade(): boolean {
    return this.made !== undefined || this.isPutting;
  }

  /** The box of its typedInput, which is made for it. */
  get box(): JQuery {
    return this.make().box;
  }

  /** Makes the typedInput, if there is none yet. */
  make(): Parts {
    if (this.made) return this.made;
    const { element, input } = this;
    const held = this.now();
    this.isPutting = true;
    const isPicked = isOffered(this.field);
    const moved = this.field.required || this.field.foremost ? undefined : this.options.moved;
    const buttons = Number(isPicked) + Number(moved !== undefined);
    // A typedInput takes its width from there.
    if (!input.attr('style')) input.attr('style', `width: calc(100% - ${150 + 40 * buttons}px)`);
    apart(input, () => input.val(held.value).typedInput({ default: held.type, types: this.types(held) }));
    const described = [...element.querySelectorAll('.algo-hint, [role=status]')].map((part) => part.id);
    const label = element.querySelector('label') ?? document.createElement('label');
    this.made = nameParts(input, label, described.join(' '));
    if (this.field.required) this.made.box.attr('aria-required', 'true');
    if (moved) addRemoveButton(this, moved);
    if (isPicked) addPickButton(this);
    if (isQuick(this.field)) addQuickChoices(this);
    this.isPutting = false;
    input.on('typedinputtypechange', (_, type: string) => this.beginSource(type));
    input.on('change', () => this.changed());
    this.made.box.on('input', () => this.changed());
    $(element).on('focusout', ({ relatedTarget }) => this.leftFor(relatedTarget));
    this.review();
    return this.made;
  }

  private initial(isAdded = false): Entry {
    const origin = isAdded ? 'added' : this.options.isFresh ? 'new' : 'stored';
    return beginningOf(this.field, this.ownTypes({}), origin);
  }

  private types(first: Entry): InputType[] {
    const types = this.ownTypes(first);
    if (types.some((known) => nameOf(known) === first.type)) return types;
    const isCore = ['str', 'num', 'json', 'env'].includes(first.type);
    return [...types, isCore ? first.type : { value: first.type, label: first.type }];
  }

  private ownTypes(first: Partial<Entry>): InputType[] {
    const { field, translate, model } = this;
    const validate = (type: string) => (value: string) => this.message({ type, value }) ?? true;
    return typesOf({ field, translate, validate, shown: first, model });
  }

  /** The path that messages are most often read by; what is written already stays. */
  private beginSource(type: string): void {
    if (this.isPutting || type !== 'msg' || this.input.typedInput('value') !== '') return;
    this.input.typedInput('value', 'payload');
  }

  private now(): Entry {
    return this.held ?? { type: this.input.typedInput('type'), value: this.input.typedInput('value') };
  }

  /** What would be stored; undefined for a field that is not sent. */
  entry(): unknown {
    const { type, value } = this.now();
    if (!this.isThere || (value === '' && (!this.isSent || this.field.foremost))) return undefined;
    return entryOf(this.field, type, value, this.stored);
  }

  /** Offers the values that a model has, and what is chosen already. */
  offer(model: string | undefined): void {
    if (!this.field.valueModels || model === this.model) return;
    this.model = model;
    this.suggest();
    if (this.made) this.put(this.now());
  }

  /**
   * Chooses the only value that is meant for the model, where nobody had the chance to choose, and no longer for
   * another.
   */
  private suggest(): void {
    const { field, options, model, suggested } = this;
    const now = this.now();
    const isFree = options.isFresh && (now.value === '' || now.value === suggested);
    if (!isFree || !this.isSent || field.names) return;
    const only = model === undefined ? undefined : onlyValueFor(field, model);
    if (only === suggested) return;
    this.suggested = only;
    this.held = only === undefined ? this.initial() : { type: field.literal ?? 'str', value: only };
  }

  /** Shows what was entered in another row for a field of this name; not what is no value here. */
  adopt(entry: unknown): void {
    const isEmpty = entry === undefined || shown(entry).value === '';
    if (isEmpty || checkEntry(this.field, entry) === 'value') this.leave();
    else this.show(shown(entry));
  }

  /** Puts the row into the form, for a person to fill in. */
  add(): void {
    this.isTried = false;
    this.show(this.initial(true));
  }

  /** Shows an entry in the place of what is there. */
  show(entry: Entry): void {
    const wasThere = this.isThere;
    this.isSent = true;
    this.put(entry);
    if (!wasThere) this.options.moved?.('other');
  }

  private put(entry: Entry): void {
    this.held = entry;
    if (!this.made) return;
    this.isPutting = true;
    this.input.typedInput('types', this.types(entry));
    this.input.typedInput('type', entry.type);
    this.input.typedInput('value', entry.value);
    this.isPutting = false;
    this.review();
  }

  /** The field is not sent any more; one that has to be given is empty again. */
  leave(): void {
    this.isSent = this.field.required === true;
    this.put(this.initial());
  }

  /** Puts the focus where a person fills the row in. */
  focus(): void {
    const container = this.make().box.closest('.red-ui-typedInput-container');
    const parts = container.find('.red-ui-typedInput-input, .red-ui-typedInput-option-trigger');
    parts.filter(':visible').first().trigger('focus');
  }

  /** A user who goes on to another input has tried this one; the menus of a typedInput stand elsewhere in the page. */
  private leftFor(next: EventTarget | null | undefined): void {
    const isElsewhere = next instanceof Element && !this.element.contains(next);
    if (isElsewhere && next.closest('.red-ui-typedInput-options') === null) this.try();
  }

  /** From now on it is a mistake that it is empty. */
  try(): void {
    if (this.isTried) return;
    this.isTried = true;
    if (this.made) this.input.typedInput('validate');
    this.review();
  }

  private changed(): void {
    if (this.isPutting) return;
    this.suggested = undefined;
    this.held = undefined;
    const isFilled = this.now().value !== '';
    this.isTried ||= isFilled;
    this.isSent ||= this.isWanted && isFilled;
    this.review();
  }

  /** What is wrong with an entry by itself, else what the rules across the fields say about the row. */
  private message(entry: unknown): string | undefined {
    const finding = checkEntry(this.field, entry);
    if (finding === 'required' && (!this.isTried || this.field.foremost)) return undefined;
    return finding ? sentenceOf(this.translate, this.field, finding) : this.ruling;
  }

  /** Says, or no longer says, what the rules across the fields find, which may want the row to be there. */
  rule(sentence: string | undefined): void {
    if (sentence === this.ruling) return;
    const wasThere = this.isThere;
    this.ruling = sentence;
    this.isWanted = sentence !== undefined;
    if (wasThere !== this.isThere) this.options.moved?.('other');
    if (this.made) this.input.typedInput('validate');
    this.review();
  }

  /** Says what is wrong under the row, for everybody who sees no red border, and names the type's button. */
  review(): void {
    if (!this.made || this.isPutting) return;
    const { box, typeButton } = this.made;
    typeButton.attr('aria-label', `${this.title()}${this.translate('colon')}${typeButton.attr('title')}`);
    const isLiteral = literals.includes(this.input.typedInput('type'));
    const value = isLiteral ? String(this.field.example ?? '') : '';
    // A bare value in grey reads as one that holds already.
    box.attr('placeholder', value && this.translate('form.example', { value }));
    const message = this.message(this.entry());
    const row = $(this.element);
    row.find('.algo-error').text(message ?? '');
    const boxes = row.find('.red-ui-typedInput-input, .red-ui-typedInput-option-trigger');
    boxes.attr('aria-invalid', String(message !== undefined));
  }

  /** What a person reads for it. */
  title(): string {
    return labelOf(this.element, this.translate) || this.name;
  }
}

/** A row, as far as it is taken away. */
interface Removable {
  readonly input: JQuery;
  readonly translate: Translate;
  title(): string;
  leave(): void;
}

/** Puts a button beside a row's box that takes the row away: its field is then not sent. */
function addRemoveButton(row: Removable, moved: NonNullable<RowOptions['moved']>): void {
  const button = $('<button type="button" class="red-ui-button red-ui-button-small algo-remove-row">');
  const words = row.translate('fields.remove', { name: row.title() });
  button.attr({ 'aria-label': words, title: words });
  button.append('<i class="fa fa-remove" aria-hidden="true">').insertAfter(row.input.next());
  button.on('click', () => {
    row.leave();
    moved('removed');
  });
}
