const { appendFileSync, readFileSync } = require('node:fs');
const path = require('node:path');

/**
 * Mocha's root hooks: writes a line for each file of tests into the file that `ALGO_TIMES` names: the file, seconds
 * on the clock, seconds of the processor, and those of the processes that it started and that have ended. The time to
 * load a file is part of it, since a worker loads it after the end of the one before.
 */
let wall = performance.now();
let cpu = process.cpuUsage();
let children = ofChildren();

exports.mochaHooks = {
  afterAll() {
    const used = process.cpuUsage(cpu);
    const file = fileOf(this.test?.parent);
    const seconds = [
      (performance.now() - wall) / 1000,
      (used.user + used.system) / 1e6,
      ofChildren() - children,
    ];
    if (process.env.ALGO_TIMES)
      appendFileSync(process.env.ALGO_TIMES, `${JSON.stringify([file, ...seconds])}\n`);
    wall = performance.now();
    cpu = process.cpuUsage();
    children = ofChildren();
  },
};

/** Seconds of the processor that the ended processes of this one took; 0 where there is no `/proc`. */
function ofChildren() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}

function fileOf(root) {
  const file = root?.suites?.[0]?.file ?? 'unknown';
  return path.relative(path.join(__dirname, '..', 'dist', 'test'), file);
}
