const { appendFileSync, readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

/**
 * Mocha's root hooks: writes a line for each file of tests into the file that `ALGO_TIMES` names: the file, seconds
 * on the clock, seconds of the processor, and those of the processes that it started, also of those that other files
 * use too, as a browser. The time to load a file is part of it, since a worker loads it after the end of the one before.
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

/** Seconds of the processor that the processes below this one took, ended or not; 0 where there is no `/proc`. */
function ofChildren() {
  try {
    const found = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(processOf);
    const below = new Set([process.pid]);
    // A process may have a lower number than the one that started it.
    for (let size = 0; size < below.size; ) {
      size = below.size;
      for (const { pid, parent } of found) if (below.has(parent)) below.add(pid);
    }
    return found
      .filter(({ pid }) => below.has(pid))
      .reduce((sum, { pid, own, ended }) => sum + ended + (pid === process.pid ? 0 : own), 0);
  } catch {
    return 0;
  }
}

/** A process, its own seconds, and those of its children that have ended; none if it has just ended itself. */
function processOf(name) {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) / 100);
    return [
      { pid: Number(name), parent: Number(fields[1]), own: user + system, ended: endedUser + endedSystem },
    ];
  } catch {
    return [];
  }
}

function fileOf(root) {
  const file = root?.suites?.[0]?.file ?? 'unknown';
  return path.relative(path.join(__dirname, '..', 'dist', 'test'), file);
}
