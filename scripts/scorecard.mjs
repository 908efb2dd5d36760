/**
 * Runs the Flow Library's scorecard, `node-red-dev validate`, over the packed package: every check must pass.
 * Runs without the lockfile and on the newest available Node, so that each dependency is the newest one.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseRuntime, run } from './node-runtime.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const npmCli = path.join(
  path.dirname(createRequire(import.meta.url).resolve('npm/package.json')),
  'bin/npm-cli.js',
);
const { node } = chooseRuntime();

/** The checks of node-red-dev 0.1.6. A check that did not run must not count as passed. */
const checks = 'P01 P03 P04 P05 P06 P07 P08 N01 N02 D01 D02 D03'.split(' ');

const directory = await mkdtemp(path.join(os.tmpdir(), 'algo-scorecard-'));
try {
  const card = await validate(await install());
  const failed = checks.filter((check) => card[check]?.test !== true);
  // The checks of nodes also pass if no node could be read.
  if (!card.N02?.nodes?.includes('algo-door')) failed.push('N02');
  console.log(`${checks.length - failed.length} of ${checks.length} checks passed`);
  for (const check of failed) console.error(`${check} failed: ${JSON.stringify(card[check])}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  await rm(directory, { recursive: true });
}

/** Installs the packed package with its dependencies, and the validator, in separate directories. */
async function install() {
  const validator = path.join(directory, 'validator');
  await mkdir(validator);
  await writeFile(path.join(validator, 'package.json'), '{ "private": true }');
  await npm(validator, 'install', 'node-red-dev@0.1.6', '--ignore-scripts', '--loglevel', 'error');
  await npm(root, 'pack', '--ignore-scripts', '--pack-destination', directory, '--loglevel', 'error');
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  await must('tar', ['-xzf', `openpaging-node-red-algo-${version}.tgz`], directory);
  const unpacked = path.join(directory, 'package');
  await npm(unpacked, 'install', '--omit=dev', '--no-package-lock', '--loglevel', 'error');
  return { validator, unpacked };
}

async function validate({ validator, unpacked }) {
  const output = path.join(directory, 'card.json');
  const preload = path.join(root, 'scripts', 'scorecard-preload.cjs');
  const program = path.join(validator, 'node_modules', 'node-red-dev', 'bin', 'run');
  await must(node, ['--require', preload, program, 'validate', '-p', unpacked, '-o', output], directory);
  return JSON.parse(await readFile(output, 'utf8'));
}

function npm(cwd, ...args) {
  return must(node, [npmCli, ...args], cwd);
}

async function must(command, args, cwd) {
  const env = { ...process.env, ALGO_NPM_CLI: npmCli };
  const code = await run(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
  if (code !== 0) throw new Error(`${path.basename(command)} ${args.join(' ')} ended with ${code}`);
}
