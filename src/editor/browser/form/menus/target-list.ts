import { everyDevice, type KnownDevice, rowsOfOthers } from '../../targets/known-devices';
import { Picker } from '../../targets/picker';

/**
 * Shows a list of all targets that the user can select, with a search.
 * @returns a function that returns the selected targets
 */
export function openSeveral(
  row: JQuery,
  node: EditorNode,
  picked: readonly string[],
): () => readonly string[] {
  const translate = node._def._;
  const words: Translate = (key, values) => RED._(`@openpaging/node-red-algo/group:${key}`, values);
  const search = $('<input type="search" id="algo-several" autocomplete="off">');
  search.attr('placeholder', translate('several.search'));
  const label = $('<label for="algo-several">').text(translate('several.label'));
  const list = $('<div class="algo-picker">');
  row.append($('<div class="form-row">').append(label, ' ', search), list);
  const devices = everyDevice().sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  const picker = new Picker(
    list,
    [...groups(translate), ...tags([...devices, ...rowsOfOthers()], translate), ...devices],
    picked,
    words,
    () => search.trigger('change'),
    search,
  );
  return () => [...picker.picked];
}

function groups(translate: Translate): KnownDevice[] {
  const found: KnownDevice[] = [];
  RED.nodes.eachConfig((config) => {
    if (config.type !== 'algo-group') return;
    const name = translate('several.group', { name: RED.utils.getNodeLabel(config, config.id) });
    found.push({ id: `group:${config.id}`, name, address: '', tags: [] });
  });
  return found;
}

function tags(devices: readonly KnownDevice[], translate: Translate): KnownDevice[] {
  const every = [...new Set(devices.flatMap((device) => device.tags))].sort();
  return every.map((tag) => ({
    id: `tag:${tag}`,
    name: translate('several.tag', { tag }),
    address: '',
    tags: [],
  }));
}
