import { type Definition, readSection, variantsOf } from '../operations/definition';
import { entryOf, type Stored } from '../operations/entry';
import type { Choice } from '../operations/field';
import { problemsOf } from '../operations/problems';
import { choiceOf, isUndecided } from '../operations/variant';
import { AddField } from './add-field';
import { Folds } from './folds';
import { type OtherEntry, Others } from './other-fields';
import { Row } from './row';
import { RowMaker } from './row-maker';
import { skeletonOf } from './skeleton';

interface Entered {
  readonly names: readonly string[];
  readonly entries: Stored;
  readonly rows: readonly Row[];
  readonly others?: readonly OtherEntry[];
}

interface Beginning {
  /** The stored form of the node, which can belong to another operation. */
  readonly stored: Stored;
  readonly isOwn: boolean;
  readonly isFresh: boolean;
  readonly changed: () => void;
  /** Returns whether the records of the device can have unknown keys; absent for false. */
  readonly isOpen?: () => boolean;
}

export class Section {
  readonly definition: Definition;
  private readonly elements: readonly HTMLElement[];
  private readonly known: Row[] = [];
  private readonly others: Others | undefined;
  private readonly adding: AddField;
  private readonly select: JQuery | undefined;
  private choice: Choice | undefined;
  private model: string | undefined;
  private isTried: boolean;
  private isChosen = false;
  /** Whether several rows are changing. The section is updated once, after the last of these changes. */
  private isMoving = false;
  private readonly maker: RowMaker;
  private readonly folds: Folds;

  constructor(
    readonly element: HTMLElement,
    private readonly translate: Translate,
    private readonly beginning: Beginning,
  ) {
    const { stored, isOwn, isFresh } = beginning;
    this.definition = readSection(element);
    this.elements = [...element.querySelectorAll<HTMLElement>('.algo-field[data-field]')];
    this.isTried = !isFresh;
    const list = element.querySelector<HTMLElement>('.algo-others');
    const { others, choices } = this.definition;
    this.others = list && others ? new Others(list, others, translate, isOwn ? stored : {}) : undefined;
    const rows = () => this.rows();
    this.adding = new AddField(element, translate, rows, (row) => this.add(row));
    this.maker = new RowMaker(rows, element);
    this.folds = new Folds(element, translate);
    this.select = choices.length > 0 ? $(element).find('.algo-variant select') : undefined;
    if (this.select) this.openChoices(this.select);
    else this.showRows();
    $(element).on('focusout', () => {
      this.isTried = true;
    });
  }

  get isMaking(): boolean {
    return this.maker.isMaking;
  }

  private openChoices(select: JQuery): void {
    const { stored, isOwn, changed } = this.beginning;
    select.val(isOwn ? choiceOf(variantsOf(this.definition), stored) : '');
    this.choose(select);
    this.showRows();
    select.on('change', () => {
      const before = { names: this.names(), entries: this.entries(), rows: this.rows() };
      this.isChosen = true;
      this.choose(select);
      this.adopt(before);
      changed();
    });
  }

  private choose(select: JQuery): void {
    this.choice = this.definition.choices.find(({ id }) => id === select.val());
    for (const element of this.elements) element.hidden = true;
    // Reorders the rows, since variants can have the same rows in a different order.
    for (const { element } of this.rows()) this.adding.element.before(element);
  }

  private showRows(): void {
    for (const { element, isInForm } of this.rows()) element.hidden = !isInForm;
    this.folds.show(this.rows());
    this.adding.show();
    this.maker.begin();
  }

  /**
   * If the user removed the row, focuses the row if it stays, otherwise a neighboring row or the button that
   * adds a field.
   */
  private moved(row: Row, how: 'removed' | 'other'): void {
    if (this.isMoving) return;
    const isNext = (one: Row) => one.isInForm && one !== row;
    const rows = this.rows();
    const index = rows.indexOf(row);
    const next = rows.slice(index).find(isNext) ?? rows.slice(0, index).findLast(isNext);
    this.showRows();
    if (how !== 'removed') return;
    this.beginning.changed();
    if (row.isInForm) row.focus();
    else if (next) next.focus();
    else this.focus();
  }

