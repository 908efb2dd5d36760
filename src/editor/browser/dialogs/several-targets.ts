import { loadMenus } from '../form/add-field';
import { same } from '../operations/entry';
import { targetsOf } from '../targets/target';

/**
 * The selection of several targets in a dialog. A target is the id of a device, `group:` with an id, or
 * `tag:` with a tag.
 */
export class SeveralTargets {
  private readonly row = $('<div data-target="several" hidden>');
  picked: () => readonly string[];

  constructor(
    private readonly node: EditorNode,
    private readonly targets: JQuery,
  ) {
    const stored = targetsOf(node);
    this.picked = () => stored;
    const option = $('<option value="several">').text(node._def._('several.option'));
    targets.find('option[value="group"]').after(option);
    this.row.data('selected', () => this.picked()).insertAfter(targets.closest('.form-row'));
  }

  show(): void {
    if (this.targets.val() !== 'several' || this.row.children().length > 0) return;
    const { node, row } = this;
    $('<div class="algo-hint" role="status">').text(node._def._('several.loading')).appendTo(row);
    loadMenus().then(
      ({ openSeveral }) => {
        this.picked = openSeveral(row.empty(), node, this.picked());
      },
      () => row.children().text(node._def._('several.missing')),
    );
  }

  save(): void {
    const picked = this.picked();
    if (!same(picked, targetsOf(this.node))) this.node.targets = [...picked];
  }
}
