export class Options {
  private readonly rows: readonly HTMLElement[];

  constructor(
    root: JQuery,
    private readonly node: EditorNode,
  ) {
    this.rows = root.find('[data-option]').get();
    for (const row of this.rows) this.fill(row);
  }

  /**
   * If the stored value is a text such as `${NAME}`, turns the checkbox into a text field, since a checkbox
   * can neither show nor keep a text.
   */
  private fill(row: HTMLElement): void {
    const box = $(row).find('input');
    const stored = this.node[nameOf(row)];
    if (typeof stored === 'string') box.attr('type', 'text').val(stored);
    else box.prop('checked', stored === true);
  }

  show(operation: string): void {
    for (const row of this.rows) {
      const having = row.dataset.operations?.split(' ') ?? [];
      row.hidden = operation !== 'msg' && !having.includes(operation);
    }
  }

  save(): void {
    for (const row of this.rows) {
      const box = $(row).find('input');
      const name = nameOf(row);
      const isText = box.attr('type') === 'text';
      const value: unknown = isText ? box.val() : box.prop('checked');
      if (value !== (this.node[name] ?? false)) this.node[name] = value;
    }
  }
}

function nameOf({ dataset }: HTMLElement): string {
  return dataset.option ?? '';
}
