import { hasPath } from '../targets/address';
import { everyDevice, rowsOfOthers } from '../targets/known-devices';

/** What of the dialog of a device is looked at. */
export type DeviceField = 'name' | 'address' | 'auth' | 'password' | 'certificate' | 'model' | 'firmware';

/** A field, and the key of what is weak or doubtful about it. */
interface Weakness {
  readonly field: DeviceField;
  readonly what: string;
}

/** The password that every device leaves the factory with. */
const factoryPassword = 'algo';

/** A firmware as the devices write it: `5.7`, `5.3.4`, `5.5_beta11`. */
const version = /^\d+(?:\.\d+)+(?:[_-]\S*)?$/;

/**
 * What a person should know of a device's settings, though nothing keeps them from being used.
 * @param says what the dialog says of each field
 * @param known whom else there is
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
  note('address', 'path', hasPath(says('address')));
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

/** Whether an address says that there is no certificate to look at. */
export function isPlainHttp(address: string): boolean {
  return /^\s*http:/i.test(address);
}

/** The names that messages may mean others by: of devices, and of rows of groups. */
export function namesOfOthers(node: EditorNode): string[] {
  const devices = everyDevice().filter(({ id }) => id !== node.id);
  return [...devices, ...rowsOfOthers(node)].map(({ name }) => name);
}
