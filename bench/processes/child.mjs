/** The child's side of `parent.mjs`: answers what its parent asks, and ends with it. */

/**
 * Answers each `{ id, name, input }` of the parent by the function of that name.
 * @param {Record<string, (input: any) => unknown>} answers
 */
export function serve(answers) {
  process.on('message', async ({ id, name, input }) => {
    try {
      process.send({ id, output: await answers[name](input) });
    } catch (error) {
      process.send({ id, failure: error.stack });
    }
  });
  process.on('disconnect', () => process.exit());
}
