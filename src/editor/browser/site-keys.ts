import { knowSecret } from './device';
import { withTools } from './device-tools';

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
  $('#algo-remote-show-keys').on('click', () => void withTools(({ showKeys }) => showKeys(node)));
}
