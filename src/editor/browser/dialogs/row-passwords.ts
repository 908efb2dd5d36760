import { maxRowPasswords, rowPassword } from '../../../catalogue/row-passwords';
import { type GroupRow, keptPassword } from '../targets/group-rows';

/** What the editor knows of a group's passwords: those that were typed, and `has_…` of those that are stored. */
export type Credentials = Record<string, unknown>;

/**
 * Puts the passwords that were typed into a group's credentials, each at a key that no row had before: so a password
 * never passes to another row. Keys that no row has any more are emptied.
 * @param before the rows as they were
 * @returns the rows with the numbers of their keys
 */
export function storePasswords(
  rows: readonly GroupRow[],
  before: readonly GroupRow[],
  credentials: Credentials,
): GroupRow[] {
  const kept = keysOf(rows.filter(isKept));
  const old = keysOf(before);
  for (const key of old) if (!kept.has(key)) write(credentials, key, '');
  const numbers = Array.from({ length: maxRowPasswords }, (_, place) => place + 1);
  const isFree = (number: number) => !kept.has(keyOf(number));
  const isNew = (number: number) => !old.has(keyOf(number)) && credentials[`has_${keyOf(number)}`] !== true;
  const free = numbers.filter((number) => isFree(number) && isNew(number));
  free.push(...numbers.filter((number) => isFree(number) && !isNew(number)));
  return rows.map((row) => {
    const { passwordKey: _, ...cells } = row;
    if (isKept(row)) return row;
    if (row.password === '') return cells;
    const passwordKey = free.shift();
    // Beyond the last one there is no password: nothing is sent to the row, least of all the shared one.
    if (passwordKey === undefined) return { ...cells, passwordKey: maxRowPasswords + 1 };
    write(credentials, keyOf(passwordKey), row.password);
    return { ...cells, passwordKey };
  });
}

/** Whether a row still has the password that is stored, and did not get another one. */
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
