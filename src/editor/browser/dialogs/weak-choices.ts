import { hasApiPath, hasPath } from '../targets/address';
import { everyDevice, rowsOfOthers } from '../targets/known-devices';

export type DeviceField = 'name' | 'address' | 'auth' | 'password' | 'certificate' | 'model' | 'firmware';

/** A doubtful setting; `what` is a key under `weak` in the locale file. */
interface Weakness {
  readonly field: DeviceField;
  readonly what: string;
}

const factoryPassword = 'algo';

/** Matches a firmware version as devices write it, such as `5.7`, `5.3.4` or `5.5_beta11`. */
const version = /^\d+(?:\.\d+)+(?:[_-]\S*)?$/;

/**
 * Returns the warnings about the settings of a device. The user can save such settings nevertheless.
 * @param says returns the value of a field in the dialog
 * @param known names of other devices and rows, and all known models
 */
export function weaknessesIn(
  says: (field: DeviceField) => string,
  known: { readonly names: readonly string[]; readonly models: readonly string[] },
): Weakness[] {
  const found: Weakness[] = [];
  const note = (field: DeviceField, what: string, isSo: boolean) => {
    if (isSo && !says(field).startsWith('${')) found.push({ field, what });
  };
  const [auth, model] = [says('auth'), says('model').trim()];
  const isPlain = isPlainHttp(says('address'));
  note('name', 'nameTaken', says('name') !== '' && known.names.includes(says('name')));
  note('address', 'apiPath', hasApiPath(says('address')));
  note('address', 'path', hasPath(says('address')) && !hasApiPath(says('address')));
  note('auth', 'basicPlain', auth === 'basic' && isPlain);
  note('auth', 'noAuth', auth === 'none');
  note('password', 'factory', auth !== 'none' && says('password') === factoryPassword);
  note('certificate', 'any', !isPlain && says('certificate') === 'any');
  note('certificate', 'pinPlain', isPlain && says('certificate') === 'pin');
  const digits = /(?<!\d)8\d{3}(?!\d)/.test(model);
  note('model', 'noModel', model !== '' && !digits);
  const isKnown = known.models.some((one) => model.toUpperCase().includes(one));
  note('model', 'newModel', digits && !isKnown);
  note('firmware', 'noFirmware', says('firmware') !== '' && !version.test(says('firmware').trim()));
  return found;
}

export function isPlainHttp(address: string): boolean {
  return /^\s*http:/i.test(address);
}

export function namesOfOthers(node: EditorNode): string[] {
  const devices = everyDevice().filter(({ id }) => id !== node.id);
  return [...devices, ...rowsOfOthers(node)].map(({ name }) => name);
}
