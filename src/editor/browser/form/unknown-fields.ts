import type { Stored } from '../operations/entry';
import { Row } from './row';
import type { Section } from './section';

/** What the rows of strangers are made for. */
interface Surroundings {
  readonly translate: Translate;
  /** Of the ids, where several forms are in one dialog. */
  readonly prefix?: string;
  /** Called when one was taken away. */
  readonly changed: () => void;
}

/** Rows for what is stored and no field of the operation: nothing is dropped unseen. */
export class UnknownFields {
  private readonly rows: readonly Row[];

  /**
   * @param root what holds `.algo-strangers` and the template of such a row
   * @param section of the operation that it was stored for
   */
  constructor(
    root: JQuery,
    section: Section,
    stored: Stored,
    { translate, prefix = '', changed }: Surroundings,
  ) {
    const known = section.names();
    const names = Object.keys(stored).filter((name) => !known.includes(name));
    const [list, template] = [root.children('.algo-strangers'), root.children('.algo-stranger').html()];
    const moved = (row: Row) => {
      const next = this.rows.find((one) => one.isThere && !one.element.hidden && one !== row);
      changed();
      if (next) next.focus();
      else section.focus();
    };
    this.rows = names.flatMap((name) => {
      const element = $(template).appendTo(list);
      const schema = section.definition.unasked[name] ?? { unknown: true };
      const id = `${prefix}algo-stranger-${name}`;
      element.attr({ 'data-field': name, 'data-schema': JSON.stringify(schema) });
      element.find('label').attr('id', id).text(name);
      element.find('.algo-error').attr('id', `${id}-error`);
      return element.get().map((one) => {
        const row: Row = new Row(one, translate, stored[name], { moved: () => moved(row) });
        return row;
      });
    });
  }

  /** The unknown fields that the shown operation does not know either. */
  private remaining(section: Section | undefined): Row[] {
    const known = section?.names() ?? [];
    return this.rows.filter((row) => row.isThere && !known.includes(row.name));
  }

  /** Shows the rows that a section has not. @returns how many these are */
  show(section: Section | undefined, isForm = true): number {
    const remaining = this.remaining(section);
    for (const row of this.rows) {
      row.element.hidden = !isForm || !remaining.includes(row);
      if (!row.element.hidden && !row.isMade) row.make();
    }
    return remaining.length;
  }

  /** What would be stored beside the entries of a section. */
  entries(section: Section): Record<string, unknown> {
    const entries: Record<string, unknown> = {};
    for (const row of this.remaining(section)) {
      const entry = row.entry();
      if (entry !== undefined) entries[row.name] = entry;
    }
    return entries;
  }
}
