import { keepOption, knowSecret, showStoredText, UnsetProperties } from '../page/inputs';
import { loadScript, whenInPage } from '../page/load';
import { openPriority, openTyped } from '../page/typed-input';
import { hideUntriedMarks } from '../page/untried';
import { openDisabled } from '../support/load';
import { withTools } from '../tools/load';
import type { CommandForm } from '../virtual/script';
import { openTarget } from './targets';

export function openWatch(node: EditorNode): void {
  const form = inputOf('interval').closest('form');
  openTarget(form, node);
  openDisabled(form, node);
  for (const property of ['report', 'input', 'edge']) {
    if (inputOf(property).length > 0) keepOption(inputOf(property), node[property]);
  }
  for (const property of ['initial', 'adaptive', 'counters'])
    showStoredText(inputOf(property), node[property]);
}

function inputOf(property: string): JQuery {
  return $(`#node-input-${property}`);
}

/** Placeholder that core shows for a stored secret. */
const stored = '__PWRD__';

export class SitesDialog {
  private readonly unset: UnsetProperties;

  constructor(node: EditorNode) {
    hideUntriedMarks($('#dialog-form').addClass('algo-form'), node);
    openKeys(node);
    if (inputOf('priority').length > 0) openPriority();
    this.unset = new UnsetProperties(node);
  }

  save(): void {
    this.unset.spare();
  }
}

function openKeys(node: EditorNode): void {
  const [secret, key] = [$('#node-input-secret'), $('#node-input-key')];
  knowSecret(node, key.length > 0 ? 'has_key' : 'has_secret');
  const form = secret.add(key).closest('form');
  const refresh = () => {
    const text = String(secret.add(key).val() ?? '').trim();
    form.find('.algo-unsigned').toggle(text === '');
    form.find('.algo-keys').toggle(text !== '');
    form.find('#algo-remote-keys').empty();
    const isWrong = key.length > 0 && text !== '' && text !== stored && !/^[\w-]{43}$/.test(text);
    form.find('.algo-key-error').text(isWrong ? node._def._('invalid.key') : '');
  };
  secret.add(key).on('change input', refresh);
  refresh();
  $('#algo-remote-show-keys').on('click', () => void withTools(({ showKeys }) => showKeys(node)));
}

export function commandLabel(node: EditorNode): string {
  const { name, operation, virtual } = node;
  if (name) return name;
  const device = RED.nodes.node(virtual);
  const key = `operation.${operation}`;
  const words = node._def._(operation === 'msg' || !operation ? 'resource' : key);
  // The text of an option ends with its command, as in "Reboot (reboot)".
  const title = words.replace(/ \([\w-]+\)$/, '');
  return [[title, ...valuesIn(node)].join(' '), device && RED.utils.getNodeLabel(device, device.id)]
    .filter(Boolean)
    .join(' → ');
}

/** Returns no values for the command `password`, since a label must not show a password. */
function valuesIn({ operation, parametersType, parameters }: EditorNode): string[] {
  if (operation === 'msg' || operation === 'password' || parametersType !== 'json') return [];
  try {
    const given: unknown[] = Object.values(Object(JSON.parse(String(parameters ?? ''))));
    return given.slice(0, 2).map((value) => JSON.stringify(value).replaceAll('"', ''));
  } catch {
    return [];
  }
}

/** If the script of the rows fails to load, the user can edit the parameters as JSON. */
export function openCommand(node: EditorNode): void {
  const form = $('#node-input-parameters').closest('form').addClass('algo-form');
  const json = { value: 'json', label: node._def._('form.below') };
  openTyped('parameters', ['msg', json, 'jsonata', 'flow', 'global']);
  loadScript<CommandForm>('virtual')
    .then(({ open }) => whenInPage(form, open))
    .catch(() => {});
}
