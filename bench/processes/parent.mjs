/** Starts processes and asks them. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A message that never ends must not keep the bench from ending, in milliseconds. */
const longestAnswerMs = 300_000;
/** Where each process leaves a profile of its processor time, for the developer tools of a browser. */
const profiles = process.env.BENCH_PROFILES;

/**
 * @param {string} file relative to `bench/`
 * @param {string} node the Node that runs it
 * @returns a process: `ask` resolves to the answer of the function that it serves under that name
 */
export function start(file, node = process.execPath) {
  const place = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const child = fork(place, {
    execPath: node,
    execArgv: ['--expose-gc', ...(profiles ? ['--cpu-prof', '--cpu-prof-dir', profiles] : [])],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const waiting = new Map();
  let lastId = 0;
  child.on('message', ({ id, output, failure }) => {
    const { resolve, reject, timer } = waiting.get(id);
    waiting.delete(id);
    clearTimeout(timer);
    if (failure) reject(new Error(`${file}: ${failure}`));
    else resolve(output);
  });
  child.on('exit', (code, signal) => {
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(new Error(`${file} ended: ${signal ?? code}`));
    }
  });
  return {
    ask(name, input) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        const late = () => reject(new Error(`${file}: no answer to ${name} in ${longestAnswerMs / 1000} s`));
        const timer = setTimeout(late, longestAnswerMs);
        waiting.set(id, { resolve, reject, timer });
        child.send({ id, name, input }, (error) => error && reject(error));
      });
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      // Only who ends by itself writes what it has seen.
      if (profiles) child.disconnect();
      else child.kill();
      await gone;
    },
  };
}
