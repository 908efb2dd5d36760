// npm run test:flaky [rounds] [words or options of npm test]: runs the suite several times, each time in a
// new order and under processor load. Prints each failure as it happens, and continues. At the end, prints
// the rounds with failures and the way to repeat each round.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants, setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './node-runtime.mjs';

const root = new URL('..', import.meta.url);
const given = process.argv.slice(2);
const rounds = /^\d+$/.test(given[0] ?? '') ? Number(given.shift()) : 10;
if (!given.includes('--built')) {
  if ((await run(process.execPath, ['scripts/build.mjs'], { cwd: root })) !== 0) process.exit(1);
  given.push('--built');
}

const busy = Array.from({ length: availableParallelism() }, () => {
  const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  setPriority(child.pid, constants.priority.PRIORITY_LOW);
  return child;
});
process.on('exit', () => {
  for (const child of busy) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

// The order follows from the chosen files too, so a round is repeated with the same words.
const chosen = given.filter((one) => one !== '--built').map((one) => ` '${one}'`);
const directory = mkdtempSync(path.join(tmpdir(), 'algo-flaky-'));
const names = path.join(directory, 'failures');
const failed = [];
for (let round = 1; round <= rounds; round += 1) {
  const seed = String(Date.now() % 1_000_000_000);
  const repeat = `ALGO_ORDER=${seed} ALGO_SEED=${seed} npm test -- --everything --many --shuffled${chosen.join('')}`;
  console.log(`Round ${round} of ${rounds}: ${repeat}`);
  writeFileSync(names, '');
  const env = { ...process.env, ALGO_ORDER: seed, ALGO_SEED: seed, ALGO_FAILURES: names };
  const reporter = '--reporter=scripts/failure-reporter.cjs';
  const args = ['scripts/test.mjs', '--everything', '--many', '--shuffled', reporter, ...given];
  if ((await run(process.execPath, args, { cwd: root, env })) !== 0) {
    const those = readFileSync(names, 'utf8').trim().split('\n').filter(Boolean);
    failed.push([`Failed: ${repeat}`, ...(those.length > 0 ? those : ['no test: see its output'])]);
  }
}
rmSync(directory, { recursive: true });
for (const lines of failed) console.log(lines.join('\n  '));
console.log(`${rounds - failed.length} of ${rounds} rounds were green`);
process.exit(failed.length > 0 ? 1 : 0);
