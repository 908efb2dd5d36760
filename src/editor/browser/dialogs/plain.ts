import { asText, keepOption, knowSecret } from '../page/inputs';
import { offerPanelOfDevice } from '../page/panel-button';
import { hideUntriedMarks } from '../page/untried';
import { openDisabled } from '../support/load';
import { withTools } from '../tools/load';

export function openWatch(node: EditorNode): void {
  const form = inputOf('interval').closest('form').addClass('algo-form');
  const target = inputOf('target');
  hideUntriedMarks(form, node);
  offerPanelOfDevice();
  keepOption(target, node.target || 'device');
  const showTarget = () => {
    for (const row of form.find('[data-target]').get()) row.hidden = row.dataset.target !== target.val();
  };
  target.on('change', showTarget);
  showTarget();
  openDisabled(form, node);
  for (const property of ['report', 'input', 'edge']) {
    if (inputOf(property).length > 0) keepOption(inputOf(property), node[property]);
  }
  for (const property of ['initial', 'adaptive', 'counters']) {
    const value = node[property];
    if (typeof value === 'string') asText(inputOf(property), value);
  }
}

function inputOf(property: string): JQuery {
  return $(`#node-input-${property}`);
}

/** Placeholder that core shows for a stored secret. */
const stored = '__PWRD__';

export function openKeys(node: EditorNode): void {
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
