import { maxRowPasswords, rowPassword } from '../../../catalogue/row-passwords';
import { type GroupRow, keptPassword } from '../targets/group-rows';

/** The credentials of a group in the editor: entered passwords, and `has_…` for stored passwords. */
export type Credentials = Record<string, unknown>;

/**
 * Puts entered passwords into a group's credentials, each under a key that no row had before.
 * A stored password therefore never passes to another row. Keys that no row uses any more are emptied.
 * @param before the stored rows
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
    // Without a free key the row gets an invalid key, so that no request is sent to it with the shared
    // password.
    if (passwordKey === undefined) return { ...cells, passwordKey: maxRowPasswords + 1 };
    write(credentials, keyOf(passwordKey), row.password);
    return { ...cells, passwordKey };
  });
}

/** Whether a row keeps its stored password. */
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
