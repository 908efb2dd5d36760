import type { StoredAction } from '../node/alert-actions';
import { button } from '../page/button';
import type { AlertParts } from './parts';

/** A closed action shows up to `maxValues` values, each cut to `maxValueLength` characters. */
const maxValues = 3;
const maxValueLength = 40;

export interface ItemOwner {
  readonly node: EditorNode;
  readonly parts: AlertParts;
  move(item: ActionItem, by: -1 | 1): void;
  remove(item: ActionItem): void;
  changed(): void;
}

let count = 0;

export class ActionItem {
  readonly element: JQuery;
  readonly up: JQuery;
  readonly down: JQuery;
  private readonly title: JQuery;
  private readonly about = $('<span class="algo-about">');
  private readonly findings = $('<div class="algo-error" role="status">');
  private readonly container: JQuery;
  private readonly remove: JQuery;
  private readonly translate: Translate;
  private form: ReturnType<AlertParts['OperationForm']['in']>;

  constructor(
    private readonly owner: ItemOwner,
    readonly stored: unknown,
  ) {
    this.translate = owner.node._def._;
    count += 1;
    const id = `algo-action-${count}`;
    this.container = $('<div class="algo-action-form" hidden>').attr('id', id);
    this.title = $('<button type="button" class="algo-link algo-action-title">');
    this.title.attr({ 'aria-expanded': 'false', 'aria-controls': id }).on('click', () => this.toggle());
    this.up = button('', () => owner.move(this, -1), 'arrow-up');
    this.down = button('', () => owner.move(this, 1), 'arrow-down');
    this.remove = button('', () => owner.remove(this), 'remove');
    const handle = $('<i class="fa fa-bars algo-handle" aria-hidden="true">');
    const buttons = $('<span class="algo-buttons">').append(this.up, this.down, this.remove);
    const head = $('<div class="algo-action-head">').append(handle, this.title, this.about, buttons);
    this.element = $('<li class="algo-action">')
      .append(head, this.findings, this.container)
      .data('item', this);
  }

  toggle(isOpen = this.container.prop('hidden') === true): void {
    if (isOpen) this.makeForm();
    this.container.prop('hidden', !isOpen);
    this.title.attr('aria-expanded', String(isOpen));
    this.show();
  }

  focus(): void {
    this.title.trigger('focus');
  }

  private makeForm(): void {
    if (this.form) return;
    const [container] = this.container.get();
    const { operation, form } = Object(this.stored) as StoredAction;
    const { parts, node } = this.owner;
    if (!container) return;
    this.form = parts.OperationForm.in(container, operation, form, () => {
      this.show();
      this.owner.changed();
    });
    this.form?.offer(parts.modelOf(node));
    if (this.form?.asks()) return;
    const isKnown = this.form !== undefined;
    const text = isKnown ? this.translate('action.nothing') : JSON.stringify(this.stored, null, 2);
    this.container.append($(isKnown ? '<div class="algo-hint">' : '<pre>').text(text));
  }

  offer(): void {
    this.form?.offer(this.owner.parts.modelOf(this.owner.node));
  }

  action(): unknown {
    if (!this.form) return this.stored;
    const { entriesOf, same } = this.owner.parts;
    const action = Object(this.stored) as StoredAction;
    const form = this.form.entries();
    return same(form, entriesOf(action.form)) ? this.stored : { ...action, form };
  }

  /**
   * @param index position in the list, from 1
   * @param of number of actions in the list
   */
  number(index: number, of: number): void {
    const { parts } = this.owner;
    const words = { place: String(index), title: parts.titleOf(this.stored) };
    this.title.text(this.translate('action.title', words));
    this.up.attr('aria-label', this.translate('action.up', words)).prop('disabled', index === 1);
    this.down.attr('aria-label', this.translate('action.down', words)).prop('disabled', index === of);
    this.remove.attr('aria-label', this.translate('action.remove', words));
    this.show();
  }

  private show(): void {
    const { parts } = this.owner;
    const action = this.action();
    const isOpen = this.form !== undefined && this.container.prop('hidden') === false;
    const lines = isOpen ? [] : parts.linesOfAction(action, this.translate);
    this.findings.text(lines.join('\n'));
    const shown = parts.shownIn(action).slice(0, maxValues);
    const values = shown.map(({ type, value }) => {
      const text = value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value;
      return ['str', 'num', 'bool'].includes(type) ? text : `${type}.${text}`;
    });
    this.about.text(isOpen ? '' : values.filter((value) => value !== '').join(' · '));
  }
}
