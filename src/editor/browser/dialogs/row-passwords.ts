import { maxRowPasswords, rowPassword } from '../../../catalogue/row-passwords';
import { type GroupRow, keptPassword } from '../targets/group-rows';

/**
 * The credentials of a group in the editor: entered passwords, and a flag `has_…` for each stored password.
 */
export type Credentials = Record<string, unknown>;

/**
 * @param before the stored rows
 * @returns the rows to store; the number of a key replaces each entered password
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
    // If no key is free, the row gets an invalid key, so that the runtime does not send the shared password
    // for this row.
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
