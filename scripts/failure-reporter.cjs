const { appendFileSync } = require('node:fs');
const path = require('node:path');
const { Base } = require('mocha').reporters;

/** Maximum number of printed lines of an error. Expected and actual values are in the first lines. */
const maxLines = 30;

/**
 * The reporter of `npm run test:flaky`. Prints each failure when its file has ended, and writes its name into
 * the file that `ALGO_FAILURES` names.
 */
module.exports = class FailureReporter extends Base {
  constructor(runner, options) {
    super(runner, options);
    const { ALGO_FAILURES: names } = process.env;
    runner.on('fail', (test, error) => {
      const file = path.relative(process.cwd(), test.file ?? test.parent?.file ?? '');
      const name = `${file}: ${test.fullTitle()}`;
      const text = String(error?.stack ?? error?.message ?? error);
      const lines = text.split('\n').slice(0, maxLines);
      console.log(`\n${name}\n${lines.map((line) => `    ${line}`).join('\n')}`);
      if (names) appendFileSync(names, `${name}\n`);
    });
    runner.once('end', () => {
      const { passes, pending, failures, duration } = this.stats;
      const seconds = Math.round(duration / 1000);
      console.log(`${passes} passing, ${pending} pending, ${failures} failing (${seconds} s)`);
    });
  }
};
