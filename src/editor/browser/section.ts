import { type Definition, readSection, variantsOf } from './definition';
import { entryOf, type Stored } from './entry';
import { Others } from './others';
import { problemsOf } from './problems';
import { Row } from './row';
import type { Choice } from './row-field';
import { choiceOf, isUndecided } from './variant';

/** What was entered before other rows are shown. */
export interface Entered {
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
  /** Called when other rows are shown. */
  readonly changed: () => void;
}

/** The rows of one operation. They are made when they are needed: a node can have hundreds. */
export class Section {
  readonly definition: Definition;
  private readonly stored: Stored;
  private readonly elements: readonly HTMLElement[];
  private readonly made: Row[] = [];
  private readonly others: Others | undefined;
  /** The select of the variants, and the choice made there. */
  private readonly select: JQuery | undefined;
  private choice: Choice | undefined;
  private model: string | undefined;
  /** Rows are being made, which tell of changes meanwhile. */
  isMaking = false;

  constructor(
    readonly element: HTMLElement,
    private readonly translate: Translate,
    { stored, isOwn, changed }: Beginning,
  ) {
    this.stored = stored;
    this.definition = readSection(element);
    this.elements = [...element.querySelectorAll<HTMLElement>('.algo-field[data-field]')];
    const list = element.querySelector<HTMLElement>('.algo-others');
    const { others, choices } = this.definition;
    this.others = list && others ? new Others(list, others, translate, isOwn ? stored : {}) : undefined;
    this.select = choices.length > 0 ? $(element).find('.algo-variant select') : undefined;
    if (this.select) this.openChoices(this.select, isOwn, changed);
    else for (const fold of element.querySelectorAll('details')) this.openFold(fold);
  }

  /** Opens what is folded away if something in it is set. */
  private openFold(fold: HTMLDetailsElement): void {
    fold.open = [...fold.querySelectorAll<HTMLElement>('[data-field]')].some(
      (row) => this.stored[nameOf(row)] !== undefined,
    );
    fold.addEventListener('toggle', () => RED.tray.resize());
  }

  private openChoices(select: JQuery, isOwn: boolean, changed: () => void): void {
    select.val(isOwn ? choiceOf(variantsOf(this.definition), this.stored) : '');
    this.showRows(select);
    select.on('change', () => {
      const before = { names: this.names(), entries: this.entries(), rows: this.rows() };
      this.showRows(select);
      this.adopt(before);
      changed();
    });
  }

  /** Shows the rows of the choice in its own order. */
  private showRows(select: JQuery): void {
    this.choice = this.definition.choices.find(({ id }) => id === select.val());
    for (const element of this.elements) element.hidden = true;
    for (const { element } of this.rows()) {
      element.hidden = false;
      element.parentElement?.append(element);
    }
    $(this.element).find('.algo-too-few').appendTo(this.element);
  }

  /** The rows that are shown. A typedInput tells of a change while it is still being made. */
  private rows(): Row[] {
    const places = this.select ? (this.choice?.rows ?? []) : this.elements.keys();
    this.isMaking = true;
    const rows = [...places].flatMap((place) => {
      const row = this.rowAt(place);
      row?.offer(this.model);
      return row ?? [];
    });
    this.isMaking = false;
    return rows;
  }

  /** The row of a field, if it is shown. */
  row(name: string): Row | undefined {
    return this.rows().find((row) => row.name === name);
  }

  private rowAt(place: number): Row | undefined {
    const element = this.elements[place];
    if (!element) return undefined;
    this.made[place] ??= new Row(element, this.translate, this.stored[nameOf(element)]);
    return this.made[place];
  }

  /** Offers the values that the model of the chosen device has; undefined where nobody knows it. */
  offer(model: string | undefined): void {
    this.model = model;
    this.rows();
  }

  /** Whether there is anything to fill in at all. */
  asks(): boolean {
    return this.elements.length > 0 || this.others !== undefined;
  }

  /** The names that the section answers for, among those that are stored. */
  names(): string[] {
    if (this.others) return Object.keys(this.stored);
    return [...Object.keys(this.choice?.sets ?? {}), ...this.rows().map(({ name }) => name)];
  }

  /** What was entered elsewhere stays in the rows for the same fields. */
  adopt({ names, entries, rows }: Entered): void {
    for (const row of this.rows()) {
      if (names.includes(row.name) && !rows.includes(row)) row.adopt(entries[row.name]);
    }
  }

  /** What would be stored. What tells a variant is stored even while it is empty. */
  entries(): Record<string, unknown> {
    const { sets = {}, needs = [] } = this.choice ?? {};
    const entries: Record<string, unknown> = Object.create(null);
    for (const [name, text] of Object.entries(sets)) {
      entries[name] = entryOf({}, 'str', text, this.stored[name]);
    }
    for (const row of this.rows()) {
      const entry = row.entry() ?? (needs.includes(row.name) ? { type: 'str', value: '' } : undefined);
      if (entry !== undefined) entries[row.name] = entry;
    }
    for (const [name, entry] of this.others?.entries() ?? []) entries[name] = entry;
    return entries;
  }

  /** Says what is wrong with the form as a whole, and in each row what the rules across the fields find. */
  review(): void {
    if (this.isMaking) return;
    const entries = this.entries();
    if (this.select) this.reviewChoice(this.select, entries);
    const problems = problemsOf(this.definition, entries, this.translate);
    for (const row of this.rows()) {
      const ruled = problems.filter(({ name, isRuled }) => isRuled && name === row.name);
      row.rule(ruled.map(({ sentence }) => sentence).join('\n') || undefined);
    }
    const isFew = Object.keys(entries).length < this.definition.atLeast;
    const few = isFew ? this.translate('form.invalid.tooFew') : '';
    $(this.element).find('.algo-too-few').text(few);
  }

  private reviewChoice(select: JQuery, entries: Stored): void {
    const isWrong = isUndecided(variantsOf(this.definition), entries);
    const text = isWrong ? this.translate('form.invalid.variant') : '';
    select.attr('aria-invalid', String(isWrong));
    $(this.element).find('.algo-variant .algo-error').text(text);
  }
}

function nameOf({ dataset }: HTMLElement): string {
  return dataset.field ?? '';
}
