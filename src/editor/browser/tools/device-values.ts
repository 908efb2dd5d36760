interface DeviceValues {
  readonly id: string;
  readonly values: Readonly<Record<string, string>>;
  /**
   * Password that the user entered; absent if unchanged, since the editor does not know a stored password.
   */
  readonly password?: string;
}

const properties = ['address', 'auth', 'certificate', 'fingerprint', 'tls', 'timeout', 'virtual'];

const storedPassword = '__PWRD__';

export function deviceValues(id = ''): DeviceValues {
  const values = Object.fromEntries(properties.map((name) => [name, shownIn(name)]));
  const password = String($('#node-config-input-password').val() ?? '');
  return { id, values, ...(password !== storedPassword && { password }) };
}

function shownIn(name: string): string {
  const value = String($(`#node-config-input-${name}`).val() ?? '');
  // Core's select has the value `_ADD_` while no configuration node is selected.
  return value === '_ADD_' ? '' : value;
}
