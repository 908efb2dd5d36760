import { isNameable } from '../operations/definition';
import type { OthersField } from '../operations/field';
import type { Finding, Placed } from '../table/findings';
import { Paste } from '../table/paste';
import type { TableKind } from '../table/row-reader';

type Column = 'name' | 'value';

export type PastedSetting = Record<Column, string>;

const kind: TableKind<Column> = {
  columns: ['name', 'value'],
  needed: 'name',
  alone: 'name',
  titles: {
    ...{ name: 'name', setting: 'name', parameter: 'name', einstellung: 'name' },
    ...{ ajuste: 'name', nombre: 'name', réglage: 'name', paramètre: 'name', nom: 'name' },
    ...{ value: 'value', wanted: 'value', wert: 'value', valor: 'value', valeur: 'value' },
  },
  // A table with one column for each setting, as Node-RED's csv node writes a backup.
  acrossNames: /^[a-z][\w-]*(?:\.[\w-]+)+$/i,
};

/** Adds the import of a table with the names and values of settings. */
export function addPaste(
  element: HTMLElement,
  field: OthersField,
  translate: Translate,
  taken: (rows: PastedSetting[]) => void,
): void {
  const place = $('<div>').appendTo(element);
  const buttons = $(element).find('.algo-add').parent();
  const id = `algo-${String(element.dataset.key).replaceAll('.', '-')}`;
  new Paste<Column>(place, buttons, translate, { kind, id, taken, check: (rows) => check(rows, field) });
}

function check(rows: readonly Placed<Column>[], field: OthersField): Finding[] {
  const names = new Set<string>();
  return rows.flatMap(({ row: { name, value }, line }) => {
    const isTwice = names.has(name);
    names.add(name);
    const what = !isNameable(field, name)
      ? 'name'
      : isTwice
        ? 'twice'
        : value === '***'
          ? 'stars'
          : undefined;
    return what ? [{ line, what, words: { value: name } }] : [];
  });
}
