import { current } from '../page/inputs';
import { targetMembers } from '../targets/target-members';

const maxNamed = 3;

/**
 * Lists the disabled groups and devices of a target that is a group or several targets. For a single device,
 * lists nothing, since core marks the select of a disabled device as invalid.
 * @param several the selected targets of a node whose target is `several`
 */
export function markDisabled(root: JQuery, node: EditorNode, several: readonly string[]): void {
  const lines = linesOf(disabledAmong(node, several), node._def._);
  let mark = root.find('.algo-disabled');
  if (mark.length === 0 && lines.length === 0) return;
  if (mark.length === 0) {
    mark = $('<div class="algo-warning algo-disabled" role="status">');
    mark.insertAfter(root.find('[data-target="group"]').last());
  }
  if (mark.text() !== lines.join('')) mark.empty().append(lines.map((line) => $('<div>').text(line)));
}

function disabledAmong(node: EditorNode, several: readonly string[]): EditorNode[] {
  const target = current(node, 'target');
  if (target !== 'group' && target !== 'several') return [];
  const selected = several.filter((one) => one.startsWith('group:')).map((one) => one.slice('group:'.length));
  const groups = target === 'group' ? [String(current(node, 'group'))] : selected;
  const members = targetMembers(node, several)?.map(({ id }) => id) ?? [];
  // The id of a row starts with the id of its group and a slash.
  const owners = members.map((id) => id.replace(/\/.*/s, '')).filter((id) => !members.includes(id));
  return [...new Set([...groups, ...owners, ...members])].flatMap((id) => {
    const found = RED.nodes.node(id);
    return found?.d === true ? [found] : [];
  });
}

function linesOf(disabled: readonly EditorNode[], translate: Translate): string[] {
  const hidden = disabled.length - maxNamed;
  return disabled.slice(0, maxNamed).map((one, index) => {
    const name = RED.utils.getNodeLabel(one, one.id);
    const isLast = index === maxNamed - 1 && hidden > 0;
    const names = isLast ? translate('form.unsupported.more', { names: name, count: String(hidden) }) : name;
    const kind = one.type === 'algo-group' ? 'group' : 'device';
    return `${names}${translate('colon')}${translate(`form.disabled.${kind}`)}`;
  });
}
