import { readSection, variantsOf } from './definition.mjs';
import { entryOf } from './entry.mjs';
import { Others } from './others.mjs';
import { problemsOf } from './problems.mjs';
import { Row } from './row.mjs';
import { choiceOf, isUndecided } from './variant.mjs';

/** The rows of one operation. They are made when they are needed: a node can have hundreds. */
export class Section {
  /**
   * `stored` is the node's form, `isOwn` whether it was stored for this operation; `changed` is called when
   * other rows are shown.
   */
  constructor(element, translate, stored, isOwn, changed) {
    this.element = element;
    this.translate = translate;
    this.stored = stored;
    this.definition = readSection(element);
    this.elements = [...element.querySelectorAll('.algo-field[data-field]')];
    this.made = [];
    const list = element.querySelector('.algo-others');
    if (list) this.others = new Others(list, this.definition.others, translate, isOwn ? stored : {});
    if (this.definition.choices.length > 0) this.openChoices(isOwn, changed);
    else for (const fold of element.querySelectorAll('details')) this.openFold(fold);
  }

  /** Opens what is folded away if something in it is set. */
  openFold(fold) {
    fold.open = [...fold.querySelectorAll('[data-field]')].some(
      ({ dataset }) => this.stored[dataset.field] !== undefined,
    );
    fold.addEventListener('toggle', () => RED.tray.resize());
  }

  openChoices(isOwn, changed) {
    this.select = $(this.element).find('.algo-variant select');
    this.select.val(isOwn ? choiceOf(variantsOf(this.definition), this.stored) : '');
    this.showRows();
    this.select.on('change', () => {
      const before = { names: this.names(), entries: this.entries(), rows: this.rows() };
      this.showRows();
      this.adopt(before);
      changed();
    });
  }

  /** Shows the rows of the choice in its own order. */
  showRows() {
    this.choice = this.definition.choices.find(({ id }) => id === this.select.val());
    for (const element of this.elements) element.hidden = true;
    for (const { element } of this.rows()) {
      element.hidden = false;
      element.parentElement.append(element);
    }
    $(this.element).find('.algo-too-few').appendTo(this.element);
  }

  /** The rows that are shown. A typedInput tells of a change while it is still being made. */
  rows() {
    const places = this.select ? (this.choice?.rows ?? []) : this.elements.keys();
    this.isMaking = true;
    const rows = [...places].map((place) => {
      const element = this.elements[place];
      this.made[place] ??= new Row(element, this.translate, this.stored[element.dataset.field]);
      this.made[place].offer(this.model);
      return this.made[place];
    });
    this.isMaking = false;
    return rows;
  }

  /** Offers the values that the model of the chosen device has; undefined where nobody knows it. */
  offer(model) {
    this.model = model;
    this.rows();
  }

  /** Whether there is anything to fill in at all. */
  asks() {
    return this.elements.length > 0 || this.others !== undefined;
  }

  /** The names that the section answers for, among those that are stored. */
  names() {
    if (this.others) return Object.keys(this.stored);
    return [...Object.keys(this.choice?.sets ?? {}), ...this.rows().map(({ name }) => name)];
  }

  /** What was entered elsewhere stays in the rows for the same fields. */
  adopt({ names, entries, rows }) {
    for (const row of this.rows()) {
      if (names.includes(row.name) && !rows.includes(row)) row.adopt(entries[row.name]);
    }
  }

  /** What would be stored. What tells a variant is stored even while it is empty. */
  entries() {
    const { sets = {}, needs = [] } = this.choice ?? {};
    const entries = Object.create(null);
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

  /** Says what is wrong with the form as a whole. */
  review() {
    if (this.isMaking) return;
    const entries = this.entries();
    const variants = variantsOf(this.definition);
    if (this.select) {
      const isWrong = isUndecided(variants, entries);
      const text = isWrong ? this.translate('form.invalid.variant') : '';
      this.select.attr('aria-invalid', String(isWrong));
      $(this.element).find('.algo-variant .algo-error').text(text);
    }
    const problems = problemsOf(this.definition, entries, this.translate);
    for (const row of this.rows()) {
      const ruled = problems.filter(({ name, isRuled }) => isRuled && name === row.name);
      row.rule(ruled.map(({ sentence }) => sentence).join('\n') || undefined);
    }
    const isFew = Object.keys(entries).length < this.definition.atLeast;
    const few = isFew ? this.translate('form.invalid.tooFew') : '';
    $(this.element).find('.algo-too-few').text(few);
  }
}