  focus(): void {
    this.adding.focus();
  }

  private add(row: Row): void {
    row.add();
    row.focus();
    this.beginning.changed();
  }

  private rows(): Row[] {
    const places = this.select ? (this.choice?.rows ?? []) : this.elements.keys();
    return [...places].flatMap((index) => this.rowAt(index) ?? []);
  }

  private rowAt(index: number): Row | undefined {
    const element = this.elements[index];
    if (!element) return undefined;
    const known = this.known[index];
    if (known) return known;
    const name = element.dataset.field ?? '';
    const { stored, isFresh } = this.beginning;
    const row: Row = new Row(element, this.translate, stored[name], {
      isFresh: isFresh || this.isChosen,
      moved: (how) => this.moved(row, how),
    });
    row.offer(this.model);
    this.known[index] = row;
    return row;
  }

  row(name: string): Row | undefined {
    return this.rows().find((row) => row.name === name);
  }

  offer(model: string | undefined): void {
    this.model = model;
    for (const row of this.known) row?.offer(model);
  }

  asks(): boolean {
    return this.elements.length > 0 || this.others !== undefined;
  }

  names(): string[] {
    if (this.others) return Object.keys(this.beginning.stored);
    return [...Object.keys(this.choice?.sets ?? {}), ...this.rows().map(({ name }) => name)];
  }

  try(): void {
    this.isTried = true;
    for (const row of this.rows()) row.try();
    this.review();
  }

  adopt({ names, entries, rows, others = [] }: Entered): void {
    this.isMoving = true;
    for (const row of this.rows()) {
      if (names.includes(row.name) && !rows.includes(row)) row.adopt(entries[row.name]);
    }
    this.isMoving = false;
    this.others?.adopt(others);
    this.showRows();
  }

  otherEntries(): readonly OtherEntry[] {
    return this.others?.entries() ?? [];
  }

  /**
   * Returns the entries to store. A field whose presence selects the variant is stored even without a value.
   */
  entries(): Record<string, unknown> {
    const { sets = {}, needs = [] } = this.choice ?? {};
    const entries: Record<string, unknown> = Object.create(null);
    for (const [name, text] of Object.entries(sets)) {
      entries[name] = entryOf({}, 'str', text, this.beginning.stored[name]);
    }
    for (const row of this.rows()) {
      const entry = row.entry() ?? (needs.includes(row.name) ? { type: 'str', value: '' } : undefined);
      if (entry !== undefined) entries[row.name] = entry;
    }
    for (const [name, entry] of this.otherEntries()) entries[name] = entry;
    return entries;
  }

  skeleton(): string {
    return skeletonOf(this.entries(), this.rows());
  }

  review(): void {
    if (this.isMaking) return;
    const entries = this.entries();
    if (this.select) this.reviewChoice(this.select, entries);
    const problems = problemsOf(this.definition, entries, this.translate, this.beginning.isOpen?.());
    const before = this.rows().filter(({ isInForm }) => isInForm).length;
    this.isMoving = true;
    for (const row of this.rows()) {
      const ruled = problems.filter(({ name, isRuled }) => isRuled && name === row.name);
      row.rule(ruled.map(({ sentence }) => sentence).join('\n') || undefined);
    }
    this.isMoving = false;
    if (this.rows().filter(({ isInForm }) => isInForm).length !== before) this.showRows();
    this.adding.show();
    this.folds.show(this.rows());
    const isFew = this.isTried && Object.keys(entries).length < this.definition.atLeast;
    const few = isFew ? this.translate('form.invalid.tooFew') : '';
    $(this.element).find('.algo-too-few').text(few);
  }

  private reviewChoice(select: JQuery, entries: Stored): void {
    const isWrong = this.isTried && isUndecided(variantsOf(this.definition), entries);
    const text = isWrong ? this.translate('form.invalid.variant') : '';
    select.attr('aria-invalid', String(isWrong));
    $(this.element).find('.algo-variant .algo-error').text(text);
  }
}
