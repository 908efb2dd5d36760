// npm run test:flaky [rounds] [words or options of npm test]: the whole suite so often, in a new order each time, beside
// work that takes what processor it can get. Ends with the rounds that failed, and how each is repeated.
import { spawn } from 'node:child_process';
import { availableParallelism, constants, setPriority } from 'node:os';
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

const failed = [];
for (let round = 1; round <= rounds; round += 1) {
  const seed = String(Date.now() % 1_000_000_000);
  const repeat = `ALGO_ORDER=${seed} ALGO_SEED=${seed} npm test -- --all --shuffled`;
  console.log(`Round ${round} of ${rounds}: ${repeat}`);
  const env = { ...process.env, ALGO_ORDER: seed, ALGO_SEED: seed };
  const args = ['scripts/test.mjs', '--all', '--shuffled', '--reporter=dot', ...given];
  if ((await run(process.execPath, args, { cwd: root, env })) !== 0) failed.push(repeat);
}
for (const repeat of failed) console.log(`Failed: ${repeat}`);
console.log(`${rounds - failed.length} of ${rounds} rounds were green`);
process.exit(failed.length > 0 ? 1 : 0);
