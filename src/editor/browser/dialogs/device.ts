import { fingerprintOf } from '../../../catalogue/fingerprint';
import type { ValidationResult } from '../node/validate';
import { current, keepOption, knowSecret, showStoredText } from '../page/inputs';
import { offerPanel } from '../page/panel-button';
import { statusBelow } from '../page/status-below';
import { hideUntriedMarks, nowTried } from '../page/untried';
import { checkAddress } from '../targets/address';
import { rowsOf } from '../targets/group-rows';
import { withTools } from '../tools/load';
import { warnOfWeakness } from './device-warnings';
import { isPlainHttp } from './weak-choices';

const prefix = 'config-input';

/**
 * Validates the address of a device. With a virtual device, any address is valid, since the address is not
 * used.
 */
export function validateAddress(node: EditorNode, value: unknown): ValidationResult {
  const virtual = current(node, 'virtual', prefix);
  if (virtual && virtual !== '_ADD_') return true;
  const finding = checkAddress(String(value ?? '').trim());
  return finding ? node._def._(`invalid.${finding}`) : true;
}

/**
 * Validates the authentication of a device, or of the rows of a group: it needs a password. The editor knows only after
 * the dialog was open whether a password is stored.
 */
export function validateAuth(node: EditorNode, auth: unknown): ValidationResult {
  const { credentials, virtual, rows } = node;
  if (auth === 'none' || !credentials || (virtual && virtual !== '_ADD_')) return true;
  const needsPassword = node.type !== 'algo-group' || rowsOf(rows).some(({ password }) => password === '');
  return !needsPassword || credentials.has_password !== false || node._def._('invalid.noPassword');
}

/**
 * Validates the fingerprint of a device. Without a pinned certificate, any fingerprint is valid, since the
 * fingerprint is not used.
 */
export function validateFingerprint(node: EditorNode, value: unknown): ValidationResult {
  if (current(node, 'certificate', prefix) !== 'pin') return true;
  return fingerprintOf(String(value ?? '')) !== '' || node._def._('invalid.fingerprint');
}

/**
 * Validates the model of a virtual device: a model in the list of the dialog, with or without `G2`, an
 * environment variable, or an empty text.
 */
export function validateVirtualModel(node: EditorNode, value: unknown): ValidationResult {
  const written = String(value ?? '').trim();
  const number = written.toUpperCase().replace(/\(?G2\)?$/, '');
  if (written === '' || written.startsWith('${')) return true;
  const template = document.querySelector('script[data-template-name="algo-virtual-device"]');
  const isListed = /^\d{4}S?$/.test(number) && template?.textContent?.includes(`<option value="${number}"`);
  return isListed || node._def._('invalid.model');
}

export function validateVirtualFirmware(node: EditorNode, value: unknown): ValidationResult {
  const written = String(value ?? '').trim();
  if (written === '' || written.startsWith('${')) return true;
  return /^\d+(?:\.\d+)*(?:[_-].*)?$/.test(written) || node._def._('invalid.firmware');
}

export function openVirtualDevice(node: EditorNode): void {
  const auth = inputOf('auth');
  auth.closest('form').addClass('algo-form');
  keepOption(auth, node.auth || 'standard');
  knowSecret(node, 'has_password');
  showFindingBelow(node, inputOf('model'), validateVirtualModel);
  showFindingBelow(node, inputOf('firmware'), validateVirtualFirmware);
}

export function openDevice(node: EditorNode): void {
  openAccess(node);
  showFindingBelow(node, inputOf('address'), validateAddress);
  showFindingBelow(node, inputOf('fingerprint'), validateFingerprint);
  warnOfWeakness(node);
  offerPanel(inputOf('virtual'), (id) => id);
  const form = inputOf('name').closest('form');
  hideUntriedMarks(form, node);
  $('#algo-device-test').on('click', () => {
    nowTried(form, node);
    withTools(({ testDevice }) => void testDevice(node));
  });
  const button = $('#algo-device-find').on('click', () =>
    withTools(({ find, knownPlaces, makeDevices }) =>
      find(button, {
        known: () => knownPlaces(node, shownPlace()),
        make: (found) => makeDevices(node, found),
        take: ([found = '']) => inputOf('address').val(found).trigger('change').trigger('focus'),
      }),
    ),
  );
  showStoredText(inputOf('dryRun'), node.dryRun);
  const isOtherTimeout = !['', '10'].includes(String(node.timeout ?? ''));
  const isUsed = Boolean(node.tls || node.queueLimit || node.dryRun || isOtherTimeout);
  inputOf('queueLimit').closest('details').prop('open', isUsed);
}

function shownPlace(): { name: string; address: string }[] {
  const [name, address] = ['name', 'address'].map((property) => String(inputOf(property).val() ?? '').trim());
  return address ? [{ name: name ?? '', address }] : [];
}

export function openAccess(node: EditorNode): void {
  const [virtual, auth, certificate] = [inputOf('virtual'), inputOf('auth'), inputOf('certificate')];
  const [password, address] = [inputOf('password'), inputOf('address')];
  const form = auth.closest('form').addClass('algo-form');
  keepOption(auth, node.auth || 'standard');
  keepOption(certificate, node.certificate || 'verify');
  showStoredText(inputOf('letDeviceDecide'), node.letDeviceDecide);
  knowSecret(node, 'has_password');
  const refresh = () => {
    const isReal = (virtual.val() ?? '_ADD_') === '_ADD_';
    const isSecret = isReal && auth.val() !== 'none';
    form.find('.algo-real').toggle(isReal);
    form.find('.algo-secret').toggle(isSecret);
    const isPlain = isPlainHttp(String(address.val() ?? ''));
    form.find('.algo-pin').toggle(isReal && certificate.val() === 'pin');
    // A certificate has no effect without TLS, but a pinned certificate without TLS is a mistake that stays
    // visible.
    if (isPlain && certificate.val() !== 'pin') form.find('.algo-tls').hide();
    for (const tip of form.find('.algo-tip').get()) tip.hidden = tip.dataset.for !== certificate.val();
    const missing = isSecret && password.val() === '' ? node._def._('invalid.noPassword') : '';
    form.find('.algo-password-error').text(missing);
  };
  virtual.add(auth).add(certificate).on('change', refresh);
  password.add(address).on('change input', refresh);
  refresh();
}

function inputOf(property: string): JQuery {
  return $(`#node-config-input-${property}`);
}

/**
 * Shows the problem of a configuration node's field below the field, since core shows the problem only in a
 * tooltip. An empty field shows no problem, since the user might not have reached the field yet.
 */
function showFindingBelow(
  node: EditorNode,
  input: JQuery,
  validate: (node: EditorNode, value: unknown) => ValidationResult,
): void {
  const status = statusBelow(input, `${input.attr('id')}-said`, 'algo-error');
  const refresh = () => {
    const text = String(input.val() ?? '').trim();
    const result = text === '' ? true : validate(node, text);
    status.text(result === true ? '' : String(result));
  };
  input.on('change input', refresh);
  refresh();
}
