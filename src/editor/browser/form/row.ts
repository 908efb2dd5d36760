import { checkEntry, literals } from '../operations/check';
import { readRow, sentenceOf } from '../operations/definition';
import { type Entry, entryOf, shown } from '../operations/entry';
import type { RowField } from '../operations/field';
import { onlyValueFor } from '../operations/values';
import { iconButton } from '../page/button';
import { nameParts, type Parts, typeName, whileDetached } from '../page/typed-input';
import { beginningOf, typesOf } from './input-types';
import { addPickButton, addQuickChoices, isOffered, isQuick } from './pick-button';
import { inputIn, labelOf } from './row-parts';

interface RowOptions {
  /**
   * Whether an empty required row is not a mistake yet: in a new form, or after the user has selected another
   * variant.
   */
  readonly isFresh?: boolean;
  /**
   * Called when the user removes the row, or when the row appears or disappears for another reason. If
   * absent, the user cannot remove the row.
   */
  readonly moved?: (how: 'removed' | 'other') => void;
}

/**
 * A row of the form, for one field. The typedInput is created when the row is first shown, since its creation
 * takes milliseconds and a form can have many fields.
 */
export class Row {
  readonly name: string;
  readonly field: RowField;
  private entered: JQuery | undefined;
  /**
   * The last entry that code has set; undefined after the user changed the value. The value of the typedInput
   * has no line breaks, so it can differ from this entry.
   */
  private held: Entry | undefined;
  private made: Parts | undefined;
  /** Whether code is changing the typedInput, so that its change events do not come from the user. */
  private isPutting = false;
  private isSent: boolean;
  /** Whether a rule across fields reports a problem at this row, so that the row must be visible. */
  private isWanted = false;
  private isTried: boolean;
  model: string | undefined;
  /**
   * Value that the form selected because the model supports no other value; undefined if there is none, or
   * after the user changed the value.
   */
  private suggested: string | undefined;
  private ruling: string | undefined;

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

  get input(): JQuery {
    this.entered ??= inputIn(this.element, this.translate);
    return this.entered;
  }

  get isInForm(): boolean {
    return this.isSent || this.isWanted || this.field.foremost === true;
  }

  /**
   * Whether the typedInput exists or is being created. A typedInput reports changes even during its creation.
   */
  get isMade(): boolean {
    return this.made !== undefined || this.isPutting;
  }

  get box(): JQuery {
    return this.make().box;
  }

  make(): Parts {
    if (this.made) return this.made;
    const { element, input } = this;
    const held = this.now();
    this.isPutting = true;
    const isPicked = isOffered(this.field);
    const moved = this.field.required || this.field.foremost ? undefined : this.options.moved;
    const buttons = Number(isPicked) + Number(moved !== undefined);
    // The typedInput copies its width from the style of the input.
    if (!input.attr('style')) input.attr('style', `width: calc(100% - ${150 + 40 * buttons}px)`);
    whileDetached(input, () =>
      input.val(held.value).typedInput({ default: held.type, types: this.types(held) }),
    );
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
    if (types.some((known) => typeName(known) === first.type)) return types;
    const isCore = ['str', 'num', 'json', 'env'].includes(first.type);
    return [...types, isCore ? first.type : { value: first.type, label: first.type }];
  }

  private ownTypes(first: Partial<Entry>): InputType[] {
    const { field, translate, model } = this;
    const validate = (type: string) => (value: string) => this.message({ type, value }) ?? true;
    return typesOf({ field, translate, validate, shown: first, model });
  }

  /**
   * Fills in `payload`, the most common path, after the user has selected the type `msg`. An existing value
   * stays.
   */
  private beginSource(type: string): void {
    if (this.isPutting || type !== 'msg' || this.input.typedInput('value') !== '') return;
    this.input.typedInput('value', 'payload');
  }

  private now(): Entry {
    return this.held ?? { type: this.input.typedInput('type'), value: this.input.typedInput('value') };
  }

  entry(): unknown {
    const { type, value } = this.now();
    if (!this.isInForm || (value === '' && (!this.isSent || this.field.foremost))) return undefined;
    return entryOf(this.field, type, value, this.stored);
  }

