const errorsPage = 'https://github.com/openpaging/node-red-algo/blob/main/docs/errors.md';

/** Returns the address to which a dialog links the sentence of an error code. */
export const errorHelpOf = (code: string): string => `${errorsPage}#${code.toLowerCase()}`;
