const { appendFileSync } = require('node:fs');
const { Spec } = require('mocha').reporters;

/** What a failure says is cut at this many characters: a difference between two long lists need not be whole. */
const longest = 2000;

/**
 * Mocha's usual output; and for CI one line `passed failed` for each run, in the file that it adds up, and
 * one for each failure, in the file that it prints last, where a long log is still read.
 */
module.exports = class CountReporter extends Spec {
  constructor(runner, options) {
    super(runner, options);
    const { ALGO_COUNTS: counts, ALGO_FAILURES: failed } = process.env;
    runner.on('fail', (test, error) => {
      const reason = String(error?.message ?? error).slice(0, longest);
      if (failed) appendFileSync(failed, `${test.fullTitle()}: ${reason}\n`);
    });
    runner.once('end', () => {
      const { passes, failures } = this.stats;
      if (counts) appendFileSync(counts, `${passes} ${failures}\n`);
    });
  }
};
