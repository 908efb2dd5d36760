import type { Stored } from '../operations/entry';
import { Row } from './row';
import type { Section } from './section';

interface Surroundings {
  readonly translate: Translate;
  readonly prefix?: string;
  readonly changed: () => void;
}

/**
 * Rows for stored fields that the operation does not have. Without these rows, the user would lose stored
 * values unknowingly.
 */
export class UnknownFields {
  private readonly rows: readonly Row[];

  /**
   * @param root the element with `.algo-strangers` and with the template of a row
   * @param section the section of the operation to which the stored form belongs
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
      const next = this.rows.find((one) => one.isInForm && !one.element.hidden && one !== row);
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

  private remaining(section: Section | undefined): Row[] {
    const known = section?.names() ?? [];
    return this.rows.filter((row) => row.isInForm && !known.includes(row.name));
  }

  /** @returns the number of fields that `section` does not have, even if their rows are hidden */
  show(section: Section | undefined, isForm = true): number {
    const remaining = this.remaining(section);
    for (const row of this.rows) {
      row.element.hidden = !isForm || !remaining.includes(row);
      if (!row.element.hidden && !row.isMade) row.make();
    }
    return remaining.length;
  }

  entries(section: Section): Record<string, unknown> {
    const entries: Record<string, unknown> = {};
    for (const row of this.remaining(section)) {
      const entry = row.entry();
      if (entry !== undefined) entries[row.name] = entry;
    }
    return entries;
  }
}
