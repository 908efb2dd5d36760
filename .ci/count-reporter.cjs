const { appendFileSync } = require('node:fs');
const { Spec } = require('mocha').reporters;

/** Mocha's usual output; and one line `passed failed` for each run, in the file that CI adds up. */
module.exports = class CountReporter extends Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures } = this.stats;
      if (process.env.ALGO_COUNTS) appendFileSync(process.env.ALGO_COUNTS, `${passes} ${failures}\n`);
    });
  }
};
