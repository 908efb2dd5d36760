/** What the open dialog of a device says of how it is reached. */
interface DeviceValues {
  readonly id: string;
  readonly values: Readonly<Record<string, string>>;
  /** Absent: the stored one, which the browser does not know. */
  readonly password?: string;
}

const properties = ['address', 'auth', 'certificate', 'fingerprint', 'tls', 'timeout', 'virtual'];

/** What core shows in the place of a stored password. */
const storedPassword = '__PWRD__';

export function deviceValues(id = ''): DeviceValues {
  const values = Object.fromEntries(properties.map((name) => [name, shownIn(name)]));
  const password = String($('#node-config-input-password').val() ?? '');
  return { id, values, ...(password !== storedPassword && { password }) };
}

function shownIn(name: string): string {
  const value = String($(`#node-config-input-${name}`).val() ?? '');
  // An empty choice of a configuration node.
  return value === '_ADD_' ? '' : value;
}
