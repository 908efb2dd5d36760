import { loadSeveral } from '../form/add-field';
import { same } from '../operations/entry';
import { keepOption } from '../page/inputs';
import { offerPanelOfDevice } from '../page/panel-button';
import { hideUntriedMarks } from '../page/untried';
import { targetsOf } from '../targets/target';

/** Prepares the dialog of a node with a target, and shows the row of the selected kind of target. */
export function openTarget(root: JQuery, node: EditorNode): void {
  root.addClass('algo-form').find('.algo-without-plugin').remove();
  hideUntriedMarks(root, node);
  offerPanelOfDevice();
  const target = $('#node-input-target');
  keepOption(target, node.target || 'device');
  const show = () => {
    for (const row of root.find('[data-target]').get()) row.hidden = row.dataset.target !== target.val();
  };
  target.on('change', show);
  show();
}

/**
 * The targets of a node that can have several targets. A target is the id of a device, `group:` with an id, or
 * `tag:` with a tag.
 */
export class Targets {
  private readonly select = $('#node-input-target');
  private readonly row = $('<div data-target="several" hidden>');
  private selected: () => readonly string[];

  /** @param changed called after the user has selected another target */
  constructor(
    root: JQuery,
    private readonly node: EditorNode,
    changed: () => void,
  ) {
    const stored = targetsOf(node);
    this.selected = () => stored;
    const option = $('<option value="several">').text(node._def._('several.option'));
    this.select.find('option[value="group"]').after(option);
    this.row.data('selected', () => this.picked).insertAfter(this.select.closest('.form-row'));
    openTarget(root, node);
    this.load();
    this.select.on('change', () => this.load());
    this.select.add('#node-input-device, #node-input-group').add(this.row).on('change', changed);
  }

  /** The selected targets if the target is `several`. */
  get picked(): readonly string[] {
    return this.selected();
  }

  private load(): void {
    if (this.select.val() !== 'several') return;
    loadSeveral(this.row, this.node, this.picked, (picked) => {
      this.selected = picked;
    });
  }

  save(): void {
    if (!same(this.picked, targetsOf(this.node))) this.node.targets = [...this.picked];
  }
}
