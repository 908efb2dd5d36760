/** The number of rows of a group that can have a password of their own. */
export const maxRowPasswords = 1_000;

/** The group's credential that holds a row's own password; undefined for what is no number of one. */
export function rowPassword(key: unknown): string | undefined {
  const number = typeof key === 'string' || typeof key === 'number' ? Number(key) : 0;
  const isOne = Number.isInteger(number) && number >= 1 && number <= maxRowPasswords;
  return isOne ? `rowPassword${number}` : undefined;
}
