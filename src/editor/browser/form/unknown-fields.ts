import type { Stored } from '../operations/entry';
import { Row } from './row';
import type { Section } from './section';

/** The surroundings of the rows of unknown fields. */
interface Surroundings {
  readonly translate: Translate;
  /** The prefix of the ids, if a dialog has several forms. */
  readonly prefix?: string;
  /** Called when the user removes a row. */
  readonly changed: () => void;
}

/** Rows for stored fields that the operation does not have, so that no stored value disappears unseen. */
export class UnknownFields {
  private readonly rows: readonly Row[];

  /**
   * @param root the parent of `.algo-strangers` and of the template of such a row
   * @param section the section of the operation for which the form was stored
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

  /** Returns the stored fields that the current operation does not have either. */
  private remaining(section: Section | undefined): Row[] {
    const known = section?.names() ?? [];
    return this.rows.filter((row) => row.isThere && !known.includes(row.name));
  }

  /** Shows a row for each field that a section lacks. @returns the number of these rows */
  show(section: Section | undefined, isForm = true): number {
    const remaining = this.remaining(section);
    for (const row of this.rows) {
      row.element.hidden = !isForm || !remaining.includes(row);
      if (!row.element.hidden && !row.isMade) row.make();
    }
    return remaining.length;
  }

  /** Returns the entries to store in addition to the entries of a section. */
  entries(section: Section): Record<string, unknown> {
    const entries: Record<string, unknown> = {};
    for (const row of this.remaining(section)) {
      const entry = row.entry();
      if (entry !== undefined) entries[row.name] = entry;
    }
    return entries;
  }
}
