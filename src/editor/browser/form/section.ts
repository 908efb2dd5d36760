import { type Definition, readSection, variantsOf } from '../operations/definition';
import { entryOf, type Stored } from '../operations/entry';
import type { Choice } from '../operations/field';
import { problemsOf } from '../operations/problems';
import { choiceOf, isUndecided } from '../operations/variant';
import { AddField } from './add-field';
import { Folds } from './folds';
import { Others } from './other-fields';
import { Row } from './row';
import { RowMaker } from './row-maker';
import { skeletonOf } from './skeleton';

/** What was entered before other rows are shown. */
interface Entered {
  readonly names: readonly string[];
  readonly entries: Stored;
  /** The rows that it stands in, as far as they may be shown again. */
  readonly rows: readonly Row[];
}

/** What a section begins with. */
interface Beginning {
  /** The node's form. */
  readonly stored: Stored;
  /** Whether it was stored for this operation. */
  readonly isOwn: boolean;
  /** Whether nobody has had the chance to fill it in. */
  readonly isFresh: boolean;
  /** Called when other rows are shown. */
  readonly changed: () => void;
}

/** The rows of one operation: those that are demanded and those that are set; all others can be added. */
export class Section {
  readonly definition: Definition;
  private readonly elements: readonly HTMLElement[];
  private readonly known: Row[] = [];
  private readonly others: Others | undefined;
  private readonly adding: AddField;
  /** The select of the variants, and the choice made there. */
  private readonly select: JQuery | undefined;
  private choice: Choice | undefined;
  private model: string | undefined;
  private isTried: boolean;
  /** Another choice was made than the form was stored for. */
  private isChosen = false;
  /** Rows come and go together; they are shown when all have. */
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

  /** Rows are being made, which tell of changes before they are there. */
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
    // In the choice's own order.
    for (const { element } of this.rows()) this.adding.element.before(element);
  }

  /** Shows what is in the form, and nothing else. */
  private showRows(): void {
    for (const { element, isThere } of this.rows()) element.hidden = !isThere;
    this.folds.show(this.rows());
    this.adding.show();
    this.maker.begin();
  }

  /** A row came or went. */
  private moved(row: Row, how: 'removed' | 'other'): void {
    if (this.isMoving) return;
    const isNext = (one: Row) => one.isThere && one !== row;
    const rows = this.rows();
    const place = rows.indexOf(row);
    const next = rows.slice(place).find(isNext) ?? rows.slice(0, place).findLast(isNext);
    this.showRows();
    if (how !== 'removed') return;
    this.beginning.changed();
    if (row.isThere) row.focus();
    else if (next) next.focus();
    else this.focus();
  }

  /** Puts the focus where one goes on. */
  focus(): void {
    this.adding.focus();
  }

  private add(row: Row): void {
    row.add();
    row.focus();
    this.beginning.changed();
  }

  /** The rows that there may be. */
  private rows(): Row[] {
    const places = this.select ? (this.choice?.rows ?? []) : this.elements.keys();
    return [...places].flatMap((place) => this.rowAt(place) ?? []);
  }

  private rowAt(place: number): Row | undefined {
    const element = this.elements[place];
    if (!element) return undefined;
    const known = this.known[place];
    if (known) return known;
    const name = element.dataset.field ?? '';
    const { stored, isFresh } = this.beginning;
    const row: Row = new Row(element, this.translate, stored[name], {
      isFresh: isFresh || this.isChosen,
      moved: (how) => this.moved(row, how),
    });
    row.offer(this.model);
    this.known[place] = row;
    return row;
  }

  /** The row of a field, whether it is in the form or not. */
  row(name: string): Row | undefined {
    return this.rows().find((row) => row.name === name);
  }

  /** Offers the values that the model of the chosen device has; undefined where nobody knows it. */
  offer(model: string | undefined): void {
    this.model = model;
    for (const row of this.known) row?.offer(model);
  }

  /** Whether there is anything to fill in at all. */
  asks(): boolean {
    return this.elements.length > 0 || this.others !== undefined;
  }

  /** The names that the section answers for, among those that are stored. */
  names(): string[] {
    if (this.others) return Object.keys(this.beginning.stored);
    return [...Object.keys(this.choice?.sets ?? {}), ...this.rows().map(({ name }) => name)];
  }

  /** From now on it is a mistake that something is missing. */
  try(): void {
    this.isTried = true;
    for (const row of this.rows()) row.try();
    this.review();
  }

  /** What was entered elsewhere stays in the rows for the same fields. */
  adopt({ names, entries, rows }: Entered): void {
    this.isMoving = true;
    for (const row of this.rows()) {
      if (names.includes(row.name) && !rows.includes(row)) row.adopt(entries[row.name]);
    }
    this.isMoving = false;
    this.showRows();
  }

  /** What would be stored. What tells a variant is stored even while it is empty. */
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
    for (const [name, entry] of this.others?.entries() ?? []) entries[name] = entry;
    return entries;
  }

  /** What the form holds, as JSON to begin with. */
  skeleton(): string {
    return skeletonOf(this.entries(), this.rows());
  }

  /** Says what is wrong with the form as a whole, and in each row what the rules across the fields find. */
  review(): void {
    if (this.isMaking) return;
    const entries = this.entries();
    if (this.select) this.reviewChoice(this.select, entries);
    const problems = problemsOf(this.definition, entries, this.translate);
    const before = this.rows().filter(({ isThere }) => isThere).length;
    this.isMoving = true;
    for (const row of this.rows()) {
      const ruled = problems.filter(({ name, isRuled }) => isRuled && name === row.name);
      row.rule(ruled.map(({ sentence }) => sentence).join('\n') || undefined);
    }
    this.isMoving = false;
    if (this.rows().filter(({ isThere }) => isThere).length !== before) this.showRows();
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