  offer(model: string | undefined): void {
    if (!this.field.valueModels || model === this.model) return;
    this.model = model;
    this.suggest();
    if (this.made) this.put(this.now());
  }

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

  adopt(entry: unknown): void {
    const isEmpty = entry === undefined || shown(entry).value === '';
    if (isEmpty || checkEntry(this.field, entry) === 'value') this.leave();
    else this.show(shown(entry));
  }

  add(): void {
    this.isTried = false;
    this.show(this.initial(true));
  }

  show(entry: Entry): void {
    const wasThere = this.isInForm;
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

  /**
   * Resets the value. Also removes the row from the form, unless the field is required or foremost or a rule
   * across fields reports a problem.
   */
  leave(): void {
    this.isSent = this.field.required === true;
    this.put(this.initial());
  }

  focus(): void {
    const container = this.make().box.closest('.red-ui-typedInput-container');
    const parts = container.find('.red-ui-typedInput-input, .red-ui-typedInput-option-trigger');
    parts.filter(':visible').first().trigger('focus');
  }

  /** The menus of a typedInput count as part of the row, although the menus are elsewhere in the page. */
  private leftFor(next: EventTarget | null | undefined): void {
    const isElsewhere = next instanceof Element && !this.element.contains(next);
    if (isElsewhere && next.closest('.red-ui-typedInput-options') === null) this.try();
  }

  /** Marks the row as tried: from now on, a missing required value is a mistake. */
  try(): void {
    if (this.isTried) return;
    this.isTried = true;
    if (this.made) this.input.typedInput('validate');
    this.review();
  }

  private changed(): void {
    if (this.isPutting) return;
    this.suggested = undefined;
    if (!this.showsHeld()) this.held = undefined;
    const isFilled = this.now().value !== '';
    this.isTried ||= isFilled;
    this.isSent ||= this.isWanted && isFilled;
    this.review();
  }

  /** Whether the typedInput shows what code has set: the same text without its line breaks. */
  private showsHeld(): boolean {
    const { held, input } = this;
    if (!held || input.typedInput('type') !== held.type) return false;
    return input.typedInput('value') === held.value.replace(/[\r\n]+/g, '');
  }

  private message(entry: unknown): string | undefined {
    const finding = checkEntry(this.field, entry);
    if (finding === 'required' && (!this.isTried || this.field.foremost)) return undefined;
    return finding ? sentenceOf(this.translate, this.field, finding) : this.ruling;
  }

  rule(sentence: string | undefined): void {
    if (sentence === this.ruling) return;
    const wasThere = this.isInForm;
    this.ruling = sentence;
    this.isWanted = sentence !== undefined;
    if (wasThere !== this.isInForm) this.options.moved?.('other');
    if (this.made) this.input.typedInput('validate');
    this.review();
  }

  review(): void {
    if (!this.made || this.isPutting) return;
    const { box, typeButton } = this.made;
    typeButton.attr('aria-label', `${this.title()}${this.translate('colon')}${typeButton.attr('title')}`);
    const isLiteral = literals.includes(this.input.typedInput('type'));
    const value = isLiteral ? String(this.field.example ?? '') : '';
    // A gray example alone would look like a value, so the placeholder says "for example".
    box.attr('placeholder', value && this.translate('form.example', { value }));
    const message = this.message(this.entry());
    const row = $(this.element);
    row.find('.algo-error').text(message ?? '');
    const boxes = row.find('.red-ui-typedInput-input, .red-ui-typedInput-option-trigger');
    boxes.attr('aria-invalid', String(message !== undefined));
  }

  title(): string {
    return labelOf(this.element, this.translate) || this.name;
  }
}

interface Removable {
  readonly input: JQuery;
  readonly translate: Translate;
  title(): string;
  leave(): void;
}

function addRemoveButton(row: Removable, moved: NonNullable<RowOptions['moved']>): void {
  const words = row.translate('fields.remove', { name: row.title() });
  const remove = () => {
    row.leave();
    moved('removed');
  };
  const button = iconButton(words, remove, 'remove').addClass('algo-remove-row');
  button.attr('title', words).insertAfter(row.input.next());
}
