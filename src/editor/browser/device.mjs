import { current } from './node.mjs';

const prefix = 'config-input';

/** `true`, or what is wrong with a device's address. */
export function validateAddress(node, value) {
  const virtual = current(node, 'virtual', prefix);
  if (virtual && virtual !== '_ADD_') return true;
  const finding = checkAddress(String(value ?? '').trim());
  return finding ? node._def._(`invalid.${finding}`) : true;
}

/** What is wrong with an address, as a key of the locale file's `invalid`; undefined if nothing is. */
export function checkAddress(address) {
  if (address === '') return 'noAddress';
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(address);
  if (hasScheme && !/^https?:/i.test(address)) return 'address';
  const url = hasScheme ? address : `https://${address}`;
  if (/\s/.test(address) || !URL.canParse(url)) return 'address';
  const { username, password } = new URL(url);
  return username || password ? 'userInfo' : undefined;
}

/** `true`, or what is wrong with a device's pinned fingerprint: capitals, colons and blanks do not matter. */
export function validateFingerprint(node, value) {
  if (current(node, 'certificate', prefix) !== 'pin') return true;
  const digits = String(value ?? '').replace(/[:\s]/g, '');
  return /^[\da-f]{64}$/i.test(digits) || node._def._('invalid.fingerprint');
}

/** For a virtual device's `oneditprepare`. */
export function openVirtualDevice(node) {
  const auth = $('#node-config-input-auth');
  auth.closest('form').addClass('algo-form');
  keepOption(auth, node.auth);
  knowPassword(node);
}

/** For a device's `oneditprepare`: shows only the rows that count, and says when the password is missing. */
export function openDevice(node) {
  const input = (property) => $(`#node-config-input-${property}`);
  const [virtual, auth, certificate, password] = ['virtual', 'auth', 'certificate', 'password'].map(input);
  const form = virtual.closest('form').addClass('algo-form');
  keepOption(auth, node.auth);
  keepOption(certificate, node.certificate);
  if (typeof node.letDeviceDecide === 'string') asText(input('letDeviceDecide'), node.letDeviceDecide);
  knowPassword(node);
  const refresh = () => {
    const isReal = (virtual.val() ?? '_ADD_') === '_ADD_';
    const isSecret = isReal && auth.val() !== 'none';
    form.find('.algo-real').toggle(isReal);
    form.find('.algo-secret').toggle(isSecret);
    form.find('.algo-pin').toggle(isReal && certificate.val() === 'pin');
    form.find('.algo-tip').each((_, tip) => {
      $(tip).prop('hidden', tip.dataset.for !== certificate.val());
    });
    const missing = isSecret && password.val() === '' ? node._def._('invalid.noPassword') : '';
    form.find('.algo-password-error').text(missing);
    RED.tray.resize();
  };
  virtual.add(auth).add(certificate).on('change', refresh);
  password.on('change keyup', refresh);
  refresh();
}

/** For a watching node's `oneditprepare`: what is stored is shown, and kept, where a control has no room for it. */
export function openWatch(node) {
  const input = (property) => $(`#node-input-${property}`);
  input('interval').closest('form').addClass('algo-form');
  for (const property of ['report', 'input', 'edge']) {
    if (input(property).length > 0) keepOption(input(property), node[property]);
  }
  // A first reading is sent unless somebody has switched it off; core would show a flow without the property as off.
  if (node.initial === undefined || node.initial === null || node.initial === '')
    input('initial').prop('checked', true);
  for (const property of ['initial', 'adaptive', 'counters']) {
    if (typeof node[property] === 'string') asText(input(property), node[property]);
  }
}

/** Where no password was ever stored, core takes an empty box for a change, unless it is told so. */
function knowPassword({ credentials }) {
  for (const known of [credentials, credentials?._]) {
    if (known && known.has_password === undefined) known.has_password = false;
  }
}

/** A checkbox can neither show nor keep `${ENV}`. */
function asText(checkbox, value) {
  checkbox.attr('type', 'text').css('width', '').val(value);
}

/** A select shows, and so keeps, a stored value that is none of its options. */
export function keepOption(select, value) {
  if (value === undefined || value === null) return;
  const options = select.children().get();
  const isListed = options.some((option) => option.value === value);
  if (!isListed) $('<option>').val(value).text(value).appendTo(select);
  select.val(value);
}
