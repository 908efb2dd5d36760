import type { DialogExtension, ExtensibleDialog } from '../form/dialog-extension';
import type { Row } from '../form/row';
import { Ahead } from './ahead';
import { CallForm } from './api-call-form';
import { BellTable } from './bell-table';
import style from './bells.css';
import { CalendarPreview } from './calendar-preview';
import { CalendarText } from './calendar-text';
import { MonthView } from './month';
import { Plan } from './plan';
import { ReadFindings } from './read-findings';

const helped = new WeakMap<Row, JQuery>();
let count = 0;

function idOf(name: string): string {
  count += 1;
  return `algo-${name}-${count}`;
}

function help(dialog: ExtensibleDialog): void {
  const bells = dialog.row('bells');
  if (bells) helpWith(bells, () => new BellTable(bells, dialog.translate, idOf('bells')).element);
  const ics = dialog.row('ics');
  if (ics) {
    helpWith(ics, () => {
      const { element } = new CalendarText(ics, dialog.translate, idOf('calendar'));
      const preview = new CalendarPreview(dialog).element.insertAfter(element);
      return element.add(preview);
    });
  }
  const [from, until] = [dialog.row('from'), dialog.row('until')];
  if (from && until) helpWith(until, () => new ReadFindings(dialog, [until, from]).element);
  const dates = dialog.row('dates');
  if (!dates) return;
  helpWith(dates, () => {
    const { element } = new MonthView(dates, dialog.translate, idOf('dates'));
    return element.add(new ReadFindings(dialog, [dates]).element);
  });
}

function helpWith(row: Row, make: () => JQuery): void {
  if (row.isInForm && !helped.has(row)) helped.set(row, make());
  helped.get(row)?.toggle(row.isInForm);
}

const extension: DialogExtension = {
  open(dialog) {
    if (!document.querySelector('#algo-bells-style')) {
      $('<style id="algo-bells-style">').text(style).appendTo(document.head);
    }
    const ahead = new Ahead(dialog);
    const plan = new Plan(dialog, () => ahead.refresh());
    const strangers = dialog.root.find('.algo-strangers');
    plan.element.insertBefore(strangers);
    ahead.element.insertAfter(strangers);
    const calls = new CallForm(dialog, idOf('calls'));
    calls.element.insertBefore(strangers);
    const shown = () => {
      help(dialog);
      plan.element.toggle(dialog.operation() === 'sync' && dialog.row('bells') !== undefined);
      calls.element.toggle(dialog.operation() === 'apply' && dialog.row('events') !== undefined);
    };
    dialog.root.on('algo-shown', shown).on('algo-sent', () => ahead.refresh());
    shown();
  },
};

window.algoBells = extension;
