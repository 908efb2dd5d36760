import type { OperationName } from '../catalogue/operation-name';

/**
 * The parameters of each operation by their wire names. The package ships other declarations, which the build
 * renders from the catalogue (`src/documents/parameter-types.ts`). The rendered declarations list every
 * parameter, so that a misspelled name does not compile.
 */
export type OperationParameters = {
  readonly [Name in OperationName]: Readonly<Record<string, unknown>>;
};
