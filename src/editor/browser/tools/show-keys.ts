import { ask } from './ask';

const stored = '__PWRD__';

export async function showKeys(node: EditorNode): Promise<void> {
  const container = $('#algo-remote-keys').empty();
  const typed = String($('#node-input-secret').val() ?? '').trim();
  const sites = ['sites', 'knownSites'].flatMap((name) =>
    String($(`#node-input-${name}`).val() ?? '').split(','),
  );
  const names = sites.map((name) => name.trim()).filter((name) => name !== '' && name !== '*');
  if (names.length === 0) {
    container.text(node._def._('keys.none'));
    return;
  }
  try {
    const secret = typed === stored ? {} : { secret: typed };
    const { keys } = await ask<{ keys: Record<string, string> }>('algo/sites/keys', {
      id: node.id,
      sites: names,
      ...secret,
    });
    const found = Object.entries(keys);
    container.text(found.length === 0 ? node._def._('keys.unknown') : '');
    for (const [site, key] of found) container.append(rowOf(site, key));
  } catch (error) {
    container.text((error as Error).message);
  }
}

function rowOf(site: string, key: string): JQuery {
  const box = $('<input type="text" readonly spellcheck="false">').val(key).attr('aria-label', site);
  box.css('width', '100%').on('focus click', () => void box.trigger('select'));
  return $('<div>').append($('<span>').text(site), box);
}
