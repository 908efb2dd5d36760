import { asText, keepOption } from './device';
import { openDisabled } from './load-lacks';
import { offerPanelOfDevice } from './panel-button';
import { spareUntried } from './untried';

/** For a watching node's `oneditprepare`: what is stored is shown, and kept, where a control has no room for it. */
export function openWatch(node: EditorNode): void {
  const form = inputOf('interval').closest('form').addClass('algo-form');
  const target = inputOf('target');
  spareUntried(form, node);
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
