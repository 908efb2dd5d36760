export const maxRowPasswords = 1_000;

/**
 * Returns the name of the group's credential that stores the password of a row; undefined for an invalid row
 * number.
 */
export function rowPassword(key: unknown): string | undefined {
  const number = typeof key === 'string' || typeof key === 'number' ? Number(key) : 0;
  const isOne = Number.isInteger(number) && number >= 1 && number <= maxRowPasswords;
  return isOne ? `rowPassword${number}` : undefined;
}
