import type { ActionList } from '../alert/action-list';
import { parts } from '../alert/parts';
import type { AlertScript } from '../alert/script';
import { same } from '../operations/entry';
import { keepOption, showStoredText, UnsetProperties } from '../page/inputs';
import { loadScript, whenInPage } from '../page/load';
import { openPriority } from '../page/typed-input';
import { listIn } from '../targets/group-rows';
import { Targets } from './targets';

export class AlertDialog {
  readonly root = $('#node-input-afterRestart').closest('form');
  private readonly translate: Translate;
  private readonly text = $('#algo-alert-actions-text');
  private readonly turn = $('.algo-alert-turn');
  private readonly before: string;
  private readonly targets: Targets;
  private readonly unset: UnsetProperties;
  private list: ActionList | undefined;
  private awaited: readonly unknown[] | undefined;

  constructor(readonly node: EditorNode) {
    this.translate = node._def._;
    this.before = String(this.text.val());
    this.targets = new Targets(this.root, node, () => this.refresh());
    keepOption($('#node-input-afterRestart'), node.afterRestart || 'keep');
    keepOption($('#node-input-retryAlert'), node.retryAlert ?? 'true');
    showStoredText($('#node-input-drill'), node.drill);
    openPriority();
    this.unset = new UnsetProperties(node);
    this.turn.prop('hidden', false).on('click', () => this.turnOver());
    this.text.prop('readonly', false).on('input', () => this.refresh());
    if (listIn(node.actions)) this.showList(listIn(node.actions) ?? []);
    this.refresh();
  }

  private showList(actions: readonly unknown[]): void {
    this.root.find('.algo-alert-text').prop('hidden', true);
    this.awaited = actions;
    this.refresh();
    loadScript<AlertScript>('alert')
      .then(({ ActionList }) => {
        whenInPage(this.root, () => {
          // While the script was loading, the user might have returned to the text.
          if (this.awaited !== actions) return;
          this.awaited = undefined;
          const picked = () => this.targets.picked;
          this.list = new ActionList(this.root, this.node, actions, { ...parts, picked });
          this.refresh();
        });
      })
      .catch(() => {
        this.awaited = undefined;
        this.root.find('.algo-alert-missing').prop('hidden', false);
        this.root.find('.algo-alert-text').prop('hidden', false);
        this.refresh();
      });
  }

  private turnOver(): void {
    if (!this.list && !this.awaited) {
      const actions = this.written();
      if (actions) this.showList(actions);
      return;
    }
    if (this.list) this.text.val(JSON.stringify(this.list.actions(), null, 2));
    this.list?.close();
    this.list = undefined;
    this.awaited = undefined;
    this.root.find('.algo-alert-text').prop('hidden', false);
    this.refresh();
  }

  private written(): readonly unknown[] | undefined {
    return listIn(String(this.text.val()).trim());
  }

  private refresh(): void {
    const isList = this.list !== undefined || this.awaited !== undefined;
    this.turn.text(this.translate(isList ? 'action.asText' : 'action.asList'));
    this.turn.prop('disabled', !isList && !this.written());
    this.list?.refresh();
  }

  save(): void {
    this.unset.spare();
    this.targets.save();
    if (this.list) {
      const actions = this.list.actions();
      if (!same(actions, listIn(this.node.actions))) this.node.actions = actions;
    } else if (String(this.text.val()) !== this.before) {
      this.node.actions = this.written() ?? String(this.text.val());
    }
  }
}
