/** Spanish and French have the same pages: of them, the tests of their texts find what is missing or stale. */
export const languages = process.env.ALGO_EVERYTHING ? ['de', 'es', 'fr'] : ['de'];
