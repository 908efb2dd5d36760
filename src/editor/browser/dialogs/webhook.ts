import { loadSeveral } from '../form/add-field';
import type { ValidationResult } from '../node/validate';
import { same } from '../operations/entry';
import { keepOption, knowSecret, UnsetProperties } from '../page/inputs';
import { whenInPage } from '../page/load';
import { hideUntriedMarks } from '../page/untried';
import { isOneGone } from '../targets/target';
import { loadTools } from '../tools/load';

const stored = '__PWRD__';

function callersOf({ from }: EditorNode): readonly string[] {
  return Array.isArray(from) ? from.map(String) : [];
}

function withoutBlanks(callers: readonly string[]): readonly string[] {
  return callers.filter((one) => one.trim() !== '');
}

export function validateCallers(node: EditorNode, from: unknown): ValidationResult {
  if (!Array.isArray(from)) return true;
  const named = withoutBlanks(from.map(String));
  if (named.length === 0 && from.length > 0) return node._def._('invalid.from');
  return isOneGone(named) ? node._def._('several.gone') : true;
}

export class WebhookDialog {
  readonly root = $('#node-input-auth').closest('form');
  private readonly auth = $('#node-input-auth');
  private readonly password = $('#node-input-password');
  private readonly callers = $('#algo-webhook-callers');
  private readonly list = this.root.find('.algo-webhook-list');
  private readonly unset: UnsetProperties;
  private readonly before: readonly string[];
  private picked: () => readonly string[];
  private compared: string | undefined;

  constructor(readonly node: EditorNode) {
    const { root, auth, password, callers } = this;
    root.addClass('algo-form');
    hideUntriedMarks(root, node);
    knowSecret(node, 'has_password');
    keepOption(auth, node.auth || 'standard');
    $('#node-input-path').attr('placeholder', `/algo/${node.id}`);
    this.before = callersOf(node);
    this.picked = () => withoutBlanks(this.before);
    callers.val(this.before.length > 0 ? 'some' : 'any');
    this.unset = new UnsetProperties(node);
    auth.on('change', () => this.showAuth());
    password.on('change', () => {
      this.compared = this.typed();
    });
    callers.on('change', () => this.showCallers());
    this.showAuth();
    this.showCallers();
    loadTools().then(
      ({ WebhookGuide }) =>
        whenInPage(root, () => {
          const guide = new WebhookGuide(node, root.find('.algo-webhook-guide'), () => this.values());
          root.on('change input', () => guide.refresh());
          guide.refresh();
        }),
      () => root.find('.algo-webhook-guide > .algo-hint').text(node._def._('guide.missing')),
    );
    password.trigger('change');
  }

  save(): void {
    this.unset.spare();
    const { node, before } = this;
    const isAny = this.callers.val() !== 'some';
    const picked = isAny ? [] : this.picked();
    if (isAny === (before.length === 0) && same(picked, withoutBlanks(before))) return;
    // A list with one blank entry accepts no caller; an empty list would accept all callers.
    node.from = isAny || picked.length > 0 ? [...picked] : [''];
  }

  private values() {
    return {
      path: String($('#node-input-path').val() ?? ''),
      auth: String(this.auth.val() ?? ''),
      typed: this.typed(),
      compared: this.compared,
      from: this.callers.val() === 'some' ? this.picked() : [],
    };
  }

  private typed(): string | undefined {
    const typed = String(this.password.val() ?? '');
    return typed === stored || typed === '' ? undefined : typed;
  }

  private showAuth(): void {
    const { root, node } = this;
    const auth = String(this.auth.val() ?? '');
    const translate = node._def._;
    root.find('.algo-webhook-secret').toggle(auth !== 'none');
    root.find('.algo-webhook-tolerance').toggle(auth === 'standard');
    const label = translate(auth === 'token' ? 'label.token' : 'label.password');
    root.find('label[for="node-input-password"] > span').text(label);
    const isKnown = ['standard', 'basic', 'token'].includes(auth);
    $('#algo-webhook-auth').text(isKnown ? translate(`help.${auth}`) : '');
  }

  private showCallers(): void {
    const { list, node } = this;
    const isOpen = this.callers.val() === 'some';
    list.prop('hidden', !isOpen);
    if (!isOpen) return;
    loadSeveral(list, node, this.picked(), (picked) => {
      this.picked = picked;
    });
  }
}
