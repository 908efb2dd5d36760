import { alertActions } from '../../../catalogue/alert-actions';
import { button } from '../page/button';
import { AbilityTable } from './ability-table';
import { ActionItem, type ItemOwner } from './action-item';
import type { AlertParts } from './parts';
import { type AlertTemplate, actionsOf, templates } from './templates';

export class ActionList implements ItemOwner {
  private items: ActionItem[];
  private readonly list = $('<ol class="algo-action-list">');
  private readonly begin = $('<div class="algo-buttons" role="group">');
  private readonly status = $('<div class="algo-hint" role="status">');
  private readonly choice = $('<select>');
  private readonly table: AbilityTable;
  private readonly translate: Translate;

  constructor(
    private readonly root: JQuery,
    readonly node: EditorNode,
    actions: readonly unknown[],
    readonly parts: AlertParts,
  ) {
    this.translate = node._def._;
    this.items = actions.map((action) => new ActionItem(this, action));
    this.list.append(this.items.map(({ element }) => element));
    this.table = new AbilityTable(root, node, parts);
    this.fillBeginning();
    root.find('.algo-alert-list').empty().append(this.begin, this.list, this.adding(), this.status);
    this.list.sortable({
      axis: 'y',
      handle: '.algo-handle',
      items: '> li',
      update: () => this.adoptOrder(),
    });
    this.number();
  }

  close(): void {
    this.root.find('.algo-alert-list').empty();
    this.table.close();
  }

  actions(): unknown[] {
    return this.items.map((item) => item.action());
  }

  refresh(): void {
    for (const item of this.items) item.offer();
    this.table.show(this.actions());
  }

  changed(): void {
    this.table.show(this.actions());
  }

  private fillBeginning(): void {
    const words = this.translate('template.title');
    const buttons = templates.map((template) =>
      button(this.translate(`template.${template.id}.title`), () => this.use(template)),
    );
    this.begin.attr('aria-label', words).append($('<span>').text(words), buttons);
  }

  private use(template: AlertTemplate): void {
    this.put(actionsOf(template, this.translate));
    const priority = $('#node-input-priority');
    priority.typedInput('type', 'num');
    priority.typedInput('value', String(template.priority));
    $('#node-input-endAfter').val(template.endAfter ?? '');
    const name = $('#node-input-name');
    if (name.val() === '') name.val(this.translate(`template.${template.id}.title`));
    this.items[0]?.focus();
  }

  private adding(): JQuery {
    this.choice.attr('aria-label', this.translate('action.choice'));
    for (const { operation } of alertActions) {
      const named = this.parts.operationNamed(operation);
      if (named) this.choice.append($('<option>').val(operation).text(named.title));
    }
    const begin = () => {
      this.put([{ operation: this.choice.val(), form: {} }]);
      const item = this.items.at(-1);
      item?.toggle(true);
      item?.focus();
    };
    const add = button(this.translate('action.add'), begin, 'plus');
    return $('<div class="algo-buttons">').append(this.choice, add);
  }

  private put(actions: readonly unknown[]): void {
    const items = actions.map((action) => new ActionItem(this, action));
    this.items = [...this.items, ...items];
    this.list.append(items.map(({ element }) => element));
    this.number();
  }

  remove(item: ActionItem): void {
    const index = this.items.indexOf(item);
    item.element.remove();
    this.items.splice(index, 1);
    this.number();
    const next = this.items[index] ?? this.items[index - 1];
    if (next) next.focus();
    else this.choice.trigger('focus');
  }

  move(item: ActionItem, by: -1 | 1): void {
    const index = this.items.indexOf(item);
    const other = this.items[index + by];
    if (!other) return;
    if (by < 0) other.element.before(item.element);
    else other.element.after(item.element);
    this.adoptOrder();
    const button = by < 0 ? item.up : item.down;
    if (button.prop('disabled')) item.focus();
    else button.trigger('focus');
    const words = { title: this.parts.titleOf(item.stored), place: String(index + by + 1) };
    this.status.text(this.translate('action.moved', words));
  }

  private adoptOrder(): void {
    const order = this.list.children().get();
    this.items = order.map((element) => $(element).data('item') as ActionItem);
    this.number();
  }

  private number(): void {
    for (const [index, item] of this.items.entries()) item.number(index + 1, this.items.length);
    this.begin.prop('hidden', this.items.length > 0);
    this.changed();
  }
}
