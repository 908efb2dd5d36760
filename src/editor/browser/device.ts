import { current, type Judgement } from './node';

const prefix = 'config-input';

/** What is wrong with a device's address. */
export function validateAddress(node: EditorNode, value: unknown): Judgement {
  const virtual = current(node, 'virtual', prefix);
  if (virtual && virtual !== '_ADD_') return true;
  const finding = checkAddress(String(value ?? '').trim());
  return finding ? node._def._(`invalid.${finding}`) : true;
}

/** What is wrong with an address, as a key of the locale file's `invalid`; undefined if nothing is. */
export function checkAddress(address: string): 'noAddress' | 'address' | 'userInfo' | undefined {
  if (address === '') return 'noAddress';
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(address);
  if (hasScheme && !/^https?:/i.test(address)) return 'address';
  const url = hasScheme ? address : `https://${address}`;
  if (/\s/.test(address) || !URL.canParse(url)) return 'address';
  const { username, password } = new URL(url);
  return username || password ? 'userInfo' : undefined;
}

/** What is wrong with a device's pinned fingerprint: capitals, colons and blanks do not matter. */
export function validateFingerprint(node: EditorNode, value: unknown): Judgement {
  if (current(node, 'certificate', prefix) !== 'pin') return true;
  const digits = String(value ?? '').replace(/[:\s]/g, '');
  return /^[\da-f]{64}$/i.test(digits) || node._def._('invalid.fingerprint');
}

/** For a virtual device's `oneditprepare`. */
export function openVirtualDevice(node: EditorNode): void {
  const auth = inputOf('auth');
  auth.closest('form').addClass('algo-form');
  keepOption(auth, node.auth);
  knowPassword(node);
}

/** For a device's `oneditprepare`: shows only the rows that count, and says when the password is missing. */
export function openDevice(node: EditorNode): void {
  const [virtual, auth, certificate] = [inputOf('virtual'), inputOf('auth'), inputOf('certificate')];
  const password = inputOf('password');
  const form = virtual.closest('form').addClass('algo-form');
  keepOption(auth, node.auth);
  keepOption(certificate, node.certificate);
  if (typeof node.letDeviceDecide === 'string') asText(inputOf('letDeviceDecide'), node.letDeviceDecide);
  knowPassword(node);
  const refresh = () => {
    const isReal = (virtual.val() ?? '_ADD_') === '_ADD_';
    const isSecret = isReal && auth.val() !== 'none';
    form.find('.algo-real').toggle(isReal);
    form.find('.algo-secret').toggle(isSecret);
    form.find('.algo-pin').toggle(isReal && certificate.val() === 'pin');
    for (const tip of form.find('.algo-tip').get()) tip.hidden = tip.dataset.for !== certificate.val();
    const missing = isSecret && password.val() === '' ? node._def._('invalid.noPassword') : '';
    form.find('.algo-password-error').text(missing);
    RED.tray.resize();
  };
  virtual.add(auth).add(certificate).on('change', refresh);
  password.on('change keyup', refresh);
  refresh();
}

function inputOf(property: string): JQuery {
  return $(`#node-config-input-${property}`);
}

/** Where no password was ever stored, core takes an empty box for a change, unless it is told so. */
function knowPassword({ credentials }: EditorNode): void {
  for (const known of [credentials, credentials?._]) {
    if (known && known.has_password === undefined) known.has_password = false;
  }
}

/** A checkbox can neither show nor keep `${ENV}`. */
export function asText(checkbox: JQuery, value: string): void {
  checkbox.attr('type', 'text').css('width', '').val(value);
}

/** A select shows, and so keeps, a stored value that is none of its options. */
export function keepOption(select: JQuery, value: unknown): void {
  if (value === undefined || value === null) return;
  const text = String(value);
  const options = select.children().get() as HTMLOptionElement[];
  const isListed = options.some((option) => option.value === text);
  if (!isListed) $('<option>').val(text).text(text).appendTo(select);
  select.val(text);
}
