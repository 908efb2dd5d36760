/** The checkboxes of a node's options; each is shown for the operations that have it. */
export class Options {
  constructor(root, node) {
    this.node = node;
    this.rows = root.find('[data-option]').get();
    for (const row of this.rows) this.fill(row);
  }

  /** A checkbox can neither show nor keep `${ENV}`. */
  fill(row) {
    const box = $(row).find('input');
    const stored = this.node[row.dataset.option];
    if (typeof stored === 'string') box.attr('type', 'text').val(stored);
    else box.prop('checked', stored === true);
  }

  show(operation) {
    for (const row of this.rows) {
      row.hidden = operation !== 'msg' && !row.dataset.operations.split(' ').includes(operation);
    }
  }

  /** Replaces what changed; what was never stored counts as off. */
  save() {
    for (const row of this.rows) {
      const box = $(row).find('input');
      const name = row.dataset.option;
      const isText = box.attr('type') === 'text';
      const value = isText ? box.val() : box.prop('checked');
      if (value !== (this.node[name] ?? false)) this.node[name] = value;
    }
  }
}
