import { maxRowPasswords, rowPassword } from '../../../catalogue/row-passwords';
import { type GroupRow, keptPassword } from '../targets/group-rows';

/**
 * The credentials of a group in the editor: passwords that the user entered, and `has_…` for stored
 * passwords.
 */
export type Credentials = Record<string, unknown>;

/**
 * Writes the entered passwords of rows into a group's credentials, and clears the keys that no row uses. A
 * new password gets a key that no row uses, if possible a key without a stored password.
 * @param before the stored rows
 * @returns the rows to store, with the number of each row's key
 */
export function storePasswords(
  rows: readonly GroupRow[],
  before: readonly GroupRow[],
  credentials: Credentials,
): GroupRow[] {
  const kept = keysOf(rows.filter(isKept));
  const old = keysOf(before);
  for (const key of old) if (!kept.has(key)) write(credentials, key, '');
  const numbers = Array.from({ length: maxRowPasswords }, (_, index) => index + 1);
  const isFree = (number: number) => !kept.has(keyOf(number));
  const isNew = (number: number) => !old.has(keyOf(number)) && credentials[`has_${keyOf(number)}`] !== true;
  const free = numbers.filter((number) => isFree(number) && isNew(number));
  free.push(...numbers.filter((number) => isFree(number) && !isNew(number)));
  return rows.map((row) => {
    const { passwordKey: _, ...cells } = row;
    if (isKept(row)) return row;
    if (row.password === '') return cells;
    const passwordKey = free.shift();
    // If all keys are in use, an invalid key keeps the runtime from sending the shared password.
    if (passwordKey === undefined) return { ...cells, passwordKey: maxRowPasswords + 1 };
    write(credentials, keyOf(passwordKey), row.password);
    return { ...cells, passwordKey };
  });
}

function isKept({ password, passwordKey }: GroupRow): boolean {
  return password === keptPassword && passwordKey !== undefined;
}

function keysOf(rows: readonly GroupRow[]): ReadonlySet<string> {
  return new Set(rows.flatMap(({ passwordKey }) => rowPassword(passwordKey) ?? []));
}

function keyOf(number: number): string {
  return rowPassword(number) ?? '';
}

function write(credentials: Credentials, key: string, password: string): void {
  credentials[key] = password;
  credentials[`has_${key}`] = password !== '';
}
