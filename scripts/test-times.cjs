const { appendFileSync, readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

/**
 * Root hooks of Mocha. For each test file, they write one line into the file that `ALGO_TIMES` names: file,
 * elapsed seconds and processor seconds. Processor seconds of child processes are listed too, including
 * shared ones such as a browser. Loading counts too, since a worker loads a file after the end of the
 * previous one.
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

/** Returns the processor seconds of all descendants of this process, ended or not; 0 without `/proc`. */
function ofChildren() {
  try {
    const found = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(processOf);
    const below = new Set([process.pid]);
    // A process can have a lower id than its parent.
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

/**
 * Returns a process, its own seconds and those of its ended children; empty if the process has just ended.
 */
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
