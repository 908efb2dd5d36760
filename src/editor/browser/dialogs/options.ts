import { shownIn, showStoredText } from '../page/inputs';

export class Options {
  private readonly rows: readonly HTMLElement[];

  constructor(
    root: JQuery,
    private readonly node: EditorNode,
  ) {
    this.rows = root.find('[data-option]').get();
    for (const row of this.rows) {
      const stored = node[nameOf(row)];
      showStoredText(
        $(row)
          .find('input')
          .prop('checked', stored === true),
        stored,
      );
    }
  }

  show(operation: string): void {
    for (const row of this.rows) {
      const having = row.dataset.operations?.split(' ') ?? [];
      row.hidden = operation !== 'msg' && !having.includes(operation);
    }
  }

  save(): void {
    for (const row of this.rows) {
      const name = nameOf(row);
      const value = shownIn($(row).find('input'));
      if (value !== (this.node[name] ?? false)) this.node[name] = value;
    }
  }
}

function nameOf({ dataset }: HTMLElement): string {
  return dataset.option ?? '';
}
