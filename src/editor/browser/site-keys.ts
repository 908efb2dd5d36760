import { knowSecret } from './device';
import { ask } from './tools/ask';

/** What core shows in the place of a stored secret. */
const stored = '__PWRD__';

/** The secret of a centre, or the key of a site: says where nothing is signed, and shows the keys of a centre's sites. */
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
  $('#algo-remote-show-keys').on('click', () => void showKeys(node));
}

/** Node-RED reckons them: a page that did not come over https cannot. */
async function showKeys(node: EditorNode): Promise<void> {
  const place = $('#algo-remote-keys').empty();
  const typed = String($('#node-input-secret').val() ?? '').trim();
  const sites = ['sites', 'expected'].flatMap((name) =>
    String($(`#node-input-${name}`).val() ?? '').split(','),
  );
  const names = sites.map((name) => name.trim()).filter((name) => name !== '' && name !== '*');
  if (names.length === 0) {
    place.text(node._def._('keys.none'));
    return;
  }
  try {
    const secret = typed === stored ? {} : { secret: typed };
    const { keys } = await ask<{ keys: Record<string, string> }>('algo/sites/keys', {
      id: node.id,
      sites: names,
      ...secret,
    });
    place.empty();
    for (const [site, key] of Object.entries(keys)) place.append(rowOf(site, key));
  } catch (error) {
    place.text((error as Error).message);
  }
}

/** A key, chosen as a whole as soon as somebody goes there. */
function rowOf(site: string, key: string): JQuery {
  const box = $('<input type="text" readonly spellcheck="false">').val(key).attr('aria-label', site);
  box.css('width', '100%').on('focus click', () => void box.trigger('select'));
  return $('<div>').append($('<span>').text(site), box);
}
