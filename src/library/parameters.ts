import type { OperationName } from '../catalogue/operation-name';

/**
 * The parameters of each operation by their wire names. The published package replaces this type by stricter
 * declarations, which `src/documents/parameter-types.ts` renders from the catalogue. With these declarations,
 * a misspelled parameter does not compile.
 */
export type OperationParameters = {
  readonly [Name in OperationName]: Readonly<Record<string, unknown>>;
};
