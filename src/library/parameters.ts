import type { OperationName } from '../catalogue/named';

/**
 * The parameters of each operation by the names of the wire. The package ships other declarations in the place of
 * these, which the build renders from the catalogue (`src/documents/parameter-types.ts`): one by one, so that a
 * misspelt name does not compile, and without all the rest that the catalogue says.
 */
export type OperationParameters = {
  readonly [Name in OperationName]: Readonly<Record<string, unknown>>;
};
